// Types whose values are found by trying: most of what they do is to fail, and to catch the error.

internal import Foundation

extension Catalog {
    func addUnions(_ entries: inout [SubjectEntry]) {
        addUnion(&entries, "unions of three types", (0..<2000).map { UnionRow.row($0) })
        addUnion(
            &entries, "either of two objects",
            (0..<4000).map { number -> EitherOf<UnionCircle, UnionLabel> in
                let x = Double(number)
                return number % 3 == 0 ? .first(UnionCircle(x: x)) : .second(UnionLabel(text: "label \(number)", x: x))
            })
        addUnion(&entries, "AnyCodable", AnyCodable.elements((0..<1000).map { .record($0) }))
    }

    private func addUnion<Value: Codable & Equatable>(
        _ entries: inout [SubjectEntry], _ name: String, _ value: @escaping @autoclosure () -> Value
    ) {
        entries.append(
            SubjectEntry(name: name, direction: .reading) {
                let encoder = JSONEncoder()
                encoder.outputFormatting = .sortedKeys
                let document = Document(name, [UInt8](try encoder.encode(value())), path: "")
                return Subject(
                    name, .reading, size: document.count, baseline: BareReader.lane(document),
                    lanes: CodableLanes.readingWithoutTable(document, Value.self))
            })
    }
}
