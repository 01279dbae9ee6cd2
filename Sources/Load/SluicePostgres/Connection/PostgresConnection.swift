// One session of libpq. It sends a statement, and waits for the rows or the error. While it waits, it checks now and then whether
// the run has been asked to end. It has no thread, so the caller waits.

#if PostgreSQL
internal import CPostgres
internal import Foundation

/// A connection to a server. One thread uses it at a time.
@safe
final class PostgresConnection {
    private let handle: OpaquePointer
    private let password: String
    private let isInterrupted: @Sendable () -> Bool
    /// How many statements were sent, for tests.
    private(set) var statementCount = 0
    /// How many of them were a COPY.
    private(set) var copyCount = 0

    /// How long a statement may run after the run has been asked to end. It is long enough to store the last batch of a run, and
    /// it ends a wait for a lock soon.
    private static let grace = 2.0

    /// Opens a connection.
    ///
    /// - Parameters:
    ///   - text: A URL or keywords with values, as libpq takes them; whatever it leaves out comes from services, from the environment
    ///     and from `.pgpass`. https://www.postgresql.org/docs/current/libpq-connect.html#LIBPQ-CONNSTRING
    ///   - isInterrupted: Whether the run has been asked to end.
    init(_ text: String, isInterrupted: @escaping @Sendable () -> Bool = { false }) throws(PostgresError) {
        self.isInterrupted = isInterrupted
        var settings = try PostgresConnection.settings(of: text)
        let environment = ProcessInfo.processInfo.environment
        password = settings["password"] ?? environment["PGPASSWORD"] ?? ""
        settings["client_encoding"] = "UTF8"
        settings["fallback_application_name"] = settings["fallback_application_name"] ?? "sluice"
        // Without this, libpq waits without limit, and a signal does not end the wait.
        if settings["connect_timeout"] == nil, settings["service"] == nil, environment["PGCONNECT_TIMEOUT"] == nil,
            environment["PGSERVICE"] == nil
        {
            settings["connect_timeout"] = "30"
        }
        let connection = unsafe PostgresConnection.withTexts(settings.map(\.key)) { keys in
            unsafe PostgresConnection.withTexts(settings.map(\.value)) { values in unsafe PQconnectdbParams(keys, values, 0) }
        }
        guard let connection = unsafe connection else { throw .connecting("there is not enough memory") }
        unsafe handle = unsafe connection
        guard unsafe PQstatus(handle) == CONNECTION_OK else {
            throw .connecting(errorMessage)
        }
        // Otherwise libpq writes notices to standard error.
        unsafe _ = PQsetNoticeReceiver(handle, { _, _ in }, nil)
        guard unsafe PQsetnonblocking(handle, 1) == 0 else { throw .connecting(errorMessage) }
        try run(PostgresConnection.setup)
    }

    /// Sets what changes how values are read or written, and how statements are planned, whatever the role, the database or the text of the
    /// connection has set; pg_dump does the same. The rest stays: a time zone is the user's own for defaults and triggers, and a
    /// `statement_timeout` ends a run, but changes no value.
    private static let setup = """
        SET extra_float_digits = 3; SET DateStyle = 'ISO, MDY'; SET IntervalStyle = 'postgres'; SET bytea_output = 'hex'; \
        SET lc_monetary = 'C'; SET xmloption = 'content'; SET array_nulls = on; SET standard_conforming_strings = on; \
        SET plan_cache_mode = 'auto'; SET jit = off; SET client_min_messages = 'warning'
        """

    deinit { unsafe PQfinish(handle) }

    /// The settings in a text.
    private static func settings(of text: String) throws(PostgresError) -> [String: String] {
        // libpq's own message shows parts of the text, which may be parts of a password.
        guard !text.utf8.contains(0), let options = unsafe PQconninfoParse(text, nil) else {
            throw .connecting(
                "libpq cannot read the URL, or the list of keywords and values; it is not shown, for it may hold a password")
        }
        defer { unsafe PQconninfoFree(options) }
        var settings: [String: String] = [:]
        var option = unsafe options
        // Safe: the list ends with an option without a keyword, and its texts end with 0.
        while let keyword = unsafe option.pointee.keyword {
            if let value = unsafe option.pointee.val { unsafe settings[String(cString: keyword)] = unsafe String(cString: value) }
            unsafe option += 1
        }
        return settings
    }

