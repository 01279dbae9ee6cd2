// A server and a client on loopback: `http-feed 1000000` sends that many records through both, and prints the memory that it took.

import AsyncHTTPClient
import Events
import Foundation
import Hummingbird
import Logging
import NIOCore
import Sluice

@main
struct HTTPFeed {
    static func main() async throws {
        let count = CommandLine.arguments.dropFirst().first.flatMap(Int.init) ?? 100_000
        var logger = Logger(label: "http-feed")
        logger.logLevel = .error
        let (ports, running) = AsyncStream.makeStream(of: Int.self)
        let application = Application(
            router: Routes.router(),
            configuration: .init(address: .hostname("127.0.0.1", port: 0)),
            onServerRunning: { channel in
                running.yield(channel.localAddress?.port ?? 0)
                running.finish()
            },
            logger: logger)

        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await application.runService(gracefulShutdownSignals: []) }
            group.addTask {
                for await port in ports { try await use(server: "http://127.0.0.1:\(port)", count: count) }
            }
            // The client ends first; then the server is told to.
            try await group.next()
            group.cancelAll()
        }
    }

    /// What the client does.
    static func use(server: String, count: Int) async throws {
        let client = HTTPClient(eventLoopGroupProvider: .singleton)
        do {
            try await greet(server, client)
            try await receive(server, client, count: count)
            try await send(server, client, count: count)
            try await client.shutdown()
        } catch {
            try? await client.shutdown()
            throw error
        }
    }

    /// A Codable value there and back.
    static func greet(_ server: String, _ client: HTTPClient) async throws {
        var request = HTTPClientRequest(url: server + "/greetings")
        request.method = .POST
        request.body = .bytes(ByteBuffer(string: #"{"name": "Ann"}"#))
        let answer = try await client.execute(request, timeout: .seconds(10)).body.collect(upTo: 1 << 20)
        print("greeting:", String(buffer: answer))

        request.body = .bytes(ByteBuffer(string: #"{"name": 7}"#))
        let refused = try await client.execute(request, timeout: .seconds(10))
        print("a name that is a number:", refused.status.code)
    }

    /// A feed from the server, read slowly: the server waits, and memory does not grow.
    static func receive(_ server: String, _ client: HTTPClient, count: Int) async throws {
        let response = try await client.execute(
            HTTPClientRequest(url: server + "/events?count=\(count)"), timeout: .seconds(600))
        let feed = JSONFeedParser<Event>()
        var sum = 0
        for try await event in feed.records(from: response.body.map(\.readableBytesView)) {
            sum += event.id
            if event.id % 50_000 == 49_999 { try await Task.sleep(for: .milliseconds(20)) }
        }
        guard feed.acceptedCount == count, sum == count * (count - 1) / 2 else {
            throw WrongResult(text: "\(feed.acceptedCount) of \(count) records came, with the sum \(sum)")
        }
        print("received:", feed.acceptedCount, "records, peak memory", PeakMemory.megabytes, "MB")
    }

    /// A feed to the server: a sequence of buffers that is made while it is sent. The last record is broken.
    static func send(_ server: String, _ client: HTTPClient, count: Int) async throws {
        var request = HTTPClientRequest(url: server + "/events")
        request.method = .POST
        request.body = .stream(EventBuffers(count: count), length: .unknown)
        let response = try await client.execute(request, timeout: .seconds(600))
        let answer = String(buffer: try await response.body.collect(upTo: 1 << 20))
        guard answer.contains("\"accepted\":\(count)"), answer.contains("\"rejected\":1") else { throw WrongResult(text: answer) }
        print("sent:", answer)
        print("peak memory", PeakMemory.megabytes, "MB")
    }
}

struct WrongResult: Error {
    let text: String
}

/// Records as buffers, made when they are asked for.
struct EventBuffers: AsyncSequence, Sendable {
    let count: Int

    func makeAsyncIterator() -> Iterator { Iterator(count: count) }

    struct Iterator: AsyncIteratorProtocol {
        let count: Int
        var next = 0
        /// Keeps its memory from buffer to buffer.
        private var text: [UInt8] = []

        init(count: Int) { self.count = count }

        mutating func next() async throws -> ByteBuffer? {
            guard next <= count else { return nil }
            text.removeAll(keepingCapacity: true)
            while next < count, text.count < 1 << 16 {
                try Event.sample(next).write(into: &text)
                text.append(UInt8(ascii: "\n"))
                next += 1
            }
            if next == count {
                text += "{\"id\": \"broken\n".utf8
                next += 1
            }
            return ByteBuffer(bytes: text)
        }
    }
}

/// The most memory that this process has had.
enum PeakMemory {
    static var megabytes: Int {
        let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") } ?? ""
        return (line.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0) / 1024
    }
}
