// The models of GitHubUser.swift, GitHubRepository.swift, GitHubEvent.swift, with substrings: slices of the text instead of copies of strings.

internal import Foundation
internal import Sluice

/// The benchmark's models with `Substring` in place of `String`.
enum Sliced {}

extension Sliced {
    @JSONModel(keys: .snakeCase)
    struct GitHubUser: Hashable, Sendable {
        var login: Substring
        var id: Int
        var avatarURL: Substring
        var gravatarID: Substring
        var url: Substring
        var htmlURL: Substring
        var followersURL: Substring
        var followingURL: Substring
        var gistsURL: Substring
        var starredURL: Substring
        var subscriptionsURL: Substring
        var organizationsURL: Substring
        var reposURL: Substring
        var eventsURL: Substring
        var receivedEventsURL: Substring
        var type: Substring
        var siteAdmin: Bool
        var name: Substring
        var company: Substring?
        var blog: Substring
        var location: Substring
        var email: Substring?
        var hireable: Bool?
        var bio: Substring
        var publicRepos: Int
        var publicGists: Int
        var followers: Int
        var following: Int
    }

    @JSONModel(keys: .snakeCase)
    struct GitHubRepository: Hashable, Sendable {
        var description: Substring
        @JSONKey("fork") var isFork: Bool
        var url: Substring
        var language: Substring
        var stargazersURL: Substring
        var cloneURL: Substring
        var tagsURL: Substring
        var fullName: Substring
        var mergesURL: Substring
        var forks: Int
        @JSONKey("private") var isPrivate: Bool
        var gitRefsURL: Substring
        var archiveURL: Substring
        var collaboratorsURL: Substring
        var owner: GitHubAccount
        var languagesURL: Substring
        var treesURL: Substring
        var labelsURL: Substring
        var htmlURL: Substring
        var pushedAt: Date
        var createdAt: Date
        var hasIssues: Bool
        var forksURL: Substring
        var branchesURL: Substring
        var commitsURL: Substring
        var notificationsURL: Substring
        var openIssues: Int
        var contentsURL: Substring
        var blobsURL: Substring
        var issuesURL: Substring
        var compareURL: Substring
        var issueEventsURL: Substring
        var name: Substring
        var updatedAt: Date
        var statusesURL: Substring
        var forksCount: Int
        var assigneesURL: Substring
        var sshURL: Substring
        @JSONKey("public") var isPublic: Bool
        var hasWiki: Bool
        var subscribersURL: Substring
        var mirrorURL: Substring?
        var watchersCount: Int
        var id: Int
        var hasDownloads: Bool
        var gitCommitsURL: Substring
        var downloadsURL: Substring
        var pullsURL: Substring
        var homepage: Substring?
        var issueCommentURL: Substring
        var hooksURL: Substring
        var subscriptionURL: Substring
        var milestonesURL: Substring
        var svnURL: Substring
        var eventsURL: Substring
        var gitTagsURL: Substring
        var teamsURL: Substring
        var commentsURL: Substring
        var openIssuesCount: Int
        var keysURL: Substring
        var gitURL: Substring
        var contributorsURL: Substring
        var size: Int
        var watchers: Int
    }

    @JSONModel(keys: .snakeCase)
    struct GitHubAccount: Hashable, Sendable {
        var url: Substring
        var gistsURL: Substring
        var gravatarID: Substring
        var type: Substring
        var avatarURL: Substring
        var subscriptionsURL: Substring
        var receivedEventsURL: Substring
        var organizationsURL: Substring
        var reposURL: Substring
        var login: Substring
        var id: Int
        var starredURL: Substring
        var eventsURL: Substring
        var followersURL: Substring
        var followingURL: Substring
    }

    @JSONModel(keys: .snakeCase)
    struct GitHubIssue: Hashable, Sendable {
        var user: GitHubAccount
        var url: Substring
        var labels: [Substring]
        var htmlURL: Substring
        var labelsURL: Substring
        var pullRequest: GitHubPullRequestLinks
        var createdAt: Date
        var closedAt: Date?
        var milestone: Substring?
        var title: Substring
        var body: Substring
        var updatedAt: Date
        var number: Int
        var state: Substring
        var assignee: GitHubAccount?
        var id: Int
        var eventsURL: Substring
        var commentsURL: Substring
        var comments: Int
    }

    @JSONModel(keys: .snakeCase)
    struct GitHubPullRequestLinks: Hashable, Sendable {
        var htmlURL: Substring?
        var patchURL: Substring?
        var diffURL: Substring?
    }

    @JSONModel(keys: .snakeCase)
    struct GitHubComment: Hashable, Sendable {
        var user: GitHubAccount
        var url: Substring
        var issueURL: Substring
        var createdAt: Date
        var body: Substring
        var updatedAt: Date
        var id: Int
    }

    @JSONModel(keys: .snakeCase)
    struct GitHubEvent: Hashable, Sendable {
        var type: Substring
        var createdAt: Date
        var actor: GitHubActor
        var repo: GitHubRepositoryName
        @JSONKey("public") var isPublic: Bool
        var payload: GitHubPayload
        var id: Substring
        var org: GitHubActor?
    }

    @JSONModel(keys: .snakeCase)
    struct GitHubActor: Hashable, Sendable {
        var gravatarID: Substring
        var login: Substring
        var avatarURL: Substring
        var url: Substring
        var id: Int
    }

    @JSONModel(keys: .snakeCase)
    struct GitHubRepositoryName: Hashable, Sendable {
        var url: Substring
        var id: Int
        var name: Substring
    }

    @JSONModel(keys: .snakeCase)
    struct GitHubPayload: Hashable, Sendable {
        var commits: [GitHubCommit]?
        var distinctSize: Int?
        var ref: Substring?
        var pushID: Int?
        var head: Substring?
        var before: Substring?
        var size: Int?
        var description: Substring?
        var masterBranch: Substring?
        var refType: Substring?
        var forkee: GitHubRepository?
        var action: Substring?
        var issue: GitHubIssue?
        var comment: GitHubComment?
        var pages: [GitHubPage]?
    }

    @JSONModel(keys: .snakeCase)
    struct GitHubCommit: Hashable, Sendable {
        var url: Substring
        var message: Substring
        var distinct: Bool
        var sha: Substring
        var author: GitHubCommitAuthor
    }

    @JSONModel(keys: .snakeCase)
    struct GitHubCommitAuthor: Hashable, Sendable {
        var email: Substring
        var name: Substring
    }

    @JSONModel(keys: .snakeCase)
    struct GitHubPage: Hashable, Sendable {
        var pageName: Substring
        var htmlURL: Substring
        var title: Substring
        var sha: Substring
        var summary: Substring?
        var action: Substring
    }
}
