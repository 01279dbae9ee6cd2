#if Macros
import Foundation
import Sluice
import Testing

@testable import SluiceTestSupport

@Suite(.enabled(if: Corpus.isPresent)) struct WeiboTests {
    @Test func statusEqualsWhatFoundationDecodesAndReadsBackEqual() throws {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .formatted(twitterDateFormatter())
        // Dates are written in ISO 8601, so the text differs from the original; the next test compares it.
        _ = try checkCorpusDocument("weibo.json", as: WeiboStatus.self, decoder: decoder, comparingText: false)
    }

    @Test func everythingButTheFormOfDatesIsWrittenAsItWas() throws {
        let bytes = try Corpus.bytes("weibo.json")
        let status = try WeiboStatus(json: bytes)
        let dates = [
            "Wed Sep 16 12:20:09 +0800 2015": "2015-09-16T04:20:09Z", "Wed Dec 25 12:22:19 +0800 2013": "2013-12-25T04:22:19Z",
        ]
        var text = String(decoding: bytes, as: UTF8.self)
        for (read, written) in dates {
            #expect(text.contains(read))
            text = text.replacingOccurrences(of: read, with: written)
        }
        #expect(try PlainJSON(foundation: try status.jsonBytes()) == PlainJSON(foundation: Array(text.utf8)).withoutNulls)
    }

    @Test func valuesAgreeWithJSONSerialization() throws {
        let bytes = try Corpus.bytes("weibo.json")
        let status = try WeiboStatus(json: bytes)
        let plain = try PlainJSON(foundation: bytes)
        #expect(Int64(status.id) == plain["id"]?.integer)
        #expect(status.text == plain["text"]?.string)
        #expect(status.picIds == plain["pic_ids"]?.elements.compactMap(\.string))
        #expect(status.user.verifiedReason == plain["user"]?["verified_reason"]?.string)
        #expect(Int64(status.user.followersCount) == plain["user"]?["followers_count"]?.integer)
        #expect(status.user.extended.privacy.mobile == 0)
        #expect(Int64(status.user.badge.hongbao2014) == plain["user"]?["badge"]?["hongbao_2014"]?.integer)
        #expect(status.createdAt == Date(timeIntervalSince1970: 1_442_377_209))
        #expect(status.picInfos.count == 9)
        for (key, set) in status.picInfos {
            let expected = try #require(plain["pic_infos"]?[key])
            #expect(set.picID == expected["pic_id"]?.string)
            #expect(set.original.url == expected["original"]?["url"]?.string)
            let width = expected["large"]?["width"]
            #expect(set.large.width.count == width?.integer.map(Int.init) ?? width?.string.flatMap(Int.init))
            #expect(set.large.width.isText == (width?.string != nil))
        }
    }
}
#endif
