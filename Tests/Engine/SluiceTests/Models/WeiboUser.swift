// The user of weibo.json, with all keys.

#if Macros
import Foundation
import Sluice

/// Who wrote a post.
@JSONModel(keys: .snakeCase)
struct WeiboUser: Codable, Hashable, Sendable {
    var coverImagePhone: String
    var id: Int
    var biFollowersCount: Int
    var urank: Int
    var profileImageURL: String
    var icons: [WeiboIcon]
    @JSONKey("class") var classNumber: Int
    var verifiedContactEmail: String
    var province: String
    var verified: Bool
    var url: String
    var statusesCount: Int
    var geoEnabled: Bool
    var followMe: Bool
    var description: String
    var type: Int
    var followersCount: Int
    var verifiedContactMobile: String
    var location: String
    var mbrank: Int
    var avatarLarge: String
    var star: Int
    var verifiedTrade: String
    var profileURL: String
    var weihao: String
    var onlineStatus: Int
    var badgeTop: String
    var verifiedContactName: String
    var screenName: String
    var verifiedSourceURL: String
    var pagefriendsCount: Int
    var name: String
    var verifiedReason: String
    var friendsCount: Int
    var mbtype: Int
    var blockApp: Int
    var hasAbilityTag: Int
    var avatarHd: String
    var creditScore: Int
    var remark: String
    var createdAt: Date
    var blockWord: Int
    var ulevel: Int
    var allowAllActMsg: Bool
    var verifiedState: Int
    var domain: String
    var verifiedReasonModified: String
    var level: Int
    var allowAllComment: Bool
    var verifiedLevel: Int
    var verifiedReasonURL: String
    var gender: String
    var favouritesCount: Int
    var idstr: String
    var verifiedType: Int
    var city: String
    var verifiedSource: String
    var badge: WeiboBadges
    var userAbility: Int
    @JSONKey("extend") var extended: WeiboExtension
    var lang: String
    var ptype: Int
    var following: Bool

    enum CodingKeys: String, CodingKey {
        case id, urank, icons, province, verified, url, description, type, location, mbrank, star, weihao
        case name, mbtype, remark, ulevel, domain, level, gender, idstr, city, badge, lang, ptype, following
        case coverImagePhone = "cover_image_phone"
        case biFollowersCount = "bi_followers_count"
        case profileImageURL = "profile_image_url"
        case classNumber = "class"
        case verifiedContactEmail = "verified_contact_email"
        case statusesCount = "statuses_count"
        case geoEnabled = "geo_enabled"
        case followMe = "follow_me"
        case followersCount = "followers_count"
        case verifiedContactMobile = "verified_contact_mobile"
        case avatarLarge = "avatar_large"
        case verifiedTrade = "verified_trade"
        case profileURL = "profile_url"
        case onlineStatus = "online_status"
        case badgeTop = "badge_top"
        case verifiedContactName = "verified_contact_name"
        case screenName = "screen_name"
        case verifiedSourceURL = "verified_source_url"
        case pagefriendsCount = "pagefriends_count"
        case verifiedReason = "verified_reason"
        case friendsCount = "friends_count"
        case blockApp = "block_app"
        case hasAbilityTag = "has_ability_tag"
        case avatarHd = "avatar_hd"
        case creditScore = "credit_score"
        case createdAt = "created_at"
        case blockWord = "block_word"
        case allowAllActMsg = "allow_all_act_msg"
        case verifiedState = "verified_state"
        case verifiedReasonModified = "verified_reason_modified"
        case allowAllComment = "allow_all_comment"
        case verifiedLevel = "verified_level"
        case verifiedReasonURL = "verified_reason_url"
        case favouritesCount = "favourites_count"
        case verifiedType = "verified_type"
        case verifiedSource = "verified_source"
        case userAbility = "user_ability"
        case extended = "extend"
    }
}

/// A picture beside a name.
@JSONModel(keys: .snakeCase)
struct WeiboIcon: Codable, Hashable, Sendable {
    var url: String

    enum CodingKeys: String, CodingKey {
        case url
    }
}

/// Distinctions of a user.
@JSONModel(keys: .snakeCase)
struct WeiboBadges: Codable, Hashable, Sendable {
    var gongyi: Int
    var gongyiLevel: Int
    var enterprise: Int
    var zongyiji: Int
    @JSONKey("suishoupai_2014") var suishoupai2014: Int
    var travel2013: Int
    var anniversary: Int
    var taobao: Int
    @JSONKey("hongbao_2014") var hongbao2014: Int
    @JSONKey("dzwbqlv_2015") var dzwbqlv2015: Int
    var ucDomain: Int
    var bindTaobao: Int
    var dailv: Int
    @JSONKey("pzsd_2015") var pzsd2015: Int

    enum CodingKeys: String, CodingKey {
        case gongyi, enterprise, zongyiji, travel2013, anniversary, taobao, dailv
        case gongyiLevel = "gongyi_level"
        case suishoupai2014 = "suishoupai_2014"
        case hongbao2014 = "hongbao_2014"
        case dzwbqlv2015 = "dzwbqlv_2015"
        case ucDomain = "uc_domain"
        case bindTaobao = "bind_taobao"
        case pzsd2015 = "pzsd_2015"
    }
}

/// Settings of a user.
@JSONModel(keys: .snakeCase)
struct WeiboExtension: Codable, Hashable, Sendable {
    var privacy: WeiboPrivacy
    var mbprivilege: String

    enum CodingKeys: String, CodingKey {
        case privacy, mbprivilege
    }
}

/// What a user hides.
@JSONModel(keys: .snakeCase)
struct WeiboPrivacy: Codable, Hashable, Sendable {
    var mobile: Int

    enum CodingKeys: String, CodingKey {
        case mobile
    }
}
#endif
