// What NumberFormatting writes of a range of floats or of seeded doubles:
//     check floats START END              bit patterns, END not included; and the same with the other sign
//     check doubles SEED COUNT
// Each text must read back as the same bits, by `strtof` or `strtod` and by NumberParsing, and have the digits of Swift's `description`,
// which are the fewest and the closest.

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

// Memory for a text, the zero after it that C wants, and what NumberParsing may look at.
nonisolated(unsafe) let text = UnsafeMutablePointer<UInt8>.allocate(capacity: 2 * NumberFormatting.maximumLength)
nonisolated(unsafe) let other = UnsafeMutablePointer<UInt8>.allocate(capacity: NumberFormatting.maximumLength)

/// The digits without point, exponent and the zeros at both ends.
struct Digits: Equatable {
    private var bits: UInt64 = 0
    private var zeros: UInt64 = 0
    private var hasExponent = false

    mutating func take(_ byte: UInt8) {
        if byte == UInt8(ascii: "e") { hasExponent = true }
        guard !hasExponent, byte >= UInt8(ascii: "0") else { return }
        if byte == UInt8(ascii: "0") {
            zeros += bits == 0 ? 0 : 1
            return
        }
        while zeros > 0 {
            bits &*= 10
            zeros -= 1
        }
        bits = bits &* 10 &+ UInt64(byte - UInt8(ascii: "0"))
    }

    static func == (left: Digits, right: Digits) -> Bool { left.bits == right.bits }
}

func fail(_ what: String, _ description: String, _ bits: UInt64) -> Never {
    print("\(description) (bits \(String(bits, radix: 16))) is written as \(unsafe String(cString: text)): \(what)")
    exit(1)
}

/// Whether the text has the digits of a description.
func hasDigits(of description: String, _ count: Int) -> Bool {
    var written = Digits()
    var expected = Digits()
    for index in 0..<count { unsafe written.take(text[index]) }
    for byte in description.utf8 { expected.take(byte) }
    return written == expected
}

func check(_ value: Float) {
    let count = unsafe NumberFormatting.write(value, to: text)
    unsafe text[count] = 0
    let isBack = unsafe text.withMemoryRebound(to: CChar.self, capacity: count + 1) {
        unsafe strtof($0, nil).bitPattern == value.bitPattern
    }
    let description = value.description
    if !isBack { fail("strtof reads another number", description, UInt64(value.bitPattern)) }
    let read = unsafe NumberParsing.float(text, count)
    if read?.bitPattern != value.bitPattern { fail("NumberParsing reads another number", description, UInt64(value.bitPattern)) }
    if !hasDigits(of: description, count) { fail("other digits", description, UInt64(value.bitPattern)) }
    // The other sign: a minus before the same text.
    let otherCount = unsafe NumberFormatting.write(-value, to: other)
    let isNegated = unsafe otherCount == count + 1 && other[0] == UInt8(ascii: "-") && memcmp(other + 1, text, count) == 0
    if !isNegated { fail("the negative has another text", description, UInt64(value.bitPattern)) }
}

func check(_ value: Double) {
    let count = unsafe NumberFormatting.write(value, to: text)
    unsafe text[count] = 0
    let isBack = unsafe text.withMemoryRebound(to: CChar.self, capacity: count + 1) {
        unsafe strtod($0, nil).bitPattern == value.bitPattern
    }
    let description = value.description
    if !isBack { fail("strtod reads another number", description, value.bitPattern) }
    let read = unsafe NumberParsing.double(text, count)
    if read?.bitPattern != value.bitPattern { fail("NumberParsing reads another number", description, value.bitPattern) }
    if !hasDigits(of: description, count) { fail("other digits", description, value.bitPattern) }
}

/// Sebastiano Vigna's SplitMix64.
struct SplitMix64 {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var bits = state
        bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
        return bits ^ (bits >> 31)
    }
}

let arguments = CommandLine.arguments
guard arguments.count == 4, let first = UInt64(arguments[2]), let second = UInt64(arguments[3]) else {
    print("usage: check floats START END | check doubles SEED COUNT")
    exit(2)
}
var checked = 0
if arguments[1] == "floats" {
    for bits in first..<second where Float(bitPattern: UInt32(bits)).isFinite {
        check(Float(bitPattern: UInt32(bits)))
        checked += 2
    }
} else {
    var random = SplitMix64(state: first)
    for index in 0..<second {
        let bits = random.next()
        // All bit patterns; what measurements are like; few decimals; a coordinate with noise in its last digits.
        let value =
            switch index % 4 {
            case 0: Double(bitPattern: bits)
            case 1: Double(bits >> 11) * 0x1p-53
            case 2: Double(bits >> 34) / 1000
            default: Double(Int64(bitPattern: bits) >> 20) * 1e-10
            }
        guard value.isFinite else { continue }
        check(value)
        checked += 1
    }
}
print("\(checked) \(arguments[1]) read back and have the fewest digits")
