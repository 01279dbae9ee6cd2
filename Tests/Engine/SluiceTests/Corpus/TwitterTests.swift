#if Macros
import Foundation
import Sluice
import Testing

@testable import SluiceTestSupport

@Suite(.enabled(if: Corpus.isPresent)) struct TwitterTests {
    @Test func archiveEqualsWhatFoundationDecodesAndComesBackWhole() throws {
        let archive = try checkCorpusDocument("twitter.json", as: TwitterArchive.self)
        #expect(archive.statuses.count == 100)
        #expect(archive.statuses.count { $0.retweetedStatus != nil } == 73)
    }

    @Test func partsOfATweetAreBuiltInPlace() {
        #expect(TwitterArchive.schema.draftReason == nil)
        #expect(SearchMetadata.schema.draftReason == nil)
        #expect(TwitterStatus.schema.draftReason == "it is a class")
        #expect(StatusMetadata.schema.draftReason == nil)
        #expect(TwitterUser.schema.draftReason == nil)
        #expect(UserEntities.schema.draftReason == nil)
        #expect(StatusEntities.schema.draftReason == nil)
        #expect(Media.schema.draftReason == nil)
    }

    @Test func hundredStatusesAgreeWithJSONSerialization() throws {
        let bytes = try Corpus.bytes("twitter.json")
        let archive = try TwitterArchive(json: bytes)
        let plain = try PlainJSON(foundation: bytes)
        let statuses = try #require(plain["statuses"]?.elements)
        try #require(archive.statuses.count == statuses.count)
        for (status, expected) in zip(archive.statuses, statuses) {
            check(status, expected)
            #expect((status.retweetedStatus == nil) == (expected["retweeted_status"] == nil))
            if let repeated = status.retweetedStatus { check(repeated, try #require(expected["retweeted_status"])) }
        }
    }

    private func check(_ status: TwitterStatus, _ expected: PlainJSON) {
        #expect(Int64(status.id) == expected["id"]?.integer)
        #expect(status.idStr == expected["id_str"]?.string)
        #expect(status.text == expected["text"]?.string)
        #expect(status.createdAt == expected["created_at"]?.string)
        #expect(status.truncated == expected["truncated"]?.bool)
        #expect(status.inReplyToStatusID.map(Int64.init) == expected["in_reply_to_status_id"]?.integer)
        #expect(status.possiblySensitive == expected["possibly_sensitive"]?.bool)
        #expect(Int64(status.retweetCount) == expected["retweet_count"]?.integer)
        #expect(status.user.screenName == expected["user"]?["screen_name"]?.string)
        #expect(status.user.description == expected["user"]?["description"]?.string)
        #expect(Int64(status.user.followersCount) == expected["user"]?["followers_count"]?.integer)
        #expect(status.user.isProtected == expected["user"]?["protected"]?.bool)
        #expect(status.user.url == expected["user"]?["url"]?.string)
        #expect(status.entities.hashtags.map(\.text) == expected["entities"]?["hashtags"]?.elements.map { $0["text"]?.string })
        #expect(
            status.entities.userMentions.map(\.name)
                == expected["entities"]?["user_mentions"]?.elements.map { $0["name"]?.string })
        #expect(
            status.entities.media?.map(\.sizes.large.h).map(Int64.init)
                == expected["entities"]?["media"]?.elements.compactMap { $0["sizes"]?["large"]?["h"]?.integer })
    }

    @Test func firstStatusHasTheseValues() throws {
        let archive = try TwitterArchive(json: try Corpus.bytes("twitter.json"))
        let status = try #require(archive.statuses.first)
        #expect(status.id == 505_874_924_095_815_700)
        #expect(status.idStr == "505874924095815681")
        #expect(status.createdAt == "Sun Aug 31 00:29:15 +0000 2014")
        #expect(
            status.text
                == "@aym0566x \n\n名前:前田あゆみ\n第一印象:なんか怖っ！\n今の印象:とりあえずキモい。噛み合わない\n好きなところ:ぶすでキモいとこ😋✨✨\n思い出:んーーー、ありすぎ😊❤️\nLINE交換できる？:あぁ……ごめん✋\nトプ画をみて:照れますがな😘✨\n一言:お前は一生もんのダチ💖"
        )
        #expect(status.user.name == "AYUMI")
        #expect(status.entities.userMentions.first?.indices == [0, 9])
        #expect(archive.searchMetadata.completedIn == 0.087)
        #expect(archive.searchMetadata.query == "%E4%B8%80")
    }

    @Test func datesOfAllStatusesEqualThoseOfADateFormatter() throws {
        let bytes = try Corpus.bytes("twitter.json")
        let dated = try TwitterDates(json: bytes)
        let archive = try TwitterArchive(json: bytes)
        let formatter = twitterDateFormatter()
        try #require(dated.statuses.count == 100)
        for (moment, status) in zip(dated.statuses, archive.statuses) {
            #expect(moment.createdAt == formatter.date(from: status.createdAt))
            #expect(moment.userCreatedAt == formatter.date(from: status.user.createdAt))
        }
    }

    @Test func fullValidationReadsTheSameValue() throws {
        let bytes = try Corpus.bytes("twitter.json")
        let whole = try TwitterArchive(json: bytes, options: .init(validation: .full))
        #expect(try TwitterArchive(json: bytes) == whole)
    }
}

/// A projection: most of the file has no property, and a path reaches into another object.
@JSONModel
struct TwitterDates: Equatable {
    var statuses: [Moments]

    @JSONModel
    struct Moments: Equatable {
        @JSONKey("created_at") var createdAt: Date
        @JSONKey("user.created_at") var userCreatedAt: Date
    }
}
#endif
