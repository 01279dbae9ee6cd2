// Inserts the rows of a database into another one as GRDB's users do: a Codable record each, and `insert`. The records are made first, which
// is not timed: grdb-insert FROM TO prints the seconds that the inserts took, elapsed and of processor time.

import Foundation
import GRDB

/// A generated event with the columns that an ingest gives it.
struct Event: Codable, FetchableRecord, PersistableRecord {
    static let databaseTableName = "records"

    var id: Int64?
    var type: String?
    var actorId: Int64?
    var actorLogin: String?
    var actorGravatarId: String?
    var actorUrl: String?
    var actorAvatarUrl: String?
    var repoId: Int64?
    var repoName: String?
    var repoUrl: String?
    var payloadAction: String?
    var payloadNumber: Int64?
    var payloadPullRequestId: Int64?
    var payloadPullRequestTitle: String?
    var payloadPullRequestMerged: Bool?
    var payloadPullRequestAdditions: Int64?
    var payloadPullRequestDeletions: Int64?
    var payloadPullRequestBalance: Int64?
    var payloadPullRequestCoverage: Double?
    var payloadPullRequestBaseRef: String?
    var payloadPullRequestBaseSha: String?
    var payloadReleaseId: Int64?
    var payloadReleaseTagName: String?
    var payloadReleaseDraft: Bool?
    var payloadReleasePrerelease: Bool?
    var payloadReleaseAssets: String?
    var payloadReleaseBody: String?
    var payloadPushId: Int64?
    var payloadSize: Int64?
    var payloadDistinctSize: Int64?
    var payloadRef: String?
    var payloadBefore: String?
    var payloadCommits: String?
    var payloadHead: String?
    var payloadRefType: String?
    var payloadMasterBranch: String?
    var payloadDescription: String?
    var payloadPusherType: String?
    var payloadIssueId: Int64?
    var payloadIssueNumber: Int64?
    var payloadIssueTitle: String?
    var payloadIssueUserLogin: String?
    var payloadIssueUserId: Int64?
    var payloadIssueLabels: String?
    var payloadIssueState: String?
    var payloadIssueComments: Int64?
    var payloadIssueClosedAt: String?
    var payloadIssueBody: String?
    var payloadForkeeId: Int64?
    var payloadForkeeFullName: String?
    var payloadForkeePrivate: Bool?
    var payloadForkeeSize: Int64?
    var payloadForkeeTopics: String?
    var payloadForkeeDescription: String?
    var payloadCommentId: Int64?
    var payloadCommentUserLogin: String?
    var payloadCommentReactionsPlus1: Int64?
    var payloadCommentReactionsMinus1: Int64?
    var payloadCommentReactionsTotalCount: Int64?
    var payloadCommentBody: String?
    var `public`: Bool?
    var createdAt: String?
    var metricsLatencyMs: Double?
    var metricsSkew: Double?
    var metricsDelta: Int64?
    var orgId: Int64?
    var orgLogin: String?
    var orgGravatarId: String?
    var orgUrl: String?
    var legacyId: Int64?
    var trace: String?
    var sponsorTier: String?
    var sponsorAmount: Double?

