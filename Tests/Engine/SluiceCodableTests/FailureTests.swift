// Failures inside a document, which types catch, and errors that leave it.

import Foundation
import SluiceCodable
import SluiceCore
import Testing

@Suite struct FailureTests {
    private enum Keys: String, CodingKey { case a, b }

    /// Calls a closure with the decoder.
    private struct Calls: Decodable {
        static let key = CodingUserInfoKey(rawValue: "calls")!
        final class Body: @unchecked Sendable {
            let run: (any Decoder) throws -> Void
            init(_ run: @escaping (any Decoder) throws -> Void) { self.run = run }
        }

        init(from decoder: any Decoder) throws {
            try (decoder.userInfo[Calls.key] as? Body)?.run(decoder)
        }
    }

    private func decode(
        _ text: String, _ decoder: JSONDecoder = SluiceJSONDecoder(), _ run: @escaping (any Decoder) throws -> Void
    ) throws {
        decoder.userInfo[Calls.key] = Calls.Body(run)
        _ = try decoder.decode(Calls.self, from: Data(text.utf8))
    }

    private func context(_ error: DecodingError?) -> DecodingError.Context? {
        switch error {
        case .typeMismatch(_, let context), .valueNotFound(_, let context), .keyNotFound(_, let context),
            .dataCorrupted(let context):
            context
        default: nil
        }
    }

