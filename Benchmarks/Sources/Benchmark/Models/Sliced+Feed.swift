// The models of FeedEvent.swift, with substrings: slices of the text instead of copies of strings.

internal import Sluice

extension Sliced {
    @JSONModel(keys: .snakeCase)
    struct FeedEvent: Equatable, Sendable {
        var id: Int
        var type: Substring
        var actor: FeedActor
        var repo: FeedRepository
        var payload: FeedPayload
        @JSONKey("public") var isPublic: Bool
        var createdAt: Substring
        var metrics: FeedMetrics
        var org: FeedOrganization?
        var sponsor: FeedSponsor?
        var trace: [Int]?
        @JSONKey("legacy id") var legacyID: Int?
    }

    @JSONModel(keys: .snakeCase)
    struct FeedActor: Equatable, Sendable {
        var id: Int
        var login: Substring
        var gravatarID: Substring?
        var url: Substring
        var avatarURL: Substring
    }

    @JSONModel(keys: .snakeCase)
    struct FeedRepository: Equatable, Sendable {
        var id: Int
        var name: Substring
        var url: Substring
    }

    @JSONModel(keys: .snakeCase)
    struct FeedMetrics: Equatable, Sendable {
        var latencyMs: Double
        var skew: Double
        var delta: Int
    }

    @JSONModel(keys: .snakeCase)
    struct FeedOrganization: Equatable, Sendable {
        var id: Int
        var login: Substring
        var gravatarID: Substring
        var url: Substring
    }

    @JSONModel(keys: .snakeCase)
    struct FeedSponsor: Equatable, Sendable {
        var tier: Substring
        var amount: Double
    }

    @JSONModel(keys: .snakeCase)
    struct FeedPayload: Equatable, Sendable {
        var pushID: Int?
        var size: Int?
        var distinctSize: Int?
        var ref: Substring?
        var before: Substring?
        var commits: [FeedCommit]?
        var head: Substring?
        var action: Substring?
        var refType: Substring?
        var masterBranch: Substring?
        var description: Substring?
        var pusherType: Substring?
        var issue: FeedIssue?
        var comment: FeedComment?
        var number: Int?
        var pullRequest: FeedPullRequest?
        var forkee: FeedFork?
        var release: FeedRelease?
    }

    @JSONModel(keys: .snakeCase)
    struct FeedCommit: Equatable, Sendable {
        var sha: Substring
        var author: FeedAuthor
        var message: Substring
        var distinct: Bool
        var url: Substring
    }

    @JSONModel(keys: .snakeCase)
    struct FeedAuthor: Equatable, Sendable {
        var email: Substring
        var name: Substring
    }

    @JSONModel(keys: .snakeCase)
    struct FeedIssue: Equatable, Sendable {
        var id: Int?
        var number: Int
        var title: Substring
        var user: FeedUser?
        var labels: [FeedLabel]?
        var state: Substring?
        var comments: Int?
        var closedAt: Substring?
        var body: Substring?
    }

    @JSONModel(keys: .snakeCase)
    struct FeedUser: Equatable, Sendable {
        var login: Substring
        var id: Int?
    }

    @JSONModel(keys: .snakeCase)
    struct FeedLabel: Equatable, Sendable {
        var name: Substring
        var color: Substring
    }

    @JSONModel(keys: .snakeCase)
    struct FeedComment: Equatable, Sendable {
        var id: Int
        var user: FeedUser
        var reactions: FeedReactions
        var body: Substring
    }

    @JSONModel(keys: .snakeCase)
    struct FeedReactions: Equatable, Sendable {
        @JSONKey("+1") var likes: Int
        @JSONKey("-1") var dislikes: Int
        var totalCount: Int
    }

    @JSONModel(keys: .snakeCase)
    struct FeedPullRequest: Equatable, Sendable {
        var id: Int
        var title: Substring
        var merged: Bool?
        var additions: Int
        var deletions: Int
        var balance: Int
        var coverage: Double
        var base: FeedBranch
    }

    @JSONModel(keys: .snakeCase)
    struct FeedBranch: Equatable, Sendable {
        var ref: Substring
        var sha: Substring
    }

    @JSONModel(keys: .snakeCase)
    struct FeedFork: Equatable, Sendable {
        var id: Int
        var fullName: Substring
        @JSONKey("private") var isPrivate: Bool
        var size: Int
        var topics: [Substring]
        var description: Substring?
    }

    @JSONModel(keys: .snakeCase)
    struct FeedRelease: Equatable, Sendable {
        var id: Int
        var tagName: Substring
        var draft: Bool
        var prerelease: Bool
        var assets: [FeedAsset]
        var body: Substring
    }

    @JSONModel(keys: .snakeCase)
    struct FeedAsset: Equatable, Sendable {
        var name: Substring
        var size: Int
    }
}
