// The code of the article on performance.

#if Macros
import Foundation
import Sluice
import Testing

@JSONModel struct Visit {
    let page: Substring
    let agent: Substring
}

@Suite struct PerformanceArticleTests {
    @Test func keptRecordsAreCompacted() throws {
        let text = #"{"page":"/orders","agent":"Mozilla/5.0 (X11; Linux x86_64)"}"#
        let lines = [text, text.replacing("orders", with: "a longer name of a page"), text].joined(separator: "\n")
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("visits-\(UUID().uuidString).ndjson").path
        try lines.write(toFile: path, atomically: true, encoding: .utf8)
        defer { try? FileManager.default.removeItem(atPath: path) }
        #expect(try kept(in: path).map(\.agent.base) == ["Mozilla/5.0 (X11; Linux x86_64)", "Mozilla/5.0 (X11; Linux x86_64)"])
    }

    private func kept(in path: String) throws -> [Visit] {
        var kept: [Visit] = []
        let feed = try JSONFeed<Visit>(path: path)
        while let visit = try feed.next() {
            if visit.page == "/orders" { kept.append(visit.compacted()) }
        }
        return kept
    }
}
#endif
