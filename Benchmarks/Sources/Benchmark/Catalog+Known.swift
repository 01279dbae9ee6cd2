// Work that other benchmarks have names for: simdjson's questions to twitter.json, the coordinates of kostya/benchmarks, the object of
// json_performance, and the documents of serde's json-benchmark as trees. Benchmarks/README.md says which lanes these are.

internal import Foundation
internal import Sluice

extension Catalog {
    func addKnownQuestions(_ entries: inout [SubjectEntry]) {
        add(&entries, "twitter.json, partial_tweets", file: "twitter.json", PartialTweets.self)
        addQuestion(&entries, "twitter.json, distinct_user_id", whole: { "\(try Writers(json: $0.array).distinct.count)" })
        // The tweet that simdjson's benchmark looks for.
        addQuestion(
            &entries, "twitter.json, find_tweet",
            feed: { feed in
                while let tweet = try feed.next() {
                    if tweet.id == 505_874_901_689_851_904 { return tweet.text }
                }
                return ""
            })
        addQuestion(
            &entries, "twitter.json, top_tweet",
            feed: { feed in
                var best: TweetText?
                while let tweet = try feed.next() {
                    if tweet.retweetCount > best?.retweetCount ?? -1 { best = tweet }
                }
                return best?.text ?? ""
            })
        addShape(&entries, "kostya's coordinates", isWritten: true, Coordinates.sample)
        addShape(&entries, "json_performance", isWritten: true, PerformanceObject.sample)
        addReversed(&entries, "json_performance, keys reversed", PerformanceObject.sample)
        add(&entries, "citm_catalog.json", TicketCatalogue.self)
        for file in ["canada.json", "citm_catalog.json", "twitter.json"] { addTree(&entries, file) }
    }

    /// A value whose keys come in the opposite order, in each of its objects.
    private func addReversed<Value: JSONBindable & Codable & Equatable>(
        _ entries: inout [SubjectEntry], _ name: String, _ value: Value
    ) {
        entries.append(
            SubjectEntry(name: name, direction: .reading) {
                var random = SplitMix64(seed: 1)
                let text = try KeyChange.reversed.applied(to: JSONValue(json: try value.jsonBytes()), &random).jsonBytes()
                let document = try data.document(named: name, text)
                return Subject(
                    name, .reading, size: document.count, baseline: BareReader.lane(document),
                    lanes: [
                        SluiceLanes.reading(document, Value.self) { value },
                        FoundationLanes.reading(document, Value.self, JSONDecoder()),
                    ] + peers.lanes(name, .reading, document, .value(Value.self) { value }))
            })
    }

    /// A document of the corpus as a tree, which keeps all of it: "DOM" in serde's json-benchmark.
    private func addTree(_ entries: inout [SubjectEntry], _ file: String) {
        let name = "\(file), tree"
        entries.append(
            SubjectEntry(name: name, direction: .reading) {
                guard let document = Corpus.document(file) else { return nil }
                return Subject(
                    name, .reading, size: document.count, baseline: BareReader.lane(document),
                    lanes: [SluiceLanes.tree(document), FoundationLanes.tree(document)]
                        + peers.lanes(name, .reading, document, treeJudge(document)))
            })
        entries.append(
            SubjectEntry(name: name, direction: .writing) {
                guard let document = Corpus.document(file) else { return nil }
                let text = try JSONValue(json: document.array).jsonBytes()
                return Subject(
                    name, .writing, size: text.count, baseline: try BareWriter.lane(text),
                    lanes: [try SluiceLanes.writingTree(document), try FoundationLanes.writingTree(document)]
                        + peers.lanes(name, .writing, document, treeJudge(document)))
            })
    }

    /// The tree of what a peer has written is that of the document. Numbers are compared by value, and the order of keys does not count:
    /// peers keep neither.
    private func treeJudge(_ document: Document) -> PeerJudge {
        PeerJudge { text in
            let (theirs, own) = try (JSONValue(json: text), JSONValue(json: document.array))
            return theirs.hasValues(of: own) ? nil : "another tree than Sluice's"
        }
    }

    /// A question to twitter.json whose answer is a text.
    private func addQuestion(
        _ entries: inout [SubjectEntry], _ name: String, whole: ((Document) throws -> String)? = nil,
        feed: ((JSONFeed<TweetText>) throws -> String)? = nil
    ) {
        entries.append(
            SubjectEntry(name: name, direction: .reading) {
                guard let document = Corpus.document("twitter.json") else { return nil }
                var lanes: [Lane] = []
                if let whole {
                    lanes.append(.inProcess(.sluice) { count in for _ in 0..<count { _ = try whole(document) } })
                }
                if let feed {
                    lanes.append(
                        .inProcess(.sluiceFeed) { count in
                            for _ in 0..<count { _ = try feed(statuses(of: document)) }
                        })
                }
                let judge = PeerJudge { text in
                    let answer = try whole?(document) ?? feed?(statuses(of: document)) ?? ""
                    return answer == String(decoding: text, as: UTF8.self) ? nil : "another answer than Sluice's, '\(answer)'"
                }
                return Subject(
                    name, .reading, size: document.count, baseline: BareReader.lane(document),
                    lanes: lanes + peers.lanes(name, .reading, document, judge))
            })
    }

    private func statuses(of document: Document) -> JSONFeed<TweetText> {
        JSONFeed(bytes: document.array, options: .init(at: "statuses"))
    }
}

extension JSONValue {
    /// Whether the values are the same, whatever the digits of their numbers and the order of their keys.
    fileprivate func hasValues(of other: JSONValue) -> Bool {
        switch (self, other) {
        case (.number, .number): double == other.double && (int == nil || other.int == nil || int == other.int)
        case (.array(let elements), .array(let others)):
            elements.count == others.count && zip(elements, others).allSatisfy { $0.hasValues(of: $1) }
        case (.object(let object), .object(let other)):
            object.members.count == other.members.count
                && object.members.allSatisfy { member in other[member.key].map { member.value.hasValues(of: $0) } ?? false }
        default: self == other
        }
    }
}
