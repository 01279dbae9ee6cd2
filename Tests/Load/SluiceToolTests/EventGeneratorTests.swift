#if CommandLine
import Foundation
import SluiceTestSupport
import Testing

@testable import SluiceIngest
@testable import SluiceSQLite
@testable import SluiceTool

struct EventGeneratorTests {
    @Test func sameSeedGivesSameBytes() throws {
        #expect(try generated(500, seed: 7) == generated(500, seed: 7))
        #expect(try generated(100, seed: 7).elementsEqual(generated(500, seed: 7).prefix(generated(100, seed: 7).count)))
    }

    @Test func anotherSeedGivesOtherBytes() throws {
        #expect(try generated(20, seed: 1) != generated(20, seed: 2))
    }

    /// A change of the generator changes what every number in the project was measured with: it must be meant.
    @Test func theFirstRecordsNeverChange() throws {
        // FNV-1a, 64 bits: http://www.isthe.com/chongo/tech/comp/fnv/
        let hash = try generated(1_000, seed: 1).reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        #expect(hash == 17_800_306_595_226_827_720)
    }

    @Test func everyLineIsAnObjectForFoundation() throws {
        for seed in [1, 2, 3] as [UInt64] {
            #expect(try objects(generated(2_000, seed: seed)).count == 2_000)
        }
    }

    @Test func anArrayHoldsTheSameRecords() throws {
        let array = try JSONSerialization.jsonObject(with: Data(generated(300, layout: .array))) as? NSArray
        #expect(try array == NSArray(array: objects(generated(300))))
        #expect(try (JSONSerialization.jsonObject(with: Data(generated(0, layout: .array))) as? [Any])?.count == 0)
        #expect(try generated(0).isEmpty)
    }

    @Test func theFieldsOfAGeneratedRecordAreConsistent() throws {
        var lastMoment = ""
        for (index, event) in try objects(generated(2_000)).enumerated() {
            let actor = try #require(event["actor"] as? [String: Any])
            let id = try #require(actor["id"] as? Int)
            #expect((actor["login"] as? String)?.hasSuffix("-\(id)") == true)
            #expect((actor["avatar_url"] as? String)?.contains("/u/\(id)?") == true)
            let repository = try #require(event["repo"] as? [String: Any])
            #expect(repository["url"] as? String == "https://api.github.com/repos/\(repository["name"] as? String ?? "")")
            #expect(event["id"] as? Int == 22_249_084_000 + index)
            let moment = try #require(event["created_at"] as? String)
            #expect(moment > lastMoment)
            #expect(ISO8601DateFormatter().date(from: moment) != nil)
            lastMoment = moment
            let payload = try #require(event["payload"] as? [String: Any])
            if event["type"] as? String == "PushEvent" {
                let commits = try #require(payload["commits"] as? [[String: Any]])
                #expect(commits.count == payload["size"] as? Int)
                #expect(commits.last?["sha"] as? String == payload["head"] as? String)
            }
            if let request = payload["pull_request"] as? [String: Any] {
                #expect(request["balance"] as? Int == (request["additions"] as? Int ?? 0) - (request["deletions"] as? Int ?? 0))
            }
        }
    }

    @Test func datesFollowTheCalendar() throws {
        let events = try objects(generated(50_000, seed: 3))
        let formatter = ISO8601DateFormatter()
        let first = try #require(events.first?["created_at"] as? String)
        let last = try #require(events.last?["created_at"] as? String)
        let start = try #require(formatter.date(from: first)).timeIntervalSince1970
        let end = try #require(formatter.date(from: last)).timeIntervalSince1970
        #expect(start >= 1_735_689_600)
        #expect((50_000.0...150_000.0).contains(end - start))
    }

    @Test func theFeedHasWhatAParserMayStumbleOver() throws {
        let bytes = try generated(20_000)
        let text = String(decoding: bytes, as: UTF8.self)
        #expect(text.utf8.elementsEqual(bytes))
        for part in [
            #"\n"#, #"\""#, #"\\"#, #"\/"#, #"\u00e9"#, #"\ud83d\ude80"#, #"\u001F"#, #"\f"#, "修复", "🚀", "👩‍👩‍👧‍👦", "null", "e-7",
            "-1.5E+3", "9007199254740993",
        ] {
            #expect(text.range(of: part, options: [.literal, .caseInsensitive]) != nil, "\(part)")
        }
        let lines = bytes.split(separator: UInt8(ascii: "\n"))
        #expect((600...900).contains(bytes.count / lines.count))
        #expect(lines.contains { $0.count > 3_000 })
        let events = try objects(bytes)
        #expect((800...1_200).contains(events.count { $0["org"] != nil }))
        #expect((5...50).contains(events.count { $0["sponsor"] != nil }))
        #expect((5...50).contains(events.count { $0["trace"] != nil }))
        #expect(Set(events.compactMap { $0["type"] as? String }).count == 8)
    }

    @Test func aFileHoldsWhatMemoryHolds() throws {
        let scratch = try Scratch()
        var sink = try FileOutput(path: scratch.path("feed.ndjson"))
        let count = try EventFeed(records: 1_000, seed: 5, layout: .ndjson).write(to: &sink)
        let written = try Data(contentsOf: scratch.folder.appendingPathComponent("feed.ndjson"))
        #expect(count == written.count)
        #expect(try Array(written) == generated(1_000, seed: 5))
    }
}
#endif