    /// Each way to fail, with a text that makes it.
    private static let failures: [(String, @Sendable (any Decoder) throws -> Void)] = [
        ("null ", { _ = try $0.container(keyedBy: Keys.self) }),
        ("null ", { _ = try $0.unkeyedContainer() }),
        ("1 ", { _ = try $0.container(keyedBy: Keys.self) }),
        (
            "[null]",
            {
                var c = try $0.unkeyedContainer(); _ = try c.nestedContainer(keyedBy: Keys.self)
            }
        ),
        (
            "[null]",
            {
                var c = try $0.unkeyedContainer(); _ = try c.nestedUnkeyedContainer()
            }
        ),
        (
            "[]",
            {
                var c = try $0.unkeyedContainer(); _ = try c.nestedUnkeyedContainer()
            }
        ),
        (
            "[]",
            {
                var c = try $0.unkeyedContainer(); _ = try c.superDecoder()
            }
        ),
        (
            "[]",
            {
                var c = try $0.unkeyedContainer(); _ = try c.decode(Int.self)
            }
        ),
        (#"{"a":null}"#, { _ = try $0.container(keyedBy: Keys.self).nestedContainer(keyedBy: Keys.self, forKey: .a) }),
        (#"{"a":null}"#, { _ = try $0.container(keyedBy: Keys.self).decode(Int.self, forKey: .a) }),
        (#"{"a":"x"}"#, { _ = try $0.container(keyedBy: Keys.self).decode(Int.self, forKey: .a) }),
        (#"{"a":"x"}"#, { _ = try $0.container(keyedBy: Keys.self).decode([Int].self, forKey: .a) }),
        (#"{"a":null}"#, { _ = try $0.container(keyedBy: Keys.self).decode([String: Int].self, forKey: .a) }),
        (#"{"b":1}"#, { _ = try $0.container(keyedBy: Keys.self).decode(Int.self, forKey: .a) }),
        (#"{"b":1}"#, { _ = try $0.container(keyedBy: AnyKey.self).decode(Int.self, forKey: AnyKey(stringValue: "a")) }),
        (
            #"{"b":1}"#,
            { _ = try $0.container(keyedBy: Keys.self).superDecoder(forKey: .a).singleValueContainer().decode(Int.self) }
        ),
        (#""*""#, { _ = try $0.singleValueContainer().decode(Data.self) }),
        (#""""#, { _ = try $0.singleValueContainer().decode(URL.self) }),
    ]

    @Test func errorsBeginWithFoundationsWordsAndEndWithThePosition() throws {
        for (text, run) in FailureTests.failures {
            for isWrapped in [false, true] {
                let body: (any Decoder) throws -> Void = { decoder in
                    do {
                        try run(decoder)
                    } catch {
                        guard isWrapped else { throw error }
                        // As types do that say what all their attempts met.
                        throw DecodingError.dataCorrupted(
                            .init(codingPath: decoder.codingPath, debugDescription: "nothing fits", underlyingError: error))
                    }
                }
                let own = #expect(throws: DecodingError.self) { try decode(text, SluiceJSONDecoder(), body) }
                let other = #expect(throws: DecodingError.self) { try decode(text, JSONDecoder(), body) }
                var (found, expected) = (try #require(context(own)), try #require(context(other)))
                if isWrapped {
                    #expect(found.debugDescription == "nothing fits")
                    found = try #require(context(found.underlyingError as? DecodingError))
                    expected = try #require(context(expected.underlyingError as? DecodingError))
                }
                let error = try #require(found.underlyingError as? JSONError, "\(text)")
                #expect(found.debugDescription == "\(expected.debugDescription) \(error)")
                #expect(error.line == 1)
                #expect(Exact.path(found.codingPath) == Exact.path(expected.codingPath))
            }
        }
    }

    @Test func anErrorThatIsCaughtHasFoundationsWords() throws {
        for (text, run) in FailureTests.failures {
            func words(_ decoder: JSONDecoder) throws -> [String] {
                final class Words: @unchecked Sendable { var all: [String] = [] }
                let words = Words()
                try decode(text, decoder) { decoder in
                    // Twice: the second time, the words may have been kept.
                    for _ in 0..<2 {
                        do {
                            try run(decoder)
                        } catch let error as DecodingError {
                            let context = try #require(self.context(error))
                            words.all.append(context.debugDescription + Exact.path(context.codingPath))
                        }
                    }
                }
                return words.all
            }
            #expect(try words(SluiceJSONDecoder()) == words(JSONDecoder()))
        }
    }

    /// The first of two types, or else the second; if neither fits, the first error counts.
    private struct Either<First: Decodable, Second: Decodable>: Decodable {
        init(from decoder: any Decoder) throws {
            do {
                _ = try First(from: decoder)
            } catch {
                do { _ = try Second(from: decoder) } catch _ { throw error }
            }
        }
    }

    private struct Circle: Decodable { let radius: Double }
    private struct Label: Decodable { let text: String }

    @Test func ofSeveralFailuresTheOneThatIsThrownHasItsOwnPosition() throws {
        let text = #"""
            [{"radius": 1}, {"text": "a"},
             {"radius": "wide", "text": 7}]
            """#
        let error = #expect(throws: DecodingError.self) {
            try SluiceJSONDecoder().decode([Either<Circle, Label>].self, from: Data(text.utf8))
        }
        let context = try #require(self.context(error))
        let cause = try #require(context.underlyingError as? JSONError)
        #expect(context.codingPath.map(\.stringValue) == ["Index 2", "radius"])
        #expect((cause.line, cause.column) == (2, 13))
        #expect(cause.path == "[2].radius")
        #expect(cause.found == "a string")
    }

    @Test func anErrorOfAnotherDocumentIsLeftAsItIs() throws {
        final class Box: @unchecked Sendable { var error: (any Error)? }
        let box = Box()
        try decode("[1, 2, 3, \"x\", 5, 6, 7, 8]") { decoder in
            var container = try decoder.unkeyedContainer()
            while !container.isAtEnd {
                do { _ = try container.decode(Int.self) } catch {
                    box.error = error
                    _ = try container.decode(String.self)
                }
            }
        }
        for text in ["1 ", "{}", "[[[[]]]]"] {
            let error = #expect(throws: DecodingError.self) {
                try decode(text) { _ in if let error = box.error { throw error } }
            }
            #expect(context(error)?.debugDescription == "Expected to decode Int but found a string instead.")
            #expect(context(error)?.codingPath.map(\.stringValue) == ["Index 3"])
        }
    }

    @Test func aNumberThatDoesNotFitHasItsPathInTheJSONError() throws {
        struct Row: Decodable { let id: UInt8 }
        let error = #expect(throws: DecodingError.self) {
            try SluiceJSONDecoder().decode([String: [Row]].self, from: Data(#"{"rows": [{"id": 1}, {"id": 300}]}"#.utf8))
        }
        let context = try #require(self.context(error))
        let cause = try #require(context.underlyingError as? JSONError)
        #expect(context.codingPath.isEmpty)
        #expect(cause.path == "rows[1].id")
        #expect(cause.found == "300")
        #expect(context.debugDescription.hasPrefix("The number 300 is not representable as UInt8."))
    }
}