    /// Runs a body with texts as C has them, with a null after the last one.
    private static func withTexts<Result>(
        _ texts: [String?], _ body: (UnsafePointer<UnsafePointer<CChar>?>) -> Result
    ) -> Result {
        let copies = unsafe texts.map { text in unsafe text.flatMap { unsafe strdup($0) } }
        defer { unsafe copies.forEach { unsafe free($0) } }
        var pointers: [UnsafePointer<CChar>?] = unsafe copies.map { unsafe $0.map { unsafe UnsafePointer($0) } }
        unsafe pointers.append(nil)
        return unsafe pointers.withUnsafeBufferPointer { buffer in
            // Safe: the buffer is not empty.
            unsafe body(buffer.baseAddress.unsafelyUnwrapped)
        }
    }

    /// Where a text leads, in words: `the database shop at db.example.org`.
    static func destination(of text: String) -> String {
        guard let settings = try? settings(of: text) else { return "PostgreSQL" }
        let name = settings["dbname"] ?? ProcessInfo.processInfo.environment["PGDATABASE"]
        let host = settings["host"] ?? ""
        let database = name.map { "the database \($0)" } ?? "the default database"
        return host.isEmpty || host.hasPrefix("/") ? "\(database) of PostgreSQL" : "\(database) of PostgreSQL at \(host)"
    }

    // MARK: What the server is

    /// The major and minor version, such as 150004.
    var serverVersion: Int { unsafe Int(PQserverVersion(handle)) }

    /// Whether the connection still works, as far as it is known.
    var isAlive: Bool { unsafe PQstatus(handle) == CONNECTION_OK }

    /// Whether a transaction is open, failed or not.
    var isInTransaction: Bool { unsafe [PQTRANS_INTRANS, PQTRANS_INERROR].contains(PQtransactionStatus(handle)) }

    /// Whether the session writes moments in UTC.
    var isInUTC: Bool { ["UTC", "Etc/UTC", "GMT", "Etc/GMT"].contains(setting("TimeZone")) }

    /// The encoding of the database, such as `UTF8`.
    var encoding: String { setting("server_encoding") }

    /// Whether the database stores all characters. With SQL_ASCII it stores bytes as they come.
    var storesAllCharacters: Bool { ["UTF8", "SQL_ASCII"].contains(encoding) }

    /// A setting that the server reports: https://www.postgresql.org/docs/current/libpq-status.html#LIBPQ-PQPARAMETERSTATUS
    private func setting(_ name: String) -> String {
        // Safe: the text lives until the setting changes.
        unsafe PQparameterStatus(handle, name).map { unsafe String(cString: $0) } ?? ""
    }

    /// The database's name.
    var database: String { unsafe PQdb(handle).map { unsafe String(cString: $0) } ?? "" }

    /// The server's number for this session.
    var session: Int { unsafe Int(PQbackendPID(handle)) }

    // MARK: Statements

    /// Runs a statement with parameters `$1`, `$2`… A text is a value of any type, up to its first U+0000.
    @discardableResult
    func query(_ sql: String, _ parameters: [String?] = []) throws(PostgresError) -> PostgresRows {
        statementCount += 1
        let isSent = unsafe PostgresConnection.withTexts(parameters) { values in
            unsafe PQsendQueryParams(handle, sql, Int32(truncatingIfNeeded: parameters.count), nil, values, nil, nil, 0)
        }
        guard isSent == 1 else { throw lost() }
        return try finish()
    }

    /// Runs statements without parameters, separated by semicolons. The rows of the last one are returned.
    @discardableResult
    func run(_ sql: String) throws(PostgresError) -> PostgresRows {
        statementCount += 1
        guard unsafe PQsendQuery(handle, sql) == 1 else { throw lost() }
        return try finish()
    }

