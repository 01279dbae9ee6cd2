// Remembers how values of each type are decoded or encoded. This is found out once per type, and then looked up by the type's address,
// without a lock.

internal import Foundation
internal import SluiceCore
internal import Synchronization

/// How values of one type are decoded, or encoded.
@safe
struct TypeRecord<Worker: AnyObject> {
    enum Way {
        /// By the type's `init(from:)` or `encode(to:)`.
        case itself
        case string, int, double, bool
        /// By the record's reader or writer.
        case worker
    }

    let type: UnsafeRawPointer
    let way: Way
    let worker: Worker?
}

/// The records of all types that have been decoded, or encoded. They live as long as the process.
@safe
final class TypeTable<Worker: AnyObject>: @unchecked Sendable {
    typealias Record = TypeRecord<Worker>

    /// A cache of the addresses of records. Several types share a slot; the type that was used last has it.
    private let slots: UnsafeMutablePointer<Atomic<UInt>>
    private let mask: UInt = 1023
    /// The addresses of all records, by the address of their type.
    private let records = Mutex<[UInt: UInt]>([:])

    init() {
        unsafe slots = .allocate(capacity: Int(mask) + 1)
        for index in 0...Int(mask) { unsafe (slots + index).initialize(to: Atomic(0)) }
    }

    /// - Parameter worker: Makes the reader or writer of the type; returns nil for a type that decodes or encodes itself.
    @inline(__always)
    func record(of type: Any.Type, _ worker: () -> Worker?) -> UnsafePointer<Record> {
        // Safe: the address of a type is that of its metadata, which lives as long as the process.
        let address = unsafe unsafeBitCast(type, to: UnsafeRawPointer.self)
        let bits = UInt(bitPattern: address)
        let slot = unsafe slots + Int(truncatingIfNeeded: (bits &>> 4 ^ bits &>> 13) & mask)
        // Safe: a slot has 0 or the address of a record, which is never freed.
        if let record = unsafe UnsafePointer<Record>(bitPattern: slot.pointee.load(ordering: .acquiring)),
            unsafe record.pointee.type == address
        {
            return unsafe record
        }
        let record = unsafe otherRecord(of: type, address, worker)
        unsafe slot.pointee.store(UInt(bitPattern: record), ordering: .releasing)
        return unsafe record
    }

    @inline(never)
    private func otherRecord(of type: Any.Type, _ address: UnsafeRawPointer, _ worker: () -> Worker?) -> UnsafePointer<Record> {
        let bits = UInt(bitPattern: address)
        // Safe: each value in the dictionary is the address of a record, which is never freed.
        if let record = unsafe UnsafePointer<Record>(bitPattern: records.withLock { $0[bits] ?? 0 }) { return unsafe record }
        let record = UnsafeMutablePointer<Record>.allocate(capacity: 1)
        unsafe record.initialize(to: TypeTable.makeRecord(of: type, address, worker))
        let made = UInt(bitPattern: record)
        let kept = records.withLock { records in
            if let other = records[bits] { return other }
            records[bits] = made
            return made
        }
        if kept != made {
            unsafe record.deinitialize(count: 1)
            unsafe record.deallocate()
        }
        // Safe: `kept` is the address of a record, either the one just made or the one in the dictionary.
        return unsafe UnsafePointer<Record>(bitPattern: kept).unsafelyUnwrapped
    }

    private static func makeRecord(of type: Any.Type, _ address: UnsafeRawPointer, _ worker: () -> Worker?) -> Record {
        if type == String.self { return unsafe Record(type: address, way: .string, worker: nil) }
        if type == Int.self { return unsafe Record(type: address, way: .int, worker: nil) }
        if type == Double.self { return unsafe Record(type: address, way: .double, worker: nil) }
        if type == Bool.self { return unsafe Record(type: address, way: .bool, worker: nil) }
        let worker = worker()
        return unsafe Record(type: address, way: worker == nil ? .itself : .worker, worker: worker)
    }
}
