// Records as columns: what a reader has collected, immutable from then on.

/// A batch of records, column by column, in the layout of Apache Arrow's columnar format.
///
/// ```swift
/// let feed = try JSONFeed<Book>(path: "books.ndjson")
/// let batches = try feed.columnBatches(of: 10_000)
/// while let batch = try batches.next() {
///     batch.column(named: "pages")?.withInt64s { pages in print(pages.reduce(0, +)) }
/// }
/// ```
///
/// Buffers start at multiples of 64 bytes. A batch is immutable, so any thread may read it.
@safe
public final class JSONColumnBatch: @unchecked Sendable {
    // Safe: the builders do not change after the batch has taken them.

    /// The descriptions of the columns.
    package let schema: [JSONColumn]
    /// The count of records.
    public let rowCount: Int
    let builders: UnsafeMutableBufferPointer<ColumnBuilder>

    init(_ schema: [JSONColumn], rowCount: Int, taking builders: UnsafeMutableBufferPointer<ColumnBuilder>) {
        self.schema = schema
        self.rowCount = rowCount
        unsafe self.builders = unsafe builders
    }

    deinit { unsafe ColumnBuilder.deallocate(builders) }

    /// The columns in the order in which they were asked for.
    public var columns: [JSONColumnValues] {
        schema.indices.map {
            unsafe JSONColumnValues(self, schema[$0], UnsafePointer(builders.baseAddress.unsafelyUnwrapped + $0))
        }
    }

    /// The first column with a name, or nil.
    public func column(named name: String) -> JSONColumnValues? {
        schema.firstIndex { $0.name == name }.map { columns[$0] }
    }
}

/// The values of a column, or of a part of one: the elements of lists, or one key of objects.
@safe
public struct JSONColumnValues: @unchecked Sendable {
    // Safe: it keeps the batch alive, which owns the memory and is immutable.

    /// The description of the column.
    public let column: JSONColumn
    private let batch: JSONColumnBatch
    private let pointer: UnsafePointer<ColumnBuilder>

    init(_ batch: JSONColumnBatch, _ column: JSONColumn, _ pointer: UnsafePointer<ColumnBuilder>) {
        self.batch = batch
        self.column = column
        unsafe self.pointer = unsafe pointer
    }

    private var builder: ColumnBuilder { unsafe pointer.pointee }

    /// The count of values, null included.
    public var count: Int { unsafe pointer.pointee.count }
    /// The count of values that are null.
    package var nullCount: Int { unsafe pointer.pointee.nullCount }

    /// Whether the value at an index is null.
    public func isNull(at index: Int) -> Bool {
        check(index)
        return unsafe pointer.pointee.validity.map { !$0.isSet(index) } ?? false
    }

    /// The value of a boolean column; nil for null, and for columns of another type.
    public func bool(at index: Int) -> Bool? {
        guard case .bool = column.type, !isNull(at: index) else { return nil }
        return builder.truths.isSet(index)
    }

    /// The value of an integer column, the microseconds since 1970 of a timestamp column, the days since 1970 of a date column, or the
    /// digits of a decimal column without their point; nil for null, and for columns of another type.
    public func int64(at index: Int) -> Int64? {
        guard !isNull(at: index) else { return nil }
        // Safe: the column has this value, of its layout's width.
        switch builder.layout {
        case .int64: return unsafe builder.values.base.assumingMemoryBound(to: Int64.self)[index]
        case .int32: return unsafe Int64(builder.values.base.assumingMemoryBound(to: Int32.self)[index])
        case .wide: return unsafe builder.values.base.assumingMemoryBound(to: WideInteger.self)[index].low
        case .bits, .double, .text, .list, .object: return nil
        }
    }

    /// The value of a column of type `real`; nil for null, and for columns of another type.
    public func double(at index: Int) -> Double? {
        guard case .real = column.type, !isNull(at: index) else { return nil }
        return unsafe builder.values.base.assumingMemoryBound(to: Double.self)[index]
    }

