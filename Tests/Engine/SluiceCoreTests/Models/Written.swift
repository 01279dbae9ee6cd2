// Models of the encoding section: those that the mapping libraries show, and one whose table is made by hand.

import SluiceTestSupport
import Synchronization

@testable import SluiceCore

/// A user of RMMapper's, with a whole object inside.
struct Person: Equatable {
    var id: Int
    var name: String
    var host: Site?
    var friends: [Person] = []
    var sites: [String: Site] = [:]
    var password: String?
}

extension Person: JSONModel {
    struct JSONDraft: _JSONModelDraft {
        var id: Int?
        var name: String?
        var host: Site?
        var friends: [Person]?
        var sites: [String: Site]?
        var password: String?
        init() {}
    }

    static func _describeJSON(_ model: inout _ModelDescription<JSONDraft>) {
        model.property("id", \JSONDraft.id, keys: ["user_id"])
        model.property("name", \JSONDraft.name, keys: ["profile.name"])
        model.property("host", \JSONDraft.host, keys: ["profile.host"], presence: .optional)
        model.property("friends", \JSONDraft.friends, presence: .defaulted)
        model.property("sites", \JSONDraft.sites, presence: .defaulted)
        model.property("password", \JSONDraft.password, presence: .optional, direction: .reading)
    }

    static let _jsonTable = PropertyTable._compiled(for: Person.self)

    init(_jsonDraft draft: inout JSONDraft, bound: _BoundProperties) throws(JSONError) {
        id = try bound.required(draft.id, 0)
        name = try bound.required(draft.name, 1)
        host = draft.host
        if let value = draft.friends { friends = value }
        if let value = draft.sites { sites = value }
        password = draft.password
    }

    func _writeJSON(_ slot: Int, to writer: inout JSONWriter) throws(JSONError) {
        switch slot {
        case 0: try writer.property(id)
        case 1: try writer.property(name)
        case 2: try writer.property(host)
        case 3: try writer.property(friends)
        case 4: try writer.property(sites)
        default: break
        }
    }

    static func _jsonKeyPath(_ slot: Int) -> AnyKeyPath? {
        switch slot {
        case 0: \Person.id
        case 1: \Person.name
        case 2: \Person.host
        case 3: \Person.friends
        case 4: \Person.sites
        default: nil
        }
    }
}

/// What a person has in it.
struct Site: Hashable {
    var url: String
    var port: Int?
}

extension Site: JSONModel {
    struct JSONDraft: _JSONModelDraft {
        var url: String?
        var port: Int?
        init() {}
    }

    static func _describeJSON(_ model: inout _ModelDescription<JSONDraft>) {
        model.property("url", \JSONDraft.url)
        model.property("port", \JSONDraft.port, presence: .optional)
    }

    static let _jsonTable = PropertyTable._compiled(for: Site.self)

    init(_jsonDraft draft: inout JSONDraft, bound: _BoundProperties) throws(JSONError) {
        url = try bound.required(draft.url, 0)
        port = draft.port
    }

    func _writeJSON(_ slot: Int, to writer: inout JSONWriter) throws(JSONError) {
        switch slot {
        case 0: try writer.property(url)
        case 1: try writer.property(port)
        default: break
        }
    }
}

/// A point whose JSON form is an array.
struct Place: Equatable {
    var x: Double
    var y: Double?
    var site: Site?
}

extension Place: JSONModel {
    struct JSONDraft: _JSONModelDraft {
        var x: Double?
        var y: Double?
        var site: Site?
        init() {}
    }

    static func _describeJSON(_ model: inout _ModelDescription<JSONDraft>) {
        model.layout = .array
        model.property("x", \JSONDraft.x)
        model.property("y", \JSONDraft.y, presence: .optional)
        model.property("site", \JSONDraft.site, presence: .optional)
    }

    static let _jsonTable = PropertyTable._compiled(for: Place.self)

    init(_jsonDraft draft: inout JSONDraft, bound: _BoundProperties) throws(JSONError) {
        x = try bound.required(draft.x, 0)
        y = draft.y
        site = draft.site
    }

