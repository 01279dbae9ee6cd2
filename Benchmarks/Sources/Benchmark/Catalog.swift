// All subjects, by name. They are loaded one by one, when their turn comes.

internal import Foundation
internal import Sluice

/// What is measured.
struct Catalog {
    let data: GeneratedData
    let peers: Peers

    /// All subjects, in the order of the tables.
    var entries: [SubjectEntry] {
        var entries: [SubjectEntry] = []
        add(&entries, "twitter.json", TwitterTimeline.self, fingerprint: Fingerprint.of(twitter:)) { document, expected in
            [
                FoundationLanes.tree(document), SluiceLanes.tree(document),
                FoundationLanes.assigning(document, expected: expected, TwitterTimeline.init(assigning:)),
            ]
        }
        add(
            &entries, "twitter.json, every key", file: "twitter.json", TwitterArchive.self,
            others: { document, _ in
                [SluiceLanes.readingSubstrings(document, Sliced.TwitterArchive.self, sameAs: TwitterArchive.self)]
            })
        add(&entries, "canada.json", CanadaMap.self, fingerprint: Fingerprint.of(canada:)) { document, _ in
            [FoundationLanes.tree(document), SluiceLanes.tree(document)]
        }
        add(&entries, "canada.json, lists", file: "canada.json", CanadaLists.self)
        add(&entries, "github_user.json", GitHubUser.self, fingerprint: Fingerprint.of(user:)) { document, expected in
            [
                FoundationLanes.tree(document), SluiceLanes.tree(document),
                FoundationLanes.assigning(document, expected: expected, GitHubUser.init(assigning:)),
                SluiceLanes.readingSubstrings(document, Sliced.GitHubUser.self, sameAs: GitHubUser.self),
            ]
        }
        add(&entries, "weibo.json", WeiboStatus.self, dates: .twitter)
        add(
            &entries, "github_events.json", [GitHubEvent].self,
            others: { document, _ in
                [SluiceLanes.readingSubstrings(document, [Sliced.GitHubEvent].self, sameAs: [GitHubEvent].self)]
            })
        addLines(
            &entries, "github_events.ndjson, five keys", GitHubEventFive.self, fingerprint: Fingerprint.of(five:)
        ) { try data.githubEvents() }
        for change in [KeyChange.missing, .swapped, .shuffled] {
            addLines(
                &entries, "github_events.ndjson, five keys, \(change.rawValue)", GitHubEventFive.self,
                fingerprint: Fingerprint.of(five:)
            ) { try data.githubEvents(change) }
        }
        addLines(
            &entries, "feed.ndjson", FeedEvent.self, fingerprint: Fingerprint.of(feed:),
            { [SluiceLanes.feedOfSubstrings($0, Sliced.FeedEvent.self, sameAs: FeedEvent.self)] }
        ) { try data.feed(.ndjson) }
        entries.append(feedArray)
        entries.append(feedWriting)
        addShapes(&entries)
        addMadeDocuments(&entries)
        addKnownQuestions(&entries)
        addUnions(&entries)
        entries.append(feedStreaming)
        return entries
    }

    // MARK: Documents of one value

    func add<Model: JSONBindable & Codable & Equatable>(
        _ entries: inout [SubjectEntry], _ name: String, file: String? = nil, _ type: Model.Type, dates: DateStyle = .iso8601,
        fingerprint: ((Model) -> [Double])? = nil,
        others: @escaping (Document, @escaping () throws -> Model?) -> [Lane] = { _, _ in [] }
    ) {
        entries.append(
            SubjectEntry(name: name, direction: .reading) {
                guard let document = Corpus.document(file ?? name) else { return nil }
                let decoder = dates.decoder
                let expected: () throws -> Model? = { try decoder.decode(type, from: document.data) }
                let lanes =
                    [
                        SluiceLanes.reading(document, type, expected: expected),
                        SluiceLanes.reading(document, type, .sluiceFull, expected: expected),
                    ] + CodableLanes.reading(name, document, type, dates)
                    + SluiceLanes.otherWays(document, type, expected: expected)
                let judge = PeerJudge.value(
                    type, fingerprint: { try fingerprint.map { $0(try decoder.decode(type, from: document.data)) } ?? [] },
                    expected: expected)
                return Subject(
                    name, .reading, size: document.count, baseline: BareReader.lane(document),
                    lanes: lanes + others(document, expected) + peers.lanes(name, .reading, document, judge))
            })
        entries.append(
            SubjectEntry(name: name, direction: .writing) {
                guard let document = Corpus.document(file ?? name) else { return nil }
                let value = try type.init(json: document.array)
                return try writing(name, value, document.data, dates)
            })
    }

