#if Macros
import Foundation
import Sluice
import Testing

@testable import SluiceTestSupport

@Suite(.enabled(if: Corpus.isPresent)) struct GitHubTests {
    @Test func eventsEqualWhatFoundationDecodesAndComeBackWhole() throws {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        let events = try checkCorpusDocument("github_events.json", as: [GitHubEvent].self, decoder: decoder)
        #expect(events.count == 30)
        let kinds = Dictionary(grouping: events, by: \.type).mapValues(\.count)
        #expect(kinds["PushEvent"] == 13)
        #expect(kinds["ForkEvent"] == 3)
    }

    @Test func eventsAreBuiltInPlace() {
        #expect(GitHubEvent.schema.draftReason == nil)
        #expect(GitHubPayload.schema.draftReason == nil)
        #expect(GitHubRepository.schema.draftReason == nil)
        #expect(GitHubActor.schema.draftReason == nil)
    }

    @Test func thirtyEventsAgreeWithJSONSerialization() throws {
        let bytes = try Corpus.bytes("github_events.json")
        let events = try [GitHubEvent](json: bytes)
        let plain = try PlainJSON(foundation: bytes).elements
        try #require(events.count == plain.count)
        let formatter = ISO8601DateFormatter()
        for (event, expected) in zip(events, plain) {
            #expect(event.id == expected["id"]?.string)
            #expect(event.type == expected["type"]?.string)
            #expect(event.isPublic == expected["public"]?.bool)
            #expect(Int64(event.actor.id) == expected["actor"]?["id"]?.integer)
            #expect(event.repo.name == expected["repo"]?["name"]?.string)
            #expect(event.org?.login == expected["org"]?["login"]?.string)
            #expect(formatter.string(from: event.createdAt) == expected["created_at"]?.string)
            let payload = try #require(expected["payload"])
            #expect(event.payload.ref == payload["ref"]?.string)
            #expect(event.payload.commits?.map(\.message) == payload["commits"]?.elements.compactMap { $0["message"]?.string })
            #expect(
                event.payload.commits?.map(\.author.email)
                    == payload["commits"]?.elements.compactMap { $0["author"]?["email"]?.string })
            #expect(event.payload.forkee?.owner.login == payload["forkee"]?["owner"]?["login"]?.string)
            #expect(event.payload.issue?.title == payload["issue"]?["title"]?.string)
            #expect(event.payload.comment?.body == payload["comment"]?["body"]?.string)
            #expect(event.payload.pages?.map(\.sha) == payload["pages"]?.elements.compactMap { $0["sha"]?.string })
        }
    }

    @Test func payloadsOfAnyShapeKeepTheirMembers() throws {
        let bytes = try Corpus.bytes("github_events.json")
        let events = try [AnyEvent](json: bytes)
        let plain = try PlainJSON(foundation: bytes).elements
        for (event, expected) in zip(events, plain) {
            let tree = try PlainJSON(foundation: try event.payload.jsonBytes())
            #expect(tree == expected["payload"])
            let raw = try PlainJSON(foundation: Array(event.raw.text.utf8))
            #expect(raw == expected["repo"])
        }
        #expect(readEveryWay([AnyEvent].self, bytes).disagreements == [])
    }

    @Test func userEqualsWhatFoundationDecodesAndComesBackWhole() throws {
        let user = try checkCorpusDocument("github_user.json", as: GitHubUser.self)
        #expect(user.login == "facebook")
        #expect(user.id == 69631)
        #expect(user.avatarURL == "https://avatars.githubusercontent.com/u/69631?v=3")
        #expect(user.gravatarID == "")
        #expect(user.url == "https://api.github.com/users/facebook")
        #expect(user.htmlURL == "https://github.com/facebook")
        #expect(user.followersURL == "https://api.github.com/users/facebook/followers")
        #expect(user.followingURL == "https://api.github.com/users/facebook/following{/other_user}")
        #expect(user.gistsURL == "https://api.github.com/users/facebook/gists{/gist_id}")
        #expect(user.starredURL == "https://api.github.com/users/facebook/starred{/owner}{/repo}")
        #expect(user.subscriptionsURL == "https://api.github.com/users/facebook/subscriptions")
        #expect(user.organizationsURL == "https://api.github.com/users/facebook/orgs")
        #expect(user.reposURL == "https://api.github.com/users/facebook/repos")
        #expect(user.eventsURL == "https://api.github.com/users/facebook/events{/privacy}")
        #expect(user.receivedEventsURL == "https://api.github.com/users/facebook/received_events")
        #expect(user.type == "Organization")
        #expect(user.siteAdmin == false)
        #expect(user.name == "Facebook")
        #expect(user.company == nil)
        #expect(user.blog == "https://code.facebook.com/projects/")
        #expect(user.location == "Menlo Park, California")
        #expect(user.email == nil)
        #expect(user.hireable == nil)
        #expect(user.bio.hasPrefix("We work hard to contribute our work back to the web, mobile, big data, & infra"))
        #expect(user.bio.hasSuffix("NB: members must have two-factor auth."))
        #expect(user.publicRepos == 147)
        #expect(user.publicGists == 12)
        #expect(user.followers == 0)
        #expect(user.following == 0)
    }
}

/// An event whose payload is taken as it comes.
@JSONModel
struct AnyEvent: Equatable {
    var payload: JSONValue
    @JSONKey("repo") var raw: RawJSON
}
#endif
