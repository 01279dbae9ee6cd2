// Models with a secret wherever a property can hide one, and documents for them.
#if Macros

import Foundation
import Sluice

enum Secrets {
    /// The secret. No other text of these tests has four of its characters in a row.
    static let word = "zQ7wKx93mJv51"
    static let number = 739_182_645_908
}

@JSONModel
struct SecretLogin: Equatable {
    var name: String
    @JSONSensitive var password: String
    var age: Int?
}

@JSONModel
struct SecretValues {
    var id: Int
    @JSONSensitive var pin: Int = 0
    @JSONSensitive var ratio: Double?
    @JSONSensitive var codes: [String] = []
    @JSONSensitive var tokens: [String: Int] = [:]
    @JSONSensitive var when: Date?
    @JSONSensitive var link: URL?
    @JSONSensitive var bytes: Data?
    @JSONSensitive var any: JSONValue?
    @JSONSensitive var raw: RawJSON?
    @JSONSensitive var card: SecretCard?
    @JSONSensitive var isOpen: Bool?
    @JSONSensitive @JSONJoin(",") var joined: String?
    @JSONSensitive @JSONString var text: SecretCard?
    @JSONSensitive @JSONCodable var coded: SecretCode?
    @JSONKey("auth.key") @JSONSensitive var key: String?
    @JSONKey("old", "older") @JSONSensitive var old: String?
    @JSONSensitive var kind: SecretKind?
    @JSONIgnored @JSONSensitive var session = Secrets.word
    var note = 1
}

/// A type that holds itself at a key that a path leads through, too: it is asked for secrets while it is not complete.
@JSONModel
final class SecretNode {
    var child: SecretNode?
    @JSONKey("child.name") var childName: String?
    @JSONSensitive var secret: String = ""
}

/// A key of two properties, one of which is read by `Codable` although its type is a model.
@JSONModel
struct SecretBesideCodable {
    @JSONCodable var card: SecretCodableCard?
    @JSONKey("card.holder") var holder: String?
}

@JSONModel
struct SecretCodableCard: Codable {
    var holder: String
}

@JSONModel
struct SecretCard {
    var holder: String
    var limits: [String: Int] = [:]
}

struct SecretCode: Codable {
    var code: String
}

@JSONModel
enum SecretKind: String { case small, large }

/// No property here is marked as sensitive, but the models inside it have sensitive properties.
@JSONModel
struct SecretAccount {
    var id: Int
    var login: SecretLogin
    var spare: SecretLogin?
    var all: [SecretLogin] = []
    var byName: [String: SecretLogin] = [:]
    var event: SecretEvent?
    var either: SecretEither?
    var session: SecretSession?
    var user: SecretUser?
    var box: SecretBox<SecretLogin>?
    var pair: SecretPair?
    var open: SecretOpen?
    @JSONString var text: SecretLogin?
    @JSONCodable var coded: SecretCoded?
    var parent: [SecretAccount] = []
    var note = 1
}

@JSONModel(tag: .key("type"))
enum SecretEvent {
    case login(SecretLogin)
    case logout(SecretCard)
}

@JSONModel(tag: .untagged)
enum SecretEither {
    case login(SecretLogin)
    case number(Int)
}

@JSONModel
final class SecretSession {
    var id = 0
    @JSONSensitive var token = ""
}

@JSONBaseClass
class SecretUser {
    var id = 0
    var next: SecretUser?
}

@JSONSubclass(of: SecretUser.self)
class SecretAdmin: SecretUser {
    @JSONSensitive var key = ""
    var level = 0
}

@JSONSubclass(of: SecretAdmin.self)
final class SecretRoot: SecretAdmin {
    var host = ""
}

extension SecretUser: JSONPolymorphic {
    static let jsonVariants = JSONVariants<SecretUser>(by: .presence)
        .variant("host", SecretRoot.self) { $0 }
        .variant("key", SecretAdmin.self) { $0 }
        .fallback(SecretUser.self) { $0 }
}

@JSONModel
struct SecretBox<Item> {
    var items: [Item]
    @JSONSensitive var lid: String = ""
}

@JSONModel(layout: .array)
struct SecretPair {
    var id: Int
    @JSONSensitive var key: String
}

@JSONModel(unknownKeys: .collect(into: "rest"))
struct SecretOpen {
    var id: Int
    @JSONSensitive var key: String?
    var rest: JSONObject = [:]
}

@JSONModel(codable: true)
struct SecretCoded {
    var id: Int
    @JSONSensitive var key: String
}

/// What ``SecretLogin`` has become: an archive of it does not fit.
@JSONModel
struct SecretOther {
    var name: String
    @JSONSensitive var password: Int
    var age: Int?
}

/// A model whose hooks refuse it, with errors that quote what they saw.
@JSONModel
struct SecretVeto {
    var id: Int
    @JSONSensitive var key: String

    struct Refused: Error, CustomStringConvertible {
        let description: String
    }
}

extension SecretVeto: JSONWillRead, JSONDidRead {
    static func willRead(_ object: inout JSONObject) throws -> Bool {
        if object["id"] == 3 { throw Refused(description: "\(object)") }
        if object["id"] == 4 { _ = try Int(json: object["key"]?.jsonString() ?? "") }
        return object["id"] != 5
    }

    func didRead(_ context: JSONReadContext) throws -> Bool {
        if id == 6 { throw Refused(description: key) }
        if id == 7 { throw JSONError.notWritable(key, found: key) }
        return id != 8
    }
}

@JSONModel
struct SecretFolder {
    var id: Int
    var veto: SecretVeto?
    var vetoes: [SecretVeto] = []
}

#endif