    /// Commits the open transaction.
    func commit() throws(PostgresError) {
        // If a statement of the transaction has failed, COMMIT rolls it back and reports no error. So the result is checked.
        guard try run("COMMIT").tag == "COMMIT" else {
            throw .server(ServerError(state: "25P02", message: "the transaction has failed"))
        }
    }

    /// Begins a `COPY … FROM STDIN`, whose data comes piece by piece. Until ``endCopy(_:watches:)`` nothing else may be sent.
    ///
    /// - Parameter sql: The statement. The text may have other statements before it.
    func beginCopy(_ sql: String) throws(PostgresError) -> PostgresCopy {
        statementCount += 1
        copyCount += 1
        guard unsafe PQsendQuery(handle, sql) == 1 else { throw lost() }
        return PostgresCopy()
    }

    /// Sends what the server takes now, without waiting for it. An error of the server is kept until the end of the COPY.
    ///
    /// - Parameter data: All of the data so far, in the same pieces.
    func push(_ data: [UnsafeRawBufferPointer], _ copy: inout PostgresCopy) throws(PostgresError) {
        while copy.refusal == nil {
            if !copy.isReady {
                guard unsafe PQflush(handle) >= 0, unsafe PQconsumeInput(handle) == 1 else { throw lost() }
                guard unsafe PQisBusy(handle) == 0 else { return }
                guard let result = unsafe PQgetResult(handle) else { throw lost() }
                unsafe noteBeginning(result, &copy)
            } else {
                // libpq still has unsent data in memory. More data would only be copied there.
                guard unsafe PQflush(handle) == 0, unsafe try put(data, &copy) else { return }
            }
        }
    }

    /// Sends the rest of the data, and waits for the end of the COPY.
    ///
    /// - Parameters:
    ///   - watches: Whether to stop sending when the server answers in the meantime. The answer is probably an error, so the rest
    ///     of the data need not be sent. If it was not an error, this throws an error with the state ``stopped``, and the COPY
    ///     must be sent again.
    /// - Returns: How many rows the server has stored.
    func endCopy(_ data: [UnsafeRawBufferPointer], _ copy: inout PostgresCopy, watches: Bool = false) throws(PostgresError) -> Int
    {
        var deadline = Deadline(isInterrupted)
        while !copy.isReady, copy.refusal == nil {
            guard let result = unsafe try nextResult(&deadline) else { throw lost() }
            unsafe noteBeginning(result, &copy)
        }
        if let refusal = copy.refusal {
            _ = try? finish()
            if !isAlive || refusal.state.isEmpty || refusal.endsSession { throw .broken(shown(refusal.message)) }
            throw .server(refusal)
        }
        var isStopped = false
        while unsafe try put(data, &copy) {
            if try flush(&deadline), watches {
                isStopped = true
                break
            }
        }
        while unsafe PQputCopyEnd(handle, isStopped ? "no more data" : nil) == 0 { _ = try flush(&deadline) }
        do throws(PostgresError) {
            return try finish(&deadline).affectedCount
        } catch {
            guard isStopped, case .server(let failure) = error, failure.state == "57014" else { throw error }
            throw .server(ServerError(state: PostgresConnection.stopped, message: failure.message))
        }
    }

    /// Sends all data of a COPY.
    ///
    /// - Returns: How many rows the server has stored.
    func copy(_ sql: String, _ data: [UnsafeRawBufferPointer], watches: Bool = false) throws(PostgresError) -> Int {
        var copy = try beginCopy(sql)
        return unsafe try endCopy(data, &copy, watches: watches)
    }

    /// Looks at what the server says before it takes data.
    private func noteBeginning(_ result: OpaquePointer, _ copy: inout PostgresCopy) {
        switch unsafe PQresultStatus(result) {
        case PGRES_COPY_IN: copy.isReady = true
        case PGRES_COMMAND_OK: break
        default: copy.refusal = unsafe ServerError(result)
        }
        unsafe PQclear(result)
    }

