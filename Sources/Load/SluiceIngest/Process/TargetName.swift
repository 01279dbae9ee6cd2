// How a target beside the records is named: as a table of their database, or as a file.

extension String {
    /// Whether this names a file, because it has a dot or a slash, and not a table.
    package var namesFile: Bool { contains("/") || contains(".") }
}
