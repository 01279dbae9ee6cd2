// The rows that come out of a statement, and arrays that go into it.

#if PostgreSQL
internal import CPostgres
internal import SluiceCore

extension [String] {
    /// An array of texts as a parameter has it.
    var asParameter: String {
        "{" + map { "\"" + $0.escaping([("\\", "\\\\"), ("\"", "\\\"")]) + "\"" }.joined(separator: ",") + "}"
    }
}

/// The rows that a statement returned.
@safe
final class PostgresRows {
    private let result: OpaquePointer

    init(_ result: OpaquePointer) { unsafe self.result = unsafe result }

    deinit { unsafe PQclear(result) }

    /// The number of rows.
    var count: Int { unsafe Int(PQntuples(result)) }

    /// The number of columns.
    var columnCount: Int { unsafe Int(PQnfields(result)) }

    /// What the server says about a statement that was a success, such as `INSERT 0 1`.
    var tag: String { unsafe String(cString: PQcmdStatus(result)) }

    /// How many rows an INSERT, UPDATE, DELETE or COPY has stored.
    var affectedCount: Int { unsafe Int(String(cString: PQcmdTuples(result))) ?? 0 }

    /// A value, or nil for null and beyond the rows.
    func text(_ row: Int, _ column: Int) -> String? {
        unsafe bytes(row, column).map { unsafe String(decoding: $0, as: UTF8.self) }
    }

    func integer(_ row: Int, _ column: Int) -> Int? { text(row, column).flatMap { Int($0) } }

    func isTrue(_ row: Int, _ column: Int) -> Bool { text(row, column) == "t" }

    /// The bytes of a value; valid as long as the rows are.
    private func bytes(_ row: Int, _ column: Int) -> UnsafeRawBufferPointer? {
        let (row, column) = (Int32(truncatingIfNeeded: row), Int32(truncatingIfNeeded: column))
        guard row >= 0, column >= 0, unsafe row < PQntuples(result), unsafe column < PQnfields(result),
            unsafe PQgetisnull(result, row, column) == 0
        else { return nil }
        return unsafe UnsafeRawBufferPointer(start: PQgetvalue(result, row, column), count: Int(PQgetlength(result, row, column)))
    }
}
#endif