    /// Gives libpq the next chunk of the data.
    ///
    /// - Returns: Whether there was one, and it was taken.
    private func put(_ data: [UnsafeRawBufferPointer], _ copy: inout PostgresCopy) throws(PostgresError) -> Bool {
        while unsafe copy.piece < data.count, unsafe copy.offset >= data[copy.piece].count {
            // The last piece may grow until the end.
            guard unsafe copy.piece < data.count - 1 else { return false }
            (copy.piece, copy.offset) = (copy.piece + 1, 0)
        }
        guard unsafe copy.piece < data.count, let start = unsafe data[copy.piece].baseAddress else { return false }
        let count = unsafe min(data[copy.piece].count - copy.offset, PostgresConnection.chunk)
        // Safe: the chunk is inside the piece, and libpq copies it.
        let code = unsafe PQputCopyData(
            handle, (start + copy.offset).assumingMemoryBound(to: CChar.self), Int32(truncatingIfNeeded: count))
        // The reason is in the result of the COPY.
        if code < 0 { return false }
        if code > 0 { copy.offset += count }
        return true
    }

    /// How many bytes libpq gets at once.
    private static let chunk = 1 << 16

    /// The state of the error after the client has stopped a COPY although the server had reported no error.
    static let stopped = "stopped"

    /// Sends the data that libpq holds.
    ///
    /// - Returns: Whether the server has sent something in the meantime.
    private func flush(_ deadline: inout Deadline) throws(PostgresError) -> Bool {
        var hasInput = false
        while true {
            let code = unsafe PQflush(handle)
            // The connection is broken, but the last message of the server may still be there to be read.
            if code < 0 { return true }
            let events = try wait(for: Int(code == 0 ? POLLIN : POLLIN | POLLOUT), milliseconds: code == 0 ? 0 : 100, &deadline)
            if events & Int16(POLLIN) != 0 {
                guard unsafe PQconsumeInput(handle) == 1 else { throw lost() }
                if code == 0 { return true }
                hasInput = true
            }
            if code == 0 { return hasInput }
        }
    }

    // MARK: Results

    private func finish() throws(PostgresError) -> PostgresRows {
        var deadline = Deadline(isInterrupted)
        return try finish(&deadline)
    }

    /// Waits for all results of what was sent.
    private func finish(_ deadline: inout Deadline) throws(PostgresError) -> PostgresRows {
        var rows: PostgresRows?
        var failure: ServerError?
        while let result = unsafe try nextResult(&deadline) {
            switch unsafe PQresultStatus(result) {
            case PGRES_COMMAND_OK, PGRES_TUPLES_OK, PGRES_EMPTY_QUERY:
                rows = unsafe PostgresRows(result)
            case PGRES_COPY_IN, PGRES_COPY_OUT, PGRES_COPY_BOTH:
                unsafe PQclear(result)
                // The statement waits for data of a COPY, which is not sent here.
                unsafe _ = PQputCopyEnd(handle, "there is no data")
            default:
                if failure == nil { failure = unsafe ServerError(result) }
                unsafe PQclear(result)
            }
        }
        if let failure {
            if !isAlive || failure.state.isEmpty || failure.endsSession { throw .broken(shown(failure.message)) }
            if deadline.isCancelled, failure.state == "57014" { throw .interrupted }
            throw .server(failure)
        }
        guard let rows else { throw lost() }
        return rows
    }

    /// The next result of what was sent; nil after the last one.
    private func nextResult(_ deadline: inout Deadline) throws(PostgresError) -> OpaquePointer? {
        while unsafe PQisBusy(handle) == 1 {
            let code = unsafe PQflush(handle)
            if code < 0 { break }
            let events = try wait(for: Int(code == 0 ? POLLIN : POLLIN | POLLOUT), milliseconds: 100, &deadline)
            // The connection is lost, but messages that the server sent before may still be there to be read. So this is not an
            // error yet.
            if events & Int16(POLLIN) != 0, unsafe PQconsumeInput(handle) != 1 { break }
        }
        return unsafe PQgetResult(handle)
    }

