// What goes into a statement, and the rows that come out of it.

#if PostgreSQL
internal import CPostgres

/// The value of a parameter.
enum PostgresParameter: Sendable, Hashable {
    case null
    /// A value as text, whatever its type.
    case text(String)
    /// A value as the server sends and receives it in binary.
    case binary([UInt8])

    init(_ value: Int) { self = .text(String(value)) }

    init(_ value: Bool) { self = .text(value ? "true" : "false") }

    /// An array of texts.
    init(_ texts: [String]) {
        let elements = texts.map { "\"" + $0.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\"" }
        self = .text("{" + elements.joined(separator: ",") + "}")
    }

    /// Runs a body with parameters as libpq takes them.
    static func withPointers<Result>(
        to parameters: [PostgresParameter],
        _ body: (UnsafePointer<UnsafePointer<CChar>?>?, UnsafePointer<Int32>?, UnsafePointer<Int32>?) -> Result
    ) -> Result {
        var bytes: [UInt8] = []
        var starts: [Int?] = []
        var lengths: [Int32] = []
        var formats: [Int32] = []
        for parameter in parameters {
            starts.append(parameter == .null ? nil : bytes.count)
            let start = bytes.count
            switch parameter {
            case .null: break
            // libpq takes a text up to its first 0.
            case .text(let text): bytes += text.utf8
            case .binary(let value): bytes += value
            }
            lengths.append(Int32(truncatingIfNeeded: bytes.count - start))
            bytes.append(0)
            if case .binary = parameter { formats.append(1) } else { formats.append(0) }
        }
        return unsafe bytes.withUnsafeBytes { bytes in
            let values: [UnsafePointer<CChar>?] = unsafe starts.map { start in
                // Safe: each start is inside the bytes.
                unsafe start.map {
                    unsafe bytes.baseAddress.unsafelyUnwrapped.advanced(by: $0).assumingMemoryBound(to: CChar.self)
                }
            }
            return unsafe values.withUnsafeBufferPointer { values in
                unsafe body(values.baseAddress, lengths, formats)
            }
        }
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

    /// The bytes of a value, in the format that was asked for; valid as long as the rows are.
    func bytes(_ row: Int, _ column: Int) -> UnsafeRawBufferPointer? {
        let (row, column) = (Int32(truncatingIfNeeded: row), Int32(truncatingIfNeeded: column))
        guard row >= 0, column >= 0, unsafe row < PQntuples(result), unsafe column < PQnfields(result),
            unsafe PQgetisnull(result, row, column) == 0
        else { return nil }
        return unsafe UnsafeRawBufferPointer(start: PQgetvalue(result, row, column), count: Int(PQgetlength(result, row, column)))
    }
}
#endif
