// E3: a document with a secret in each position is damaged in every way, and whatever is printed, thrown or reported must not show it.
#if Macros

import Foundation
import Sluice
import SluiceCodable
import Testing

@testable import SluiceCore
@testable import SluiceTestSupport

@Suite struct SecretTests {
    @Test func aTypeThatHoldsItselfAtASharedKeyHidesItsSecret() throws {
        for text in [#"{"secret":"\#(Secrets.word)","child":5}"#, #"{"child":{"secret":"\#(Secrets.word)","name":7}"#] {
            for piece in [0, 1] {
                let error = try #require(Found(of: SecretNode.self, text, .strict, piece).error)
                #expect(!"\(error)".contains(Secrets.word))
            }
        }
    }

    @Test func aModelThatIsReadByCodableMayShareItsKey() throws {
        let read = try SecretBesideCodable(json: #"{"card":{"holder":"ann"}}"#)
        #expect(read.card?.holder == "ann")
        #expect(read.holder == "ann")
    }

    /// A document, and how it is read.
    struct Sample: CustomTestStringConvertible, Sendable {
        let name: String
        let text: String
        let read: @Sendable (String, JSONReader.Options, Int) -> Found

        init<Value: JSONReadable>(_ type: Value.Type, _ text: String) {
            name = "\(type)"
            self.text = text
            read = { text, options, piece in Found(of: Value.self, text, options, piece) }
        }

        var testDescription: String { "\(name) \(text.count)" }
    }

    /// What came of reading a document.
    struct Found: @unchecked Sendable {
        var error: JSONError?
        var report = JSONReadReport()
        var value: Any?

        init<Value: JSONReadable>(of type: Value.Type, _ text: String, _ options: JSONReader.Options, _ piece: Int) {
            var reader = JSONReader(options: options)
            do {
                if piece > 0 {
                    var source = Pieces(bytes: Array(text.utf8), size: piece)
                    value = try reader.read(type, from: &source)
                } else {
                    value = try reader.read(type, from: text)
                }
            } catch {
                self.error = error
            }
            report = reader.report
        }
    }

    struct Pieces: BufferSource {
        var bytes: [UInt8]
        let size: Int
        var offset = 0

        mutating func fill(_ buffer: UnsafeMutableRawBufferPointer) throws(JSONError) -> Int {
            let count = min(size, buffer.count, bytes.count - offset)
            unsafe buffer.copyBytes(from: bytes[offset..<(offset + count)])
            offset += count
            return count
        }
    }

    static let samples: [Sample] = {
        let w = Secrets.word
        let n = Secrets.number
        let login = #"{"name":"n","password":"\#(w)","age":1}"#
        let inside = login.replacing("\"", with: "\\\"")
        let account = { (member: String) in #"{"id":1,"login":{"name":"n","password":"\#(w)"},\#(member),"note":2}"# }
        let values = { (member: String) in Sample(SecretValues.self, #"{"id":1,\#(member),"note":2}"#) }
        return [
            Sample(SecretLogin.self, login), Sample([SecretLogin].self, "[\(login),\(login)]"),
            Sample([String: SecretLogin].self, #"{"a":\#(login)}"#),
            values(#""pin":\#(n)"#), values(#""ratio":\#(n).5"#), values(#""codes":["a","\#(w)"]"#),
            values(#""tokens":{"a":1,"\#(w)":2}"#), values(#""when":"\#(w)""#), values(#""link":"\#(w)""#),
            values(#""bytes":"\#(w)""#), values(#""any":{"a":["\#(w)",\#(n)]}"#), values(#""raw":{"a":["\#(w)",\#(n)]}"#),
            values(#""card":{"holder":"\#(w)","limits":{"\#(w)":1}}"#), values(#""isOpen":"\#(w)""#),
            values(#""joined":["\#(w)",{"a":\#(n)}]"#),
            values(#""text":"{\"holder\":\"\#(w)\",\"limits\":{\"\#(w)\":1}}""#), values(#""coded":{"code":"\#(w)"}"#),
            values(#""coded":{"code":["\#(w)"]}"#), values(#""auth":{"key":"\#(w)"}"#), values(#""auth":"\#(w)""#),
            values(#""older":"\#(w)""#), values(#""kind":"\#(w)""#), values(#""pin":"\#(w)""#), values(#""card":"\#(w)""#),
            values(#""codes":{"a":"\#(w)"}"#), values(#""tokens":["\#(w)"]"#),
            Sample(SecretAccount.self, account(#""spare":\#(login)"#)),
            Sample(SecretAccount.self, account(#""all":[\#(login)]"#)),
            Sample(SecretAccount.self, account(#""byName":{"a":\#(login)}"#)),
            Sample(SecretAccount.self, account(#""event":{"type":"login","name":"n","password":"\#(w)"}"#)),
            Sample(SecretAccount.self, account(#""either":\#(login)"#)),
            Sample(SecretAccount.self, account(#""session":{"id":1,"token":"\#(w)"}"#)),
            Sample(SecretAccount.self, account(#""user":{"id":1,"key":"\#(w)","host":"h","next":{"key":"\#(w)"}}"#)),
            Sample(SecretAccount.self, account(#""box":{"items":[\#(login)],"lid":"\#(w)"}"#)),
            Sample(SecretAccount.self, account(#""pair":[1,"\#(w)"]"#)),
            Sample(SecretAccount.self, account(#""open":{"id":1,"kye":"\#(w)","key":"\#(w)"}"#)),
            Sample(SecretAccount.self, account(#""text":"\#(inside)""#)),
            Sample(SecretAccount.self, account(#""spare":"\#(inside)""#)),
            Sample(SecretAccount.self, account(#""coded":{"id":1,"key":"\#(w)"}"#)),
            Sample(SecretAccount.self, account(#""coded":{"id":"x","key":"\#(w)"}"#)),
            Sample(SecretAccount.self, account(#""parent":[\#(account(#""spare":null"#))]"#)),
        ]
            + (3...8).map {
                Sample(SecretFolder.self, #"{"id":1,"veto":{"id":\#($0),"key":"\#(w)"},"vetoes":[{"id":\#($0),"key":"\#(w)"}]}"#)
            } + (3...8).map { Sample(SecretVeto.self, #"{"id":\#($0),"key":"\#(w)"}"#) }
    }()

    static let options: [JSONReader.Options] = {
        func make(_ change: (inout JSONReader.Options) -> Void) -> JSONReader.Options {
            var options = JSONReader.Options()
            change(&options)
            return options
        }
        return [
            make { _ in }, make { $0.parser = .yajl },
            make { ($0.unknownKeys, $0.duplicateKeys, $0.conversions) = (.reject, .error, .strict) },
            make { ($0.unknownKeys, $0.duplicateKeys, $0.validation) = (.report, .errorEverywhere, .full) },
            make { ($0.mismatch, $0.elements, $0.unknownKeys) = (.nil, .skipInvalid, .report) },
            make { ($0.conversions, $0.maximumTokenSize, $0.countsProperties) = (.yyModel, 12, true) },
            make { ($0.maximumDepth, $0.maximumDocumentSize, $0.nulls) = (3, 60, .error) },
            make { ($0.maximumKeyCount, $0.maximumElementCount, $0.parser) = (2, 1, .yajl) },
        ]
    }()

    /// The four characters in a row that the secrets have.
    private static let pieces: Set<UInt32> = Set(
        ["\(Secrets.word)", "\(Secrets.number)"].flatMap { secret -> [UInt32] in
            var window: UInt32 = 0
            return secret.utf8.enumerated().compactMap { index, byte in
                window = window << 8 | UInt32(byte)
                return index < 3 ? nil : window
            }
        })

    /// Whether a text has four or more characters in a row of a secret.
    static func shows(_ text: String) -> Bool {
        var window: UInt32 = 0
        for byte in text.utf8 {
            window = window << 8 | UInt32(byte)
            if pieces.contains(window) { return true }
        }
        return false
    }

    /// All that can be seen of an error.
    static func texts(of error: JSONError) -> String {
        var dumped = ""
        dump(error, to: &dumped)
        return [
            "\(error)", String(reflecting: error), dumped, error.localizedDescription, error.description, error.summary,
            error.path, error.expected, error.found, error.hint ?? "", "\(error.keys)", "\(error as NSError)",
        ].joined(separator: "\n")
    }

    /// Everything that can be seen of errors and a report, except the addresses in it.
    static func texts(of errors: [JSONError], _ report: JSONReadReport) -> String {
        let keys = report.unknownKeys.map { "\($0.path) \($0.position)" }
        return (errors + report.issues).map(texts).joined(separator: "\n") + keys.joined() + "\(report.properties)"
    }

    static func texts(of found: Found) -> String { texts(of: [found.error].compactMap(\.self), found.report) }

    /// The text, damaged in every way at each offset.
    static func damaged(_ text: String, step: Int) -> [String] {
        let bytes = Array(text.utf8)
        var result: [String] = []
        for offset in stride(from: 0, to: bytes.count, by: step) {
            result.append(String(decoding: bytes[..<offset], as: UTF8.self))
            result.append(String(decoding: bytes[..<offset] + bytes[(offset + 1)...], as: UTF8.self))
            for other in #"x",}:{\9"#.utf8 + [1] {
                result.append(String(decoding: bytes[..<offset] + [other] + bytes[(offset + 1)...], as: UTF8.self))
                result.append(String(decoding: bytes[..<offset] + [other] + bytes[offset...], as: UTF8.self))
            }
        }
        result += [#" "\#(Secrets.word)""#, " \(Secrets.number)", " \(Secrets.word)", "]", "}", ","].map { text + $0 }
        result += [#""\#(Secrets.word)""#, "\(Secrets.number)", "[\"\(Secrets.word)\"]", Secrets.word]
        result += ["1", #""x""#, "null", "true", "[]", "{}", #""\ud800""#].flatMap { value in
            [#""n""#, "1", "2", #""\#(Secrets.word)""#, "\(Secrets.number)", #""h""#].map { text.replacing($0, with: value) }
        }
        return result
    }

    @Test(arguments: samples)
    func noErrorAndNoReportShowsASecret(sample: Sample) {
        var kinds: Set<JSONError.Kind> = []
        var count = 0
        for (number, options) in Self.options.enumerated() {
            for text in Self.damaged(sample.text, step: number < 2 ? 1 : 4) {
                for piece in number == 1 ? [0] : [0, 5] {
                    var options = options
                    if piece > 0 { options.gathersUpTo = 0 }
                    let found = sample.read(text, options, piece)
                    if let error = found.error { kinds.insert(error.kind) }
                    count += 1
                    // All that there is to see takes much longer to print than to read.
                    let texts = count % 37 == 0 ? Self.texts(of: found) : Self.mainTexts(of: found)
                    guard !Self.shows(texts) else {
                        Issue.record("options \(number), pieces of \(piece): \(text)\n\(Self.texts(of: found).prefix(3000))")
                        return
                    }
                }
            }
        }
        #expect(kinds.isSuperset(of: [.syntax, .sizeLimit]) && kinds.count > 4)
    }

    /// Each error's description, which has all its fields, and the names of unknown keys.
    private static func mainTexts(of found: Found) -> String {
        let errors = [found.error].compactMap(\.self) + found.report.issues
        return errors.map(\.description).joined(separator: "\n") + found.report.unknownKeys.map { $0.path }.joined()
    }

    @Test func aWrongValueBesideASecretIsShownAndNothingElse() throws {
        let error = try #require(throws: JSONError.self) {
            _ = try SecretLogin(json: #"{"password":"\#(Secrets.word)","name":"x","age":"old"}"#)
        }
        #expect(error.description == error.summary + "\n\"old\"\n^")
        #expect(error.found == #"the string "old""#)
    }

    @Test func aMisspeltKeyIsNamedWithoutItsValue() throws {
        let text = #"{"name":"x","pasword":"\#(Secrets.word)"}"#
        let error = try #require(throws: JSONError.self) { _ = try SecretLogin(json: text) }
        #expect(error.keys == ["password"] && error.hint == "found unknown 'pasword'")
        let refused = try #require(throws: JSONError.self) {
            _ = try SecretLogin(json: text, options: .init(unknownKeys: .reject))
        }
        #expect(refused.keys == ["pasword"] && !Self.shows(Self.texts(of: refused)))
    }

    @Test func errorsOfOtherTypesAreAsTheyWere() throws {
        let text = #"{"holder":"x","limits":{"a":"\#(Secrets.word)"}}"#
        let error = try #require(throws: JSONError.self) { _ = try SecretCard(json: text) }
        #expect(error.description.contains(text.prefix(40)))
    }

    // MARK: Coders and stored forms

    /// What a decoder's error shows.
    private static func texts(ofDecoding error: any Error) -> String {
        var dumped = ""
        dump(error, to: &dumped)
        return "\(error) \(String(reflecting: error)) \(error.localizedDescription)" + dumped
    }

    @Test func codersHideWhatAModelHides() {
        struct Outer: Codable {
            var coded: SecretCoded
            var age: Int
        }
        let w = Secrets.word
        let texts = [
            #"{"id":1,"key":"\#(w)"}"#, #"{"id":"x","key":"\#(w)"}"#, #"{"id":1,"key":["\#(w)"]}"#, #"{"id":1,"kye":"\#(w)"}"#,
            #"{"coded":{"id":1,"key":"\#(w)"},"age":"old"}"#, #"{"coded":{"id":"x","key":"\#(w)"},"age":1}"#,
            #"[{"id":1,"key":"\#(w)"},{"id":"x","key":"\#(w)"}]"#, #"{"a":{"id":"x","key":"\#(w)"}}"#, #""\#(w)""#,
        ]
        for coder in [JSONDecoder(), SluiceJSONDecoder()] {
            for text in texts.flatMap({ Self.damaged($0, step: 1) + [$0] }) {
                #expect(hides(SecretCoded.self, text, coder) && hides([SecretCoded].self, text, coder))
                #expect(hides([String: SecretCoded].self, text, coder) && hides(SecretCoded?.self, text, coder))
            }
            for text in texts where text.contains("age") { #expect(hides(Outer.self, text, coder)) }
        }
    }

    /// Whether the error of decoding a text does not show a secret.
    private func hides<Value: Decodable>(_ type: Value.Type, _ text: String, _ coder: JSONDecoder) -> Bool {
        do {
            _ = try coder.decode(type, from: Data(text.utf8))
            return true
        } catch let error as JSONError {
            return !Self.shows(Self.texts(ofDecoding: error))
        } catch {
            // Foundation's own words quote the text.
            return !(coder is SluiceJSONDecoder) || !Self.shows(Self.texts(ofDecoding: error))
        }
    }

    @Test func archivesAndCopiesHideWhatAModelHides() throws {
        let account = try SecretLogin(name: "n", password: Secrets.word, age: 1).archive()
        let archive = try JSONArchive(account)
        let error = #expect(throws: JSONError.self) { _ = try archive.value(SecretOther.self, named: "SecretLogin") }
        #expect(!Self.shows(Self.texts(of: try #require(error))))
    }

    @Test func updatesHideWhatAModelHides() throws {
        var login = SecretLogin(name: "n", password: Secrets.word, age: 1)
        for text in Self.damaged(#"{"password":"\#(Secrets.word)","age":"old"}"#, step: 1) {
            do {
                try login.update(json: text)
            } catch {
                #expect(!Self.shows(Self.texts(of: error)))
            }
        }
    }
}

#endif
