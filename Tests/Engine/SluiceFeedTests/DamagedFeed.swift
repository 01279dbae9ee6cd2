import Foundation
import SluiceCore
import SluiceTestSupport

@testable import SluiceFeed

/// A feed with damage at seeded positions, and what must come out of it.
struct DamagedFeed {
    /// How the records are laid out in the feed.
    enum Layout: CaseIterable {
        case lines, array, concatenated, path, sequence
    }

    /// What befalls a record.
    enum Damage: CaseIterable {
        case flip, truncation, oversize, wrongType, doubleComma, badUTF8, carriageReturn, blankLine
    }

    static let maximumRecordSize = 4096

    let layout: Layout
    var bytes: [UInt8] = []
    /// The records that are intact.
    var accepted: [Row] = []
    /// The ranges of those that are not.
    var rejected: [Range<Int>] = []

    var options: JSONFeed<Row>.Options {
        let format: JSONFeedFormat =
            switch layout {
            case .lines: .lines
            case .array: .array
            case .concatenated: .concatenated
            case .path: .object
            case .sequence: .sequence
            }
        return JSONFeed<Row>.Options(
            format: format, at: layout == .path ? "data.items" : nil, invalidRecords: .skip,
            maximumRecordSize: Self.maximumRecordSize,
            keptReasons: .max, reading: .strict)
    }

    /// - Parameters:
    ///   - count: How many records there are, and how many of them are damaged.
    init(_ layout: Layout, count: Int, damaged: Int, seed: UInt64) {
        self.layout = layout
        var random = SplitMix64(seed: seed)
        var indices: Set<Int> = []
        while indices.count < damaged { indices.insert(Int.random(in: 0..<count, using: &random)) }
        switch layout {
        case .array: append("[\n")
        case .path: append("{\"meta\": {\"items\": [1]}, \"data\": {\"n\": 1, \"items\": [\n")
        default: break
        }
        for index in 0..<count {
            let isLast = index == count - 1
            add(index, indices.contains(index) && !isLast ? Damage.allCases.randomElement(using: &random) : nil, isLast, &random)
        }
        switch layout {
        case .array: append("]\n")
        case .path: append("], \"rest\": [{}]}, \"end\": true}\n")
        default: break
        }
    }

    private mutating func append(_ text: String) { bytes += text.utf8 }

    private var isBracketed: Bool { layout == .array || layout == .path }

    /// Adds a record, and what separates it from the next.
    private mutating func add(_ index: Int, _ damage: Damage?, _ isLast: Bool, _ random: inout SplitMix64) {
        let row = Row(id: index, name: "name \(index)")
        var record = Array("{\"id\":\(index),\"tags\":[\"a\",{\"b\":\"c]\"}],\"name\":\"name \(index)\",\"x\":-1.5e3}".utf8)
        func offset(_ text: String) -> Int { record.firstRange(of: Array(text.utf8))?.lowerBound ?? 0 }
        var isIntact = false
        var isCut = false
        switch damage {
        case nil: isIntact = true
        case .carriageReturn, .blankLine: isIntact = true
        case .flip:
            // A byte between tokens: no bracket and no quote, which would move the end of the record.
            let colon = offset(["\":\(index)", "\":\"name", "\":["].randomElement(using: &random) ?? "") + 1
            record[colon] = [UInt8(ascii: ";"), 0x01, UInt8(ascii: "x"), 0x7F].randomElement(using: &random) ?? 1
        case .truncation:
            isCut = true
            // In lines, anywhere; elsewhere inside a string, or after a member.
            let end: Int =
                switch layout {
                case .lines, .sequence: Int.random(in: 1..<record.count, using: &random)
                default: [offset("ame \(index)"), offset(",\"tags"), offset(",\"x\"")].randomElement(using: &random) ?? 1
                }
            record.removeSubrange(end...)
        case .oversize:
            record.insert(
                contentsOf: Array(repeating: UInt8(ascii: "y"), count: Self.maximumRecordSize * 2), at: offset("ame \(index)"))
        case .wrongType:
            record.replaceSubrange(offset("\"name \(index)")..<offset(",\"x\""), with: Array("{\"n\":[null]}".utf8))
        case .doubleComma: record.insert(UInt8(ascii: ","), at: offset(",\"name"))
        case .badUTF8:
            record[offset("ame \(index)")] = [0xC0, 0xFF, 0x80, 0xE2].randomElement(using: &random) ?? 0xFF
        }
        if layout == .sequence { bytes.append(0x1E) }
        if damage == .blankLine { append("\n \r\n") }
        let start = bytes.count
        bytes += record
        if isIntact {
            accepted.append(row)
        } else {
            let end = damage == .carriageReturn ? bytes.count + 1 : bytes.count
            rejected.append(start..<end)
        }
        if isBracketed, !isLast, !isCut { append(",") }
        if damage == .carriageReturn { append("\r") }
        append("\n")
    }

    /// What a feed must give.
    var expected: Outcome { Outcome(accepted: accepted, rejected: rejected) }

    /// What a feed gave.
    struct Outcome: Equatable {
        var accepted: [Row]
        var rejected: [Range<Int>]
        var errors: [JSONError] = []
        /// The reasons, whose words must not depend on how the bytes came.
        var reasons: [JSONError] = []

        static func == (left: Outcome, right: Outcome) -> Bool {
            left.accepted == right.accepted && left.rejected == right.rejected && left.errors == right.errors
        }
    }

    /// Reads a feed to its end, whatever its face.
    static func outcome(of feed: JSONFeed<Row>, feeding: ((JSONFeed<Row>) -> Bool)? = nil) -> Outcome {
        var outcome = Outcome(accepted: [], rejected: [])
        while true {
            do throws(JSONError) {
                if let row = try feed.next() {
                    outcome.accepted.append(row)
                } else if feed.isFinished || feeding?(feed) != true {
                    break
                }
            } catch {
                outcome.errors.append(error)
            }
        }
        outcome.rejected = feed.rejectedRecords.map(\.range)
        outcome.reasons = feed.reasons
        return outcome
    }
}