    private func wait(for events: Int, milliseconds: Int32, _ deadline: inout Deadline) throws(PostgresError) -> Int16 {
        var descriptor = unsafe pollfd(fd: PQsocket(handle), events: Int16(truncatingIfNeeded: events), revents: 0)
        guard descriptor.fd >= 0 else { throw lost() }
        let count = unsafe poll(&descriptor, 1, milliseconds)
        switch deadline.look() {
        case .goesOn: break
        case .cancels: cancel()
        case .isOver: throw .interrupted
        }
        guard count > 0 else { return 0 }
        // If there is an error, reading reports it.
        return descriptor.revents & ~Int16(POLLIN | POLLOUT) != 0 ? descriptor.revents | Int16(POLLIN) : descriptor.revents
    }

    /// Asks the server to end the statement.
    private func cancel() {
        guard let request = unsafe PQgetCancel(handle) else { return }
        defer { unsafe PQfreeCancel(request) }
        unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { buffer in
            // Safe: the message is at most as long as libpq is told.
            unsafe _ = PQcancel(request, buffer.baseAddress, 256)
        }
    }

    /// How long a statement may still go on.
    private struct Deadline {
        enum Step { case goesOn, cancels, isOver }

        private let isInterrupted: @Sendable () -> Bool
        private var interruption: ContinuousClock.Instant?
        private(set) var isCancelled = false

        init(_ isInterrupted: @escaping @Sendable () -> Bool) { self.isInterrupted = isInterrupted }

        mutating func look() -> Step {
            guard isInterrupted() else { return .goesOn }
            let start = interruption ?? .now
            interruption = start
            let passed = start.duration(to: .now)
            if isCancelled { return passed > .seconds(2 * PostgresConnection.grace) ? .isOver : .goesOn }
            isCancelled = passed > .seconds(PostgresConnection.grace)
            return isCancelled ? .cancels : .goesOn
        }
    }

    // MARK: Errors

    private func lost() -> PostgresError { .broken(errorMessage) }

    private var errorMessage: String {
        // Safe: libpq's message ends with 0, and lives until the next call.
        unsafe shown(PQerrorMessage(handle).map { unsafe String(cString: $0) } ?? "")
    }

    /// The first line of a message, without the password.
    private func shown(_ message: String) -> String {
        let line = ServerError.firstLine(of: message)
        return password.isEmpty ? line : line.replacing(password, with: "…")
    }

    // MARK: Quoting

    /// A name as SQL has it, in quotes.
    func identifier(_ name: String) throws(PostgresError) -> String {
        try unsafe quoted(name, PQescapeIdentifier)
    }

    /// A table as SQL has it.
    func path(of table: String, in schema: String) throws(PostgresError) -> String {
        try identifiers([schema, table]).joined(separator: ".")
    }

    /// Names as SQL has them.
    func identifiers(_ names: [String]) throws(PostgresError) -> [String] {
        try names.map { name throws(PostgresError) in try identifier(name) }
    }

    /// A text as SQL has it, in quotes.
    func literal(_ text: String) throws(PostgresError) -> String { try unsafe quoted(text, PQescapeLiteral) }

    private func quoted(
        _ text: String, _ quote: (OpaquePointer?, UnsafePointer<CChar>?, Int) -> UnsafeMutablePointer<CChar>?
    ) throws(PostgresError) -> String {
        // libpq would silently cut the text at a zero byte.
        if text.utf8.contains(0) { throw .impossible("PostgreSQL has no text with the character U+0000") }
        guard let copy = unsafe quote(handle, text, text.utf8.count) else { throw .impossible(errorMessage) }
        defer { unsafe PQfreemem(copy) }
        return unsafe String(cString: copy)
    }
}

/// A COPY that has begun.
struct PostgresCopy {
    /// Whether the server takes data.
    fileprivate var isReady = false
    /// The server's error, if it has refused the COPY before any data was sent.
    fileprivate var refusal: ServerError?
    /// How far the data has been sent: the pieces in front of this one, and as many bytes of it.
    fileprivate var piece = 0
    fileprivate var offset = 0
}
#endif
