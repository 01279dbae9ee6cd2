// Records as columns: what a reader has gathered, which does not change any more.

/// Some records, column by column, in the layout of Apache Arrow's columnar format.
///
/// ```swift
/// let feed = try JSONFeed<Book>(path: "books.ndjson")
/// let batches = try feed.columnBatches(of: 10_000)
/// while let batch = try batches.next() {
///     batch.column(named: "pages")?.withInt64s { pages in print(pages.reduce(0, +)) }
/// }
/// ```
///
/// Buffers start at multiples of 64 bytes. A batch is never changed once it is made, so any thread may read it.
@safe
public final class JSONColumnBatch: @unchecked Sendable {
    // Safe: nothing changes the builders once the batch has them.

    /// What the columns are.
    public let schema: [JSONColumn]
    /// The records.
    public let rowCount: Int
    let builders: UnsafeMutableBufferPointer<ColumnBuilder>

    init(_ schema: [JSONColumn], rowCount: Int, taking builders: UnsafeMutableBufferPointer<ColumnBuilder>) {
        self.schema = schema
        self.rowCount = rowCount
        unsafe self.builders = unsafe builders
    }

    deinit { unsafe ColumnBuilder.deallocate(builders) }

    /// The columns in the order of ``schema``.
    public var columns: [JSONColumnValues] {
        schema.indices.map {
            unsafe JSONColumnValues(self, schema[$0], UnsafePointer(builders.baseAddress.unsafelyUnwrapped + $0))
        }
    }

    /// The column of a name; nil if absent.
    public func column(named name: String) -> JSONColumnValues? {
        schema.firstIndex { $0.name == name }.map { columns[$0] }
    }
}

/// The values of a column, or of a part of one: the elements of lists, a key of objects.
@safe
public struct JSONColumnValues: @unchecked Sendable {
    // Safe: it keeps the batch, which owns the memory and is never changed.

    /// What the column is.
    public let column: JSONColumn
    private let batch: JSONColumnBatch
    private let pointer: UnsafePointer<ColumnBuilder>

    init(_ batch: JSONColumnBatch, _ column: JSONColumn, _ pointer: UnsafePointer<ColumnBuilder>) {
        self.batch = batch
        self.column = column
        unsafe self.pointer = unsafe pointer
    }

    private var builder: ColumnBuilder { unsafe pointer.pointee }

    /// How many values there are, null included.
    public var count: Int { unsafe pointer.pointee.count }
    /// How many of them are null.
    public var nullCount: Int { unsafe pointer.pointee.nullCount }

    /// Whether there is no value.
    public func isNull(at index: Int) -> Bool {
        check(index)
        return unsafe pointer.pointee.validity.map { !$0.isSet(index) } ?? false
    }

    /// The value of a column of booleans; nil for null.
    public func bool(at index: Int) -> Bool? {
        guard case .bool = column.type, !isNull(at: index) else { return nil }
        return builder.truths.isSet(index)
    }

    /// The value of a column of integers, or the microseconds since 1970 of one of timestamps; nil for null.
    public func int64(at index: Int) -> Int64? {
        guard unsafe pointer.pointee.layout == .int64, !isNull(at: index) else { return nil }
        return unsafe builder.values.base.assumingMemoryBound(to: Int64.self)[index]
    }

    /// The value of a column of doubles; nil for null.
    public func double(at index: Int) -> Double? {
        guard case .double = column.type, !isNull(at: index) else { return nil }
        return unsafe builder.values.base.assumingMemoryBound(to: Double.self)[index]
    }

    /// The value of a column of strings, or the text of one of JSON; nil for null.
    public func string(at index: Int) -> String? {
        guard unsafe pointer.pointee.layout == .text, !isNull(at: index) else { return nil }
        let range = range(at: index)
        return unsafe String(
            decoding: UnsafeRawBufferPointer(start: builder.bytes.base + range.lowerBound, count: range.count), as: UTF8.self)
    }

    /// Where the elements of a list stand in ``elements``; nil for null, and for what is no list.
    public func elementRange(at index: Int) -> Range<Int>? {
        guard case .list = column.type, !isNull(at: index) else { return nil }
        return range(at: index)
    }

    /// The elements of all lists, one behind the other; nil for what is no list.
    public var elements: JSONColumnValues? {
        guard case .list(let type) = column.type else { return nil }
        return child(0, JSONColumn(name: "item", type: type))
    }

    /// The columns of a column of objects, empty for other columns. Where an object is null, so are their values.
    public var members: [JSONColumnValues] {
        guard case .object(let columns) = column.type else { return [] }
        return columns.indices.map { child($0, columns[$0]) }
    }

    /// All values of a column of integers or timestamps; where one is null stands 0.
    public func withInt64s<Result>(_ body: (UnsafeBufferPointer<Int64>) throws -> Result) rethrows -> Result? {
        guard unsafe pointer.pointee.layout == .int64 else { return nil }
        return unsafe try body(UnsafeBufferPointer(start: builder.values.base.assumingMemoryBound(to: Int64.self), count: count))
    }

    /// All values of a column of doubles; where one is null stands 0.
    public func withDoubles<Result>(_ body: (UnsafeBufferPointer<Double>) throws -> Result) rethrows -> Result? {
        guard case .double = column.type else { return nil }
        return unsafe try body(UnsafeBufferPointer(start: builder.values.base.assumingMemoryBound(to: Double.self), count: count))
    }

    private func child(_ number: Int, _ column: JSONColumn) -> JSONColumnValues {
        // Safe: there is a builder for each part of the type.
        unsafe JSONColumnValues(batch, column, UnsafePointer(pointer.pointee.children.baseAddress.unsafelyUnwrapped + number))
    }

    private func range(at index: Int) -> Range<Int> {
        unsafe Int(builder.offsets[index])..<Int(builder.offsets[index + 1])
    }

    private func check(_ index: Int) { precondition(index >= 0 && index < count, "the column has no value \(index)") }

    // MARK: Buffers

    /// The buffers in Arrow's order: validity, nil if nothing is null; then values, or offsets and bytes. They live as long as the batch.
    package var buffers: [UnsafeRawBufferPointer?] {
        let validity = unsafe builder.validity.flatMap {
            unsafe nullCount == 0 ? nil : UnsafeRawBufferPointer(start: $0.bytes, count: (count + 7) / 8)
        }
        switch builder.layout {
        case .bits: return unsafe [validity, UnsafeRawBufferPointer(start: builder.truths.bytes, count: (count + 7) / 8)]
        case .int64, .double: return unsafe [validity, UnsafeRawBufferPointer(start: builder.values.base, count: count * 8)]
        case .text:
            return unsafe [
                validity, UnsafeRawBufferPointer(start: builder.values.base, count: (count + 1) * 4),
                UnsafeRawBufferPointer(start: builder.bytes.base, count: builder.byteCount),
            ]
        case .list: return unsafe [validity, UnsafeRawBufferPointer(start: builder.values.base, count: (count + 1) * 4)]
        case .object: return unsafe [validity]
        }
    }

    /// The columns that this one consists of: elements or members.
    package var children: [JSONColumnValues] { elements.map { [$0] } ?? members }
}
