// Arguments that are not feeds, but from which the user can make one: an address, an archive, a database.

internal import Foundation
internal import SluiceCompression
internal import SluiceCore

/// Says what to do with an input that is not a feed.
package enum InputHint {
    /// Checks what inputs are, as far as their names and first bytes show.
    ///
    /// - Throws: ``IngestError/usage(_:)`` with the way to read the input.
    package static func check(_ arguments: [String]) throws(IngestError) {
        for argument in arguments where argument != "-" {
            if let problem = problem(of: argument) { throw .usage("\(problem)") }
        }
    }

    private static func problem(of argument: String) -> String? {
        guard IngestInput.isRegularFile(argument) else {
            return FileManager.default.fileExists(atPath: argument) ? nil : problem(ofAddress: argument)
        }
        guard let kind = kind(of: head(of: argument)) else { return nil }
        let name = argument.allSatisfy { $0.isLetter || $0.isNumber || "._-/".contains($0) } ? argument : "'\(argument)'"
        return "\(argument) is \(kind.name), no feed; read its records from a pipe: \(kind.command(name)) | sluice ... -"
    }

    // MARK: Addresses

    private static let fetchers = [
        "http": "curl -fsSL", "https": "curl -fsSL", "ftp": "curl -fsSL", "s3": "aws s3 cp", "gs": "gcloud storage cat",
    ]

    private static func problem(ofAddress text: String) -> String? {
        guard let colon = text.range(of: "://") else { return nil }
        let scheme = text[..<colon.lowerBound].lowercased()
        if ["postgresql", "postgres"].contains(scheme) {
            return "an address of PostgreSQL is where rows go, no feed; read a table from a pipe: "
                + "psql -XAtc 'SELECT to_jsonb(t) FROM my_table t' ADDRESS | sluice ... -"
        }
        guard let fetcher = fetchers[scheme] else { return nil }
        // An address may hold a password.
        let shown = text.contains("@") ? "\(scheme)://..." : text
        let end = scheme == "s3" ? " -" : ""
        return "\(shown) is an address, and inputs are files; fetch it into a pipe: "
            + "\(fetcher) '\(shown)'\(end) | sluice ... -"
    }

    // MARK: Files

    private struct Kind {
        let name: String
        let command: (String) -> String
    }

    private static func kind(of head: [UInt8]) -> Kind? {
        func begins(_ text: String) -> Bool { head.starts(with: text.utf8) }
        if begins("SQLite format 3\0") {
            return Kind(name: "a SQLite database") { "sqlite3 -json \($0) 'SELECT * FROM my_table'" }
        }
        if head.count > 262, head[257..<262].elementsEqual("ustar".utf8) {
            return Kind(name: "a tar archive") { "tar -xOf \($0)" }
        }
        if begins("PK\u{3}\u{4}") { return Kind(name: "a zip archive") { "unzip -p \($0)" } }
        if begins("PAR1") { return Kind(name: "a Parquet file") { "duckdb -jsonlines -c \"FROM '\($0)'\"" } }
        if head.starts(with: [0xFD, 0x37, 0x7A, 0x58, 0x5A, 0]) { return Kind(name: "compressed with xz") { "xz -dc \($0)" } }
        if begins("BZh"), head.count > 9, head[4..<10].elementsEqual([0x31, 0x41, 0x59, 0x26, 0x53, 0x59]) {
            return Kind(name: "compressed with bzip2") { "bzip2 -dc \($0)" }
        }
        return nil
    }

    /// The first bytes of a file's text, which may be compressed; fewer if they cannot be read.
    private static func head(of path: String) -> [UInt8] {
        guard let handle = FileHandle(forReadingAtPath: path), let data = try? handle.read(upToCount: 64 << 10) else { return [] }
        let bytes = Array(data)
        guard bytes.starts(with: [0x1F, 0x8B]) || bytes.starts(with: [0x28, 0xB5, 0x2F, 0xFD]) else { return bytes }
        var text = DecompressingSource(BytesSource(bytes))
        var head = [UInt8](repeating: 0, count: 512)
        var count = 0
        while count < head.count {
            let read = unsafe head.withUnsafeMutableBytes { room in
                unsafe (try? text.read(into: UnsafeMutableRawBufferPointer(rebasing: room[count...]))) ?? 0
            }
            if read == 0 { break }
            count += read
        }
        return Array(head[..<count])
    }
}
