// What must hold of every document of the corpus, whatever its model.

#if Macros
import Foundation
import Sluice
import Testing

@testable import SluiceTestSupport

/// Reads a corpus file into its model in every way, writes it, and compares both with Foundation.
func checkCorpusDocument<Model: JSONBindable & Equatable & Codable>(
    _ name: String, as type: Model.Type, decoder: JSONDecoder = JSONDecoder(),
    comparingText: Bool = true, sourceLocation: SourceLocation = #_sourceLocation
) throws -> Model {
    let bytes = try Corpus.bytes(name)

    let reading = readEveryWay(type, bytes)
    #expect(reading.disagreements == [], sourceLocation: sourceLocation)
    let model = try Model(json: bytes)
    #expect(reading.outcome == .value(model), sourceLocation: sourceLocation)

    let foundation = try decoder.decode(type, from: Data(bytes))
    #expect(model == foundation, "Foundation decodes another value", sourceLocation: sourceLocation)

    let options: [JSONWriter.Options] = [
        .init(), .pretty, .sortedKeys, .init(nils: .null), .init(nils: .null, sortedKeys: true, isPretty: true),
    ]
    for option in options {
        let written = try model.jsonBytes(options: option)
        let again = try Model(json: written)
        #expect(again == model, "written with \(option)", sourceLocation: sourceLocation)
        guard comparingText else { continue }
        let original = try PlainJSON(foundation: bytes).withoutNulls
        let plain = try PlainJSON(foundation: written).withoutNulls
        #expect(plain == original, "written with \(option)", sourceLocation: sourceLocation)
    }
    return model
}

/// A formatter of Twitter's dates, as in `Sun Aug 31 00:29:15 +0000 2014`.
func twitterDateFormatter() -> DateFormatter {
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.dateFormat = "EEE MMM dd HH:mm:ss Z yyyy"
    return formatter
}
#endif
