// Makes events from a seed, one JSON object each. They have the shape of GitHub's public feed: nested objects, arrays of commits,
// text in many scripts, nulls, and rare keys. Every byte depends only on the seed and the number of the record.
//
// The members of a record agree with each other, so a test can check a record without knowing the generator: `actor.avatar_url`
// and `actor.login` contain `actor.id`, `repo.url` ends with `repo.name`, a push has `payload.size` commits of which the last has
// the SHA `payload.head`, `payload.pull_request.balance` is additions minus deletions, and `id` and `created_at` grow from record
// to record.

#if CommandLine
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
        var repository: [UInt8]
        var actor: Int
        var login: [UInt8]
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
        text += "{\"id\":"
        text.append(decimal: 22_249_084_000 + count)
        text += ",\"type\":\""
        // The payload is made after the members before it, but its type is drawn here.
        let kind = EventKind.drawn(by: &random)
        text += kind.rawValue
        text += "\",\"actor\":{\"id\":"
        appendActor(scene, to: &text)
        appendRepository(scene, to: &text)
        text += ",\"payload\":{"
        appendPayload(kind, scene, to: &text)
        text += "},\"public\":"
        text += random.happens(97, outOf: 100) ? "true" : "false"
        text += ",\"created_at\":\""
        text.append(date: seconds)
        text += "\",\"metrics\":{\"latency_ms\":"
        appendDecimal(decimals: 3, below: 900_000, to: &text)
        text += ",\"skew\":"
        appendSkew(to: &text)
        text += ",\"delta\":"
        text.append(decimal: random.next(below: 2_001) - 1_000)
        text += "}"
        appendRareKeys(to: &text)
        text += "}"
        count += 1
    }

    // MARK: Who and where

    private mutating func scene() -> Scene {
        let actor = 1_000 + random.next(below: 90_000_000)
        var login = pick(vocabulary.logins)
        login += "-"
        login.append(decimal: actor)
        // Half of all events happen in somebody else's repository.
        var repository = random.happens(1, outOf: 2) ? login : pick(vocabulary.logins)
        repository += "/"
        repository += pick(vocabulary.repositories)
        return Scene(repository: repository, actor: actor, login: login)
    }

    private mutating func appendActor(_ scene: Scene, to text: inout [UInt8]) {
        text.append(decimal: scene.actor)
        text += ",\"login\":\""
        text += scene.login
        text += "\",\"gravatar_id\":"
        if random.happens(1, outOf: 3) {
            text += "\""
            appendHexadecimal(digits: 32, to: &text)
            text += "\""
        } else {
            text += "null"
        }
        text += ",\"url\":\"https://api.github.com/users/"
        text += scene.login
        text += "\",\"avatar_url\":\"https://avatars.githubusercontent.com/u/"
        text.append(decimal: scene.actor)
        text += "?v=4\"}"
    }

    private mutating func appendRepository(_ scene: Scene, to text: inout [UInt8]) {
        text += ",\"repo\":{\"id\":"
        text.append(decimal: random.next(below: 900_000_000))
        text += ",\"name\":\""
        text += scene.repository
        text += "\",\"url\":\"https://api.github.com/repos/"
        text += scene.repository
        text += "\"}"
    }

    private mutating func appendRareKeys(to text: inout [UInt8]) {
        if random.happens(5, outOf: 100) {
            let login = pick(vocabulary.logins)
            text += ",\"org\":{\"id\":"
            text.append(decimal: random.next(below: 100_000_000))
            text += ",\"login\":\""
            text += login
            text += "\",\"gravatar_id\":\"\",\"url\":\"https://api.github.com/orgs/"
            text += login
            text += "\"}"
        }
        if random.happens(1, outOf: 1_000) {
            text += ",\"sponsor\":{\"tier\":\"gold\",\"amount\":"
            appendDecimal(decimals: 2, below: 1_000_000, to: &text)
            text += "}"
        }
        if random.happens(1, outOf: 1_000) {
            text += ",\"trace\":["
            for index in 0..<3 {
                if index > 0 { text += "," }
                text.append(decimal: Int(truncatingIfNeeded: random.next() >> 1))
            }
            text += "]"
        }
        if random.happens(1, outOf: 1_000) { text += ",\"legacy id\":9007199254740993" }
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

    private mutating func appendPayload(_ kind: EventKind, _ scene: Scene, to text: inout [UInt8]) {
        switch kind {
        case .push: appendPush(scene, to: &text)
        case .watch: text += "\"action\":\"started\""
        case .create: appendCreation(to: &text)
        case .issues: appendIssue(scene, to: &text)
        case .comment: appendComment(scene, to: &text)
        case .pullRequest: appendPullRequest(to: &text)
        case .fork: appendFork(scene, to: &text)
        case .release: appendRelease(to: &text)
        }
    }

    private mutating func appendPush(_ scene: Scene, to text: inout [UInt8]) {
        let size = random.happens(7, outOf: 10) ? 1 : random.next(below: 5)
        text += "\"push_id\":"
        text.append(decimal: 10_115_855_000 + count)
        text += ",\"size\":"
        text.append(decimal: size)
        text += ",\"distinct_size\":"
        text.append(decimal: random.next(below: size + 1))
        text += ",\"ref\":\"refs/heads/main\",\"before\":\""
        appendHexadecimal(digits: 40, to: &text)
        text += "\",\"commits\":["
        var head: [UInt8] = []
        for index in 0..<size {
            head.removeAll(keepingCapacity: true)
            appendHexadecimal(digits: 40, to: &head)
            text += index > 0 ? ",{\"sha\":\"" : "{\"sha\":\""
            text += head
            text += "\",\"author\":{\"email\":\""
            text += scene.login
            text += "@example.com\",\"name\":\""
            text += pick(vocabulary.people)
            text += "\"},\"message\":\""
            appendMessage(to: &text)
            text += "\",\"distinct\":"
            text += random.happens(9, outOf: 10) ? "true" : "false"
            text += ",\"url\":\"https://api.github.com/repos/"
            text += scene.repository
            text += "/commits/"
            text += head
            text += "\"}"
        }
        text += "],\"head\":"
        if size == 0 {
            text += "null"
        } else {
            text += "\""
            text += head
            text += "\""
        }
    }

    private mutating func appendCreation(to text: inout [UInt8]) {
        text += "\"ref\":"
        text += random.happens(1, outOf: 4) ? "null" : "\"feature/streaming\""
        text += ",\"ref_type\":\""
        text += random.happens(1, outOf: 3) ? "tag" : "branch"
        text += "\",\"master_branch\":\"main\",\"description\":"
        appendMessageOrNull(to: &text)
        text += ",\"pusher_type\":\"user\""
    }

    private mutating func appendIssue(_ scene: Scene, to text: inout [UInt8]) {
        let isClosed = random.happens(1, outOf: 2)
        text += "\"action\":\""
        text += isClosed ? "closed" : "opened"
        text += "\",\"issue\":{\"id\":"
        text.append(decimal: random.next(below: 2_000_000_000))
        text += ",\"number\":"
        text.append(decimal: 1 + random.next(below: 20_000))
        text += ",\"title\":\""
        text += pick(vocabulary.phrases)
        text += "\",\"user\":{\"login\":\""
        text += scene.login
        text += "\",\"id\":"
        text.append(decimal: scene.actor)
        text += "},\"labels\":["
        for index in 0..<random.next(below: 3) {
            text += index > 0 ? ",{\"name\":\"bug" : "{\"name\":\"help wanted"
            text += "\",\"color\":\""
            appendHexadecimal(digits: 6, to: &text)
            text += "\"}"
        }
        text += "],\"state\":\""
        text += isClosed ? "closed" : "open"
        text += "\",\"comments\":"
        text.append(decimal: random.next(below: 40))
        text += ",\"closed_at\":"
        if isClosed {
            text += "\""
            text.append(date: seconds)
            text += "\""
        } else {
            text += "null"
        }
        text += ",\"body\":"
        appendMessageOrNull(to: &text)
        text += "}"
    }

    private mutating func appendComment(_ scene: Scene, to text: inout [UInt8]) {
        let likes = random.next(below: 12)
        let dislikes = random.next(below: 3)
        text += "\"action\":\"created\",\"issue\":{\"number\":"
        text.append(decimal: 1 + random.next(below: 20_000))
        text += ",\"title\":\""
        text += pick(vocabulary.phrases)
        text += "\"},\"comment\":{\"id\":"
        text.append(decimal: 1_000_000_000 + count)
        text += ",\"user\":{\"login\":\""
        text += scene.login
        text += "\"},\"reactions\":{\"+1\":"
        text.append(decimal: likes)
        text += ",\"-1\":"
        text.append(decimal: dislikes)
        text += ",\"total_count\":"
        text.append(decimal: likes + dislikes)
        text += "},\"body\":\""
        appendMessage(to: &text)
        text += "\"}"
    }

    private mutating func appendPullRequest(to text: inout [UInt8]) {
        let additions = random.next(below: 3_000)
        let deletions = random.next(below: 3_000)
        text += "\"action\":\"opened\",\"number\":"
        text.append(decimal: 1 + random.next(below: 20_000))
        text += ",\"pull_request\":{\"id\":"
        text.append(decimal: random.next(below: 2_000_000_000))
        text += ",\"title\":\""
        appendMessage(to: &text)
        text += "\",\"merged\":"
        text += random.happens(1, outOf: 5) ? "null" : random.happens(1, outOf: 2) ? "true" : "false"
        text += ",\"additions\":"
        text.append(decimal: additions)
        text += ",\"deletions\":"
        text.append(decimal: deletions)
        text += ",\"balance\":"
        text.append(decimal: additions - deletions)
        text += ",\"coverage\":"
        appendDecimal(decimals: 4, below: 1_000_000, to: &text)
        text += ",\"base\":{\"ref\":\"main\",\"sha\":\""
        appendHexadecimal(digits: 40, to: &text)
        text += "\"}}"
    }

    private mutating func appendFork(_ scene: Scene, to text: inout [UInt8]) {
        text += "\"forkee\":{\"id\":"
        text.append(decimal: random.next(below: 900_000_000))
        text += ",\"full_name\":\""
        text += scene.repository
        text += "\",\"private\":false,\"size\":"
        text.append(decimal: random.next(below: 500_000))
        text += ",\"topics\":[\"json\",\"parsing\",\"swift\"],\"description\":"
        appendMessageOrNull(to: &text)
        text += "}"
    }

    private mutating func appendRelease(to text: inout [UInt8]) {
        text += "\"action\":\"published\",\"release\":{\"id\":"
        text.append(decimal: random.next(below: 200_000_000))
        text += ",\"tag_name\":\"v"
        text.append(decimal: random.next(below: 10))
        text += "."
        text.append(decimal: random.next(below: 20))
        text += ".0\",\"draft\":false,\"prerelease\":"
        text += random.happens(1, outOf: 4) ? "true" : "false"
        text += ",\"assets\":["
        for index in 0..<random.next(below: 4) {
            text += index > 0 ? ",{\"name\":\"sluice-" : "{\"name\":\"sluice-"
            text.append(decimal: index)
            text += ".tar.gz\",\"size\":"
            text.append(decimal: random.next(below: 5_000_000_000))
            text += "}"
        }
        text += "],\"body\":\""
        appendMessage(to: &text)
        text += "\"}"
    }

    // MARK: Values

    private mutating func pick(_ words: [[UInt8]]) -> [UInt8] { words[random.next(below: words.count)] }

    /// Appends a few phrases; about one message in two hundred has a few kilobytes.
    private mutating func appendMessage(to text: inout [UInt8]) {
        let isLong = random.happens(1, outOf: 200)
        let phrases = isLong ? 60 + random.next(below: 140) : 1 + random.next(below: 4)
        for index in 0..<phrases {
            if index > 0 { text += ". " }
            text += pick(vocabulary.phrases)
        }
    }

    private mutating func appendMessageOrNull(to text: inout [UInt8]) {
        guard random.happens(3, outOf: 5) else {
            text += "null"
            return
        }
        text += "\""
        appendMessage(to: &text)
        text += "\""
    }

    /// Appends a number with this many digits after the decimal point. It is never formatted as a floating-point value, so it is
    /// the same on every platform.
    private mutating func appendDecimal(decimals: Int, below bound: Int, to text: inout [UInt8]) {
        let value = random.next(below: bound)
        let unit = decimals == 2 ? 100 : decimals == 3 ? 1_000 : 10_000
        text.append(decimal: value / unit)
        text += "."
        text.append(decimal: value % unit, width: decimals)
    }

    private mutating func appendSkew(to text: inout [UInt8]) {
        switch random.next(below: 20) {
        case 0:
            text.append(decimal: random.next(below: 9) + 1)
            text += "e-7"
        case 1:
            text += "-1.5E+3"
        case 2..<10:
            text += "-0.000"
            text.append(decimal: random.next(below: 1_000), width: 3)
            text += "1"
        default:
            text += "0."
            text.append(decimal: random.next(below: 1_000_000), width: 6)
        }
    }

    private mutating func appendHexadecimal(digits: Int, to text: inout [UInt8]) {
        var bits: UInt64 = 0
        for index in 0..<digits {
            if index % 16 == 0 { bits = random.next() }
            let digit = UInt8(truncatingIfNeeded: bits & 15)
            text.append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") - 10 + digit)
            bits &>>= 4
        }
    }
}

