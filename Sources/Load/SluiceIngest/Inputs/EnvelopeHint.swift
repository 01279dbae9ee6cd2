// Suggests `--at` if an input is one object, because its records are probably inside it.

internal import SluiceCore
package import SluiceFeed

/// The error for an object that holds records: arrays of objects, or objects of one shape under keys that are data.
package enum EnvelopeHint {
    private static let shownArrays = 5

    /// The error that ends the work; nil if the object holds no records.
    ///
    /// - Parameters:
    ///   - path: Where the object stands, if the user has said so. Then its arrays may well be values of a record.
    ///   - isLine: Whether the object is a line, and so may be a feed of one record.
    ///   - name: The input's name, if there are several inputs.
    package static func problem(
        of bytes: UnsafeRawBufferPointer, at path: JSONRecordPath?, isLine: Bool, in name: String?
    ) -> IngestError? {
        let prefix = name.map { "\($0): " } ?? ""
        // The empty path says that the object is the record.
        if path?.isEmpty == true { return nil }
        if let count = unsafe RecordMap.count(in: bytes) {
            let members = path.map { "\($0).*" } ?? "*"
            return .usage(
                "\(prefix)one object; its \(count.grouped) members look like records: choose \(option: .at(members)) and "
                    + "\(option: .keyColumn("key")), or \(option: .format("object")) for the object itself")
        }
        guard path == nil else { return nil }
        // The largest comes first; sorting is stable.
        let arrays = unsafe RecordArray.all(in: bytes).sorted { $0.count > $1.count }
        guard let first = arrays.first else { return nil }
        let list = arrays.prefix(shownArrays).map { "'\($0.path)' (\($0.count.grouped))" }.joined(separator: ", ")
        let more = arrays.count > shownArrays ? " and \((arrays.count - shownArrays).grouped) other paths" : ""
        return .usage(
            "\(prefix)one object; records may be at \(list)\(more): choose \(option: .at(nil)), such as "
                + "\(option: .at("\(first.path)")), or \(option: .at(""))\(isLine ? " or \(option: .format("ndjson"))" : "") for the object itself"
        )
    }
}

/// Finds objects whose members are records.
private enum RecordMap {
    /// With fewer members, an object is more likely one record with parts of one kind.
    private static let fewest = 20

    /// How many members an object has, if all are objects that share their keys; else nil.
    static func count(in bytes: UnsafeRawBufferPointer) -> Int? {
        var reader = JSONReader()
        guard let value = try? unsafe reader.read(JSONValue.self, from: bytes), case .object(let object) = value,
            object.members.count >= fewest
        else { return nil }
        var (keys, most) = (Set<String>(), 0)
        for member in object.members {
            guard case .object(let record) = member.value, !record.members.isEmpty else { return nil }
            for inner in record.members { keys.insert(inner.key) }
            most = max(most, record.members.count)
        }
        return keys.count <= most * 2 ? object.members.count : nil
    }
}
