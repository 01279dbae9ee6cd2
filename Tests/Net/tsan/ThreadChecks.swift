// What several threads may do at once, as a program of its own: `Scripts/net tsan` builds it with ThreadSanitizer, which a test
// bundle cannot have on Linux. It prints what it has done; races are reported by the sanitizer. With `--race` it makes a race on
// purpose, which must be reported.

import Glibc

@testable import SluiceCore
@testable import SluiceFeed

@main enum ThreadChecks {
    static func main() async throws {
        if CommandLine.arguments.dropFirst().first == "--race" { return race() }
        check("tables compiled by many threads at once", compileTables)
        check("one registry for many threads", shareRegistry)
        check("patterns and columns made by many threads at once", makePatternsAndColumns)
        check("plans for writing made by many threads at once", makePlans)
        check("feeds in parallel threads", readFeeds)
        check("feeds with workers", readWithWorkers)
        try await readFeedsInTasks()
        print("feeds in parallel tasks")
        try await cancelFeedsInTasks()
        print("feeds in tasks that are cancelled")
    }

    private static let threadCount = 6

    private static func check(_ name: String, _ body: @escaping @Sendable (Int) throws -> Void) {
        inThreads(threadCount) { index in
            do {
                try body(index)
            } catch {
                fail("\(name): \(error)")
            }
        }
        print(name)
    }

    static func expect(_ isRight: Bool, _ words: @autoclosure () -> String) {
        if !isRight { fail(words()) }
    }

    private static func fail(_ message: String) -> Never {
        print("FAILED: \(message)")
        exit(1)
    }

    /// Two threads add to one number without a lock.
    private static func race() {
        final class Number: @unchecked Sendable { var value = 0 }
        let number = Number()
        inThreads(2) { _ in number.value += 1 }
    }

    // MARK: The checks

