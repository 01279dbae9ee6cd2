// Binds texts to the parameters of a statement, and says what SQLite has said about it.

#if SQLite
internal import GRDB
internal import GRDBSQLite

extension SQLiteStatement {
    /// Binds a text. A text that is not copied must stay where it is until the statement has run.
    @inline(__always)
    func bind(_ bytes: UnsafeBufferPointer<UInt8>, to parameter: Int32, isCopied: Bool) {
        // Safe: the address and the count are those of the text. Without a destructor, SQLite neither copies nor frees the bytes. Records
        // are shorter than 2³¹ bytes.
        unsafe _ = sqlite3_bind_text(
            self, parameter, UnsafeRawPointer(bytes.baseAddress ?? NoText.address).assumingMemoryBound(to: CChar.self),
            Int32(truncatingIfNeeded: bytes.count), isCopied ? NoText.copies : nil)
    }

    /// Binds a text; SQLite copies it.
    func bind(_ text: String, to parameter: Int32) {
        var text = text
        text.withUTF8 { unsafe bind($0, to: parameter, isCopied: true) }
    }
}

private enum NoText {
    /// The address of an empty text. With a null address, SQLite would bind null.
    // Safe: one byte that is never written again, and never freed.
    nonisolated(unsafe) static let address: UnsafePointer<UInt8> = {
        let byte = UnsafeMutablePointer<UInt8>.allocate(capacity: 1)
        unsafe byte.initialize(to: 0)
        return unsafe UnsafePointer(byte)
    }()

    /// Tells SQLite to copy the bytes of a text.
    // Safe: SQLite defines this value as a marker, and never calls it.
    static var copies: sqlite3_destructor_type { unsafe unsafeBitCast(-1, to: sqlite3_destructor_type.self) }
}

extension DatabaseError {
    /// The error of a statement's last step. It must be made before the statement is reset.
    init(_ code: Int32, of statement: SQLiteStatement) {
        self.init(
            resultCode: ResultCode(rawValue: code),
            message: unsafe String(cString: sqlite3_errmsg(sqlite3_db_handle(statement))))
    }
}
#endif
