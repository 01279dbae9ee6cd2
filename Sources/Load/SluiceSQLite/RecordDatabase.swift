// Stores rows in a table of a SQLite database, many in one transaction.
//
// If the process dies, the database still opens and holds whole batches: each batch is one transaction, which includes the
// checkpoints of the inputs that its rows come from. Where possible, the database uses a write-ahead log during the work, so that
// others can read while rows come in. With `synchronous = NORMAL` this also holds if the power fails, except that the last
// batches may be missing, together with their checkpoints. A run ends only when its last batch is on the disk.

#if SQLite
internal import Foundation
internal import GRDB
internal import GRDBSQLite
internal import SluiceCore
internal import SluiceIngest
internal import SluiceSQL

/// A database with the table that the records are stored in.
struct RecordDatabase {
    private let writer: any DatabaseWriter
    /// Whether this run has opened the database itself, so that no other code of the process uses it.
    private let isOwn: Bool
    private let path: String
    let table: String

    /// - Throws: ``IngestError/database(_:)`` or ``IngestError/locked(_:)``.
    init(_ sink: SQLiteSink, _ run: SinkRun) throws(IngestError) {
        switch sink.location {
        case .file(let path): try self.init(path: path, table: sink.table, run)
        case .open(let writer): self.init(writer, table: sink.table)
        }
        do {
            let isView = try writer.read { try $0.viewExists(table) }
            if isView { throw IngestError.database("\(table) is a view of \(path)") }
        } catch {
            throw RecordDatabase.failure("cannot open \(path)", error)
        }
    }

    /// A database that the caller has open.
    private init(_ writer: any DatabaseWriter, table: String) {
        (self.writer, self.table, isOwn, path) = (writer, table, false, writer.path)
    }

    /// Opens a database, or creates it.
    ///
    /// - Throws: ``IngestError/database(_:)`` or ``IngestError/locked(_:)``.
    init(path: String, table: String, _ run: SinkRun) throws(IngestError) {
        let isReadOnly = run.isDryRun
        self.path = path
        self.table = table
        var configuration = Configuration()
        // Another run may lock the database for the time of a batch. The pause between two of its batches is short. So this asks
        // often, and gives up after a minute.
        configuration.busyMode = .callback { tries in
            guard tries < 60_000 || run.waits, !run.isInterrupted() else { return false }
            usleep(tries < 100 ? 200 : 1_000)
            return true
        }
        configuration.readonly = isReadOnly
        configuration.prepareDatabase { db in
            try db.execute(sql: "PRAGMA synchronous = NORMAL")
            // On macOS, fsync leaves data in the drive's cache, so SQLite calls F_FULLFSYNC; elsewhere this changes nothing.
            try db.execute(sql: "PRAGMA fullfsync = ON")
            // Takes effect only if the database is new. It must come before the size of the cache: SQLite converts that size into a
            // number of pages at once, and would keep the number for larger pages.
            if !isReadOnly { try db.execute(sql: "PRAGMA page_size = 16384") }
            // 8 MiB of pages: a batch of ordinary records is written once, when it is committed, and a table of 1,500 columns stays below 64 MiB.
            try db.execute(sql: "PRAGMA cache_size = -8192")
        }
        do {
            writer = try DatabaseQueue(path: path, configuration: configuration)
            isOwn = true
        } catch {
            throw RecordDatabase.failure("cannot open \(path)", error)
        }
    }

    /// The journal mode to return to after the run. Nil if the mode stays: it is the write-ahead log already, or the caller has
    /// chosen it.
    var journalToRestore: String? {
        guard isOwn else { return nil }
        let journal = try? writer.writeWithoutTransaction { try String.fetchOne($0, sql: "PRAGMA journal_mode") }
        // A run that was killed before its first transaction may have left an empty database with a write-ahead log.
        let isEmpty = try? writer.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM sqlite_master") == 0 }
        return journal != "wal" ? journal : isEmpty == true ? "delete" : nil
    }

    /// Turns on the write-ahead log. This may fail: some file systems have no shared memory, and another process may be using the
    /// database. Then the run works without the log.
    func useLog() {
        guard isOwn else { return }
        _ = try? writer.writeWithoutTransaction { try String.fetchOne($0, sql: "PRAGMA journal_mode = WAL") }
    }

    /// Restores the journal mode that the database had, if no other process uses the database. Otherwise the other process or the
    /// next run restores it: the mode is stored beside the checkpoints.
    ///
    /// - Parameters:
    ///   - previous: The mode to restore if none is stored.
    ///   - run: The run that ends.
    func restoreJournal(_ previous: String?, after run: RunIdentity) {
        guard isOwn else { return }
        let kept = try? writer.read { try Ledger($0, of: table, in: path).journal() }
        guard let journal = kept.flatMap(\.self) ?? previous,
            ["delete", "truncate", "persist", "memory", "off"].contains(journal)
        else { return }
        leaveLog(for: journal, after: run)
    }

    /// Leaves the write-ahead log, if no other process uses the database.
    ///
    /// Two runs that end at the same time prevent each other from leaving the log. So one of them leaves that to the other one,
    /// which waits a little until the first one has closed the database.
    func leaveLog(for journal: String, after run: RunIdentity) {
        for _ in 0..<20 {
            if tryToLeaveLog(for: journal, after: run) { return }
            if (try? writer.read { try Ledger($0, of: table, in: path).isLast(run) }) == false { return }
            usleep(25_000)
        }
    }

