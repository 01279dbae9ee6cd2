// Key types and key strategies are code of their own: they may ask the same decoder for containers while one is being made.

import Foundation
import SluiceCodable
import Testing

@Suite(.serialized) struct ReenteredContainerTests {
    /// Many key types: each path of `Left` and `Right` is one.
    private enum Left<Inner>: CodingKey { case a }
    private enum Right<Inner>: CodingKey { case a }

    private static func askForContainers<Inner>(_ decoder: any Decoder, _ inner: Inner.Type, depth: Int) {
        if depth == 0 { return }
        _ = try? decoder.container(keyedBy: Left<Inner>.self)
        _ = try? decoder.container(keyedBy: Right<Inner>.self)
        askForContainers(decoder, Left<Inner>.self, depth: depth - 1)
        askForContainers(decoder, Right<Inner>.self, depth: depth - 1)
    }

    private final class Hook: @unchecked Sendable {
        var onKey: (() -> Void)?
        /// How often it has run.
        var calls = 0

        func run() {
            guard let onKey else { return }
            self.onKey = nil
            calls += 1
            onKey()
        }
    }

    private static let hook = Hook()

    /// Keys that run code while they are made. Each test has a type of its own: a kept container stops making keys once it has learnt the
    /// orders of a few objects, and is kept beyond the test, unless the key types made here happen to need its slot.
    private enum Keys<Test>: String, CodingKey {
        case name, next

        init?(stringValue: String) {
            ReenteredContainerTests.hook.run()
            self.init(rawValue: stringValue)
        }
    }

    private struct Item: Decodable {
        let name: String

        init(from decoder: any Decoder) throws {
            ReenteredContainerTests.hook.onKey = { ReenteredContainerTests.askForContainers(decoder, Never.self, depth: 9) }
            defer { ReenteredContainerTests.hook.onKey = nil }
            name = try decoder.container(keyedBy: Keys<Item>.self).decode(String.self, forKey: .name)
        }
    }

    @Test func aKeyTypeMayAskTheDecoderForContainersOfManyOtherTypes() throws {
        let calls = ReenteredContainerTests.hook.calls
        for round in 0..<20 {
            // The first object makes the container, the others have it from the last object.
            let text = #"[{"name":"a"},{"name":"b","x\#(round)":1},{"y\#(round)":1,"name":"c"},{"name":"d"}]"#
            let items = try SluiceJSONDecoder().decode([Item].self, from: Data(text.utf8))
            #expect(items.map(\.name) == ["a", "b", "c", "d"])
        }
        #expect(ReenteredContainerTests.hook.calls > calls)
    }

    private struct Strategic: Decodable {
        let name: String

        init(from decoder: any Decoder) throws {
            ReenteredContainerTests.hook.onKey = {
                ReenteredContainerTests.askForContainers(decoder, Never.self, depth: 9)
                _ = try? decoder.container(keyedBy: Keys<Strategic>.self)
            }
            defer { ReenteredContainerTests.hook.onKey = nil }
            name = try decoder.container(keyedBy: Keys<Strategic>.self).decode(String.self, forKey: .name)
        }
    }

    @Test func aKeyStrategyMayAskTheDecoderForContainers() throws {
        let decoder = SluiceJSONDecoder()
        decoder.keyDecodingStrategy = .custom { path in
            ReenteredContainerTests.hook.run()
            return path[path.count - 1]
        }
        let calls = ReenteredContainerTests.hook.calls
        for _ in 0..<20 {
            let items = try decoder.decode([Strategic].self, from: Data(#"[{"name":"a"},{"name":"b"},{"name":"c"}]"#.utf8))
            #expect(items.map(\.name) == ["a", "b", "c"])
        }
        #expect(ReenteredContainerTests.hook.calls == calls + 60)
    }

    private struct Pair: Decodable {
        let name: String
        var inner: String?

        init(from decoder: any Decoder) throws {
            let path = decoder.codingPath.map(\.stringValue)
            let outer = ReenteredContainerTests.hook
            var found: String?
            outer.onKey = {
                let container = try? decoder.container(keyedBy: Keys<Pair>.self)
                outer.onKey = nil
                found = try? container?.decode(Named.self, forKey: .next).name
            }
            defer { outer.onKey = nil }
            name = try decoder.container(keyedBy: Keys<Pair>.self).decode(String.self, forKey: .name)
            inner = found
            #expect(decoder.codingPath.map(\.stringValue) == path)
        }
    }

    private struct Named: Decodable {
        let name: String
        init(from decoder: any Decoder) throws {
            name = try decoder.container(keyedBy: Keys<Pair>.self).decode(String.self, forKey: .name)
        }
    }

    @Test func aContainerOfTheSameKeyTypeMadeInBetweenIsAnotherOne() throws {
        let text = #"[{"name":"a","next":{"name":"b"}},{"next":{"name":"d"},"name":"c"}]"#
        let calls = ReenteredContainerTests.hook.calls
        let pairs = try SluiceJSONDecoder().decode([Pair].self, from: Data(text.utf8))
        #expect(pairs.map(\.name) == ["a", "c"])
        #expect(pairs.map(\.inner) == ["b", "d"])
        #expect(ReenteredContainerTests.hook.calls == calls + 2)
    }
}