    /// The writing of a value. Peers get the text that Sluice writes, not all that a document may hold.
    func writing<Value: JSONBindable & Codable & Equatable>(
        _ name: String, _ value: Value, _ document: Data?, _ dates: DateStyle
    ) throws -> Subject {
        let text = try value.jsonBytes()
        return Subject(
            name, .writing, size: text.count, baseline: try BareWriter.lane(text),
            lanes: [SluiceLanes.writing(value), SluiceLanes.writingKept(value)]
                + (try CodableLanes.writing(name, value, document, dates))
                + peers.lanes(
                    name, .writing, try data.document(named: "\(name), to be written", text),
                    .value(Value.self) { try Value(json: text) }))
    }

    // MARK: Feeds

    private func addLines<Record: JSONModel & Codable & Equatable & Sendable>(
        _ entries: inout [SubjectEntry], _ name: String, _ type: Record.Type, fingerprint: @escaping ([Record]) -> [Double],
        _ others: @escaping (Document) -> [Lane] = { _ in [] }, _ load: @escaping () throws -> Document?
    ) {
        entries.append(
            SubjectEntry(name: name, direction: .reading) {
                guard let document = try load() else { return nil }
                let expected: () throws -> [Record] = {
                    let decoder = JSONDecoder()
                    return try unsafe document.lines.map { line in unsafe try decoder.decode(type, from: Data(line)) }
                }
                let lanes = [
                    SluiceLanes.feed(document, type, expected: expected),
                    SluiceLanes.feed(document, type, .sluiceFeedFile, expected: expected),
                    SluiceLanes.columns(document, type, expected: expected),
                    FoundationLanes.readingLines(document, type, JSONDecoder()),
                ]
                let judge = PeerJudge.lines(type, fingerprint: { fingerprint(try expected()) }, expected: expected)
                return Subject(
                    name, .reading, size: document.count, baseline: BareReader.lane(document),
                    lanes: lanes + others(document) + peers.lanes(name, .reading, document, judge))
            })
    }

    private var feedArray: SubjectEntry {
        SubjectEntry(name: "feed.json, an array", direction: .reading) {
            let document = try data.feed(.array)
            let expected: () throws -> [FeedEvent]? = { try JSONDecoder().decode([FeedEvent].self, from: document.data) }
            return Subject(
                "feed.json, an array", .reading, size: document.count, baseline: BareReader.lane(document),
                lanes: [
                    SluiceLanes.reading(document, [FeedEvent].self, expected: expected),
                    SluiceLanes.feed(document, FeedEvent.self) { try expected() ?? [] },
                    SluiceLanes.readingSubstrings(document, [Sliced.FeedEvent].self, sameAs: [FeedEvent].self),
                    SluiceLanes.feedOfSubstrings(document, Sliced.FeedEvent.self, sameAs: FeedEvent.self),
                    FoundationLanes.reading(document, [FeedEvent].self, JSONDecoder()),
                ] + peers.lanes("feed.json, an array", .reading, document, .value([FeedEvent].self, expected: expected)))
        }
    }

    private var feedWriting: SubjectEntry {
        SubjectEntry(name: "feed.json, an array", direction: .writing) {
            let events = try [FeedEvent](json: try data.feed(.array).array)
            return try writing("feed.json, an array", events, nil, .iso8601)
        }
    }

    private var feedStreaming: SubjectEntry {
        let name = "feed.json, to a file descriptor"
        return SubjectEntry(name: name, direction: .writing) {
            let events = try [FeedEvent](json: try data.feed(.array).array)
            let text = try events.jsonBytes()
            let file = try data.document(named: "streamed.json", text)
            return Subject(
                name, .writing, size: text.count, baseline: try BareWriter.lane(text),
                lanes: [try SluiceLanes.streaming(events, to: file.path)])
        }
    }
}
