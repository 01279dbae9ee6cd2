// Which database the argument of a command line names.

#if CommandLine
internal import ArgumentParser
internal import Foundation
internal import SluiceIngest
internal import SluiceSQLite
#if PostgreSQL
internal import SluicePostgres
#endif

/// The database that an ingest writes to.
enum IngestTarget {
    /// Whether a text is the address of a server, not the path of a file.
    static func isServer(_ output: String) -> Bool { scheme(of: output).map(["postgresql", "postgres"].contains) ?? false }

    /// The scheme of an address, in small letters; nil for a path.
    private static func scheme(of text: String) -> String? {
        guard let colon = text.range(of: "://") else { return nil }
        let scheme = text[..<colon.lowerBound].lowercased()
        return scheme.first?.isLetter == true && scheme.allSatisfy({ $0.isLetter || $0.isNumber || "+.-".contains($0) })
            ? scheme : nil
    }

    /// Refuses an address that is none of PostgreSQL, and settings of a connection, which may hold a password. Neither is shown.
    static func check(_ output: String) throws {
        guard !FileManager.default.fileExists(atPath: output) else { return }
        if let scheme = scheme(of: output), !isServer(output) {
            throw ValidationError("\(scheme)://... is no output: sluice writes files, and to postgresql://host/name.")
        }
        try require(
            output.firstMatch(of: /^\s*(host|hostaddr|port|dbname|user|password|passfile|service)\s*=/) == nil,
            "A server is named by its address, postgresql://user@host/name, not by single settings.")
    }

    /// The sink for the database that a text names.
    ///
    /// - Throws: ``IngestError/usage(_:)`` if this build of the tool cannot write to it.
    static func sink(for output: String, table: String) throws(IngestError) -> any RecordSink {
        guard isServer(output) else { return SQLiteSink(path: output, table: table) }
        #if PostgreSQL
        // The client library knows the scheme in small letters only.
        return PostgresSink(
            output.prefix { $0 != ":" }.lowercased() + output.drop { $0 != ":" }, table: table)
        #else
        throw .usage("this sluice cannot write to PostgreSQL: build it with the package's trait PostgreSQL, too")
        #endif
    }
}
#endif