extension [UInt8] {
    /// Appends text as it is.
    fileprivate static func += (bytes: inout [UInt8], text: String) { bytes.append(contentsOf: text.utf8) }

    /// Appends a number, with leading zeros up to a width.
    fileprivate mutating func append(decimal value: Int, width: Int = 1) {
        if value < 0 { append(UInt8(ascii: "-")) }
        var rest = value.magnitude
        var divisor: UInt = 1
        var digits = 1
        while digits < width || rest / divisor >= 10 {
            divisor *= 10
            digits += 1
        }
        while divisor > 0 {
            append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest / divisor))
            rest %= divisor
            divisor /= 10
        }
    }

    /// Appends a moment as `2025-01-31T23:59:59Z`.
    fileprivate mutating func append(date seconds: Int) {
        // Days to a civil date, for moments after 1970: https://howardhinnant.github.io/date_algorithms.html#civil_from_days
        let days = seconds / 86_400 + 719_468
        let era = days / 146_097
        let dayOfEra = days % 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let month = (5 * dayOfYear + 2) / 153
        let isAfterDecember = month >= 10
        append(decimal: yearOfEra + era * 400 + (isAfterDecember ? 1 : 0), width: 4)
        append(UInt8(ascii: "-"))
        append(decimal: isAfterDecember ? month - 9 : month + 3, width: 2)
        append(UInt8(ascii: "-"))
        append(decimal: dayOfYear - (153 * month + 2) / 5 + 1, width: 2)
        append(UInt8(ascii: "T"))
        append(decimal: seconds / 3_600 % 24, width: 2)
        append(UInt8(ascii: ":"))
        append(decimal: seconds / 60 % 60, width: 2)
        append(UInt8(ascii: ":"))
        append(decimal: seconds % 60, width: 2)
        append(UInt8(ascii: "Z"))
    }
}
#endif
