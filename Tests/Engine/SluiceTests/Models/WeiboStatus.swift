// weibo.json, the document of YYModel's published benchmark, with all its keys. Its user is in WeiboUser.swift.

#if Macros
import Foundation
import Sluice

/// A post.
@JSONModel(keys: .snakeCase)
struct WeiboStatus: Codable, Hashable, Sendable {
    var favorited: Bool
    var attitudesStatus: Int
    var createdAt: Date
    var id: Int
    var truncated: Bool
    var inReplyToScreenName: String
    var mblogid: String
    var text: String
    var idstr: String
    var sourceType: Int
    var geo: String
    var user: WeiboUser
    var commentsCount: Int
    var thumbnailPic: String
    var source: String
    var recomState: Int
    var sourceAllowclick: Int
    var bizFeature: Int
    var mblogtypename: String
    var annotations: [WeiboAnnotation]
    @JSONKey("filterID") var filterID: String
    var bmiddlePic: String
    var scheme: String
    var visible: WeiboVisibility
    var inReplyToStatusID: String
    var mid: String
    var picIds: [String]
    var repostsCount: Int
    var mlevel: Int
    var attitudesCount: Int
    var darwinTags: [String]
    @JSONKey("userType") var userType: Int
    var picInfos: [String: WeiboPictureSet]
    var inReplyToUserID: String
    var originalPic: String

    enum CodingKeys: String, CodingKey {
        case favorited, id, truncated, mblogid, text, idstr, geo, user, source, mblogtypename, annotations
        case filterID, scheme, visible, mid, mlevel, userType
        case attitudesStatus = "attitudes_status"
        case createdAt = "created_at"
        case inReplyToScreenName = "in_reply_to_screen_name"
        case sourceType = "source_type"
        case commentsCount = "comments_count"
        case thumbnailPic = "thumbnail_pic"
        case recomState = "recom_state"
        case sourceAllowclick = "source_allowclick"
        case bizFeature = "biz_feature"
        case bmiddlePic = "bmiddle_pic"
        case inReplyToStatusID = "in_reply_to_status_id"
        case picIds = "pic_ids"
        case repostsCount = "reposts_count"
        case attitudesCount = "attitudes_count"
        case darwinTags = "darwin_tags"
        case picInfos = "pic_infos"
        case inReplyToUserID = "in_reply_to_user_id"
        case originalPic = "original_pic"
    }
}

/// Who may see a post.
@JSONModel(keys: .snakeCase)
struct WeiboVisibility: Codable, Hashable, Sendable {
    var type: Int
    var listID: Int

    enum CodingKeys: String, CodingKey {
        case type
        case listID = "list_id"
    }
}

/// Notes of the app that sent a post.
@JSONModel(keys: .snakeCase)
struct WeiboAnnotation: Codable, Hashable, Sendable {
    var clientMblogid: String?
    var mapiRequest: Bool?

    enum CodingKeys: String, CodingKey {
        case clientMblogid = "client_mblogid"
        case mapiRequest = "mapi_request"
    }
}

/// One picture in all its sizes.
@JSONModel(keys: .snakeCase)
struct WeiboPictureSet: Codable, Hashable, Sendable {
    var thumbnail: WeiboPicture
    var bmiddle: WeiboPicture
    var large: WeiboPicture
    var largest: WeiboPicture
    var picID: String
    var photoTag: Int
    var original: WeiboPicture
    var filterID: String
    var objectID: String
    var middleplus: WeiboPicture

    enum CodingKeys: String, CodingKey {
        case thumbnail, bmiddle, large, largest, original, middleplus
        case picID = "pic_id"
        case photoTag = "photo_tag"
        case filterID = "filter_id"
        case objectID = "object_id"
    }
}

/// A picture in one size.
@JSONModel(keys: .snakeCase)
struct WeiboPicture: Codable, Hashable, Sendable {
    var cutType: Int
    var type: String
    var url: String
    var width: WeiboPixels
    var height: WeiboPixels

    enum CodingKeys: String, CodingKey {
        case type, url, width, height
        case cutType = "cut_type"
    }
}
#endif
