// The models of TwitterUser.swift, TwitterArchive.swift, with substrings: slices of the text instead of copies of strings.

internal import Sluice

extension Sliced {
    @JSONModel(keys: .snakeCase)
    struct TwitterUser: Hashable, Sendable {
        var id: Int
        var idStr: Substring
        var name: Substring
        var screenName: Substring
        var location: Substring
        var description: Substring
        var url: Substring?
        var entities: UserEntities
        @JSONKey("protected") var isProtected: Bool
        var followersCount: Int
        var friendsCount: Int
        var listedCount: Int
        var createdAt: Substring
        var favouritesCount: Int
        var utcOffset: Int?
        var timeZone: Substring?
        var geoEnabled: Bool
        var verified: Bool
        var statusesCount: Int
        var lang: Substring
        var contributorsEnabled: Bool
        var isTranslator: Bool
        var isTranslationEnabled: Bool
        var profileBackgroundColor: Substring
        var profileBackgroundImageURL: Substring
        var profileBackgroundImageURLHttps: Substring
        var profileBackgroundTile: Bool
        var profileImageURL: Substring
        var profileImageURLHttps: Substring
        var profileBannerURL: Substring?
        var profileLinkColor: Substring
        var profileSidebarBorderColor: Substring
        var profileSidebarFillColor: Substring
        var profileTextColor: Substring
        var profileUseBackgroundImage: Bool
        var defaultProfile: Bool
        var defaultProfileImage: Bool
        var following: Bool
        var followRequestSent: Bool
        var notifications: Bool
    }

    @JSONModel(keys: .snakeCase)
    struct UserEntities: Hashable, Sendable {
        var description: LinkList
        var url: LinkList?
    }

    @JSONModel(keys: .snakeCase)
    struct LinkList: Hashable, Sendable {
        var urls: [Link]
    }

    @JSONModel(keys: .snakeCase)
    struct TwitterArchive: Equatable, Sendable {
        var statuses: [TwitterStatus]
        var searchMetadata: SearchMetadata
    }

    @JSONModel(keys: .snakeCase)
    struct SearchMetadata: Hashable, Sendable {
        var completedIn: Double
        var maxID: Int
        var maxIDStr: Substring
        var nextResults: Substring
        var query: Substring
        var refreshURL: Substring
        var count: Int
        var sinceID: Int
        var sinceIDStr: Substring
    }

    @JSONModel(keys: .snakeCase)
    final class TwitterStatus: Equatable, Sendable {
        let metadata: StatusMetadata
        let createdAt: Substring
        let id: Int
        let idStr: Substring
        let text: Substring
        let source: Substring
        let truncated: Bool
        let inReplyToStatusID: Int?
        let inReplyToStatusIDStr: Substring?
        let inReplyToUserID: Int?
        let inReplyToUserIDStr: Substring?
        let inReplyToScreenName: Substring?
        let user: TwitterUser
        let retweetCount: Int
        let favoriteCount: Int
        let entities: StatusEntities
        let favorited: Bool
        let retweeted: Bool
        let lang: Substring
        let retweetedStatus: TwitterStatus?
        let possiblySensitive: Bool?

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

    @JSONModel(keys: .snakeCase)
    struct StatusMetadata: Hashable, Sendable {
        var resultType: Substring
        var isoLanguageCode: Substring
    }

    @JSONModel(keys: .snakeCase)
    struct StatusEntities: Hashable, Sendable {
        var hashtags: [Hashtag]
        var symbols: [Hashtag]
        var urls: [Link]
        var userMentions: [UserMention]
        var media: [Media]?
    }

    @JSONModel(keys: .snakeCase)
    struct Hashtag: Hashable, Sendable {
        var text: Substring
        var indices: [Int]
    }

    @JSONModel(keys: .snakeCase)
    struct UserMention: Hashable, Sendable {
        var screenName: Substring
        var name: Substring
        var id: Int
        var idStr: Substring
        var indices: [Int]
    }

    @JSONModel(keys: .snakeCase)
    struct Link: Hashable, Sendable {
        var url: Substring
        var expandedURL: Substring
        var displayURL: Substring
        var indices: [Int]
    }

    @JSONModel(keys: .snakeCase)
    struct Media: Hashable, Sendable {
        var id: Int
        var idStr: Substring
        var indices: [Int]
        var mediaURL: Substring
        var mediaURLHttps: Substring
        var url: Substring
        var displayURL: Substring
        var expandedURL: Substring
        var type: Substring
        var sizes: MediaSizes
        var sourceStatusID: Int?
        var sourceStatusIDStr: Substring?
    }

    @JSONModel(keys: .snakeCase)
    struct MediaSizes: Hashable, Sendable {
        var medium: MediaSize
        var small: MediaSize
        var thumb: MediaSize
        var large: MediaSize
    }

    @JSONModel(keys: .snakeCase)
    struct MediaSize: Hashable, Sendable {
        var w: Int
        var h: Int
        var resize: Substring
    }
}
