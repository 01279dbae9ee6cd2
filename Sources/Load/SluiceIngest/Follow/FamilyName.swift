// The name that a file keeps when it is rotated: without a number, a date, and the ending of a compression.

/// The name of a file that may have been rotated.
package struct FamilyName: Hashable, Sendable {
    /// The name without `.N`, `-DATE`, `.DATE`, `.gz` and `.zst` at its end. It is the same for all files of a family.
    ///
    ///     app.log   app.log.1   app.log.2.gz   app.log-20261125   app.log-2026-11-25-09.zst      app.log
    package let stem: String

    /// - Parameter name: The file's name, without its folder.
    package init(ofFile name: String) {
        var stem = name
        // DATE is 20261125 or 2026-11-25, with an hour or a time of day after it, or the seconds since 1970: logrotate's `dateformat`.
        while let end = stem.firstMatch(
            of: /(\.gz|\.zst|\.[0-9]+|[.-](?:[0-9]{8}|[0-9]{4}-[0-9]{2}-[0-9]{2})(?:-[0-9]{2}(?:[0-9]{4})?)?|-[0-9]{9,11})$/),
            end.range.lowerBound > stem.startIndex
        {
            stem.removeSubrange(end.range)
        }
        self.stem = stem
    }
}
