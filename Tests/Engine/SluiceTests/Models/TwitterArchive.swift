// twitter.json as types: an archive of statuses with what their texts refer to. The users are in TwitterUser.swift.
// Four keys that are null in every status (geo, coordinates, place, contributors) have no property.

#if Macros
import Sluice

/// twitter.json: one page of search results.
@JSONModel(keys: .snakeCase)
struct TwitterArchive: Codable, Equatable, Sendable {
    var statuses: [TwitterStatus]
    var searchMetadata: SearchMetadata

    enum CodingKeys: String, CodingKey {
        case statuses
        case searchMetadata = "search_metadata"
    }
}

/// What was searched for, and where the next page is.
@JSONModel(keys: .snakeCase)
struct SearchMetadata: Codable, Hashable, Sendable {
    var completedIn: Double
    var maxID: Int
    var maxIDStr: String
    var nextResults: String
    var query: String
    var refreshURL: String
    var count: Int
    var sinceID: Int
    var sinceIDStr: String

    enum CodingKeys: String, CodingKey {
        case query, count
        case completedIn = "completed_in"
        case maxID = "max_id"
        case maxIDStr = "max_id_str"
        case nextResults = "next_results"
        case refreshURL = "refresh_url"
        case sinceID = "since_id"
        case sinceIDStr = "since_id_str"
    }
}

/// A tweet; a class, because a retweet contains the tweet that it repeats.
@JSONModel(keys: .snakeCase)
final class TwitterStatus: Codable, Equatable, Sendable {
    let metadata: StatusMetadata
    let createdAt: String
    let id: Int
    let idStr: String
    let text: String
    let source: String
    let truncated: Bool
    let inReplyToStatusID: Int?
    let inReplyToStatusIDStr: String?
    let inReplyToUserID: Int?
    let inReplyToUserIDStr: String?
    let inReplyToScreenName: String?
    let user: TwitterUser
    let retweetCount: Int
    let favoriteCount: Int
    let entities: StatusEntities
    let favorited: Bool
    let retweeted: Bool
    let lang: String
    let retweetedStatus: TwitterStatus?
    let possiblySensitive: Bool?

    enum CodingKeys: String, CodingKey {
        case metadata, id, text, source, truncated, user, entities, favorited, retweeted, lang
        case createdAt = "created_at"
        case idStr = "id_str"
        case inReplyToStatusID = "in_reply_to_status_id"
        case inReplyToStatusIDStr = "in_reply_to_status_id_str"
        case inReplyToUserID = "in_reply_to_user_id"
        case inReplyToUserIDStr = "in_reply_to_user_id_str"
        case inReplyToScreenName = "in_reply_to_screen_name"
        case retweetCount = "retweet_count"
        case favoriteCount = "favorite_count"
        case retweetedStatus = "retweeted_status"
        case possiblySensitive = "possibly_sensitive"
    }

    static func == (left: TwitterStatus, right: TwitterStatus) -> Bool {
        left.metadata == right.metadata && left.createdAt == right.createdAt && left.id == right.id
            && left.idStr == right.idStr && left.text == right.text && left.source == right.source
            && left.truncated == right.truncated && left.inReplyToStatusID == right.inReplyToStatusID
            && left.inReplyToStatusIDStr == right.inReplyToStatusIDStr
            && left.inReplyToUserID == right.inReplyToUserID && left.inReplyToUserIDStr == right.inReplyToUserIDStr
            && left.inReplyToScreenName == right.inReplyToScreenName && left.user == right.user
            && left.retweetCount == right.retweetCount && left.favoriteCount == right.favoriteCount
            && left.entities == right.entities && left.favorited == right.favorited
            && left.retweeted == right.retweeted && left.lang == right.lang
            && left.retweetedStatus == right.retweetedStatus && left.possiblySensitive == right.possiblySensitive
    }
}

/// How a tweet was found.
@JSONModel(keys: .snakeCase)
struct StatusMetadata: Codable, Hashable, Sendable {
    var resultType: String
    var isoLanguageCode: String

    enum CodingKeys: String, CodingKey {
        case resultType = "result_type"
        case isoLanguageCode = "iso_language_code"
    }
}

/// What a tweet's text refers to.
@JSONModel(keys: .snakeCase)
struct StatusEntities: Codable, Hashable, Sendable {
    var hashtags: [Hashtag]
    var symbols: [Hashtag]
    var urls: [Link]
    var userMentions: [UserMention]
    var media: [Media]?

    enum CodingKeys: String, CodingKey {
        case hashtags, symbols, urls, media
        case userMentions = "user_mentions"
    }
}

/// A tag, and where it is in the text.
@JSONModel(keys: .snakeCase)
struct Hashtag: Codable, Hashable, Sendable {
    var text: String
    var indices: [Int]

    enum CodingKeys: String, CodingKey {
        case text, indices
    }
}

/// A user who is named in the text.
@JSONModel(keys: .snakeCase)
struct UserMention: Codable, Hashable, Sendable {
    var screenName: String
    var name: String
    var id: Int
    var idStr: String
    var indices: [Int]

    enum CodingKeys: String, CodingKey {
        case name, id, indices
        case screenName = "screen_name"
        case idStr = "id_str"
    }
}

/// A shortened link and where it leads.
@JSONModel(keys: .snakeCase)
struct Link: Codable, Hashable, Sendable {
    var url: String
    var expandedURL: String
    var displayURL: String
    var indices: [Int]

    enum CodingKeys: String, CodingKey {
        case url, indices
        case expandedURL = "expanded_url"
        case displayURL = "display_url"
    }
}

/// A picture.
@JSONModel(keys: .snakeCase)
struct Media: Codable, Hashable, Sendable {
    var id: Int
    var idStr: String
    var indices: [Int]
    var mediaURL: String
    var mediaURLHttps: String
    var url: String
    var displayURL: String
    var expandedURL: String
    var type: String
    var sizes: MediaSizes
    var sourceStatusID: Int?
    var sourceStatusIDStr: String?

    enum CodingKeys: String, CodingKey {
        case id, indices, url, type, sizes
        case idStr = "id_str"
        case mediaURL = "media_url"
        case mediaURLHttps = "media_url_https"
        case displayURL = "display_url"
        case expandedURL = "expanded_url"
        case sourceStatusID = "source_status_id"
        case sourceStatusIDStr = "source_status_id_str"
    }
}

/// The sizes that a picture comes in.
@JSONModel(keys: .snakeCase)
struct MediaSizes: Codable, Hashable, Sendable {
    var medium: MediaSize
    var small: MediaSize
    var thumb: MediaSize
    var large: MediaSize

    enum CodingKeys: String, CodingKey {
        case medium, small, thumb, large
    }
}

/// Width, height, and how the picture is fitted.
@JSONModel(keys: .snakeCase)
struct MediaSize: Codable, Hashable, Sendable {
    var w: Int
    var h: Int
    var resize: String

    enum CodingKeys: String, CodingKey {
        case w, h, resize
    }
}
#endif
