// Suggests `--at` if an input is one object, because its records are probably inside it.

internal import SluiceFeed

/// The error for an object that holds arrays of objects.
package enum EnvelopeHint {
    private static let shownPlaces = 5

    /// The error that ends the work; nil if the object holds no array of objects.
    ///
    /// - Parameter name: The input's name, if there are several inputs.
    package static func problem(of bytes: UnsafeRawBufferPointer, in name: String?) -> IngestError? {
        // The largest comes first; sorting is stable.
        let places = unsafe RecordArray.all(in: bytes).sorted { $0.count > $1.count }
        guard let first = places.first else { return nil }
        let list = places.prefix(shownPlaces).map { "'\($0.path)' (\($0.count.grouped))" }.joined(separator: ", ")
        let more = places.count > shownPlaces ? " and \((places.count - shownPlaces).grouped) other places" : ""
        return .usage(
            "\(name.map { "\($0): " } ?? "")one object; records may be at \(list)\(more): choose \(option: .at(nil)), such as "
                + "\(option: .at("\(first.path)")), or \(option: .at("")) for the object itself"
        )
    }
}
