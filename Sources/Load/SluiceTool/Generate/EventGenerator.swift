// Makes events from a seed, one JSON object each. They have the shape of GitHub's public feed: nested objects, arrays of commits,
// text in many scripts, nulls, and rare keys. Every byte depends only on the seed and the number of the record.
//
// The members of a record agree with each other, so a test can check a record without knowing the generator: `actor.avatar_url`
// and `actor.login` contain `actor.id`, `repo.url` ends with `repo.name`, a push has `payload.size` commits of which the last has
// the SHA `payload.head`, `payload.pull_request.balance` is additions minus deletions, and `id` and `created_at` grow from record
// to record.

#if CommandLine
internal import Foundation
internal import SluiceCore

/// Makes events, one after the other.
struct EventGenerator {
    private let vocabulary: EventVocabulary
    private var random: SplitMix64
    /// Events made so far.
    private var count = 0
    /// Seconds since 1970 of the event made last.
    private var seconds = 1_735_689_600

    /// The repository and people of an event. They are drawn first, because several members repeat them.
    private struct Scene {
        var repository: String
        var actor: Int
        var login: String
    }

    /// - Throws: ``JSONError``, never in practice; see ``EventVocabulary``.
    init(seed: UInt64) throws(JSONError) {
        vocabulary = try EventVocabulary()
        random = SplitMix64(seed: seed)
    }

    /// Appends the next event, without a separator after it.
    mutating func append(to text: inout [UInt8]) {
        let scene = scene()
        seconds += 1 + random.next(below: 3)
        // The payload is made after the members before it, but its type is drawn here.
        let kind = EventKind.drawn(by: &random)
        let event = """
            {"id":\(22_249_084_000 + count),"type":"\(kind.rawValue)",\(actor(scene)),\(repository(scene)),\
            "payload":{\(payload(kind, scene))},"public":\(random.happens(97, outOf: 100)),"created_at":\(moment),\
            "metrics":{"latency_ms":\(decimal(3, below: 900_000)),"skew":\(skew()),"delta":\(random.next(below: 2_001) - 1_000)}\
            \(rareMembers())}
            """
        text += event.utf8
        count += 1
    }

    // MARK: Who and where

    private mutating func scene() -> Scene {
        let actor = 1_000 + random.next(below: 90_000_000)
        let login = "\(pick(vocabulary.logins))-\(actor)"
        // Half of all events happen in somebody else's repository.
        let owner = random.happens(1, outOf: 2) ? login : pick(vocabulary.logins)
        return Scene(repository: "\(owner)/\(pick(vocabulary.repositories))", actor: actor, login: login)
    }

    private mutating func actor(_ scene: Scene) -> String {
        """
        "actor":{"id":\(scene.actor),"login":"\(scene.login)",\
        "gravatar_id":\(random.happens(1, outOf: 3) ? "\"\(hexadecimal(32))\"" : "null"),\
        "url":"https://api.github.com/users/\(scene.login)",\
        "avatar_url":"https://avatars.githubusercontent.com/u/\(scene.actor)?v=4"}
        """
    }

    private mutating func repository(_ scene: Scene) -> String {
        """
        "repo":{"id":\(random.next(below: 900_000_000)),"name":"\(scene.repository)",\
        "url":"https://api.github.com/repos/\(scene.repository)"}
        """
    }

