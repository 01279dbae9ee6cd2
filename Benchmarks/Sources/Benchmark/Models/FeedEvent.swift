// The events that `sluice generate` makes, as types: every key of every type of event has a property.

internal import Sluice

/// An event of the generated feed, with every key.
@JSONModel(keys: .snakeCase)
struct FeedEvent: Codable, Equatable, Sendable {
    var id: Int
    var type: String
    var actor: FeedActor
    var repo: FeedRepository
    var payload: FeedPayload
    @JSONKey("public") var isPublic: Bool
    var createdAt: String
    var metrics: FeedMetrics
    var org: FeedOrganization?
    var sponsor: FeedSponsor?
    var trace: [Int]?
    @JSONKey("legacy id") var legacyID: Int?

    enum CodingKeys: String, CodingKey {
        case id, type, actor, repo, payload, metrics, org, sponsor, trace
        case isPublic = "public"
        case createdAt = "created_at"
        case legacyID = "legacy id"
    }
}

/// Who did it.
@JSONModel(keys: .snakeCase)
struct FeedActor: Codable, Equatable, Sendable {
    var id: Int
    var login: String
    var gravatarID: String?
    var url: String
    var avatarURL: String

    enum CodingKeys: String, CodingKey {
        case id, login, url
        case gravatarID = "gravatar_id"
        case avatarURL = "avatar_url"
    }
}

/// Where it happened.
@JSONModel(keys: .snakeCase)
struct FeedRepository: Codable, Equatable, Sendable {
    var id: Int
    var name: String
    var url: String

    enum CodingKeys: String, CodingKey {
        case id, name, url
    }
}

/// What was measured.
@JSONModel(keys: .snakeCase)
struct FeedMetrics: Codable, Equatable, Sendable {
    var latencyMs: Double
    var skew: Double
    var delta: Int

    enum CodingKeys: String, CodingKey {
        case skew, delta
        case latencyMs = "latency_ms"
    }
}

/// For whom it was done.
@JSONModel(keys: .snakeCase)
struct FeedOrganization: Codable, Equatable, Sendable {
    var id: Int
    var login: String
    var gravatarID: String
    var url: String

    enum CodingKeys: String, CodingKey {
        case id, login, url
        case gravatarID = "gravatar_id"
    }
}

/// A rare key.
@JSONModel(keys: .snakeCase)
struct FeedSponsor: Codable, Equatable, Sendable {
    var tier: String
    var amount: Double

    enum CodingKeys: String, CodingKey {
        case tier, amount
    }
}

/// What it was: each type of event has some of these members.
@JSONModel(keys: .snakeCase)
struct FeedPayload: Codable, Equatable, Sendable {
    var pushID: Int?
    var size: Int?
    var distinctSize: Int?
    var ref: String?
    var before: String?
    var commits: [FeedCommit]?
    var head: String?
    var action: String?
    var refType: String?
    var masterBranch: String?
    var description: String?
    var pusherType: String?
    var issue: FeedIssue?
    var comment: FeedComment?
    var number: Int?
    var pullRequest: FeedPullRequest?
    var forkee: FeedFork?
    var release: FeedRelease?

    enum CodingKeys: String, CodingKey {
        case size, ref, before, commits, head, action, description, issue, comment, number, forkee, release
        case pushID = "push_id"
        case distinctSize = "distinct_size"
        case refType = "ref_type"
        case masterBranch = "master_branch"
        case pusherType = "pusher_type"
        case pullRequest = "pull_request"
    }
}

/// A commit of a push.
@JSONModel(keys: .snakeCase)
struct FeedCommit: Codable, Equatable, Sendable {
    var sha: String
    var author: FeedAuthor
    var message: String
    var distinct: Bool
    var url: String

    enum CodingKeys: String, CodingKey {
        case sha, author, message, distinct, url
    }
}

/// Who wrote a commit.
@JSONModel(keys: .snakeCase)
struct FeedAuthor: Codable, Equatable, Sendable {
    var email: String
    var name: String

    enum CodingKeys: String, CodingKey {
        case email, name
    }
}

/// An issue; a comment names only its number and title.
@JSONModel(keys: .snakeCase)
struct FeedIssue: Codable, Equatable, Sendable {
    var id: Int?
    var number: Int
    var title: String
    var user: FeedUser?
    var labels: [FeedLabel]?
    var state: String?
    var comments: Int?
    var closedAt: String?
    var body: String?

    enum CodingKeys: String, CodingKey {
        case id, number, title, user, labels, state, comments, body
        case closedAt = "closed_at"
    }
}

/// Somebody.
@JSONModel(keys: .snakeCase)
struct FeedUser: Codable, Equatable, Sendable {
    var login: String
    var id: Int?

    enum CodingKeys: String, CodingKey {
        case login, id
    }
}

/// A label of an issue.
@JSONModel(keys: .snakeCase)
struct FeedLabel: Codable, Equatable, Sendable {
    var name: String
    var color: String

    enum CodingKeys: String, CodingKey {
        case name, color
    }
}

/// A comment on an issue.
@JSONModel(keys: .snakeCase)
struct FeedComment: Codable, Equatable, Sendable {
    var id: Int
    var user: FeedUser
    var reactions: FeedReactions
    var body: String

    enum CodingKeys: String, CodingKey {
        case id, user, reactions, body
    }
}

/// How a comment was taken.
@JSONModel(keys: .snakeCase)
struct FeedReactions: Codable, Equatable, Sendable {
    @JSONKey("+1") var likes: Int
    @JSONKey("-1") var dislikes: Int
    var totalCount: Int

    enum CodingKeys: String, CodingKey {
        case likes = "+1"
        case dislikes = "-1"
        case totalCount = "total_count"
    }
}

/// A pull request.
@JSONModel(keys: .snakeCase)
struct FeedPullRequest: Codable, Equatable, Sendable {
    var id: Int
    var title: String
    var merged: Bool?
    var additions: Int
    var deletions: Int
    var balance: Int
    var coverage: Double
    var base: FeedBranch

    enum CodingKeys: String, CodingKey {
        case id, title, merged, additions, deletions, balance, coverage, base
    }
}

/// A branch and its last commit.
@JSONModel(keys: .snakeCase)
struct FeedBranch: Codable, Equatable, Sendable {
    var ref: String
    var sha: String

    enum CodingKeys: String, CodingKey {
        case ref, sha
    }
}

/// A fork.
@JSONModel(keys: .snakeCase)
struct FeedFork: Codable, Equatable, Sendable {
    var id: Int
    var fullName: String
    @JSONKey("private") var isPrivate: Bool
    var size: Int
    var topics: [String]
    var description: String?

    enum CodingKeys: String, CodingKey {
        case id, size, topics, description
        case fullName = "full_name"
        case isPrivate = "private"
    }
}

/// A release.
@JSONModel(keys: .snakeCase)
struct FeedRelease: Codable, Equatable, Sendable {
    var id: Int
    var tagName: String
    var draft: Bool
    var prerelease: Bool
    var assets: [FeedAsset]
    var body: String

    enum CodingKeys: String, CodingKey {
        case id, draft, prerelease, assets, body
        case tagName = "tag_name"
    }
}

/// A file of a release.
@JSONModel(keys: .snakeCase)
struct FeedAsset: Codable, Equatable, Sendable {
    var name: String
    var size: Int

    enum CodingKeys: String, CodingKey {
        case name, size
    }
}
