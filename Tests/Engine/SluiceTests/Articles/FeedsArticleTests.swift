// What the article "Feeds" shows, compiled and run.

#if Macros
import Foundation
import Sluice
import Testing

@JSONModel
struct AccountPage {
    var next: String?
}

@Suite struct FeedsArticleTests {
    /// Three accounts as lines, and in a page of an interface.
    private static let lines = (1...3).map { #"{"id":\#($0),"display_name":"n","created":"2014-05-06","balance":0.\#($0)}"# }

    /// Runs a test in a folder of its own with the files that the article reads.
    private func withFiles(_ body: (_ path: String, _ pagePath: String) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("sluice-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appendingPathComponent("accounts.ndjson")
        try Data(Self.lines.joined(separator: "\n").utf8).write(to: path)
        let pagePath = folder.appendingPathComponent("page.json")
        try Data(#"{"data":{"accounts":[\#(Self.lines.joined(separator: ","))]},"next":"p2"}"#.utf8).write(to: pagePath)
        try await body(path.path, pagePath.path)
    }

    @Test func recordsOfAFileAreReadByAnyTask() async throws {
        // The file is missing: that is an error when the records are read.
        let records = JSONFeed<Account>.records(path: "accounts.ndjson")
        let sum = Task {
            try await records.reduce(0) { $0 + $1.balance }
        }
        func balances(in body: AsyncStream<UInt8>) async throws {
            // also URLSession.AsyncBytes
            let parser = JSONFeedParser<Account>()
            for try await account in parser.records(from: body) {
                print(account.balance)
            }
        }

        await #expect(throws: JSONError.self) { try await sum.value }
        let body = AsyncStream<UInt8> { $0.finish() }
        try await balances(in: body)
    }

    @Test func feedOfAFileIsAnAsynchronousSequence() async throws {
        try await withFiles { path, pagePath in
            func total(of path: String) async throws -> Decimal {
                let feed = try JSONFeed<Account>(
                    path: path, options: .init(invalidRecords: .skip))
                var total: Decimal = 0
                // A thread reads ahead, so the task never blocks.
                for try await account in feed.records { total += account.balance }
                return total
            }

            #expect(try await total(of: path) == Decimal(string: "0.6"))
            // The files of the README are these two, in the current folder.
            func missing() throws {
                // The same records, errors and positions, read by two threads:
                let feed = try JSONFeed<Account>(path: "accounts.ndjson")
                    .parallel(workers: 2)
                // Records in an envelope:
                let page = try JSONFeed<Account>(
                    path: "page.json", options: .init(at: "data.accounts"))

                _ = (feed, page)
            }
            #expect(throws: JSONError.self) { try missing() }
            let onThreads = try JSONFeed<Account>(path: path).parallel(workers: 2)
            let inside = try JSONFeed<Account>(path: pagePath, options: .init(at: "data.accounts"))
            var ids: [Int] = []
            while let account = try onThreads.next() { ids.append(account.id) }
            while let account = try inside.next() { ids.append(account.id) }
            #expect(ids == [1, 2, 3, 1, 2, 3])
        }
    }

    @Test func bytesArePushed() throws {
        let bytes = Array(Self.lines.joined(separator: "\n").utf8)
        let pieces = stride(from: 0, to: bytes.count, by: 7).map { bytes[$0..<min($0 + 7, bytes.count)] }
        var ids: [Int] = []

        let parser = JSONFeedParser<Account>()
        for piece in pieces {  // of any size
            parser.append(piece)
            while let account = try parser.next() { ids.append(account.id) }
        }
        parser.finish()
        while let account = try parser.next() { ids.append(account.id) }  // a last line without a line break

        #expect(ids == [1, 2, 3])
    }

    @Test func envelopeIsAModel() async throws {
        try await withFiles { _, pagePath in
            var ids: [Int] = []

            let page = try JSONFeed<Account>(path: pagePath, options: .init(at: "data.accounts"))
            let envelope = page.envelope(as: AccountPage.self)
            while let account = try page.next() { ids.append(account.id) }
            let next = try envelope.value()?.next

            #expect(ids == [1, 2, 3])
            #expect(next == "p2")
        }
    }

    @Test func rejectedRecordsGoToAFile() async throws {
        try await withFiles { path, _ in
            try Data((Self.lines + [#"{"id": "x"}"#]).joined(separator: "\n").utf8).write(to: URL(fileURLWithPath: path))
            var ids: [Int] = []
            var printed: [String] = []
            func print(_ items: Any...) { printed.append(items.map { "\($0)" }.joined(separator: " ")) }

            let careful = try JSONFeed<Account>(
                path: path,
                options: .init(invalidRecords: .rejects(JSONRejects(path: path + ".rejected")), maximumErrorRatio: 0.5))
            while let account = try careful.next() { ids.append(account.id) }
            for rejected in careful.rejectedRecords { print(rejected.line, rejected.range, rejected.error.summary) }

            #expect(ids == [1, 2, 3])
            #expect(printed.count == 1 && printed[0].hasPrefix("4 "))
            let kept = try String(contentsOfFile: path + ".rejected", encoding: .utf8)
            #expect(kept.contains(#"{"id": "x"}"#))
        }
    }

    @Test func keysAndPropertiesAreCounted() async throws {
        try await withFiles { path, _ in
            try Data(
                (Self.lines + [#"{"id":4,"display_name":"n","created":"2014-05-06","balanse":7}"#]).joined(separator: "\n").utf8
            )
            .write(to: URL(fileURLWithPath: path))
            var ids: [Int] = []
            var printed: [String] = []
            func print(_ items: Any...) { printed.append(items.map { "\($0)" }.joined(separator: " ")) }

            let counting = JSONReader.Options(unknownKeys: .report, countsProperties: true)
            let counted = try JSONFeed<Account>(path: path, options: .init(reading: counting))
            while let account = try counted.next() { ids.append(account.id) }
            for key in counted.report.unknownKeys { print(key.path, key.count, key.position) }
            print(counted.report.unknownKeyCount)  // of all names, also of those beyond the first 1,000
            for property in counted.report.properties where property.missingCount > 0 {
                print(property.name, property.missingCount)
            }

            #expect(ids == [1, 2, 3, 4])
            #expect(printed.contains { $0.hasPrefix("balanse 1 ") })
            #expect(printed.contains("1"))
            #expect(printed.contains("balance 1"))
        }
    }

    @Test func checkpointGoesOnWithTheNextRecord() async throws {
        try await withFiles { path, _ in
            let first = try JSONFeed<Account>(path: path)
            _ = try first.next()
            let checkpoint = first.checkpoint  // store it with what you have done
            let second = try JSONFeed<Account>(path: path, resumingFrom: checkpoint)
            let following = try second.next()

            #expect(following?.id == 2)
        }
    }

    @Test func feedIsWrittenRecordByRecord() async throws {
        try await withFiles { path, _ in
            let accounts = try Self.lines.map { try Account(json: $0) }

            let copy = try JSONFeedWriter(path: path + ".array", format: .array)
            try copy.write(contentsOf: accounts)  // or, one by one: try copy.write(account)
            try copy.finish()

            let feed = try JSONFeed<Account>(path: path + ".array")
            var ids: [Int] = []
            while let account = try feed.next() { ids.append(account.id) }
            #expect(ids == [1, 2, 3])
        }
    }
}
#endif
