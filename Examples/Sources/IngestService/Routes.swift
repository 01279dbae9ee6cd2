// What the service answers.

import GRDB
import Hummingbird
import SluiceSQLite

/// What is known of a body.
struct FeedState: Codable, Sendable, ResponseEncodable {
    var name: String
    var bytes: Int
    /// `waiting`, `reading`, `read` or `failed`.
    var state: String
    /// The part that has been read, from 0 to 1.
    var fraction: Double
    /// Why its records could not be read to the end.
    var failure: String?

    init(_ feed: Inbox.Feed, _ progress: IngestProgress?) {
        (name, bytes, failure) = (feed.name, feed.bytes, feed.failure)
        fraction = feed.isRead ? 1 : progress?.fraction ?? 0
        state = failure != nil ? "failed" : feed.isRead ? "read" : progress == nil ? "waiting" : "reading"
    }
}

/// How many events of a type the database has.
struct TypeCount: Codable, Sendable, FetchableRecord, ResponseEncodable {
    var type: String
    var count: Int
    /// How many of them have an id of their own.
    var ids: Int
}

enum Routes {
    static func router(_ inbox: Inbox, _ loader: FeedLoader) -> Router<BasicRequestContext> {
        let router = Router()

        router.post("feeds/:name") { request, context -> EditedResponse<FeedState> in
            let name = try context.parameters.require("name")
            guard Inbox.isName(name) else {
                throw HTTPError(.badRequest, message: "a name has 1 to 64 letters, digits, - and _")
            }
            let (feed, isNew) = try await inbox.take(request.body, as: name)
            if isNew { loader.add(name) }
            return EditedResponse(
                status: isNew ? .accepted : .ok, response: FeedState(feed, await loader.progress(of: name)))
        }

        router.get("feeds/:name") { _, context in
            let name = try context.parameters.require("name")
            let progress = await loader.progress(of: name)
            guard let feed = try await inbox.feed(name) else { throw HTTPError(.notFound, message: "there is no feed \(name)") }
            return FeedState(feed, progress)
        }

        router.get("types") { _, _ in
            try await inbox.database.read { db in
                try TypeCount.fetchAll(
                    db, sql: "SELECT type, count(*) AS count, count(DISTINCT id) AS ids FROM events GROUP BY type ORDER BY type")
            }
        }
        return router
    }
}
