// The large objects inside the payloads of github_events.json.

#if Macros
import Foundation
import Sluice

/// A fork, with all the addresses that GitHub gives.
@JSONModel(keys: .snakeCase)
struct GitHubRepository: Codable, Hashable, Sendable {
    var description: String
    @JSONKey("fork") var isFork: Bool
    var url: String
    var language: String
    var stargazersURL: String
    var cloneURL: String
    var tagsURL: String
    var fullName: String
    var mergesURL: String
    var forks: Int
    @JSONKey("private") var isPrivate: Bool
    var gitRefsURL: String
    var archiveURL: String
    var collaboratorsURL: String
    var owner: GitHubAccount
    var languagesURL: String
    var treesURL: String
    var labelsURL: String
    var htmlURL: String
    var pushedAt: Date
    var createdAt: Date
    var hasIssues: Bool
    var forksURL: String
    var branchesURL: String
    var commitsURL: String
    var notificationsURL: String
    var openIssues: Int
    var contentsURL: String
    var blobsURL: String
    var issuesURL: String
    var compareURL: String
    var issueEventsURL: String
    var name: String
    var updatedAt: Date
    var statusesURL: String
    var forksCount: Int
    var assigneesURL: String
    var sshURL: String
    @JSONKey("public") var isPublic: Bool
    var hasWiki: Bool
    var subscribersURL: String
    var mirrorURL: String?
    var watchersCount: Int
    var id: Int
    var hasDownloads: Bool
    var gitCommitsURL: String
    var downloadsURL: String
    var pullsURL: String
    var homepage: String?
    var issueCommentURL: String
    var hooksURL: String
    var subscriptionURL: String
    var milestonesURL: String
    var svnURL: String
    var eventsURL: String
    var gitTagsURL: String
    var teamsURL: String
    var commentsURL: String
    var openIssuesCount: Int
    var keysURL: String
    var gitURL: String
    var contributorsURL: String
    var size: Int
    var watchers: Int

    enum CodingKeys: String, CodingKey {
        case description, url, language, forks, owner, name, id, homepage, size, watchers
        case isFork = "fork"
        case stargazersURL = "stargazers_url"
        case cloneURL = "clone_url"
        case tagsURL = "tags_url"
        case fullName = "full_name"
        case mergesURL = "merges_url"
        case isPrivate = "private"
        case gitRefsURL = "git_refs_url"
        case archiveURL = "archive_url"
        case collaboratorsURL = "collaborators_url"
        case languagesURL = "languages_url"
        case treesURL = "trees_url"
        case labelsURL = "labels_url"
        case htmlURL = "html_url"
        case pushedAt = "pushed_at"
        case createdAt = "created_at"
        case hasIssues = "has_issues"
        case forksURL = "forks_url"
        case branchesURL = "branches_url"
        case commitsURL = "commits_url"
        case notificationsURL = "notifications_url"
        case openIssues = "open_issues"
        case contentsURL = "contents_url"
        case blobsURL = "blobs_url"
        case issuesURL = "issues_url"
        case compareURL = "compare_url"
        case issueEventsURL = "issue_events_url"
        case updatedAt = "updated_at"
        case statusesURL = "statuses_url"
        case forksCount = "forks_count"
        case assigneesURL = "assignees_url"
        case sshURL = "ssh_url"
        case isPublic = "public"
        case hasWiki = "has_wiki"
        case subscribersURL = "subscribers_url"
        case mirrorURL = "mirror_url"
        case watchersCount = "watchers_count"
        case hasDownloads = "has_downloads"
        case gitCommitsURL = "git_commits_url"
        case downloadsURL = "downloads_url"
        case pullsURL = "pulls_url"
        case issueCommentURL = "issue_comment_url"
        case hooksURL = "hooks_url"
        case subscriptionURL = "subscription_url"
        case milestonesURL = "milestones_url"
        case svnURL = "svn_url"
        case eventsURL = "events_url"
        case gitTagsURL = "git_tags_url"
        case teamsURL = "teams_url"
        case commentsURL = "comments_url"
        case openIssuesCount = "open_issues_count"
        case keysURL = "keys_url"
        case gitURL = "git_url"
        case contributorsURL = "contributors_url"
    }
}

/// A user with all addresses.
@JSONModel(keys: .snakeCase)
struct GitHubAccount: Codable, Hashable, Sendable {
    var url: String
    var gistsURL: String
    var gravatarID: String
    var type: String
    var avatarURL: String
    var subscriptionsURL: String
    var receivedEventsURL: String
    var organizationsURL: String
    var reposURL: String
    var login: String
    var id: Int
    var starredURL: String
    var eventsURL: String
    var followersURL: String
    var followingURL: String

    enum CodingKeys: String, CodingKey {
        case url, type, login, id
        case gistsURL = "gists_url"
        case gravatarID = "gravatar_id"
        case avatarURL = "avatar_url"
        case subscriptionsURL = "subscriptions_url"
        case receivedEventsURL = "received_events_url"
        case organizationsURL = "organizations_url"
        case reposURL = "repos_url"
        case starredURL = "starred_url"
        case eventsURL = "events_url"
        case followersURL = "followers_url"
        case followingURL = "following_url"
    }
}

/// An issue or pull request.
@JSONModel(keys: .snakeCase)
struct GitHubIssue: Codable, Hashable, Sendable {
    var user: GitHubAccount
    var url: String
    var labels: [String]
    var htmlURL: String
    var labelsURL: String
    var pullRequest: GitHubPullRequestLinks
    var createdAt: Date
    var closedAt: Date?
    var milestone: String?
    var title: String
    var body: String
    var updatedAt: Date
    var number: Int
    var state: String
    var assignee: GitHubAccount?
    var id: Int
    var eventsURL: String
    var commentsURL: String
    var comments: Int

    enum CodingKeys: String, CodingKey {
        case user, url, labels, milestone, title, body, number, state, assignee, id, comments
        case htmlURL = "html_url"
        case labelsURL = "labels_url"
        case pullRequest = "pull_request"
        case createdAt = "created_at"
        case closedAt = "closed_at"
        case updatedAt = "updated_at"
        case eventsURL = "events_url"
        case commentsURL = "comments_url"
    }
}

/// Where a pull request is found; all null for an issue.
@JSONModel(keys: .snakeCase)
struct GitHubPullRequestLinks: Codable, Hashable, Sendable {
    var htmlURL: String?
    var patchURL: String?
    var diffURL: String?

    enum CodingKeys: String, CodingKey {
        case htmlURL = "html_url"
        case patchURL = "patch_url"
        case diffURL = "diff_url"
    }
}

/// A comment on an issue.
@JSONModel(keys: .snakeCase)
struct GitHubComment: Codable, Hashable, Sendable {
    var user: GitHubAccount
    var url: String
    var issueURL: String
    var createdAt: Date
    var body: String
    var updatedAt: Date
    var id: Int

    enum CodingKeys: String, CodingKey {
        case user, url, body, id
        case issueURL = "issue_url"
        case createdAt = "created_at"
        case updatedAt = "updated_at"
    }
}
#endif