    func _writeJSON(_ slot: Int, to writer: inout JSONWriter) throws(JSONError) {
        switch slot {
        case 0: try writer.property(x)
        case 1: try writer.property(y)
        case 2: try writer.property(site)
        default: break
        }
    }
}

/// The status of CYZBaseModel's tests.
struct CYZStatus: Equatable {
    var name: String?
    var weiboID = 0
    var numberWeiboID: Int?
    var time: String?
    var user: Site?
    var userDictionary: [String: JSONValue]?
}

extension CYZStatus: JSONModel {
    struct JSONDraft: _JSONModelDraft {
        var name: String?
        var weiboID: Int?
        var numberWeiboID: Int?
        var time: String?
        var user: Site?
        var userDictionary: [String: JSONValue]?
        init() {}
    }

    static func _describeJSON(_ model: inout _ModelDescription<JSONDraft>) {
        model.property("name", \JSONDraft.name, keys: ["nm"], presence: .optional)
        model.property("weiboID", \JSONDraft.weiboID, presence: .defaulted)
        model.property("numberWeiboID", \JSONDraft.numberWeiboID, presence: .optional)
        model.property("time", \JSONDraft.time, presence: .optional)
        model.property("user", \JSONDraft.user, presence: .optional)
        model.property("userDictionary", \JSONDraft.userDictionary, presence: .optional)
    }

    static let _jsonTable = PropertyTable._compiled(for: CYZStatus.self)

    init(_jsonDraft draft: inout JSONDraft, bound: _BoundProperties) throws(JSONError) {
        name = draft.name
        if let value = draft.weiboID { weiboID = value }
        numberWeiboID = draft.numberWeiboID
        time = draft.time
        user = draft.user
        userDictionary = draft.userDictionary
    }

    func _writeJSON(_ slot: Int, to writer: inout JSONWriter) throws(JSONError) {
        switch slot {
        case 0: try writer.property(name)
        case 1: try writer.property(weiboID)
        case 2: try writer.property(numberWeiboID)
        case 3: try writer.property(time)
        case 4: try writer.property(user)
        case 5: try writer.property(userDictionary)
        default: break
        }
    }
}

/// A model of values of any kind, named `p0`, `p1` and so on, whose table is made by hand for writing: its properties may share
/// keys in ways that a table for reading does not allow.
struct Shared<Value: JSONBindable, Keys: SlotKeys> {
    var values: [Value?]

    init(_ values: Value?...) { self.values = values }
}

extension Shared: JSONModel {
    struct JSONDraft: _JSONModelDraft { init() {} }

    static func _describeJSON(_ model: inout _ModelDescription<JSONDraft>) {}

    static var _jsonTable: PropertyTable {
        handmadeTables.withLock { tables in
            if let known = tables[ObjectIdentifier(Self.self)] { return known }
            let made = makeTable()
            tables[ObjectIdentifier(Self.self)] = made
            return made
        }
    }

    private static func makeTable() -> PropertyTable {
        let properties = Keys.keys.enumerated().map { slot, keys in
            JSONProperty(
                name: "p\(slot)", typeName: "\(Value.self)", keys: keys, direction: .both, presence: .optional,
                policy: Keys.policies.indices.contains(slot) ? Keys.policies[slot] : .none)
        }
        return PropertyTable(
            modelName: "Shared", properties: properties, layout: .object, problem: nil,
            binding: BindingRegistry.shared.binding(for: Self.self).pointer, draftReason: nil)
    }

    init(_jsonDraft draft: inout JSONDraft, bound: _BoundProperties) throws(JSONError) { values = [] }

    func _writeJSON(_ slot: Int, to writer: inout JSONWriter) throws(JSONError) {
        if values.indices.contains(slot) { try writer.property(values[slot]) }
    }
}

extension SlotKeys {
    static var policies: [JSONPropertyPolicy] { [] }
}

/// Tables live as long as the process; these do too.
private let handmadeTables = Mutex<[ObjectIdentifier: PropertyTable]>([:])
