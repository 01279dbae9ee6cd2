// A snapshot of an encoder's options at the start of a document.

internal import Foundation
internal import SluiceCore

/// The options of an encoder, as they were when a document began.
final class EncodingOptions: @unchecked Sendable {
    let formatting: JSONEncoder.OutputFormatting
    let keys: JSONEncoder.KeyEncodingStrategy
    let dates: JSONEncoder.DateEncodingStrategy
    let data: JSONEncoder.DataEncodingStrategy
    let floats: JSONEncoder.NonConformingFloatEncodingStrategy
    let userInfo: [CodingUserInfoKey: any Sendable]
    /// Whether keys are written as types declare them: no key strategy is set.
    let hasDefaultKeys: Bool
    /// Whether models are written through their tables; false if an option is set that tables do not support.
    let writesModels: Bool
    /// The options for the writer of the text.
    let writing: JSONWriter.Options

    /// The most levels of containers that a document may have; the same limit as Foundation's.
    static let greatestDepth = 511

    /// The error for a document with more levels.
    static var tooDeep: JSONError { JSONError(.depthLimit, expected: "at most \(greatestDepth) levels", found: "more") }

    /// Foundation's defaults; the options of a kept encoder between two documents.
    static let standard = EncodingOptions(JSONEncoder())

    init(_ encoder: JSONEncoder) {
        formatting = encoder.outputFormatting
        keys = encoder.keyEncodingStrategy
        dates = encoder.dateEncodingStrategy
        data = encoder.dataEncodingStrategy
        floats = encoder.nonConformingFloatEncodingStrategy
        userInfo = encoder.userInfo
        hasDefaultKeys = if case .useDefaultKeys = keys { true } else { false }
        var writing = JSONWriter.Options(
            sortedKeys: formatting.contains(.sortedKeys), maximumDepth: EncodingOptions.greatestDepth)
        writing.escapesSlashes = !formatting.contains(.withoutEscapingSlashes)
        var isPlain = hasDefaultKeys
        switch dates {
        case .deferredToDate, .iso8601: break
        case .secondsSince1970: writing.dates = .unix
        case .millisecondsSince1970: writing.dates = .milliseconds
        default: isPlain = false
        }
        if case .base64 = data {} else { isPlain = false }
        if case .throw = floats {} else { isPlain = false }
        writesModels = isPlain
        self.writing = writing
    }
}
