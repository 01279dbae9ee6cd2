// A server whose requests are decoded, and whose responses are encoded, by Sluice or by Foundation: `http-coders sluice|foundation`. It
// prints its port, and runs until it is told to stop. The routes, the types and the server are the same.

import Foundation
import Hummingbird
import Logging
import SluiceCodable

@main
struct HTTPCoders {
    static func main() async throws {
        switch CommandLine.arguments.dropFirst().first {
        case "sluice": try await serve(SluiceContext.self)
        case "foundation": try await serve(FoundationContext.self)
        default: print("usage: http-coders sluice|foundation")
        }
    }

    static func serve<Context: RequestContext>(_ context: Context.Type) async throws
    where Context.Source == ApplicationRequestContextSource {
        var logger = Logger(label: "http-coders")
        logger.logLevel = .error
        let page = Page.sample(orders: 50)
        let router = Router(context: context)
        // Encodes.
        router.get("orders") { _, _ in page }
        // Decodes, and encodes a number.
        router.post("orders") { request, context in
            Sum(orders: try await request.decode(as: Page.self, context: context).orders.count)
        }
        // Decodes and encodes the same.
        router.post("echo") { request, context in try await request.decode(as: Page.self, context: context) }
        let application = Application(
            router: router, configuration: .init(address: .hostname("127.0.0.1", port: 0)),
            onServerRunning: { channel in
                // The script reads it at once.
                FileHandle.standardOutput.write(Data("\(channel.localAddress?.port ?? 0)\n".utf8))
            },
            logger: logger)
        try await application.runService()
    }
}

struct SluiceContext: RequestContext {
    var coreContext: CoreRequestContextStorage

    init(source: Source) { coreContext = .init(source: source) }

    var requestDecoder: SluiceJSONDecoder { SluiceJSONDecoder() }
    var responseEncoder: SluiceJSONEncoder { SluiceJSONEncoder() }
}

struct FoundationContext: RequestContext {
    var coreContext: CoreRequestContextStorage

    init(source: Source) { coreContext = .init(source: source) }

    var requestDecoder: JSONDecoder { JSONDecoder() }
    var responseEncoder: JSONEncoder { JSONEncoder() }
}

/// A page of a shop's orders: about 20 KB.
struct Page: Codable, Sendable, ResponseEncodable {
    var orders: [Order]
    var next: String?

    static func sample(orders count: Int) -> Page {
        Page(
            orders: (0..<count).map { number in
                Order(
                    id: 7_000_000 + number, placed: "2026-11-\(10 + number % 20)T09:30:00Z", isPaid: number % 3 > 0,
                    customer: Customer(id: 31 * number, name: "Ann Example \(number)", email: "ann\(number)@example.com"),
                    lines: (0..<3).map { line in
                        Line(
                            article: "A-\(number)-\(line)", title: "A lamp of glass, number \(line)", count: 1 + line, price: 19.9
                        )
                    }, note: number % 4 == 0 ? "Please ring twice – the bell is quiet." : nil)
            }, next: "/orders?after=7000050")
    }
}

struct Order: Codable, Sendable {
    var id: Int
    var placed: String
    var isPaid: Bool
    var customer: Customer
    var lines: [Line]
    var note: String?
}

struct Customer: Codable, Sendable {
    var id: Int
    var name: String
    var email: String
}

struct Line: Codable, Sendable {
    var article: String
    var title: String
    var count: Int
    var price: Double
}

/// What has been decoded.
struct Sum: Codable, Sendable, ResponseEncodable {
    var orders: Int
}
