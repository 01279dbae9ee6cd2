// Texts for a database whose encoding does not have all characters, such as LATIN1. The server refuses a statement with another
// character. What Sluice writes about records, such as rejected ones and the names of inputs, is escaped there as in JSON:
//
//     a name      2 €.ndjson      "2 \\u20ac.ndjson"
//     a text      {"price":"2 €   {"price":"2 \\u20ac

#if PostgreSQL
internal import CPostgres
internal import SluiceCore

extension PostgresConnection {
    /// A name as the database can store it.
    func storable(name: String) throws(PostgresError) -> String {
        if try hasCharacters(of: name) { return name }
        return PostgresConnection.escaped((try? JSONValue.string(name).jsonString()) ?? name)
    }

    /// The name that ``storable(name:)`` has made this text of.
    func original(name text: String) -> String {
        guard !storesAllCharacters, text.hasPrefix("\""), let name = (try? JSONValue(json: text))?.string else { return text }
        return name
    }

    /// A text as the database can store it. JSON stays the same JSON.
    func storable(text: String) throws(PostgresError) -> String {
        try hasCharacters(of: text) ? text : PostgresConnection.escaped(text)
    }

    /// Why a name cannot be used for which ``hasCharacters(of:)`` does not hold.
    var lacksCharacters: String { "the database has the encoding \(encoding), which lacks a character of the name" }

    /// Whether the database's encoding has all characters of a text.
    func hasCharacters(of text: String) throws(PostgresError) -> Bool {
        if storesAllCharacters || text.utf8.allSatisfy({ $0 < 0x80 }) { return true }
        let isInside = isInTransaction
        let digits = text.utf8.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
        let conversion = "SELECT convert('\\x\(digits)'::bytea, 'UTF8', \(try literal(encoding)))"
        do throws(PostgresError) {
            // In one round trip.
            try run(isInside ? "SAVEPOINT sluice_text; \(conversion); RELEASE SAVEPOINT sluice_text" : conversion)
            return true
        } catch {
            guard case .server(let failure) = error, failure.state == "22P05" else { throw error }
            if isInside { try run("ROLLBACK TO SAVEPOINT sluice_text; RELEASE SAVEPOINT sluice_text") }
            return false
        }
    }

    /// A text with all characters beyond ASCII as escapes of JSON.
    private static func escaped(_ text: String) -> String {
        var escaped = ""
        for unit in text.utf16 {
            if unit < 0x80 {
                escaped.unicodeScalars.append(Unicode.Scalar(UInt8(truncatingIfNeeded: unit)))
            } else {
                let digits = String(unit, radix: 16)
                escaped += "\\u" + String(repeating: "0", count: 4 - digits.utf8.count) + digits
            }
        }
        return escaped
    }
}
#endif
