// A snapshot of a decoder's options at the start of a document.

internal import Foundation
internal import SluiceCore
internal import Synchronization

/// The options of a decoder, as they were when a document began.
final class DecodingOptions: @unchecked Sendable {
    let keys: JSONDecoder.KeyDecodingStrategy
    let dates: JSONDecoder.DateDecodingStrategy
    let data: JSONDecoder.DataDecodingStrategy
    let floats: JSONDecoder.NonConformingFloatDecodingStrategy
    let userInfo: [CodingUserInfoKey: any Sendable]
    let allowsJSON5: Bool
    let assumesTopLevelDictionary: Bool
    /// Whether keys are used as they are written: no key strategy is set.
    let hasDefaultKeys: Bool
    /// Whether errors must not show the text of documents.
    let hidesText: Bool
    /// The options for reading models through their tables; nil if an option is set that tables do not support.
    let models: JSONReader.Options?

    /// No other options have this number.
    let number = DecodingOptions.numbers.wrappingAdd(1, ordering: .relaxed).newValue
    private static let numbers = Atomic<Int>(0)

    /// Foundation's defaults; the options of a kept decoder between two documents.
    static let standard = DecodingOptions(JSONDecoder())

    init(_ decoder: JSONDecoder) {
        keys = decoder.keyDecodingStrategy
        dates = decoder.dateDecodingStrategy
        data = decoder.dataDecodingStrategy
        floats = decoder.nonConformingFloatDecodingStrategy
        userInfo = decoder.userInfo
        allowsJSON5 = decoder.allowsJSON5
        assumesTopLevelDictionary = decoder.assumesTopLevelDictionary
        hasDefaultKeys = if case .useDefaultKeys = keys { true } else { false }
        hidesText = (decoder as? SluiceJSONDecoder)?.hidesText == true
        var reading = JSONReader.Options.strict
        reading.duplicateKeys = .first
        // Without its braces, a document's text is not that of a model.
        var isPlain = hasDefaultKeys && !assumesTopLevelDictionary
        switch dates {
        case .deferredToDate: break
        case .iso8601: reading.dates = .iso8601
        case .secondsSince1970: reading.dates = .unix
        case .millisecondsSince1970: reading.dates = .milliseconds
        default: isPlain = false
        }
        if case .base64 = data {} else { isPlain = false }
        if case .throw = floats {} else { isPlain = false }
        models = isPlain ? reading : nil
    }
}
