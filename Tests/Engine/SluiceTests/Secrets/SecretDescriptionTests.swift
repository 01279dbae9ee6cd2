// E3: whatever prints a model, or a value that holds one, shows `<redacted>` for its sensitive properties.
#if Macros

import Foundation
import Sluice
import Testing

@testable import SluiceTestSupport

@Suite struct SecretDescriptionTests {
    struct Holder<Value> {
        var before = 1
        var value: Value
    }

    final class Owner<Value> {
        let value: Value
        init(_ value: Value) { self.value = value }
    }

    enum Choice<Value> {
        case one(Value), two(name: String, Value)
    }

    /// All leaves of a mirror, as text.
    static func leaves(_ value: Any, depth: Int = 0) -> String {
        let mirror = Mirror(reflecting: value)
        var text = "\(value) \(String(reflecting: value)) \(String(describing: value))\n"
        guard depth < 12 else { return text }
        var level: Mirror? = mirror
        while let current = level {
            for child in current.children { text += leaves(child.value, depth: depth + 1) }
            level = current.superclassMirror
        }
        return text
    }

    static func texts<Value>(of value: Value) -> String {
        var dumped = ""
        let owner = Owner(value)
        dump(value, to: &dumped)
        dump(owner, to: &dumped)
        dump(Choice.two(name: "n", [value]), to: &dumped)
        var printed = ""
        print(value, Optional(value) as Any, [value], ["a": value], (1, value), Holder(value: value), to: &printed)
        debugPrint(value, [value], Choice.one(value), Result<Value, JSONError>.success(value), to: &printed)
        return dumped + printed + leaves(value) + leaves(Holder(value: [value])) + leaves(owner)
            + "\(value) \(String(describing: value)) \(String(reflecting: value))"
    }

    @Test(arguments: SecretTests.samples)
    func noValueShowsASecretWhereverItIsPrinted(sample: SecretTests.Sample) throws {
        let found = sample.read(sample.text, JSONReader.Options(mismatch: .nil), 0)
        guard let value = found.value else { return }
        func open<Value>(_ value: Value) -> String { Self.texts(of: value) }
        #expect(!SecretTests.shows(open(value)))
        if let value = value as? any JSONWritable {
            #expect(!SecretTests.shows(value.jsonDescription + value.jsonSummary), "\(value.jsonDescription)")
        }
    }

    @Test func aDescriptionKeepsEverythingElse() throws {
        let login = SecretLogin(name: "n", password: Secrets.word, age: 1)
        #expect("\(login)" == "SecretLogin(name: \"n\", password: <redacted>, age: Optional(1))")
        #expect(String(reflecting: login).hasSuffix("SecretLogin(name: \"n\", password: <redacted>, age: Optional(1))"))
        #expect(Mirror(reflecting: login).children.map(\.label) == ["name", "password", "age"])
        var dumped = ""
        dump(login, to: &dumped)
        #expect(dumped.contains("- password: <redacted>") && dumped.contains("- name: \"n\""))
    }

    @Test func aClassShowsThePropertiesOfItsSuperclassesByTheirOwnRules() throws {
        let root = try SecretRoot(json: #"{"id":7,"key":"\#(Secrets.word)","level":3,"host":"h"}"#)
        var dumped = ""
        dump(root, to: &dumped)
        for line in ["- id: 7", "- key: <redacted>", "- level: 3", "- host: \"h\""] { #expect(dumped.contains(line)) }
        let mirror = Mirror(reflecting: root)
        #expect(mirror.children.map(\.label) == ["host"])
        #expect(mirror.superclassMirror?.children.map(\.label) == ["key", "level"])
        #expect(mirror.superclassMirror?.superclassMirror?.children.map(\.label) == ["id", "next"])
    }

    @Test func aClassWithoutSecretsHasTheMirrorThatSwiftWouldMake() throws {
        final class Plain {
            var id = 0
            var next: SecretUser?
        }
        let user = SecretUser()
        user.id = 3
        let mirror = Mirror(reflecting: user)
        #expect(mirror.children.map(\.label) == Mirror(reflecting: Plain()).children.map(\.label))
        #expect(mirror.displayStyle == .class && mirror.superclassMirror == nil)
        #expect("\(user)" == "SluiceTests.SecretUser")
    }

    /// A property with the name of a description.
    @JSONModel
    struct Repository {
        var description: String?
        var debugDescription: String
        @JSONSensitive var token: String
    }

    @JSONModel
    struct Described: JSONDescribable {
        var name: String
        @JSONSensitive var key: String
        var inner: SecretCoded?
        @JSONCodable var coded: SecretCoded?
        @JSONString var text: SecretLogin?
    }

    @Test func propertiesMayHaveTheNamesOfDescriptions() {
        let repository = Repository(description: "about", debugDescription: "debug", token: Secrets.word)
        #expect("\(repository)".contains("about") && !SecretTests.shows(Self.texts(of: repository)))
    }

    @Test func aDescribableModelRedactsWhatLiesAfterAdaptersToo() throws {
        let coded = SecretCoded(id: 1, key: Secrets.word)
        let described = Described(
            name: "n", key: Secrets.word, inner: coded, coded: coded,
            text: SecretLogin(name: "n", password: Secrets.word, age: nil))
        #expect(!SecretTests.shows(Self.texts(of: described) + described.jsonDescription + described.jsonSummary), "\(described)")
        #expect("\(described)".contains("name = \"n\""))
    }
}

#endif
