// What the name of a file says about its form: the ending, and after it the ending of a compression.

/// The ending of a file's name: of `events.csv.gz`, the form `csv` and the compression `gz`.
package struct FileEnding: Hashable, Sendable {
    /// The ending without that of a compression, in small letters, or nil.
    package let form: String?
    /// `gz` or `zst`; nil if the name has neither.
    package let compression: String?

    package init(of path: String) {
        let name = path.split(separator: "/").last ?? ""
        var parts = name.split(separator: ".", omittingEmptySubsequences: false).dropFirst().map { $0.lowercased() }
        if let last = parts.last, ["gz", "zst"].contains(last) {
            compression = last
            parts.removeLast()
        } else {
            compression = nil
        }
        form = parts.last.flatMap { $0.isEmpty ? nil : $0 }
    }
}
