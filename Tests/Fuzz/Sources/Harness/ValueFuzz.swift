// Any JSON: whole, in chunks, and by yajl alone; what is accepted is exactly RFC 8259.

import CYajl
import SluiceCore
import SluiceTestSupport

enum ValueFuzz: FuzzTarget {
    static let name = "value"

    static func text(_ knobs: Knobs, _ random: inout SplitMix64) -> [UInt8] {
        Array(SampleJSON.random(&random, depth: 1 + random.below(5)).text(&random).utf8)
    }

    static func check(_ input: FuzzInput) {
        var random = input.knobs.random
        var options = JSONReader.Options.random(&random)
        let value = input.readEveryWay(JSONValue.self, options, &random)
        let raw = input.readEveryWay(RawJSON.self, options, &random)
        let isAnyTypeSame = input.readEveryWay([JSONValue?].self, options, &random)
        let grammar = PlainGrammar(input.text)
        let isJSON = grammar.isJSON && grammar.depth <= options.maximumDepth
        let isRefused = options.duplicateKeys == .error && grammar.repeatsKey
        promise(
            (value.value != nil) == (isJSON && !isRefused),
            "RFC 8259 says \(grammar.isJSON), depth \(grammar.depth); as a value: \(value.words)\n    \(options)")
        promise(raw.value == nil || isJSON, "raw JSON that is not JSON: \(raw.words)\n    \(options)")
        promise(isAnyTypeSame.value == nil || isJSON, "an array in text that is not JSON: \(isAnyTypeSame.words)")
        if grammar.isJSON { promise(isAccepted(byYajl: input.text), "yajl alone refuses what RFC 8259 accepts") }
        options.validation = .full
        if let raw = raw.value, let value = value.value { checkRaw(raw, value, options) }
        if let value = value.value { checkWriting(value, options) }
    }

    /// Raw JSON is the same value, by the same rule for repeated keys.
    private static func checkRaw(_ raw: RawJSON, _ value: JSONValue, _ options: JSONReader.Options) {
        var reader = JSONReader(options: JSONReader.Options(duplicateKeys: options.duplicateKeys))
        let again = try? reader.read(JSONValue.self, from: raw.text)
        promise(again == value, "raw JSON gives \(String(describing: again)), not \(value)")
    }

    /// What is written reads back, and its layout says the same.
    private static func checkWriting(_ value: JSONValue, _ options: JSONReader.Options) {
        do throws(JSONError) {
            let compact = try value.jsonBytes()
            promise(try JSONValue(json: compact) == value, "written as \(String(decoding: compact, as: UTF8.self))")
            promise(try JSONValue(json: value.jsonBytes(options: .pretty)) == value, "not the same when laid out")
        } catch {
            finding("a value that was read cannot be written and read: \(error)")
        }
    }

    /// Whether yajl without any of our code takes the text for one JSON value.
    private static func isAccepted(byYajl text: UnsafeRawBufferPointer) -> Bool {
        guard let parser = yajl_alloc(nil, nil, nil) else { return false }
        defer { yajl_free(parser) }
        // yajl knows no byte order mark.
        let bytes = Array(text.starts(with: [0xEF, 0xBB, 0xBF]) ? text[3...] : text[...])
        let status = bytes.withUnsafeBufferPointer { yajl_parse(parser, $0.baseAddress, $0.count) }
        return status == yajl_status_ok && yajl_complete_parse(parser) == yajl_status_ok
    }
}
