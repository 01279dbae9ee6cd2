// Where `SluiceJSONDecoder` differs from Foundation's `JSONDecoder`, and why: the whole list. Each has an example that is tested.

import Foundation
import SluiceCodable
import Testing

enum Disagreement: String, CaseIterable, CustomTestStringConvertible {
    /// Of several members of a dictionary that do not fit, Sluice reports the first of the text; Foundation the one that its hash
    /// table has first, which is another one from run to run.
    case dictionariesAreReadInOrder
    /// An integer written with an exponent or a fraction of zeros is read exactly up to the bounds of its type. From 2^53 on
    /// Foundation goes by way of `Decimal` and 64 bits: `1e20` is no `Int128` there, and `9007199254740993.5` is the integer below.
    case largeIntegersAreExact
    /// UTF-32 with the byte order mark `FF FE 00 00` is read. Foundation takes the mark for that of UTF-16, and refuses the text.
    case markOfUTF32IsKnown

    var testDescription: String { rawValue }

    func explains(_ item: DecodingCase, _ own: Outcome, _ other: Outcome) -> Bool {
        switch self {
        case .dictionariesAreReadInOrder: !own.isValue && !other.isValue && item.shape.hasDictionary
        case .largeIntegersAreExact: other != own && item.text.contains(/[0-9]{16}\.[0-9]|[0-9][eE]\+?(1[6-9]|[2-9][0-9])/)
        case .markOfUTF32IsKnown: item.bytes.starts(with: [0xFF, 0xFE, 0, 0])
        }
    }
}

extension Shape {
    /// Whether values of a dictionary are decoded one after another.
    var hasDictionary: Bool {
        switch self {
        case .dictionary: true
        case .scalar(let scalar): [.counts, .numbers, .integerKeys].contains(scalar)
        case .keyed(let fields): fields.contains { $0.shape.hasDictionary }
        case .unkeyed(let shapes): shapes.contains { $0.hasDictionary }
        case .array(let inner), .optional(let inner), .single(let inner): inner.hasDictionary
        case .fixed: false
        }
    }
}
