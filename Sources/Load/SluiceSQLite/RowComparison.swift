// Compares a row with a record inside the statement that finds it, so that SQLite reads only the columns that the record has.
//
//     SELECT CASE sluice_shape() WHEN 1 THEN sluice_same(id, type, name) WHEN 2 THEN sluice_same(id, size) ELSE sluice_same(id, type, name, size) END
//     FROM events WHERE id >= ? ORDER BY id
//
// Records with the same columns have the same shape. Before the statement steps to the next row, the next record is known. So
// `sluice_shape` returns the shape of that record. For a table of 73 columns whose records have 22 columns each, this takes half
// the instructions of reading all columns.

#if SQLite
internal import GRDB
internal import GRDBSQLite
internal import SluiceIngest

/// The functions of a run that compare rows. The loaders of a connection share them.
// Unchecked: SQLite calls the functions while a statement runs, on the thread that runs it.
@safe
final class RowComparison: @unchecked Sendable {
    /// The lookup whose statement runs.
    @safe @exclusivity(unchecked) var lookup: RowLookup?
    private var isAdded = false

    /// The names of the functions. Several runs may share a connection.
    static func shapeFunction(of run: RunIdentity) -> String { "sluice_shape_\(run.id)" }
    static func sameFunction(of run: RunIdentity) -> String { "sluice_same_\(run.id)" }

    /// Registers the functions in a connection.
    func add(to db: Database, for run: RunIdentity) throws {
        guard !isAdded else { return }
        try unsafe RowComparison.set(RowComparison.shapeFunction(of: run), 0, db, self) { context, _, _ in
            unsafe sqlite3_result_int(context, RowComparison.of(context).lookup?.shape ?? 0)
        }
        try unsafe RowComparison.set(RowComparison.sameFunction(of: run), -1, db, self) { context, _, values in
            if let values = unsafe values { unsafe RowComparison.of(context).lookup?.compare(values) }
        }
        isAdded = true
    }

    /// Removes the functions from a connection that others continue to use.
    static func remove(from db: Database, for run: RunIdentity) {
        try? unsafe set(shapeFunction(of: run), 0, db, nil, nil)
        try? unsafe set(sameFunction(of: run), -1, db, nil, nil)
    }

    private typealias Function = @convention(c) (OpaquePointer?, Int32, UnsafeMutablePointer<OpaquePointer?>?) -> Void

    private static func set(_ name: String, _ count: Int32, _ db: Database, _ comparison: RowComparison?, _ body: Function?)
        throws
    {
        // Safe: SQLite holds the object until the function is gone, and gives it back to `release`.
        let context = unsafe comparison.map { unsafe Unmanaged.passRetained($0).toOpaque() }
        let release: (@convention(c) (UnsafeMutableRawPointer?) -> Void)? =
            comparison == nil
            ? nil : { if let context = unsafe $0 { unsafe Unmanaged<RowComparison>.fromOpaque(context).release() } }
        let code = unsafe sqlite3_create_function_v2(
            db.sqliteConnection, name, count, SQLITE_UTF8, context, body, nil, nil, release)
        guard code == SQLITE_OK else { throw DatabaseError(resultCode: ResultCode(rawValue: code)) }
    }

    private static func of(_ context: OpaquePointer?) -> RowComparison {
        // Safe: `set` has stored the object, and SQLite holds it as long as the function exists.
        unsafe Unmanaged<RowComparison>.fromOpaque(sqlite3_user_data(context)).takeUnretainedValue()
    }
}

/// The shapes of the records so far: which columns each has.
struct RowShapes {
    private struct Shape: Hashable {
        var low: UInt64 = 0
        var high: UInt64 = 0
        var count = 0

        func hasColumns(of other: Shape) -> Bool { low == other.low && high == other.high }
    }

    /// How many columns a table may have.
    static let mostColumns = 128
    /// How many shapes the statement can distinguish, and how many are counted.
    private static let (most, mostCounted) = (24, 64)

    /// The first shapes are those that the statement distinguishes: the most frequent ones at the time when it was made.
    private var shapes: [Shape] = []
    private var told = 0
    private var last = 0
    /// The statement is made anew after this many records whose shape it does not distinguish. Making it takes as long as a few
    /// hundred comparisons, so it is done more and more rarely.
    private var patience = 64

    /// The number of a record's shape, from 1 on; 0 for a shape that the statement does not distinguish.
    ///
    /// - Returns: The number, and whether the statement must be made anew for other shapes.
    @inline(__always)
    mutating func number(of row: RowCells) -> (number: Int, areNew: Bool) {
        var shape = Shape()
        var before = -1
        for cell in row.cellIndices {
            let column = row.column(cell)
            // The values of a row are given in the order of its columns.
            guard column > before else { return (0, false) }
            before = column
            if column < 64 { shape.low |= 1 &<< UInt64(column) } else { shape.high |= 1 &<< UInt64(column &- 64) }
        }
        if last >= shapes.count || !shapes[last].hasColumns(of: shape) {
            guard let index = index(of: shape) else { return (0, false) }
            last = index
        }
        shapes[last].count &+= 1
        if last < told { return (last &+ 1, false) }
        patience &-= 1
        guard patience == 0 else { return (0, false) }
        chooseAnew()
        let index = shapes.firstIndex { $0.hasColumns(of: shape) } ?? shapes.count
        return (index < told ? index &+ 1 : 0, true)
    }

    @inline(never)
    private mutating func index(of shape: Shape) -> Int? {
        if let known = shapes.firstIndex(where: { $0.hasColumns(of: shape) }) { return known }
        guard shapes.count < RowShapes.mostCounted else { return nil }
        shapes.append(shape)
        return shapes.count - 1
    }

    @inline(never)
    private mutating func chooseAnew() {
        shapes.sort { $0.count > $1.count }
        told = min(shapes.count, RowShapes.most)
        patience = 16 * shapes.reduce(0) { $0 + $1.count }
    }

    /// The columns of each shape that the statement distinguishes.
    var columns: [[Int]] {
        shapes.prefix(told).map { shape in
            (0..<RowShapes.mostColumns).filter { ($0 < 64 ? shape.low >> $0 : shape.high >> ($0 - 64)) & 1 != 0 }
        }
    }
}
#endif
