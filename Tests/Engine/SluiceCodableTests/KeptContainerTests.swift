// Containers are handed out again for the next object with the same keys: nothing of that may be seen from outside.

import Foundation
import SluiceCodable
import Testing

@Suite struct KeptContainerTests {
    private enum Keys: String, CodingKey { case name, next }

    /// Reads two containers of its keys in turns, and a value of its own kind in between.
    private final class Chain: Codable {
        let name: String
        let next: Chain?

        init(name: String, next: Chain?) {
            self.name = name
            self.next = next
        }

        init(from decoder: any Decoder) throws {
            let first = try decoder.container(keyedBy: Keys.self)
            let second = try decoder.container(keyedBy: Keys.self)
            next = try first.decodeIfPresent(Chain.self, forKey: .next)
            name = try first.decode(String.self, forKey: .name)
            #expect(try second.decode(String.self, forKey: .name) == name)
        }

        func encode(to encoder: any Encoder) throws {
            var first = encoder.container(keyedBy: Keys.self)
            var second = encoder.container(keyedBy: Keys.self)
            try first.encodeIfPresent(next, forKey: .next)
            try second.encode(name, forKey: .name)
        }
    }

    @Test func objectsOfOneKindInsideEachOtherHaveContainersOfTheirOwn() throws {
        let text = #"[{"name":"a","next":{"name":"b","next":{"name":"c"}}},{"name":"d"},{"next":{"name":"f"},"name":"e"}]"#
        for _ in 0..<3 {
            let chains = try SluiceJSONDecoder().decode([Chain].self, from: Data(text.utf8))
            #expect(chains.map(\.name) == ["a", "d", "e"])
            #expect(chains[0].next?.next?.name == "c")
            #expect(chains[2].next?.name == "f")
            let encoder = SluiceJSONEncoder()
            encoder.outputFormatting = .sortedKeys
            let foundation = JSONEncoder()
            foundation.outputFormatting = .sortedKeys
            #expect(try encoder.encode(chains) == foundation.encode(chains))
        }
    }

    /// Keeps the container that it decodes from.
    private struct Keeper: Decodable {
        let container: KeyedDecodingContainer<Keys>
        init(from decoder: any Decoder) throws { container = try decoder.container(keyedBy: Keys.self) }
    }