    /// The value of a column of type `text`, or the text of a JSON column; nil for null, and for columns of another type.
    public func string(at index: Int) -> String? {
        guard unsafe pointer.pointee.layout == .text, !isNull(at: index) else { return nil }
        let range = range(at: index)
        return unsafe String(
            decoding: UnsafeRawBufferPointer(start: builder.bytes.base + range.lowerBound, count: range.count), as: UTF8.self)
    }

    /// The range in ``elements`` of the list at an index; nil for null, and for columns of another type.
    public func elementRange(at index: Int) -> Range<Int>? {
        guard case .list = column.type, !isNull(at: index) else { return nil }
        return range(at: index)
    }

    /// The elements of all lists, one list after the other; nil if this is not a list column.
    public var elements: JSONColumnValues? {
        guard case .list(let type) = column.type else { return nil }
        return child(0, JSONColumn(name: "item", type: type))
    }

    /// The columns inside an object column; empty for columns of another type. Where an object is null, so are its values.
    public var members: [JSONColumnValues] {
        guard case .object(let columns) = column.type else { return [] }
        return columns.indices.map { child($0, columns[$0]) }
    }

    /// Calls a closure with all values of a column of type `integer` or `timestamp`, 0 in place of null. Nil for columns of another type.
    public func withInt64s<Result>(_ body: (UnsafeBufferPointer<Int64>) throws -> Result) rethrows -> Result? {
        guard unsafe pointer.pointee.layout == .int64 else { return nil }
        return unsafe try body(UnsafeBufferPointer(start: builder.values.base.assumingMemoryBound(to: Int64.self), count: count))
    }

    /// Calls a closure with all values of a column of type `real`, 0 in place of null. Nil for columns of another type.
    public func withDoubles<Result>(_ body: (UnsafeBufferPointer<Double>) throws -> Result) rethrows -> Result? {
        guard case .real = column.type else { return nil }
        return unsafe try body(UnsafeBufferPointer(start: builder.values.base.assumingMemoryBound(to: Double.self), count: count))
    }

    private func child(_ number: Int, _ column: JSONColumn) -> JSONColumnValues {
        // Safe: the type has this part, and each part has a builder.
        unsafe JSONColumnValues(batch, column, UnsafePointer(pointer.pointee.children.baseAddress.unsafelyUnwrapped + number))
    }

    private func range(at index: Int) -> Range<Int> {
        unsafe Int(builder.offsets[index])..<Int(builder.offsets[index + 1])
    }

    private func check(_ index: Int) { precondition(index >= 0 && index < count, "the column has no value \(index)") }

    // MARK: Buffers

    /// The buffers in Arrow's order: validity (nil if no value is null), then values, or offsets and bytes. They live as long as the batch.
    package var buffers: [UnsafeRawBufferPointer?] {
        let validity = unsafe builder.validity.flatMap {
            unsafe nullCount == 0 ? nil : UnsafeRawBufferPointer(start: $0.bytes, count: (count + 7) / 8)
        }
        switch builder.layout {
        case .bits: return unsafe [validity, UnsafeRawBufferPointer(start: builder.truths.bytes, count: (count + 7) / 8)]
        case .int64, .double, .int32, .wide:
            return unsafe [
                validity, UnsafeRawBufferPointer(start: builder.values.base, count: count * builder.layout.width),
            ]
        case .text:
            return unsafe [
                validity, UnsafeRawBufferPointer(start: builder.values.base, count: (count + 1) * 4),
                UnsafeRawBufferPointer(start: builder.bytes.base, count: builder.byteCount),
            ]
        case .list: return unsafe [validity, UnsafeRawBufferPointer(start: builder.values.base, count: (count + 1) * 4)]
        case .object: return unsafe [validity]
        }
    }

    /// The columns inside this one: the elements of lists, or the members of objects.
    package var children: [JSONColumnValues] { elements.map { [$0] } ?? members }
}