    private mutating func rareMembers() -> String {
        var text = ""
        if random.happens(5, outOf: 100) {
            let login = pick(vocabulary.logins)
            text += """
                ,"org":{"id":\(random.next(below: 100_000_000)),"login":"\(login)","gravatar_id":"",\
                "url":"https://api.github.com/orgs/\(login)"}
                """
        }
        if random.happens(1, outOf: 1_000) {
            text += #","sponsor":{"tier":"gold","amount":\#(decimal(2, below: 1_000_000))}"#
        }
        if random.happens(1, outOf: 1_000) {
            let numbers = (0..<3).map { _ in "\(random.next() >> 1)" }
            text += #","trace":[\#(numbers.joined(separator: ","))]"#
        }
        if random.happens(1, outOf: 1_000) { text += #","legacy id":9007199254740993"# }
        return text
    }

    // MARK: What

    private enum EventKind: String {
        case push = "PushEvent", watch = "WatchEvent", create = "CreateEvent", issues = "IssuesEvent"
        case comment = "IssueCommentEvent", pullRequest = "PullRequestEvent", fork = "ForkEvent", release = "ReleaseEvent"

        /// Draws a kind, about as often as in the real feed.
        static func drawn(by random: inout SplitMix64) -> EventKind {
            switch random.next(below: 100) {
            case ..<45: .push
            case ..<57: .watch
            case ..<68: .create
            case ..<77: .issues
            case ..<85: .comment
            case ..<94: .pullRequest
            case ..<97: .fork
            default: .release
            }
        }
    }

    private mutating func payload(_ kind: EventKind, _ scene: Scene) -> String {
        switch kind {
        case .push: push(scene)
        case .watch: #""action":"started""#
        case .create: creation()
        case .issues: issue(scene)
        case .comment: comment(scene)
        case .pullRequest: pullRequest()
        case .fork: fork(scene)
        case .release: release()
        }
    }

    private mutating func push(_ scene: Scene) -> String {
        let size = random.happens(7, outOf: 10) ? 1 : random.next(below: 5)
        let sizes = #""size":\#(size),"distinct_size":\#(random.next(below: size + 1))"#
        let before = hexadecimal(40)
        var head = "null"
        let commits = (0..<size).map { _ in
            let sha = hexadecimal(40)
            head = "\"\(sha)\""
            return """
                {"sha":\(head),"author":{"email":"\(scene.login)@example.com","name":"\(pick(vocabulary.people))"},\
                "message":"\(message())","distinct":\(random.happens(9, outOf: 10)),\
                "url":"https://api.github.com/repos/\(scene.repository)/commits/\(sha)"}
                """
        }
        return """
            "push_id":\(10_115_855_000 + count),\(sizes),"ref":"refs/heads/main","before":"\(before)",\
            "commits":[\(commits.joined(separator: ","))],"head":\(head)
            """
    }

    private mutating func creation() -> String {
        """
        "ref":\(random.happens(1, outOf: 4) ? "null" : "\"feature/streaming\""),\
        "ref_type":"\(random.happens(1, outOf: 3) ? "tag" : "branch")",\
        "master_branch":"main","description":\(messageOrNull()),"pusher_type":"user"
        """
    }

    private mutating func issue(_ scene: Scene) -> String {
        let isClosed = random.happens(1, outOf: 2)
        let title = """
            "action":"\(isClosed ? "closed" : "opened")","issue":{"id":\(random.next(below: 2_000_000_000)),\
            "number":\(1 + random.next(below: 20_000)),"title":"\(pick(vocabulary.phrases))"
            """
        let labels = (0..<random.next(below: 3)).map { index in
            #"{"name":"\#(index > 0 ? "bug" : "help wanted")","color":"\#(hexadecimal(6))"}"#
        }
        return """
            \(title),"user":{"login":"\(scene.login)","id":\(scene.actor)},"labels":[\(labels.joined(separator: ","))],\
            "state":"\(isClosed ? "closed" : "open")","comments":\(random.next(below: 40)),\
            "closed_at":\(isClosed ? moment : "null"),"body":\(messageOrNull())}
            """
    }

    private mutating func comment(_ scene: Scene) -> String {
        let likes = random.next(below: 12)
        let dislikes = random.next(below: 3)
        return """
            "action":"created","issue":{"number":\(1 + random.next(below: 20_000)),"title":"\(pick(vocabulary.phrases))"},\
            "comment":{"id":\(1_000_000_000 + count),"user":{"login":"\(scene.login)"},\
            "reactions":{"+1":\(likes),"-1":\(dislikes),"total_count":\(likes + dislikes)},"body":"\(message())"}
            """
    }

    private mutating func pullRequest() -> String {
        let additions = random.next(below: 3_000)
        let deletions = random.next(below: 3_000)
        return """
            "action":"opened","number":\(1 + random.next(below: 20_000)),\
            "pull_request":{"id":\(random.next(below: 2_000_000_000)),"title":"\(message())",\
            "merged":\(random.happens(1, outOf: 5) ? "null" : "\(random.happens(1, outOf: 2))"),\
            "additions":\(additions),"deletions":\(deletions),"balance":\(additions - deletions),\
            "coverage":\(decimal(4, below: 1_000_000)),"base":{"ref":"main","sha":"\(hexadecimal(40))"}}
            """
    }

    private mutating func fork(_ scene: Scene) -> String {
        """
        "forkee":{"id":\(random.next(below: 900_000_000)),"full_name":"\(scene.repository)","private":false,\
        "size":\(random.next(below: 500_000)),"topics":["json","parsing","swift"],"description":\(messageOrNull())}
        """
    }

    private mutating func release() -> String {
        let version = """
            "id":\(random.next(below: 200_000_000)),"tag_name":"v\(random.next(below: 10)).\(random.next(below: 20)).0",\
            "draft":false,"prerelease":\(random.happens(1, outOf: 4))
            """
        let assets = (0..<random.next(below: 4)).map { index in
            #"{"name":"sluice-\#(index).tar.gz","size":\#(random.next(below: 5_000_000_000))}"#
        }
        return
            #""action":"published","release":{\#(version),"assets":[\#(assets.joined(separator: ","))],"body":"\#(message())"}"#
    }

    // MARK: Values

    private mutating func pick(_ words: [String]) -> String { words[random.next(below: words.count)] }

    /// The moment of the event made last, as JSON.
    private var moment: String { "\"\(Date(timeIntervalSince1970: Double(seconds)).ISO8601Format())\"" }

    /// A few phrases; about one message in two hundred has a few kilobytes.
    private mutating func message() -> String {
        let isLong = random.happens(1, outOf: 200)
        let phrases = isLong ? 60 + random.next(below: 140) : 1 + random.next(below: 4)
        return (0..<phrases).map { _ in pick(vocabulary.phrases) }.joined(separator: ". ")
    }

    private mutating func messageOrNull() -> String { random.happens(3, outOf: 5) ? "\"\(message())\"" : "null" }

    /// A number with this many digits after the decimal point. It is never formatted as a floating-point value, so it is the same on every
    /// platform.
    private mutating func decimal(_ decimals: Int, below bound: Int) -> String {
        let value = random.next(below: bound)
        let unit = decimals == 2 ? 100 : decimals == 3 ? 1_000 : 10_000
        return "\(value / unit).\((value % unit).padded(decimals))"
    }

    private mutating func skew() -> String {
        switch random.next(below: 20) {
        case 0: "\(random.next(below: 9) + 1)e-7"
        case 1: "-1.5E+3"
        case 2..<10: "-0.000\(random.next(below: 1_000).padded(3))1"
        default: "0.\(random.next(below: 1_000_000).padded(6))"
        }
    }

    private mutating func hexadecimal(_ digits: Int) -> String {
        var bits: UInt64 = 0
        let text = (0..<digits).map { index in
            if index % 16 == 0 { bits = random.next() }
            defer { bits &>>= 4 }
            return UInt8(truncatingIfNeeded: bits & 15 < 10 ? 48 + bits & 15 : 87 + bits & 15)
        }
        return String(decoding: text, as: UTF8.self)
    }
}

extension Int {
    /// The digits of a number that is not negative, with leading zeros up to a width.
    fileprivate func padded(_ width: Int) -> String {
        let digits = "\(self)"
        return String(repeating: "0", count: Swift.max(0, width - digits.utf8.count)) + digits
    }
}
#endif
