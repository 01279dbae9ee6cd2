// The server: requests and responses through Codable, and feeds as bodies, in both directions with back-pressure.

import Events
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import Sluice
import SluiceCodable

/// What a client says of itself: an ordinary Codable type.
struct Greeting: Codable, Sendable {
    var name: String
}

extension Greeting: ResponseEncodable {}

/// What the server has counted.
struct Count: Codable, Sendable, ResponseEncodable {
    var accepted: Int
    var rejected: Int
    var first: String?
}

/// Requests whose JSON is decoded and encoded by Sluice: the one place that names it.
struct EventContext: RequestContext {
    var coreContext: CoreRequestContextStorage

    init(source: Source) { coreContext = .init(source: source) }

    var requestDecoder: SluiceJSONDecoder { SluiceJSONDecoder() }
    var responseEncoder: SluiceJSONEncoder { SluiceJSONEncoder() }
}

enum Routes {
    static func router() -> Router<EventContext> {
        let router = Router(context: EventContext.self)

        // Codable in, Codable out.
        router.post("greetings") { request, context in
            try await request.decode(as: Greeting.self, context: context)
        }

        // A feed out: each write waits until the client has taken what came before.
        router.get("events") { request, _ in
            let count = request.uri.queryParameters.get("count", as: Int.self) ?? 10
            return Response(
                status: .ok, headers: [.contentType: "application/x-ndjson"],
                body: ResponseBody { writer in
                    let lines = PendingLines()
                    let feed = try JSONFeedWriter(to: lines, format: .lines)
                    for id in 0..<count {
                        try feed.write(Event.sample(id))
                        if let buffer = lines.take() { try await writer.write(buffer) }
                    }
                    try feed.finish()
                    if let buffer = lines.take() { try await writer.write(buffer) }
                    try await writer.finish(nil)
                })
        }

        // A feed in: the next piece of the body is asked for when the records of the last one have been read.
        router.post("events") { request, _ in
            let feed = JSONFeedParser<Event>(options: .init(invalidRecords: .skip))
            var accepted = 0
            for try await _ in feed.records(from: request.body.map(\.readableBytesView)) { accepted += 1 }
            return Count(accepted: accepted, rejected: feed.rejectedCount, first: feed.reasons.first?.summary)
        }
        return router
    }
}

/// What a writer has written and the network has not taken yet: pieces of 64 KiB.
final class PendingLines: ByteSink {
    private var buffer = ByteBuffer()

    func write(_ bytes: UnsafeRawBufferPointer) throws(JSONError) { buffer.writeBytes(bytes) }

    /// The bytes that are there, if any.
    func take() -> ByteBuffer? {
        guard buffer.readableBytes > 0 else { return nil }
        defer { buffer = ByteBuffer() }
        return buffer
    }
}