    enum CodingKeys: String, CodingKey {
        case id
        case type
        case actorId = "actor_id"
        case actorLogin = "actor_login"
        case actorGravatarId = "actor_gravatar_id"
        case actorUrl = "actor_url"
        case actorAvatarUrl = "actor_avatar_url"
        case repoId = "repo_id"
        case repoName = "repo_name"
        case repoUrl = "repo_url"
        case payloadAction = "payload_action"
        case payloadNumber = "payload_number"
        case payloadPullRequestId = "payload_pull_request_id"
        case payloadPullRequestTitle = "payload_pull_request_title"
        case payloadPullRequestMerged = "payload_pull_request_merged"
        case payloadPullRequestAdditions = "payload_pull_request_additions"
        case payloadPullRequestDeletions = "payload_pull_request_deletions"
        case payloadPullRequestBalance = "payload_pull_request_balance"
        case payloadPullRequestCoverage = "payload_pull_request_coverage"
        case payloadPullRequestBaseRef = "payload_pull_request_base_ref"
        case payloadPullRequestBaseSha = "payload_pull_request_base_sha"
        case payloadReleaseId = "payload_release_id"
        case payloadReleaseTagName = "payload_release_tag_name"
        case payloadReleaseDraft = "payload_release_draft"
        case payloadReleasePrerelease = "payload_release_prerelease"
        case payloadReleaseAssets = "payload_release_assets"
        case payloadReleaseBody = "payload_release_body"
        case payloadPushId = "payload_push_id"
        case payloadSize = "payload_size"
        case payloadDistinctSize = "payload_distinct_size"
        case payloadRef = "payload_ref"
        case payloadBefore = "payload_before"
        case payloadCommits = "payload_commits"
        case payloadHead = "payload_head"
        case payloadRefType = "payload_ref_type"
        case payloadMasterBranch = "payload_master_branch"
        case payloadDescription = "payload_description"
        case payloadPusherType = "payload_pusher_type"
        case payloadIssueId = "payload_issue_id"
        case payloadIssueNumber = "payload_issue_number"
        case payloadIssueTitle = "payload_issue_title"
        case payloadIssueUserLogin = "payload_issue_user_login"
        case payloadIssueUserId = "payload_issue_user_id"
        case payloadIssueLabels = "payload_issue_labels"
        case payloadIssueState = "payload_issue_state"
        case payloadIssueComments = "payload_issue_comments"
        case payloadIssueClosedAt = "payload_issue_closed_at"
        case payloadIssueBody = "payload_issue_body"
        case payloadForkeeId = "payload_forkee_id"
        case payloadForkeeFullName = "payload_forkee_full_name"
        case payloadForkeePrivate = "payload_forkee_private"
        case payloadForkeeSize = "payload_forkee_size"
        case payloadForkeeTopics = "payload_forkee_topics"
        case payloadForkeeDescription = "payload_forkee_description"
        case payloadCommentId = "payload_comment_id"
        case payloadCommentUserLogin = "payload_comment_user_login"
        case payloadCommentReactionsPlus1 = "payload_comment_reactions_+1"
        case payloadCommentReactionsMinus1 = "payload_comment_reactions_-1"
        case payloadCommentReactionsTotalCount = "payload_comment_reactions_total_count"
        case payloadCommentBody = "payload_comment_body"
        case `public`
        case createdAt = "created_at"
        case metricsLatencyMs = "metrics_latency_ms"
        case metricsSkew = "metrics_skew"
        case metricsDelta = "metrics_delta"
        case orgId = "org_id"
        case orgLogin = "org_login"
        case orgGravatarId = "org_gravatar_id"
        case orgUrl = "org_url"
        case legacyId = "legacy id"
        case trace
        case sponsorTier = "sponsor_tier"
        case sponsorAmount = "sponsor_amount"
    }
}

func processorTime() -> Double { Double(clock()) / Double(CLOCKS_PER_SEC) }

let arguments = CommandLine.arguments
let (events, schema) = try DatabaseQueue(path: arguments[1]).read { db in
    (try Event.fetchAll(db), try String.fetchOne(db, sql: "SELECT sql FROM sqlite_master WHERE name = 'records'") ?? "")
}
let pool = try DatabasePool(path: arguments[2])
try pool.write { try $0.execute(sql: schema) }
let (start, used) = (ContinuousClock.now, processorTime())
for first in stride(from: 0, to: events.count, by: 10_000) {
    try pool.write { db in
        for event in events[first..<min(first + 10_000, events.count)] { try event.insert(db) }
    }
}
let elapsed = start.duration(to: .now) / .seconds(1)
print(elapsed, processorTime() - used)
