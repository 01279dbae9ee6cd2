// twitter.json as an app would bind it: the statuses with who wrote them and what they refer to. A projection: retweeted statuses,
// media, the colours of profiles and half of the keys of a status have no property, which is most of the file.

internal import Sluice

/// twitter.json: one page of search results.
@JSONModel(keys: .snakeCase)
struct TwitterTimeline: Codable, Equatable, Sendable {
    var statuses: [TimelineStatus]
    var searchMetadata: SearchMetadata

    enum CodingKeys: String, CodingKey {
        case statuses
        case searchMetadata = "search_metadata"
    }
}

/// A tweet.
@JSONModel(keys: .snakeCase)
struct TimelineStatus: Codable, Equatable, Sendable {
    var metadata: StatusMetadata
    var createdAt: String
    var id: Int
    var text: String
    var source: String
    var truncated: Bool
    var inReplyToStatusID: Int?
    var user: TimelineUser
    var retweetCount: Int
    var favoriteCount: Int
    var entities: TimelineEntities
    var favorited: Bool
    var retweeted: Bool
    var lang: String

    enum CodingKeys: String, CodingKey {
        case metadata, id, text, source, truncated, user, entities, favorited, retweeted, lang
        case createdAt = "created_at"
        case inReplyToStatusID = "in_reply_to_status_id"
        case retweetCount = "retweet_count"
        case favoriteCount = "favorite_count"
    }
}

/// Who wrote a tweet.
@JSONModel(keys: .snakeCase)
struct TimelineUser: Codable, Equatable, Sendable {
    var id: Int
    var name: String
    var screenName: String
    var location: String
    var description: String
    var url: String?
    var followersCount: Int
    var friendsCount: Int
    var createdAt: String
    var verified: Bool
    var statusesCount: Int
    var lang: String
    var profileImageURL: String

    enum CodingKeys: String, CodingKey {
        case id, name, location, description, url, verified, lang
        case screenName = "screen_name"
        case followersCount = "followers_count"
        case friendsCount = "friends_count"
        case createdAt = "created_at"
        case statusesCount = "statuses_count"
        case profileImageURL = "profile_image_url"
    }
}

/// What a tweet's text refers to.
@JSONModel(keys: .snakeCase)
struct TimelineEntities: Codable, Equatable, Sendable {
    var hashtags: [Hashtag]
    var urls: [Link]
    var userMentions: [UserMention]

    enum CodingKeys: String, CodingKey {
        case hashtags, urls
        case userMentions = "user_mentions"
    }
}
