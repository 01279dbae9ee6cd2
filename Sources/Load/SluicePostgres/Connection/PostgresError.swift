// What can go wrong between a connection and its server. No error shows a password, or the text that the connection was made from.

#if PostgreSQL
internal import CPostgres
internal import Foundation

/// An error of a connection.
enum PostgresError: Error, Sendable {
    /// The connection could not be made.
    case connecting(String)
    /// The connection is lost. If a commit was under way, it is unknown whether it happened.
    case broken(String)
    /// The server has refused a statement. The connection goes on.
    case server(ServerError)
    /// The run was asked to end while it waited for the server.
    case interrupted
    /// What was asked for is impossible in PostgreSQL, such as 2,000 columns.
    case impossible(String)
}

extension PostgresError: CustomStringConvertible {
    var description: String {
        switch self {
        case .connecting(let reason): "cannot connect to PostgreSQL: \(reason)"
        case .broken(let reason): "the connection to PostgreSQL is lost: \(reason)"
        case .server(let error): error.message
        case .interrupted: "interrupted while waiting for PostgreSQL"
        case .impossible(let reason): reason
        }
    }
}

/// An error that the server has sent. https://www.postgresql.org/docs/current/libpq-exec.html#LIBPQ-PQRESULTERRORFIELD
struct ServerError: Hashable, Sendable {
    /// Five letters and digits: https://www.postgresql.org/docs/current/errcodes-appendix.html
    var state = ""
    var message = ""
    /// More about the error. It often contains values of the row.
    var detail = ""
    /// What the server was doing. In a COPY it names the line, and may contain a value.
    var context = ""
    var table = ""
    var column = ""
    var constraint = ""
    /// The function of the server's source code that found the error.
    var function = ""

    init(state: String = "", message: String = "") {
        self.state = state
        self.message = message
    }

    // Safe: the result is not cleared before this returns, and its texts end with 0.
    init(_ result: OpaquePointer) {
        func field(_ letter: Unicode.Scalar) -> String {
            unsafe PQresultErrorField(result, Int32(bitPattern: letter.value)).map { unsafe String(cString: $0) } ?? ""
        }
        (state, message, detail, context) = (field("C"), field("M"), field("D"), field("W"))
        (table, column, constraint, function) = (field("t"), field("c"), field("n"), field("R"))
        if state.isEmpty, message.isEmpty {
            message = unsafe ServerError.firstLine(of: String(cString: PQresultErrorMessage(result)))
        }
    }

    /// The number of the row that a COPY was at, counted from 0. The context has the form `COPY events, line 3, column id: "x"`.
    /// A name may contain such text, so the number is only a hint.
    var copyRow: Int? {
        guard let start = context.range(of: ", line ")?.upperBound else { return nil }
        guard let line = Int(context[start...].prefix { $0.isNumber }), line > 0 else { return nil }
        return line - 1
    }

    /// Whether the reason lies in the row: a rule of the table, or an error of a trigger. A trigger may raise an error with any
    /// code, so unknown codes count as well.
    var isAboutRow: Bool {
        // An error of a policy of row-level security has the same code as a missing permission. Only the function in the server's
        // source code tells the two apart.
        if state == "42501" { return function == "ExecWithCheckOptions" }
        return !ServerError.otherClasses.contains(String(state.prefix(2)))
    }

    /// The classes of codes that say something about the connection, the server, the transaction or the statement.
    private static let otherClasses: Set<String> = [
        "", "00", "01", "02", "03", "08", "0A", "0B", "0F", "0L", "0P", "0Z", "20", "24", "25", "26", "27", "28", "2B", "2D",
        "2F",
        "34", "3B", "3D", "3F", "40", "42", "53", "55", "57", "58", "72", "F0", "HV", "XX",
    ]

    /// Whether the server ends the session with this error: it is shut down, or somebody ends the session.
    var endsSession: Bool { ["57P01", "57P02", "57P03", "57P05", "25P03", "25P04"].contains(state) }

    static func firstLine(of text: String) -> String {
        String(text.split(whereSeparator: \.isNewline).first ?? "unknown error")
    }
}
#endif
