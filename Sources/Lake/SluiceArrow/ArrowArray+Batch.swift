// A batch goes in, and an Arrow array of the C data interface comes out. Nothing is copied: the array retains the batch, and so does
// each of its children, because a consumer may move a child out and keep it longer than the array.

internal import CArrow
internal import SluiceCore

extension ArrowArray {
    /// The array of a batch: a struct of its columns.
    static func export(_ batch: JSONColumnBatch, to array: UnsafeMutablePointer<ArrowArray>) {
        unsafe export(batch, length: batch.rowCount, nullCount: 0, buffers: [nil], children: batch.columns, to: array)
    }

    private static func export(
        _ batch: JSONColumnBatch, length: Int, nullCount: Int, buffers: [UnsafeRawBufferPointer?], children: [JSONColumnValues],
        to array: UnsafeMutablePointer<ArrowArray>
    ) {
        unsafe array.initialize(to: ArrowArray())
        unsafe array.pointee.length = Int64(length)
        unsafe array.pointee.null_count = Int64(nullCount)
        unsafe array.pointee.n_buffers = Int64(buffers.count)
        unsafe array.pointee.n_children = Int64(children.count)
        let addresses = unsafe UnsafeMutablePointer<UnsafeRawPointer?>.allocate(capacity: buffers.count)
        for index in unsafe buffers.indices { unsafe (addresses + index).initialize(to: buffers[index]?.baseAddress) }
        unsafe array.pointee.buffers = unsafe addresses
        let parts = UnsafeMutablePointer<UnsafeMutablePointer<ArrowArray>?>.allocate(capacity: max(children.count, 1))
        for (index, column) in children.enumerated() {
            let part = UnsafeMutablePointer<ArrowArray>.allocate(capacity: 1)
            unsafe export(
                batch, length: column.count, nullCount: column.nullCount, buffers: column.buffers, children: column.children,
                to: part)
            unsafe (parts + index).initialize(to: part)
        }
        unsafe array.pointee.children = unsafe parts
        unsafe array.pointee.private_data = unsafe Unmanaged.passRetained(batch).toOpaque()
        unsafe array.pointee.release = { array in unsafe ArrowArray.release(array) }
    }

    /// Releases an array, and those of its children that have not been moved out.
    private static func release(_ array: UnsafeMutablePointer<ArrowArray>?) {
        guard let array = unsafe array, unsafe array.pointee.release != nil else { return }
        unsafe freeChildren(array.pointee.children, count: array.pointee.n_children) { child in
            if let release = unsafe child.pointee.release { unsafe release(child) }
        }
        if let buffers = unsafe array.pointee.buffers { unsafe buffers.deallocate() }
        if let batch = unsafe array.pointee.private_data { unsafe Unmanaged<JSONColumnBatch>.fromOpaque(batch).release() }
        unsafe array.pointee.release = nil
    }
}
