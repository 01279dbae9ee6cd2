// What mapping libraries do, without the library: dictionaries go in, and each property is cast out of them by hand.

internal import Foundation

extension [String: Any] {
    fileprivate func required<Property>(_ key: String, as type: Property.Type = Property.self) throws -> Property {
        guard let value = self[key] as? Property else { throw BenchmarkError("\(key) is no \(type)") }
        return value
    }

    fileprivate func optional<Property>(_ key: String, as type: Property.Type = Property.self) -> Property? {
        self[key] as? Property
    }

    fileprivate func objects<Element>(_ key: String, _ make: ([String: Any]) throws -> Element) throws -> [Element] {
        try required(key, as: [[String: Any]].self).map(make)
    }
}

extension GitHubUser {
    init(assigning object: [String: Any]) throws {
        try self.init(
            login: object.required("login"), id: object.required("id"), avatarURL: object.required("avatar_url"),
            gravatarID: object.required("gravatar_id"), url: object.required("url"), htmlURL: object.required("html_url"),
            followersURL: object.required("followers_url"), followingURL: object.required("following_url"),
            gistsURL: object.required("gists_url"), starredURL: object.required("starred_url"),
            subscriptionsURL: object.required("subscriptions_url"), organizationsURL: object.required("organizations_url"),
            reposURL: object.required("repos_url"), eventsURL: object.required("events_url"),
            receivedEventsURL: object.required("received_events_url"), type: object.required("type"),
            siteAdmin: object.required("site_admin"), name: object.required("name"), company: object.optional("company"),
            blog: object.required("blog"), location: object.required("location"), email: object.optional("email"),
            hireable: object.optional("hireable"), bio: object.required("bio"), publicRepos: object.required("public_repos"),
            publicGists: object.required("public_gists"), followers: object.required("followers"),
            following: object.required("following"))
    }
}

extension TwitterTimeline {
    init(assigning object: [String: Any]) throws {
        self.init(
            statuses: try object.objects("statuses", TimelineStatus.init(assigning:)),
            searchMetadata: try SearchMetadata(assigning: object.required("search_metadata")))
    }
}

extension SearchMetadata {
    fileprivate init(assigning object: [String: Any]) throws {
        try self.init(
            completedIn: object.required("completed_in"), maxID: object.required("max_id"),
            maxIDStr: object.required("max_id_str"), nextResults: object.required("next_results"),
            query: object.required("query"), refreshURL: object.required("refresh_url"), count: object.required("count"),
            sinceID: object.required("since_id"), sinceIDStr: object.required("since_id_str"))
    }
}

extension TimelineStatus {
    fileprivate init(assigning object: [String: Any]) throws {
        let metadata = try object.required("metadata", as: [String: Any].self)
        try self.init(
            metadata: StatusMetadata(
                resultType: metadata.required("result_type"), isoLanguageCode: metadata.required("iso_language_code")),
            createdAt: object.required("created_at"), id: object.required("id"), text: object.required("text"),
            source: object.required("source"), truncated: object.required("truncated"),
            inReplyToStatusID: object.optional("in_reply_to_status_id"), user: TimelineUser(assigning: object.required("user")),
            retweetCount: object.required("retweet_count"), favoriteCount: object.required("favorite_count"),
            entities: TimelineEntities(assigning: object.required("entities")), favorited: object.required("favorited"),
            retweeted: object.required("retweeted"), lang: object.required("lang"))
    }
}

extension TimelineUser {
    fileprivate init(assigning object: [String: Any]) throws {
        try self.init(
            id: object.required("id"), name: object.required("name"), screenName: object.required("screen_name"),
            location: object.required("location"), description: object.required("description"), url: object.optional("url"),
            followersCount: object.required("followers_count"), friendsCount: object.required("friends_count"),
            createdAt: object.required("created_at"), verified: object.required("verified"),
            statusesCount: object.required("statuses_count"), lang: object.required("lang"),
            profileImageURL: object.required("profile_image_url"))
    }
}

extension TimelineEntities {
    fileprivate init(assigning object: [String: Any]) throws {
        try self.init(
            hashtags: object.objects("hashtags") {
                try Hashtag(text: $0.required("text"), indices: $0.required("indices"))
            },
            urls: object.objects("urls") {
                try Link(
                    url: $0.required("url"), expandedURL: $0.required("expanded_url"), displayURL: $0.required("display_url"),
                    indices: $0.required("indices"))
            },
            userMentions: object.objects("user_mentions") {
                try UserMention(
                    screenName: $0.required("screen_name"), name: $0.required("name"), id: $0.required("id"),
                    idStr: $0.required("id_str"), indices: $0.required("indices"))
            })
    }
}