    private func tryToLeaveLog(for journal: String, after run: RunIdentity) -> Bool {
        let isLeft = try? writer.writeWithoutTransaction { db in
            db.busyMode(0)
            // A connection that leaves the log keeps its cached pages, as long as the change counter in the first page is the same.
            // But the log has a new counter only if it has a new first page. So this connection could write old pages over what
            // others have committed since it last read (SQLite 3.40 and later). Without a cache it has no old pages.
            db.releaseMemory()
            guard try String.fetchOne(db, sql: "PRAGMA journal_mode = \(journal)") == journal else { return false }
            try db.inTransaction(.immediate) {
                // The stored mode must stay if the next run has turned the log on or is about to.
                let isLeft = try String.fetchOne(db, sql: "PRAGMA journal_mode") == journal
                let ledger = Ledger(db, of: table, in: path)
                if try isLeft && ledger.isLast(run) { try ledger.forgetJournal() }
                return .commit
            }
            return true
        }
        return isLeft ?? false
    }

    // MARK: The disk

    /// Waits until all transactions that were committed are on the disk: with `synchronous = NORMAL`, SQLite syncs the
    /// write-ahead log only when it is copied into the database. https://www.sqlite.org/pragma.html#pragma_synchronous
    ///
    /// - Throws: ``IngestError/database(_:)``.
    static func sync(_ db: Database) throws(IngestError) {
        guard let connection = unsafe db.sqliteConnection, let file = unsafe sqlite3_db_filename(connection, "main"),
            unsafe file.pointee != 0
        else { return }
        // Safe: SQLite keeps these names as long as the database is open, and `db` is in use here.
        let path = unsafe String(cString: file)
        var hasMoved: CInt = 0
        if unsafe sqlite3_file_control(connection, "main", SQLITE_FCNTL_HAS_MOVED, &hasMoved) == SQLITE_OK, hasMoved != 0 {
            throw .database("\(path) was moved or deleted while records were stored; they are in the file that was there before")
        }
        let error = FileSync.sync(file: unsafe String(cString: sqlite3_filename_wal(file)))
        if error != 0 { throw .database("\(JSONError.inputOutput("write", path + "-wal", error).found)") }
        // A new log has a new name, and if there is no log, the name of the deleted journal must be gone from the disk.
        FileSync.syncFolder(of: path)
    }

    /// Waits until all transactions that were committed are on the disk.
    ///
    /// - Throws: ``IngestError/database(_:)``.
    func sync() throws(IngestError) {
        let result = writer.writeWithoutTransaction { db in
            Result { () throws(IngestError) in try RecordDatabase.sync(db) }
        }
        try result.get()
    }

    /// Runs a body with the connection that writes, outside of any transaction.
    func withConnection(_ body: (Database) -> Void) { writer.writeWithoutTransaction(body) }

    /// Runs a body that only reads.
    func read<Result>(_ body: (Database) throws -> Result) throws -> Result { try writer.read(body) }

    /// Runs a body inside a transaction. When the body returns, the transaction is committed; when it throws, it is rolled back.
    func write<Result>(_ body: (Database) throws -> Result) throws -> Result {
        var result: Result?
        try writer.writeWithoutTransaction { db in
            try db.inTransaction(.immediate) {
                result = try body(db)
                return .commit
            }
        }
        guard let result else { throw IngestError.database("cannot write \(path)") }
        return result
    }

    /// The error to report for an error of the database.
    static func failure(_ action: String, _ error: any Error) -> IngestError {
        if let error = error as? IngestError { return error }
        let text = "\(action): \(words(for: error))"
        guard let error = error as? DatabaseError else { return .database("\(text)") }
        switch error.extendedResultCode {
        case .SQLITE_READONLY_ROLLBACK, .SQLITE_READONLY_RECOVERY:
            // SQLite only reports that the database is read-only. The reason is a transaction of a killed process, which a
            // read-only connection cannot roll back.
            return .locked(
                "\(action): a process that was killed has left a transaction, which the next one that writes takes back")
        case .SQLITE_PROTOCOL:
            // SQLite has tried for ten seconds.
            return .locked("\(action): the database is locked: another process holds its write-ahead log")
        default:
            return [.SQLITE_BUSY, .SQLITE_LOCKED].contains(error.resultCode) ? .locked("\(text)") : .database("\(text)")
        }
    }

    /// SQLite's message for an error, without the statement.
    static func words(for error: any Error) -> String {
        if let error = error as? IngestError { return error.description }
        guard let error = error as? DatabaseError else { return String(describing: error) }
        return error.message ?? "SQLite error \(error.extendedResultCode.rawValue)"
    }
}

extension Database {
    /// From now on, waits at most this long for another process.
    fileprivate func busyMode(_ milliseconds: Int) {
        try? execute(sql: "PRAGMA busy_timeout = \(milliseconds)")
    }
}

extension String {
    /// The text as a quoted SQL identifier. Quotes inside are doubled, which GRDB's own quoting does not do.
    package var quotedForSQL: String { "\"" + escaping([("\"", "\"\"")]) + "\"" }
}
#endif
