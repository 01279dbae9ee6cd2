import SluiceTestSupport
import Testing

@testable import SluiceCore

/// The cases of the JSON Schema Test Suite for formats, and for patterns where the verdict is that of a pattern alone.
@Suite(.enabled(if: Corpus.isPresent, "the corpus is not there"))
struct SchemaSuiteFormatTests {
    private func groups(_ name: String) throws -> [JSONValue] {
        let bytes = try Corpus.bytes("JSONSchemaTestSuite/tests/draft2020-12/\(name).json")
        return try #require(try JSONValue(json: bytes).array)
    }

    /// Calls the closure with each case of a file: its group's schema, its data, its verdict and its description.
    private func forEachCase(of name: String, _ body: (JSONValue, JSONValue, Bool, String) throws -> Void) throws {
        for group in try groups(name) {
            let schema = try #require(group["schema"])
            for test in try #require(group["tests"]?.array) {
                let description = "\(name): \(group["description"]?.string ?? ""): \(test["description"]?.string ?? "")"
                try body(schema, try #require(test["data"]), try #require(test["valid"]?.bool), description)
            }
        }
    }

    @Test(arguments: JSONTextFormat.allCases)
    func formatsAgreeWithTheSuite(_ format: JSONTextFormat) throws {
        var count = 0
        let files = [format.rawValue] + (format == .regex ? ["ecmascript-regex"] : [])
        for file in files {
            try forEachCase(of: "optional/format/\(file)") { schema, data, verdict, description in
                guard let text = data.string else { return }
                #expect(schema["format"]?.string == format.rawValue)
                #expect(format.accepts(text) == verdict, "\(description): \(text)")
                count += 1
            }
        }
        #expect(count > 0)
    }

    @Test(arguments: ["pattern", "optional/ecmascript-regex", "optional/non-bmp-regex"])
    func patternsAgreeWithTheSuite(_ file: String) throws {
        var count = 0
        try forEachCase(of: file) { schema, data, verdict, description in
            if let source = schema["pattern"]?.string, let text = data.string {
                #expect(try TextPattern(source).matches(text) == verdict, "\(description)")
                count += 1
            } else if let patterns = schema["patternProperties"]?.object, schema["additionalProperties"]?.bool == false,
                let object = data.object
            {
                let compiled = try patterns.keys.map { try TextPattern($0) }
                let fits = object.keys.allSatisfy { key in compiled.contains { $0.matches(key) } }
                #expect(fits == verdict, "\(description)")
                count += 1
            }
        }
        #expect(count > 0)
    }
}
