// Models of the corpus files, all of whose properties are optional: damaged input gets far into them.

import SluiceTestSupport

@testable import SluiceCore

/// A user of GitHub, Weibo or Twitter.
struct Account: JSONModel, Equatable {
    var id: Int?
    var name: String?
    var url: String?
    var followers: UInt32?
    var isVerified: Bool?
    var icons: [[String: String]]?
    var lastPost: RawJSON?

    struct JSONDraft: _JSONModelDraft {
        var id: Int?
        var name: String?
        var url: String?
        var followers: UInt32?
        var isVerified: Bool?
        var icons: [[String: String]]?
        var lastPost: RawJSON?
        init() {}
    }

    static func _describeJSON(_ model: inout _ModelDescription<JSONDraft>) {
        model.property("id", \JSONDraft.id, presence: .optional)
        model.property("name", \JSONDraft.name, keys: ["name", "login", "screen_name"], presence: .optional)
        model.property("url", \JSONDraft.url, presence: .optional)
        model.property("followers", \JSONDraft.followers, keys: ["followers", "followers_count"], presence: .optional)
        model.property("isVerified", \JSONDraft.isVerified, keys: ["verified", "site_admin"], presence: .optional)
        model.property("icons", \JSONDraft.icons, presence: .optional)
        model.property("lastPost", \JSONDraft.lastPost, keys: ["status", "profile_url"], presence: .optional)
    }

    static let _jsonTable = PropertyTable._compiled(for: Account.self)

    init(_jsonDraft draft: inout JSONDraft, bound: _BoundProperties) throws(JSONError) {
        id = draft.id
        name = draft.name
        url = draft.url
        followers = draft.followers
        isVerified = draft.isVerified
        icons = draft.icons
        lastPost = draft.lastPost
    }

    func _writeJSON(_ slot: Int, to writer: inout JSONWriter) throws(JSONError) {}
}

/// A status of Weibo or Twitter, or an event of GitHub.
struct Post: JSONModel, Equatable {
    var id: JSONValue?
    var text: String?
    var author: Account?
    var source: [Post]?
    var commit: RawJSON?
    var pictures: [String: [String: JSONValue]]?
    var tags: Set<String>?
    var next: [Post?]?

    struct JSONDraft: _JSONModelDraft {
        var id: JSONValue?
        var text: String?
        var author: Account?
        var source: [Post]?
        var commit: RawJSON?
        var pictures: [String: [String: JSONValue]]?
        var tags: Set<String>?
        var next: [Post?]?
        init() {}
    }

    static func _describeJSON(_ model: inout _ModelDescription<JSONDraft>) {
        model.property("id", \JSONDraft.id, presence: .optional)
        model.property("text", \JSONDraft.text, keys: ["text", "type"], presence: .optional)
        model.property("author", \JSONDraft.author, keys: ["user", "actor"], presence: .optional)
        model.property(
            "source", \JSONDraft.source, keys: ["annotations", "payload.commits", "entities.urls"], presence: .optional)
        model.property("commit", \JSONDraft.commit, keys: ["payload.head", "metadata"], presence: .optional)
        model.property("pictures", \JSONDraft.pictures, keys: ["pic_infos"], presence: .optional)
        model.property("tags", \JSONDraft.tags, keys: ["pic_ids"], presence: .optional)
        model.property("next", \JSONDraft.next, keys: ["entities.media"], presence: .optional)
    }

    static let _jsonTable = PropertyTable._compiled(for: Post.self)

    init(_jsonDraft draft: inout JSONDraft, bound: _BoundProperties) throws(JSONError) {
        id = draft.id
        text = draft.text
        author = draft.author
        source = draft.source
        commit = draft.commit
        pictures = draft.pictures
        tags = draft.tags
        next = draft.next
    }

    func _writeJSON(_ slot: Int, to writer: inout JSONWriter) throws(JSONError) {}
}

/// The outermost object of twitter.json and of canada.json.
struct Collection: JSONModel, Equatable {
    var statuses: [Post]?
    var features: [Feature]?

    struct JSONDraft: _JSONModelDraft {
        var statuses: [Post]?
        var features: [Feature]?
        init() {}
    }

    static func _describeJSON(_ model: inout _ModelDescription<JSONDraft>) {
        model.property("statuses", \JSONDraft.statuses, presence: .optional)
        model.property("features", \JSONDraft.features, presence: .optional)
    }

    static let _jsonTable = PropertyTable._compiled(for: Collection.self)

    init(_jsonDraft draft: inout JSONDraft, bound: _BoundProperties) throws(JSONError) {
        statuses = draft.statuses
        features = draft.features
    }

    func _writeJSON(_ slot: Int, to writer: inout JSONWriter) throws(JSONError) {}
}

/// A region with its borders.
struct Feature: JSONModel, Equatable {
    var name: String?
    var borders: [[[Double]]]?

    struct JSONDraft: _JSONModelDraft {
        var name: String?
        var borders: [[[Double]]]?
        init() {}
    }

    static func _describeJSON(_ model: inout _ModelDescription<JSONDraft>) {
        model.property("name", \JSONDraft.name, keys: ["properties.name"], presence: .optional)
        model.property("borders", \JSONDraft.borders, keys: ["geometry.coordinates"], presence: .optional)
    }

    static let _jsonTable = PropertyTable._compiled(for: Feature.self)

    init(_jsonDraft draft: inout JSONDraft, bound: _BoundProperties) throws(JSONError) {
        name = draft.name
        borders = draft.borders
    }

    func _writeJSON(_ slot: Int, to writer: inout JSONWriter) throws(JSONError) {}
}
