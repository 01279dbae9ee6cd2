// A folder with schemas: a document is found in it by the path of its URI, or by its `$id`.

internal import SluiceCore

/// The schemas of a folder.
struct SchemaFolder {
    let path: String
    /// The files by the `$id` of their schemas; nil until they are looked through.
    private var files: [String: String]?
    private static let greatestCount = 10_000

    init(path: String) { self.path = path }

    /// The text of the document with a URI; nil if the folder does not have it.
    ///
    /// - Parameter base: The URI of the first schema: what has the same beginning is looked for beside it.
    mutating func text(of uri: String, near base: String) throws(JSONError) -> [UInt8]? {
        var name = uri[...]
        if let slash = base.utf8.lastIndex(of: UInt8(ascii: "/")), uri.hasPrefix(base[...slash]) {
            name = uri.dropFirst(base[...slash].count)
        }
        // A reference does not lead out of the folder.
        let steps = name.split(separator: "/", omittingEmptySubsequences: false)
        if !name.utf8.contains(UInt8(ascii: ":")), !steps.contains(""), !steps.contains(".."), !steps.contains(".") {
            let file = path + "/" + SchemaURI.decoded(name)
            if let bytes = try? WholeFile.read(file) { return bytes }
        }
        if files == nil { files = SchemaFolder.identifiers(in: path) }
        guard let file = files?[uri] else { return nil }
        return try WholeFile.read(file)
    }

    /// The files `*.json` by the `$id` of their schemas. A file that cannot be read, or is not a schema, is passed over.
    private static func identifiers(in path: String) -> [String: String] {
        var files: [String: String] = [:]
        let names = ((try? FolderEntries.read(path)) ?? []).compactMap(\.name).filter { $0.hasSuffix(".json") }
        for name in names.sorted().prefix(greatestCount) {
            let file = path + "/" + name
            guard let bytes = try? WholeFile.read(file), let schema = try? JSONValue(json: bytes), let id = schema["$id"]?.string
            else { continue }
            files[SchemaURI.resolve(id, against: "").uri] = file
        }
        return files
    }
}
