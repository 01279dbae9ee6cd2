#if Macros
import Sluice
import Testing

@JSONModel private struct OrchardLeaf: Equatable {
    let name: Substring
    var notes: [Substring] = []
}

@JSONModel private final class OrchardBox {
    var label: Substring
    var leaf: OrchardLeaf?
}

@JSONModel private struct Orchard: Equatable {
    let id: Int
    let title: Substring
    var subtitle: Substring?
    var leaf: OrchardLeaf
    var leaves: [String: OrchardLeaf] = [:]
    var tags: Set<Substring> = []
    var field: JSONField<Substring> = .absent
    var plain = "a plain string of more than fifteen bytes"
}

/// Substrings of a model that is kept do not keep the text alive that they were read from.
@Suite struct CompactionTests {
    private let text = #"""
        {"id":1,"title":"a title of more than fifteen bytes","subtitle":"a subtitle of more than fifteen bytes",
         "leaf":{"name":"a name of more than fifteen bytes","notes":["the first note of a leaf","the second note of a leaf"]},
         "leaves":{"one":{"name":"another name of more than fifteen"}},"tags":["a tag of more than fifteen bytes"],
         "field":"a field of more than fifteen bytes"}
        """#

    @Test func eachSubstringOfACompactedModelHasMemoryOfItsOwn() throws {
        let read = try Orchard(json: text)
        #expect(read.title.base.utf8.count > 300)
        let tree = read.compacted()
        #expect(tree == read)
        var texts = [tree.title, tree.leaf.name] + tree.leaf.notes + tree.tags
        texts += [tree.subtitle, tree.leaves["one"]?.name].compactMap { $0 }
        if case .value(let field) = tree.field { texts.append(field) }
        #expect(texts.count == 8)
        for text in texts { #expect(text.base.utf8.count == text.utf8.count, "\(text)") }
    }

    @Test func anObjectGetsItsSubstringsWhereItIs() throws {
        let box = try OrchardBox(
            json: #"{"label":"a label of more than fifteen bytes","leaf":{"name":"a name of more than fifteen"}}"#)
        #expect(box.label.base != box.label)
        let same = box.compacted()
        #expect(same === box)
        #expect(box.label.base == box.label)
        #expect(box.leaf?.name.base == "a name of more than fifteen")
    }

    @Test func substringsAreSchemasAndColumnsOfStrings() throws {
        #expect(OrchardLeaf.schema.properties.map(\.kind) == [.string, .array])
        #expect(try OrchardLeaf(json: #"{"name":"n","notes":["a\"b"]}"#).jsonString() == #"{"name":"n","notes":["a\"b"]}"#)
        let archived = try Orchard(json: text)
        #expect(try Orchard(archive: archived.archive()) == archived)
    }
}
#endif