    @Test func aContainerThatIsKeptStaysWhereItIs() throws {
        let decoder = SluiceJSONDecoder()
        let kept = try decoder.decode([Keeper].self, from: Data(#"[{"name":"a"},{"name":"b"}]"#.utf8))
        let single = try decoder.decode(Keeper.self, from: Data(#"{"name":"c"}"#.utf8))
        for _ in 0..<3 { _ = try decoder.decode([Chain].self, from: Data(#"[{"name":"x"},{"name":"y"}]"#.utf8)) }
        #expect(try kept.map { try $0.container.decode(String.self, forKey: .name) } == ["a", "b"])
        #expect(try single.container.decode(String.self, forKey: .name) == "c")
        #expect(throws: DecodingError.self) { try single.container.decode(Int.self, forKey: .name) }
    }

    /// Keeps the decoder itself, and counts itself.
    private final class DecoderKeeper: Decodable {
        let decoder: any Decoder
        init(from decoder: any Decoder) throws {
            self.decoder = decoder
            _ = try decoder.container(keyedBy: Keys.self).decode(String.self, forKey: .name)
        }
    }

    private final class Watched: Sendable {}

    @Test func aKeptContainerIsFreedWithItsHolder() throws {
        let decoder = SluiceJSONDecoder()
        let key = try #require(CodingUserInfoKey(rawValue: "watched"))
        weak var watched: Watched?
        do {
            let object = Watched()
            watched = object
            decoder.userInfo[key] = object
            let kept = try decoder.decode(DecoderKeeper.self, from: Data(#"{"name":"a"}"#.utf8))
            decoder.userInfo = [:]
            let container = try kept.decoder.container(keyedBy: Keys.self)
            #expect(try container.decode(String.self, forKey: .name) == "a")
            #expect(kept.decoder.userInfo[key] as? Watched === object)
        }
        #expect(watched == nil)
    }

    private final class Shelf: Sendable {
        nonisolated(unsafe) var containers: [KeyedDecodingContainer<Keys>] = []
    }

    private static let shelfKey = CodingUserInfoKey(rawValue: "shelf")

    /// Puts its container on the shelf.
    private struct Shelved: Decodable {
        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Keys.self)
            let shelf = KeptContainerTests.shelfKey.flatMap { decoder.userInfo[$0] as? Shelf }
            unsafe shelf?.containers.append(container)
        }
    }

    /// Holds one that it decodes from a container inside.
    private struct Holder: Decodable {
        init(from decoder: any Decoder) throws {
            let inner = try decoder.container(keyedBy: Keys.self).nestedContainer(keyedBy: Keys.self, forKey: .next)
            _ = try inner.decode(Shelved.self, forKey: .next)
        }
    }

    @Test func aContainerThatIsKeptKnowsItsPath() throws {
        let text = Data(#"{"name":"a","next":{"name":"b","next":{"name":"c"}}}"#.utf8)
        let key = try #require(KeptContainerTests.shelfKey)
        let decoder = SluiceJSONDecoder()
        let shelf = Shelf()
        decoder.userInfo[key] = shelf
        _ = try decoder.decode(Holder.self, from: text)
        let container = try #require(unsafe shelf.containers.first)
        #expect(try container.decode(String.self, forKey: .name) == "c")
        #expect(container.codingPath.map(\.stringValue) == ["next", "next"])
        unsafe shelf.containers = []
    }

    // MARK: Keys that are written twice

    private class Base: Encodable {
        private enum BaseKeys: String, CodingKey { case other, name }
        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: BaseKeys.self)
            try container.encode("base", forKey: .name)
            try container.encode(1, forKey: .other)
        }
    }

    private final class Derived: Base {
        override func encode(to encoder: any Encoder) throws {
            try super.encode(to: encoder)
            var container = encoder.container(keyedBy: Keys.self)
            try container.encode("derived", forKey: .name)
        }
    }

    @Test func keysOfTwoTypesInOneObjectMayBeEqual() throws {
        for _ in 0..<2 {
            let text = String(decoding: try SluiceJSONEncoder().encode(Derived()), as: UTF8.self)
            #expect(text == #"{"name":"derived","other":1}"#)
        }
    }

    /// Keys with one name.
    private enum SameName: CodingKey {
        case first, second
        var stringValue: String { "name" }
        init?(stringValue: String) { self = .first }
        var intValue: Int? { nil }
        init?(intValue: Int) { nil }
    }

    /// Keys whose names are made anew each time, one of them twice.
    private enum MadeName: Int, CodingKey {
        case first, second, third
        var stringValue: String { "a name that is longer than fifteen bytes, \(rawValue % 2)" }
        init?(stringValue: String) { nil }
        var intValue: Int? { nil }
        init?(intValue: Int) { nil }
    }

    private struct Twice<Key: CodingKey & Sendable>: Encodable, Sendable {
        let keys: [Key]
        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: Key.self)
            for (index, key) in keys.enumerated() { try container.encode(index, forKey: key) }
        }
    }

    @Test func differentKeysMayHaveOneName() throws {
        for _ in 0..<3 {
            let same = try SluiceJSONEncoder().encode(Twice(keys: [SameName.first, .second]))
            #expect(String(decoding: same, as: UTF8.self) == #"{"name":1}"#)
            let made = try SluiceJSONEncoder().encode(Twice(keys: [MadeName.first, .second, .third]))
            let name = "a name that is longer than fifteen bytes, "
            #expect(String(decoding: made, as: UTF8.self) == #"{"\#(name)0":2,"\#(name)1":1}"#)
            let twice = try SluiceJSONEncoder().encode(Twice(keys: [Keys.name, .next, .name]))
            #expect(String(decoding: twice, as: UTF8.self) == #"{"name":2,"next":1}"#)
        }
    }
}
