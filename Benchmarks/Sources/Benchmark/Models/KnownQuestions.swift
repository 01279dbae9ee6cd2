// Models of the questions that simdjson's benchmark asks of twitter.json, and of the coordinates of kostya/benchmarks.

internal import Sluice

/// partial_tweets: seven values of each tweet.
@JSONModel(keys: .snakeCase)
struct PartialTweets: Codable, Equatable, Sendable {
    var statuses: [Tweet]

    @JSONModel(keys: .snakeCase)
    struct Tweet: Codable, Equatable, Sendable {
        var createdAt: String
        var id: Int
        var text: String
        var inReplyToStatusID: Int?
        var user: User
        var retweetCount: Int
        var favoriteCount: Int

        enum CodingKeys: String, CodingKey {
            case id, text, user
            case createdAt = "created_at"
            case inReplyToStatusID = "in_reply_to_status_id"
            case retweetCount = "retweet_count"
            case favoriteCount = "favorite_count"
        }
    }

    @JSONModel(keys: .snakeCase)
    struct User: Codable, Equatable, Sendable {
        var id: Int
        var screenName: String

        enum CodingKeys: String, CodingKey {
            case id
            case screenName = "screen_name"
        }
    }
}

/// distinct_user_id: who has written, and whose tweets were repeated.
@JSONModel(keys: .snakeCase)
struct Writers: Codable, Equatable, Sendable {
    var statuses: [Tweet]

    @JSONModel(keys: .snakeCase)
    struct Tweet: Codable, Equatable, Sendable {
        var user: Writer
        var retweetedStatus: Repeated?

        enum CodingKeys: String, CodingKey {
            case user
            case retweetedStatus = "retweeted_status"
        }
    }

    @JSONModel
    struct Repeated: Codable, Equatable, Sendable {
        var user: Writer
    }

    @JSONModel
    struct Writer: Codable, Equatable, Sendable {
        var id: Int
    }

    /// Each of them once.
    var distinct: Set<Int> {
        var ids: Set<Int> = []
        for tweet in statuses {
            ids.insert(tweet.user.id)
            if let repeated = tweet.retweetedStatus { ids.insert(repeated.user.id) }
        }
        return ids
    }
}

/// find_tweet and top_tweet: what both need of a tweet.
@JSONModel(keys: .snakeCase)
struct TweetText: Codable, Equatable, Sendable {
    var id: Int
    var text: String
    var retweetCount: Int
}

/// kostya/benchmarks: points with a name and an option.
@JSONModel
struct Coordinates: Codable, Equatable, Sendable {
    var coordinates: [Coordinate]
    var info: String

    @JSONModel
    struct Coordinate: Codable, Equatable, Sendable {
        var x: Double
        var y: Double
        var z: Double
        var name: String
    }

    static var sample: Coordinates {
        var random = SplitMix64(seed: 7)
        func number() -> Double { Double(random.next(below: 1 << 53)) / Double(1 << 53) }
        return Coordinates(
            coordinates: (0..<20_000).map { _ in
                Coordinate(
                    x: number(), y: number(), z: number(),
                    name: "\(Words.any(&random)) \(1_000 + random.next(below: 9_000))")
            }, info: "some info")
    }
}
