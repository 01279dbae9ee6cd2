// A server that takes feeds and keeps their records: `ingest-service FOLDER 8080`.
//
//     POST /feeds/NAME    a body of NDJSON. It is a file before the answer comes, and its records come in after that.
//     GET /feeds/NAME     how far they have come
//     GET /types          what the database has, read while records come in
//
// The folder has the database and the bodies that have not been read to their ends. A server that is killed goes on with those when it
// starts again: each record of each body is stored once. Examples/try-ingest-service does that to it.

import Foundation
import GRDB
import Hummingbird
import Logging

@main
struct Main {
    static func main() async throws {
        let arguments = CommandLine.arguments.dropFirst()
        guard let folder = arguments.first, let port = Int(arguments.dropFirst().first ?? "8080") else {
            print("usage: ingest-service FOLDER [PORT]")
            exit(64)
        }
        var logger = Logger(label: "ingest-service")
        logger.logLevel = .error
        let inbox = try Inbox(folder: URL(fileURLWithPath: folder, isDirectory: true))
        // Says which records were rejected, and how each body ended if something of it is not in the table.
        var events = Logger(label: "ingest")
        events.logLevel = .warning
        let loader = FeedLoader(inbox, logger: events)
        var application = Application(
            router: Routes.router(inbox, loader),
            configuration: .init(address: .hostname("127.0.0.1", port: port)),
            onServerRunning: { channel in
                print("listening on port", channel.localAddress?.port ?? 0)
                fflush(nil)
            },
            logger: logger)
        // SIGTERM ends the server and the loader, which stores what it has read.
        application.addServices(loader)
        try await application.runService()
    }
}
