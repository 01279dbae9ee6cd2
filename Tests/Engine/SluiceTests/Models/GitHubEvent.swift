// github_events.json as types: an array of events, with payloads that differ by type. The repositories are in
// GitHubRepository.swift.

#if Macros
import Foundation
import Sluice

/// An element of github_events.json: something that happened on GitHub.
@JSONModel(keys: .snakeCase)
struct GitHubEvent: Codable, Hashable, Sendable {
    var type: String
    var createdAt: Date
    var actor: GitHubActor
    var repo: GitHubRepositoryName
    @JSONKey("public") var isPublic: Bool
    var payload: GitHubPayload
    var id: String
    var org: GitHubActor?

    enum CodingKeys: String, CodingKey {
        case type, actor, repo, payload, id, org
        case createdAt = "created_at"
        case isPublic = "public"
    }
}

/// Who did it, or the organisation it was done for.
@JSONModel(keys: .snakeCase)
struct GitHubActor: Codable, Hashable, Sendable {
    var gravatarID: String
    var login: String
    var avatarURL: String
    var url: String
    var id: Int

    enum CodingKeys: String, CodingKey {
        case login, url, id
        case gravatarID = "gravatar_id"
        case avatarURL = "avatar_url"
    }
}

/// Where it happened.
@JSONModel(keys: .snakeCase)
struct GitHubRepositoryName: Codable, Hashable, Sendable {
    var url: String
    var id: Int
    var name: String

    enum CodingKeys: String, CodingKey {
        case url, id, name
    }
}

/// What it was: each type of event has some of these members.
@JSONModel(keys: .snakeCase)
struct GitHubPayload: Codable, Hashable, Sendable {
    var commits: [GitHubCommit]?
    var distinctSize: Int?
    var ref: String?
    var pushID: Int?
    var head: String?
    var before: String?
    var size: Int?
    var description: String?
    var masterBranch: String?
    var refType: String?
    var forkee: GitHubRepository?
    var action: String?
    var issue: GitHubIssue?
    var comment: GitHubComment?
    var pages: [GitHubPage]?

    enum CodingKeys: String, CodingKey {
        case commits, ref, head, before, size, description, forkee, action, issue, comment, pages
        case distinctSize = "distinct_size"
        case pushID = "push_id"
        case masterBranch = "master_branch"
        case refType = "ref_type"
    }
}

/// A commit of a push.
@JSONModel(keys: .snakeCase)
struct GitHubCommit: Codable, Hashable, Sendable {
    var url: String
    var message: String
    var distinct: Bool
    var sha: String
    var author: GitHubCommitAuthor

    enum CodingKeys: String, CodingKey {
        case url, message, distinct, sha, author
    }
}

/// Who wrote a commit.
@JSONModel(keys: .snakeCase)
struct GitHubCommitAuthor: Codable, Hashable, Sendable {
    var email: String
    var name: String

    enum CodingKeys: String, CodingKey {
        case email, name
    }
}

/// A page of a wiki.
@JSONModel(keys: .snakeCase)
struct GitHubPage: Codable, Hashable, Sendable {
    var pageName: String
    var htmlURL: String
    var title: String
    var sha: String
    var summary: String?
    var action: String

    enum CodingKeys: String, CodingKey {
        case title, sha, summary, action
        case pageName = "page_name"
        case htmlURL = "html_url"
    }
}
#endif
