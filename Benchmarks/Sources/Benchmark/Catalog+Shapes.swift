// Shapes that no published document has alone: each is made here, and read in all of Sluice's ways.

internal import Foundation
internal import Sluice

extension Catalog {
    /// Subjects whose text is made by code.
    func addShapes(_ entries: inout [SubjectEntry]) {
        addShape(&entries, "catalogue, pretty-printed", Catalogue.sample, .init(isPretty: true))
        addShape(
            &entries, "[String: Int]", Dictionary(uniqueKeysWithValues: (0..<20_000).map { ("key number \($0)", $0 * 37) }))
        addShape(
            &entries, "[String: model]",
            Dictionary(uniqueKeysWithValues: (0..<5000).map { ("product-\($0)", Catalogue.product($0)) }))
        addShape(&entries, "[String] of 16 bytes", (0..<20_000).map { String("0123456789abcdef\($0)".suffix(16)) })
        addShape(&entries, "models, 100 deep", (0..<100).map { Chain(depth: 100, value: $0) })
        addShape(&entries, "a book of 60 bytes", Book(title: "The Sea", author: "Banville", pages: 264, isLent: false))
    }

    private func addShape<Value: JSONBindable & Codable & Equatable>(
        _ entries: inout [SubjectEntry], _ name: String, _ value: @escaping @autoclosure () -> Value,
        _ options: JSONWriter.Options = .init()
    ) {
        entries.append(
            SubjectEntry(name: name, direction: .reading) {
                let value = value()
                let document = Document(name, try value.jsonBytes(options: options), path: "")
                return Subject(
                    name, .reading, size: document.count, baseline: BareReader.lane(document),
                    lanes: [
                        SluiceLanes.reading(document, Value.self) { value }, SluiceLanes.tree(document),
                        FoundationLanes.reading(document, Value.self, JSONDecoder()),
                    ] + SluiceLanes.otherWays(document, Value.self) { value })
            })
    }
}