    /// Types that no other thread has seen, one inside the other: each has its own tables, which the first thread compiles.
    private static func compileTables(_ index: Int) throws {
        try compileTables(Start.self, depth: 40)
        let tree = try Tree(json: #"{"name":"a","children":[{"name":"b"},{"name":"c","children":[{"name":"d"}]}]}"#)
        expect(tree.children.count == 2, "a tree with \(tree.children.count) children")
        let link = try Link(json: #"{"value":1,"next":{"value":2}}"#)
        expect(link.next?.value == 2, "a link to \(String(describing: link.next?.value))")
    }

    private enum Start {}
    private enum Next<Before> {}

    private static func compileTables<Tag>(_ tag: Tag.Type, depth: Int) throws {
        let folder = try Folder<Tag>(json: #"{"files":[{"name":"a","archive":[{"files":[]}]}]}"#)
        expect(folder.files[0].archive[0].files.isEmpty, "\(folder)")
        let text = try File<Tag>(json: #"{"name":"b","archive":[{"files":[{"name":"c"}]}]}"#).jsonString()
        expect(text == #"{"name":"b","archive":[{"files":[{"name":"c","archive":[]}]}]}"#, text)
        if depth > 0 { try compileTables(Next<Tag>.self, depth: depth - 1) }
    }

    private static let registry = JSONModelRegistry()

    private static func shareRegistry(_ index: Int) throws {
        for round in 0..<50 {
            registry.register(Tree.self)
            registry.register(Gadget.self, as: "Gadget\(round % 7)")
            registry.register(Gadget.self, forElementsOf: "list\(index)")
            let tree = try registry.read(named: "Tree", from: #"{"name":"a"}"#)
            expect((tree as? Tree)?.name == "a", "\(tree)")
            let elements = try registry.readElements(of: "trees", from: #"[{"name":"a"}, 1]"#)
            expect(elements.first?.model(as: Tree.self)?.name == "a", "\(elements)")
        }
        expect(Tree.schema.fingerprint == Tree.schema.fingerprint, "a fingerprint that changes")
    }

    private static func makePatternsAndColumns(_ index: Int) throws {
        for round in 0..<20 {
            let pattern = try DatePattern.compiled("yyyy-MM-dd'\(round)'")
            expect(pattern.fields.count == 6, "\(pattern.fields)")
            let reader = ColumnReader(columns: [
                JSONColumn(name: "a", type: .integer, keys: ["a"]), JSONColumn(name: "b\(round)", type: .text, keys: ["b"]),
            ])
            let bytes = Array(#"{"a": 1, "b": "x"}"#.utf8)
            for _ in 0..<5 {
                try bytes.withUnsafeBytes { buffer in try reader.read(buffer) }
                guard case .integer(1) = reader.value(at: 0) else { fail("another cell") }
            }
        }
    }

    /// All variants of the plans that models are written by.
    private static func makePlans(_ index: Int) throws {
        let people = try [Person](json: #"[{"user_id":1,"profile":{"name":"a","host":{"url":"u"}},"sites":{"s":{"url":"v"}}}]"#)
        var options: [JSONWriter.Options] = [.init(), .pretty, .sortedKeys, .init(nils: .null), .init(paths: .flat)]
        options.append(.init(nils: .null, sortedKeys: true, paths: .flat))
        for options in options {
            let text = try people.jsonString(options: options)
            expect(text.utf8.count > 40, text)
        }
        let copy = try people[0].copy()
        expect(copy == people[0], "\(copy)")
        expect(try Person(archive: people[0].archive()).id == 1, "an archive of another person")
    }

    private static func feed() -> [UInt8] {
        Array(
            (0..<200).map { #"{"id": \#($0), "ext": {"note": "number \#($0)"}, "weights": {"a": 0.5}}"# }.joined(separator: "\n")
                .utf8)
    }

    private static func readFeeds(_ index: Int) throws {
        let feed = JSONFeed<Leaf>(source: BytesSource(feed(), chunkSize: 64 + index), options: .init(format: .lines))
        var count = 0
        while let leaf = try feed.next() {
            expect(leaf.id == count, "leaf \(leaf.id), not \(count)")
            count += 1
        }
        expect(count == 200, "\(count) records")
    }

    private static func readWithWorkers(_ index: Int) throws {
        for workers in 1...3 {
            let feed = try JSONFeed<Leaf>(source: BytesSource(feed(), chunkSize: 64 + index), options: .init(format: .lines))
                .parallel(workers: workers)
            var count = 0
            while let leaf = try feed.next() {
                expect(leaf.id == count, "leaf \(leaf.id), not \(count)")
                count += 1
                // One that is left with workers in the middle of their slices.
                if index == 0, count == 100 { return }
            }
            expect(count == 200, "\(count) records")
            expect(feed.consumedInputBytes == feed.consumedBytes, "\(feed.consumedInputBytes) bytes")
        }
    }

    private static func cancelFeedsInTasks() async throws {
        for number in 0..<20 {
            let task = Task {
                let feed = JSONFeed<Leaf>(source: BytesSource(feed(), chunkSize: 100))
                if number % 2 == 0 { try feed.parallel(workers: 2) }
                do {
                    for try await leaf in feed.records { expect(leaf.id < 200, "leaf \(leaf.id)") }
                } catch is CancellationError {}
                return feed.acceptedCount
            }
            if number > 2 { await Task.yield() }
            task.cancel()
            expect(try await task.value <= 200, "too many records")
        }
    }

    private static func readFeedsInTasks() async throws {
        let sum = try await withThrowingTaskGroup(of: Int.self) { group in
            for number in 0..<8 {
                group.addTask {
                    var sum = 0
                    let feed = JSONFeed<Leaf>(source: BytesSource(feed(), chunkSize: 100 + number))
                    if number % 2 == 0 { try feed.parallel(workers: 2) }
                    for try await leaf in feed.records { sum += leaf.id }
                    return sum
                }
            }
            return try await group.reduce(0, +)
        }
        expect(sum == 8 * 199 * 100, "\(sum)")
    }
}
