// A matcher that tries everything, for patterns made at random: what TextPattern is compared with.

import SluiceTestSupport

/// A pattern as a tree, which can be written as text and matched by backtracking.
indirect enum NaivePattern {
    /// A character or class: its text, and what it accepts.
    case set(String, (Unicode.Scalar) -> Bool)
    case sequence([NaivePattern])
    case alternatives([NaivePattern])
    case repeated(NaivePattern, Int, Int?, isLazy: Bool)
    /// `^`, `$`, `\b` and `\B`.
    case assertion(String)

    var source: String {
        switch self {
        case .set(let text, _): text
        case .sequence(let parts): parts.map(\.source).joined()
        case .alternatives(let parts): "(?:" + parts.map(\.source).joined(separator: "|") + ")"
        case .assertion(let text): text
        case .repeated(let part, let minimum, let maximum, let isLazy):
            "(" + part.source + ")" + NaivePattern.quantifier(minimum, maximum) + (isLazy ? "?" : "")
        }
    }

    private static func quantifier(_ minimum: Int, _ maximum: Int?) -> String {
        switch (minimum, maximum) {
        case (0, nil): "*"
        case (1, nil): "+"
        case (0, 1): "?"
        case (_, nil): "{\(minimum),}"
        case (let minimum, let maximum?): minimum == maximum ? "{\(minimum)}" : "{\(minimum),\(maximum)}"
        }
    }

    func matches(_ text: [Unicode.Scalar]) -> Bool {
        (0...text.count).contains { match(text, $0) { _ in true } }
    }

    /// Tries each way to match from an index on, and gives the end of each to the rest of the pattern.
    private func match(_ text: [Unicode.Scalar], _ index: Int, _ rest: (Int) -> Bool) -> Bool {
        switch self {
        case .set(_, let accepts): return index < text.count && accepts(text[index]) && rest(index + 1)
        case .sequence(let parts):
            guard let first = parts.first else { return rest(index) }
            return first.match(text, index) { NaivePattern.sequence(Array(parts.dropFirst())).match(text, $0, rest) }
        case .alternatives(let parts): return parts.contains { $0.match(text, index, rest) }
        case .assertion(let name):
            let isWordBefore = index > 0 && NaivePattern.isWord(text[index - 1])
            let isWordAfter = index < text.count && NaivePattern.isWord(text[index])
            switch name {
            case "^": return index == 0 && rest(index)
            case "$": return index == text.count && rest(index)
            case #"\b"#: return isWordBefore != isWordAfter && rest(index)
            default: return isWordBefore == isWordAfter && rest(index)
            }
        case .repeated(let part, let minimum, let maximum, _):
            if minimum == 0, rest(index) { return true }
            if maximum == 0 { return false }
            let remaining = NaivePattern.repeated(part, max(minimum - 1, 0), maximum.map { $0 - 1 }, isLazy: false)
            // A repetition that is not required must get on.
            return part.match(text, index) { (minimum > 0 || $0 > index) && remaining.match(text, $0, rest) }
        }
    }

    static func isWord(_ scalar: Unicode.Scalar) -> Bool {
        scalar == "_" || ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar) || ("0"..."9").contains(scalar)
    }

    // MARK: At random

    /// The characters of random texts; U+FFFD is what ill-formed bytes become.
    static let characters: [Unicode.Scalar] = [
        "a", "b", "c", "_", "0", " ", "\n", "é", "ß", "\u{2028}", "日", "本", "🐲", "\u{FFFD}",
    ]

    static func random(_ random: inout SplitMix64, depth: Int) -> NaivePattern {
        switch depth == 0 ? Int.random(in: 0..<5, using: &random) : Int.random(in: 0..<12, using: &random) {
        case 0..<4: return randomSet(&random)
        case 4: return .assertion(["^", "$", #"\b"#, #"\B"#].randomElement(using: &random)!)
        case 5..<8:
            return .sequence((0..<Int.random(in: 0...3, using: &random)).map { _ in Self.random(&random, depth: depth - 1) })
        case 8, 9:
            return .alternatives((0..<Int.random(in: 1...3, using: &random)).map { _ in Self.random(&random, depth: depth - 1) })
        default:
            let minimum = Int.random(in: 0...2, using: &random)
            let maximum = Bool.random(using: &random) ? nil : minimum + Int.random(in: 0...2, using: &random)
            return .repeated(Self.random(&random, depth: depth - 1), minimum, maximum, isLazy: Bool.random(using: &random))
        }
    }

    private static func randomSet(_ random: inout SplitMix64) -> NaivePattern {
        let one = characters.randomElement(using: &random)!
        let two = characters.randomElement(using: &random)!
        let (low, high) = (min(one, two), max(one, two))
        let isLineEnd: (Unicode.Scalar) -> Bool = { ["\n", "\r", "\u{2028}", "\u{2029}"].contains($0) }
        switch Int.random(in: 0..<10, using: &random) {
        case 0: return .set(".") { !isLineEnd($0) }
        case 1: return .set(#"\w"#, isWord)
        case 2: return .set(#"\W"#) { !isWord($0) }
        case 3: return .set(#"[^\d\s]"#) { !("0"..."9").contains($0) && $0 != " " && !isLineEnd($0) }
        case 4: return .set("[\(low)-\(high)]") { $0 >= low && $0 <= high }
        case 5: return .set("[^\(one)\(two)-]") { $0 != one && $0 != two && $0 != "-" }
        case 6: return .set(#"\p{L}"#) { $0.properties.isAlphabetic }
        case 7: return .set(#"\u{"# + String(one.value, radix: 16) + "}") { $0 == one }
        default: return .set(String(one)) { $0 == one }
        }
    }

    static func randomText(_ random: inout SplitMix64) -> [Unicode.Scalar] {
        (0..<Int.random(in: 0...7, using: &random)).map { _ in characters.randomElement(using: &random)! }
    }
}
