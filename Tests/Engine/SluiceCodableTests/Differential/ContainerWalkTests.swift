// What types may do with containers, at random: nested ones, those of superclasses, single values, errors that are caught, containers used
// late. The texts and the values are Foundation's; a text is always JSON. 50 times 20,000 walks with SLUICE_DAMAGE=full;
// `SLUICE_TESTS=SluiceCodableTests Scripts/net asan ASAN_TESTS=ContainerWalkTests` does them under AddressSanitizer, in more than ten minutes of
// processor time.

import Foundation
import SluiceCore
import SluiceTestSupport
import Testing

@testable import SluiceCodable

@Suite(.serialized) struct ContainerWalkTests {
    private static let isFull = ProcessInfo.processInfo.environment["SLUICE_DAMAGE"] == "full"
    private static let rounds = isFull ? 20_000 : 2000

    /// Walks in which Foundation traps at a second value in one place, and ours writes JSON: nothing can be compared.
    private static let traps: Set<UInt64> = [154_618_827_508]

    @Test(arguments: isFull ? 0..<50 : 0..<1) func walksThroughEncodersGiveFoundationsText(_ part: Int) {
        var (same, errors, refused) = (0, 0, 0)
        for round in 0..<Self.rounds {
            let seed = UInt64(part) << 32 | UInt64(round)
            let options = EncoderOptions(walk: seed)
            let own = text(SluiceJSONEncoder(), seed, options)
            if case .value(let text) = own.outcome { checkJSON(text, seed) }
            if own.hasFailed {
                // Foundation may trap.
                refused += 1
                #expect(!own.outcome.isValue, "walk \(seed)")
                continue
            }
            if Self.traps.contains(seed) { continue }
            let other = text(JSONEncoder(), seed, options)
            if own.outcome.isValue { same += 1 } else { errors += 1 }
            if own.outcome != other.outcome {
                Issue.record("walk \(seed)\nours:  \(own.outcome)\nother: \(other.outcome)")
                return
            }
        }
        print("encoder walks: \(same) texts, \(errors) errors, \(refused) refused")
        #expect(same > Self.rounds / 2)
    }

    private func text(
        _ encoder: JSONEncoder, _ seed: UInt64, _ options: EncoderOptions
    ) -> (outcome: Outcome, hasFailed: Bool) {
        let walk = EncoderWalk(seed: 79 << 48 | seed)
        options.apply(to: encoder)
        let outcome: Outcome
        do {
            outcome = .value(String(decoding: try encoder.encode([Walker(walk: walk)]), as: UTF8.self))
        } catch {
            outcome = .other("error")
        }
        // The document is complete: whatever is done now, it must be harmless.
        for call in walk.late { call() }
        for encoder in walk.kept where encoder is FragmentEncoder {
            var container = encoder.container(keyedBy: AnyKey.self)
            try? container.encode(1, forKey: AnyKey(stringValue: "late"))
        }
        walk.late = []
        return (outcome, walk.hasFailed)
    }

    private func checkJSON(_ text: String, _ seed: UInt64) {
        do {
            _ = try JSONValue(json: text, options: .init(duplicateKeys: .errorEverywhere))
        } catch {
            Issue.record("walk \(seed): \(error)\n\(text)")
        }
    }

    @Test(arguments: isFull ? 0..<50 : 0..<1) func walksThroughDecodersGiveFoundationsValues(_ part: Int) {
        var steps = 0
        let (decoder, foundation) = (SluiceJSONDecoder(), JSONDecoder())
        for round in 0..<Self.rounds {
            let seed = UInt64(part) << 32 | UInt64(round)
            var random = WalkText(random: SplitMix64(seed: 80 << 48 | seed))
            let text = random.document() + " "
            let own = notes(decoder, seed, text)
            let other = notes(foundation, seed, text)
            steps += own.count
            if own != other {
                let index = zip(own, other).enumerated().first { $1.0 != $1.1 }?.offset ?? min(own.count, other.count)
                Issue.record(
                    """
                    walk \(seed), step \(index)\n\(text)
                    ours:  \(own.dropFirst(max(0, index - 3)).prefix(5))
                    other: \(other.dropFirst(max(0, index - 3)).prefix(5))
                    """)
                return
            }
        }
        print("decoder walks: \(steps) steps")
        #expect(steps > 3 * Self.rounds)
    }

    private func notes(_ decoder: JSONDecoder, _ seed: UInt64, _ text: String) -> [String] {
        let walk = DecoderWalk(seed: 81 << 48 | seed)
        decoder.userInfo[DecoderWalk.key] = walk
        // Foundation does not copy the text for what is kept if the document fails, so no error leaves the top.
        walk.note("document") { try decoder.decode(Caught.self, from: Data(text.utf8)).isDone }
        _ = try? decoder.decode([Int].self, from: Data("[1,2,3]".utf8))
        for call in walk.late.prefix(8) { walk.call(call) }
        walk.late = []
        decoder.userInfo = [:]
        return walk.notes
    }

    private struct Caught: Decodable {
        let isDone: Bool

        init(from decoder: any Decoder) throws {
            isDone = (try? WalkingValue(from: decoder)) != nil
        }
    }
}

extension EncoderOptions {
    /// The options of a walk: sorted keys, and sometimes a key strategy or the pretty form.
    init(walk seed: UInt64) {
        var random = SplitMix64(seed: 82 << 48 | seed)
        self.init(&random)
        formatting.insert(.sortedKeys)
        (dates, data, floats) = (0, 0, 0)
        if keys == 2 { keys = 0 }
    }
}
