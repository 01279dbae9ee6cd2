// Where `SluiceJSONDecoder` and `SluiceJSONEncoder` differ from Foundation's, and why: the whole list. Each has an example in
// `DisagreementTests.swift`.

import Foundation
import SluiceCodable
import Testing

enum Disagreement: String, CaseIterable, CustomTestStringConvertible {
    /// Of several members of a dictionary that do not fit, Sluice reports the first of the text; Foundation the one that its hash
    /// table has first, which is another one from run to run. Of several that cannot be encoded, each reports the first it meets.
    case dictionariesAreReadInOrder
    /// An integer written with an exponent or a fraction of zeros is read exactly up to the bounds of its type. From 2^53 on
    /// Foundation goes by way of `Decimal` and 64 bits: `1e20` is no `Int128` there, and `9007199254740993.5` is the integer below.
    case largeIntegersAreExact
    /// UTF-32 with the byte order mark `FF FE 00 00` is read. Foundation takes the mark for that of UTF-16, and refuses the text.
    case markOfUTF32IsKnown

    // What only types do that the random ones do not do, or what options rule out in the comparison:

    /// Members are written in the order in which they are encoded. Foundation's order is that of a hash table, another one from run to
    /// run, unless keys are sorted.
    case membersStandInTheOrderInWhichTheyAreEncoded
    /// `Decimal.nan` is an error. Foundation writes `NaN`, which is not JSON.
    case aDecimalThatIsNoNumberIsRefused
    /// A container that is used when its value is complete throws; Foundation takes what is written then, and loses it. A container that
    /// is used while a value inside is encoding itself throws, too, and the document fails. A nested container and the encoder of a
    /// superclass may be used at any time until the value around them is complete.
    case aContainerWhoseValueIsCompleteIsRefused
    /// A second value in one place is an error, even if it is caught. Foundation traps.
    case aSecondValueInOnePlaceIsAnError
    /// What a value has encoded before it failed is dropped. Foundation hands its encoder to the next value, with what is left in it.
    case whatAFailedValueLeavesIsDropped
    /// With a key strategy, the coding paths inside a dictionary that is encoded have the key of the dictionary itself. Foundation's do not.
    case pathsInsideADictionaryAreWhole
    /// The error for a number that its type cannot represent says so. Foundation says that the data was not valid JSON.
    case aNumberOutOfRangeIsCalledSo
    /// The encoder of a superclass has its place from when it is asked for. Foundation writes its value when the encoder is released.
    case theEncoderOfASuperclassHasItsPlaceAtOnce
    /// The coding path of a container that is used when its value has been decoded is found in the text, and has its keys: their Unicode
    /// spelling, and no integers. Foundation's has the keys that the types passed.
    case aLatePathHasTheKeysOfTheText

    var testDescription: String { rawValue }

    func explains(_ item: DecodingCase, _ own: Outcome, _ other: Outcome) -> Bool {
        switch self {
        case .dictionariesAreReadInOrder: !own.isValue && !other.isValue && item.shape.hasDictionary
        case .largeIntegersAreExact: other != own && item.text.contains(/[0-9]{16}\.[0-9]|[0-9][eE]\+?(1[6-9]|[2-9][0-9])/)
        case .markOfUTF32IsKnown: item.bytes.starts(with: [0xFF, 0xFE, 0, 0])
        case .membersStandInTheOrderInWhichTheyAreEncoded, .aDecimalThatIsNoNumberIsRefused,
            .aContainerWhoseValueIsCompleteIsRefused, .aSecondValueInOnePlaceIsAnError, .whatAFailedValueLeavesIsDropped,
            .theEncoderOfASuperclassHasItsPlaceAtOnce, .pathsInsideADictionaryAreWhole, .aNumberOutOfRangeIsCalledSo,
            .aLatePathHasTheKeysOfTheText:
            false
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
