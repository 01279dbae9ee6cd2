// Paths as errors and reports print them: each can be read again, and leads to the same value.
#if Macros

import Foundation
import Sluice
import SluiceCodable
import Testing

@testable import SluiceCore

@Suite struct PrintedPathSpecTests {
    @JSONModel
    struct Pod: Codable, Equatable {
        @JSONKey(literal: "k8s.pod") var name: [String: Int] = [:]
        @JSONKey("a.b") var inner: Int?
    }

    private static let hostile = [
        "", "a.b", "[0]", "*", "$", "/x", "\"", "\\", " ", "a b", "é", "\n", "0", "k8s.pod.name", "=", ",",
    ]

    private func keys(_ path: String) -> [[UInt8]]? { try? PathSyntax.keys(of: path).map { Array($0.utf8) } }

    private func bytes(_ keys: String...) -> [[UInt8]] { keys.map { Array($0.utf8) } }

    @Test(arguments: hostile)
    func thePathOfAnErrorIsReadAgain(key: String) throws {
        let text = PathSyntax.quoted(key)
        for other in Self.hostile {
            let document = "{\(text):{\(PathSyntax.quoted(other)):true,\"x\":[[0]]}}"
            let error = #expect(throws: JSONError.self) { try [String: [String: Int]](json: document) }
            // A boolean is an integer, too: the array is wrong.
            #expect(keys(error?.path ?? "") == bytes(key, "x"), "\(error?.path ?? "")")
            let decoding = #expect(throws: DecodingError.self) {
                try SluiceJSONDecoder().decode([String: [String: String]].self, from: Data(document.utf8))
            }
            guard case .typeMismatch(_, let context) = decoding else {
                Issue.record("\(String(describing: decoding))")
                continue
            }
            let path = (context.underlyingError as? JSONError)?.path ?? ""
            #expect(keys(path) == context.codingPath.map { Array($0.stringValue.utf8) }, "\(path)")
        }
    }

    @Test(arguments: hostile)
    func thePathOfAnUnknownKeyIsReadAgain(key: String) throws {
        var reader = JSONReader(options: .init(unknownKeys: .report))
        _ = try reader.read([String: Pod].self, from: "{\"x.y\":{\(PathSyntax.quoted(key)):1}}")
        #expect(reader.report.unknownKeys.map { keys($0.path) } == [bytes("x.y", key)])
    }

    @Test func aLiteralKeyIsQuotedAndAPathIsNot() throws {
        let pod = #expect(throws: JSONError.self) { try [Pod](json: #"[{"k8s.pod":{"c":"x"}}]"#) }
        #expect(pod?.path == #"[0]."k8s.pod".c"#)
        let inner = #expect(throws: JSONError.self) { try [Pod](json: #"[{"a":{"b":"x"}}]"#) }
        #expect(inner?.path == "[0].a.b")
    }

    @Test func thePathOfAModelInsideADecodedDictionaryGivesItsCodingPath() throws {
        let text = #"{"a.b":[{"k8s.pod":{"x y":"z"}}]}"#
        let error = #expect(throws: DecodingError.self) {
            try SluiceJSONDecoder().decode([String: [Pod]].self, from: Data(text.utf8))
        }
        guard case .typeMismatch(_, let context) = error else { throw try #require(error) }
        #expect(context.codingPath.map(\.stringValue).count == 4)
        #expect(context.codingPath.map(\.stringValue).filter { !$0.contains("Index") } == ["a.b", "k8s.pod", "x y"])
        #expect((context.underlyingError as? JSONError)?.path == #""a.b"[0]."k8s.pod"."x y""#)
    }

    @Test func thePathOfAWritingErrorIsReadAgain() throws {
        for key in Self.hostile {
            let error = #expect(throws: JSONError.self) { try [key: ["k": Double.nan]].jsonString() }
            #expect(keys(error?.path ?? "") == bytes(key, "k"), "\(error?.path ?? "")")
        }
    }
}
#endif
