// The users of twitter.json, with all their keys.

#if Macros
import Sluice

/// Who wrote a tweet: the longest object of the file.
@JSONModel(keys: .snakeCase)
struct TwitterUser: Codable, Hashable, Sendable {
    var id: Int
    var idStr: String
    var name: String
    var screenName: String
    var location: String
    var description: String
    var url: String?
    var entities: UserEntities
    @JSONKey("protected") var isProtected: Bool
    var followersCount: Int
    var friendsCount: Int
    var listedCount: Int
    var createdAt: String
    var favouritesCount: Int
    var utcOffset: Int?
    var timeZone: String?
    var geoEnabled: Bool
    var verified: Bool
    var statusesCount: Int
    var lang: String
    var contributorsEnabled: Bool
    var isTranslator: Bool
    var isTranslationEnabled: Bool
    var profileBackgroundColor: String
    var profileBackgroundImageURL: String
    var profileBackgroundImageURLHttps: String
    var profileBackgroundTile: Bool
    var profileImageURL: String
    var profileImageURLHttps: String
    var profileBannerURL: String?
    var profileLinkColor: String
    var profileSidebarBorderColor: String
    var profileSidebarFillColor: String
    var profileTextColor: String
    var profileUseBackgroundImage: Bool
    var defaultProfile: Bool
    var defaultProfileImage: Bool
    var following: Bool
    var followRequestSent: Bool
    var notifications: Bool

    enum CodingKeys: String, CodingKey {
        case id, name, location, description, url, entities, verified, lang, following, notifications
        case idStr = "id_str"
        case screenName = "screen_name"
        case isProtected = "protected"
        case followersCount = "followers_count"
        case friendsCount = "friends_count"
        case listedCount = "listed_count"
        case createdAt = "created_at"
        case favouritesCount = "favourites_count"
        case utcOffset = "utc_offset"
        case timeZone = "time_zone"
        case geoEnabled = "geo_enabled"
        case statusesCount = "statuses_count"
        case contributorsEnabled = "contributors_enabled"
        case isTranslator = "is_translator"
        case isTranslationEnabled = "is_translation_enabled"
        case profileBackgroundColor = "profile_background_color"
        case profileBackgroundImageURL = "profile_background_image_url"
        case profileBackgroundImageURLHttps = "profile_background_image_url_https"
        case profileBackgroundTile = "profile_background_tile"
        case profileImageURL = "profile_image_url"
        case profileImageURLHttps = "profile_image_url_https"
        case profileBannerURL = "profile_banner_url"
        case profileLinkColor = "profile_link_color"
        case profileSidebarBorderColor = "profile_sidebar_border_color"
        case profileSidebarFillColor = "profile_sidebar_fill_color"
        case profileTextColor = "profile_text_color"
        case profileUseBackgroundImage = "profile_use_background_image"
        case defaultProfile = "default_profile"
        case defaultProfileImage = "default_profile_image"
        case followRequestSent = "follow_request_sent"
    }
}

/// The links in a user's profile.
@JSONModel(keys: .snakeCase)
struct UserEntities: Codable, Hashable, Sendable {
    var description: LinkList
    var url: LinkList?

    enum CodingKeys: String, CodingKey {
        case description, url
    }
}

/// Links of one field of a profile.
@JSONModel(keys: .snakeCase)
struct LinkList: Codable, Hashable, Sendable {
    var urls: [Link]

    enum CodingKeys: String, CodingKey {
        case urls
    }
}
#endif
