// The lanes of other languages' libraries. Each is a program of its own.

internal import Sluice

final class Peers {
    /// Each is a process that lives as long as this.
    private let processes: [PeerProcess]

    init(_ processes: [PeerProcess]) { self.processes = processes }

    /// The peers that do this with a document.
    func lanes(_ name: String, _ direction: Direction, _ document: Document, _ judge: PeerJudge) -> [Lane] {
        processes.flatMap { $0.lanes(name, direction, document, judge) }
    }

    /// What is not measured, and why.
    var skipped: [String] { processes.flatMap(\.skipped) }

    /// The versions of what is measured.
    var versions: [String] { processes.flatMap(\.versions) }
}

/// Says whether a peer's result is right.
struct PeerJudge {
    /// What a peer's text must hold, which is what it has read, written again, or what it has written; what is wrong with it, if anything.
    let ofText: ([UInt8]) throws -> String?
    /// The sums that a peer must report which cannot show its result; empty for none.
    var fingerprint: () throws -> [Double] = { [] }

    /// The text of one value.
    static func value<Value: JSONBindable & Equatable>(
        _ type: Value.Type, fingerprint: @escaping () throws -> [Double] = { [] }, expected: @escaping () throws -> Value?
    ) -> PeerJudge {
        PeerJudge(
            ofText: { text in
                guard let expected = try expected() else { return nil }
                return try Value(json: text) == expected ? nil : "another value than the other lanes'"
            }, fingerprint: fingerprint)
    }

    /// The text of many, one a line.
    static func lines<Record: JSONBindable & Equatable & Sendable>(
        _ type: Record.Type, fingerprint: @escaping () throws -> [Double] = { [] }, expected: @escaping () throws -> [Record]
    ) -> PeerJudge {
        PeerJudge(
            ofText: { text in
                let feed = JSONFeed<Record>(bytes: text)
                for record in try expected() where try feed.next() != record { return "another record than the other lanes'" }
                return try feed.next() == nil ? nil : "more records than the other lanes'"
            }, fingerprint: fingerprint)
    }
}
