// Where bodies wait: a file for each, and a row of the database that says what became of it.

import Foundation
import GRDB
import NIOCore
import NIOPosix

/// The folder of the service.
struct Inbox: Sendable {
    /// A body that has come in.
    struct Feed: Codable, Sendable, FetchableRecord, PersistableRecord {
        static let databaseTableName = "feeds"

        var name: String
        var bytes: Int
        var isRead = false
        /// Why its records could not be read to the end.
        var failure: String?
    }

    let database: DatabasePool
    private let folder: URL

    /// Opens the folder, and makes it if it is missing.
    init(folder: URL) throws {
        self.folder = folder.appendingPathComponent("inbox", isDirectory: true)
        try FileManager.default.createDirectory(at: self.folder, withIntermediateDirectories: true)
        database = try DatabasePool(path: folder.appendingPathComponent("service.db").path)
        try database.write { db in
            try db.create(table: "feeds", options: .ifNotExists) { table in
                table.primaryKey("name", .text)
                table.column("bytes", .integer).notNull()
                table.column("isRead", .boolean).notNull()
                table.column("failure", .text)
            }
            // Without a key, a record that is stored twice is there twice.
            try db.create(table: "events", options: .ifNotExists) { table in
                table.column("id", .integer).notNull()
                table.column("type", .text).notNull()
                table.column("actor", .text)
            }
        }
        for part in try files(withExtension: "part") { try FileManager.default.removeItem(at: part) }
    }

    /// Whether a client may give a body this name, which is that of a file too.
    static func isName(_ name: String) -> Bool {
        (1...64).contains(name.utf8.count)
            && name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-" || $0 == "_") }
    }

    func file(of name: String) -> URL { folder.appendingPathComponent(name).appendingPathExtension("ndjson") }

    func feed(_ name: String) async throws -> Feed? { try await database.read { try Feed.fetchOne($0, key: name) } }

    /// The names of the bodies that are not read to their ends: when the service starts, those that an earlier one has left.
    func unread() throws -> [String] {
        try files(withExtension: "ndjson").map { $0.deletingPathExtension().lastPathComponent }.sorted()
    }

    private func files(withExtension ending: String) throws -> [URL] {
        try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
            .filter { $0.pathExtension == ending }
    }

    /// Keeps a body. When this returns, it is on the disk.
    ///
    /// - Returns: The feed, and whether it is new. A client that got no answer sends its body again, and that is the same feed.
    func take(_ body: some AsyncSequence<ByteBuffer, any Error>, as name: String) async throws -> (Feed, isNew: Bool) {
        let part = folder.appendingPathComponent(UUID().uuidString).appendingPathExtension("part")
        do {
            let bytes = try await write(body, to: part)
            let feed = Feed(name: name, bytes: bytes)
            let file = file(of: name)
            return try await database.write { db in
                if let earlier = try Feed.fetchOne(db, key: name) {
                    try FileManager.default.removeItem(at: part)
                    return (earlier, false)
                }
                // If the service dies between the two, the file is read at the next start, and its name is taken.
                try FileManager.default.moveItem(at: part, to: file)
                try feed.insert(db)
                return (feed, true)
            }
        } catch {
            try? FileManager.default.removeItem(at: part)
            throw error
        }
    }

    /// Writes pieces as they come: the client waits while the disk does.
    private func write(_ body: some AsyncSequence<ByteBuffer, any Error>, to file: URL) async throws -> Int {
        guard FileManager.default.createFile(atPath: file.path, contents: nil) else { throw CocoaError(.fileWriteUnknown) }
        let handle = try FileHandle(forWritingTo: file)
        defer { try? handle.close() }
        var bytes = 0
        for try await piece in body {
            bytes += piece.readableBytes
            try await NIOThreadPool.singleton.runIfActive { try handle.write(contentsOf: piece.readableBytesView) }
        }
        try await NIOThreadPool.singleton.runIfActive { try handle.synchronize() }
        return bytes
    }

    /// Notes that a body is read to its end. Its file has no further use.
    func finish(_ name: String) async throws {
        try await note(name, isRead: true, failure: nil)
        try FileManager.default.removeItem(at: file(of: name))
    }

    /// Notes why a body could not be read to its end. Its file stays, and the next start of the service tries again.
    func fail(_ name: String, _ failure: String) async throws { try await note(name, isRead: false, failure: failure) }

    private func note(_ name: String, isRead: Bool, failure: String?) async throws {
        let bytes = try FileManager.default.attributesOfItem(atPath: file(of: name).path)[.size] as? Int ?? 0
        try await database.write { try Feed(name: name, bytes: bytes, isRead: isRead, failure: failure).upsert($0) }
    }
}
