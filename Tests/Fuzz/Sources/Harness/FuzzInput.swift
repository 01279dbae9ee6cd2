// What libFuzzer's bytes mean: eight that turn knobs (options, models, sizes of chunks), then text. A quarter of the inputs has
// text made by the target's grammar; the others are libFuzzer's own changes of what it has.

import CFuzz
import SluiceTestSupport

/// Numbers that say which of several things an input asks for: the same for the same input.
struct Knobs {
    static let size = 8

    /// Chooses among a few things, so that changes of the other knobs keep the choice.
    let choice: UInt8
    /// Chooses everything else.
    let seed: UInt64

    init(_ bytes: some Collection<UInt8>) {
        seed = bytes.prefix(Knobs.size).reversed().reduce(0) { $0 << 8 | UInt64($1) }
        choice = bytes.first ?? 0
    }

    /// Random numbers for options and the like.
    var random: SplitMix64 { SplitMix64(seed: seed) }

    /// One of several things, by the first byte.
    func pick<Value>(_ values: [Value]) -> Value { values[Int(choice) % values.count] }
}

struct FuzzInput {
    let knobs: Knobs
    /// Ends where libFuzzer's memory ends, so that a read after it is seen.
    let text: UnsafeRawBufferPointer

    init(_ data: UnsafeRawBufferPointer) {
        knobs = Knobs(data)
        text = UnsafeRawBufferPointer(rebasing: data[min(Knobs.size, data.count)...])
    }

    /// The text as an array.
    var bytes: [UInt8] { Array(text) }

    /// An input with text by the target's grammar, now and then damaged.
    static func random(_ random: inout SplitMix64, knobs: [UInt8]? = nil) -> [UInt8] {
        let own = knobs ?? (0..<Knobs.size).map { _ in UInt8(truncatingIfNeeded: random.next()) }
        var text = FuzzCommand.target.text(Knobs(own), &random)
        if random.below(4) == 0 { text = random.damaged(text) }
        return own + text
    }
}

/// Called by libFuzzer for each new input.
@_cdecl("LLVMFuzzerCustomMutator")
func mutate(_ data: UnsafeMutablePointer<UInt8>, _ count: Int, _ maximum: Int, _ seed: UInt32) -> Int {
    var random = SplitMix64(seed: UInt64(seed))
    guard random.below(4) == 0, maximum > Knobs.size else { return LLVMFuzzerMutate(data, count, maximum) }
    let old = UnsafeBufferPointer(start: data, count: count)
    let knobs = count >= Knobs.size && random.below(2) == 0 ? Array(old.prefix(Knobs.size)) : nil
    let made = FuzzInput.random(&random, knobs: knobs).prefix(maximum)
    _ = UnsafeMutableBufferPointer(start: data, count: maximum).update(fromContentsOf: made)
    return made.count
}
