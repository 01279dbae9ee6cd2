// Which database the argument of a command line names.

#if CommandLine
internal import SluiceIngest
internal import SluiceSQLite
#if PostgreSQL
internal import SluicePostgres
#endif

/// The database that an ingest writes to.
enum IngestTarget {
    /// Whether a text is the address of a server, not the path of a file.
    static func isServer(_ output: String) -> Bool {
        ["postgresql://", "postgres://"].contains { output.hasPrefix($0) }
    }

    /// The sink for the database that a text names.
    ///
    /// - Throws: ``IngestError/usage(_:)`` if this build of the tool cannot write to it.
    static func sink(for output: String, table: String) throws(IngestError) -> any RecordSink {
        guard isServer(output) else { return SQLiteSink(path: output, table: table) }
        #if PostgreSQL
        return PostgresSink(output, table: table)
        #else
        throw .usage("this sluice cannot write to PostgreSQL: build it with the package's trait PostgreSQL, too")
        #endif
    }
}
#endif
