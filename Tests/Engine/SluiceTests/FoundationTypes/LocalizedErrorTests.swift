// Errors as Foundation shows them, and the hints of Foundation's types.

#if Macros
import Foundation
import Sluice
import Testing

@Suite struct LocalizedErrorTests {
    @JSONModel
    struct Visit {
        var at: Date
        var id: UUID?
        var bytes: Data?
    }

    @Test func localizedDescriptionIsTheSummary() {
        let error = #expect(throws: JSONError.self) { try Visit(json: #"{"at":1401234567}"#) }
        let text = """
            invalid value at at (line 1, column 7, byte 6): expected Date, found the number 1401234567; \
            mark the property @JSONDate(.unix) if the number counts seconds since 1970
            """
        #expect(error?.summary == text)
        #expect((error as (any Error)?)?.localizedDescription == text)
        #expect(error?.recoverySuggestion == error?.hint)
        #expect(JSONError.notWritable("a finite number", found: "nan").recoverySuggestion == nil)
    }

    @Test(arguments: [
        (#"{"at":"20.1.2014"}"#, "a date without @JSONDate looks like 2014-01-20T12:24:48Z; other forms need @JSONDate"),
        (
            #"{"at":"2014-01-20","id":"E621"}"#, "a UUID is a string such as \"E621E1F8-C36C-495A-93FC-0C247A3E6E5F\""
        ),
        (
            #"{"at":"2014-01-20","bytes":"é"}"#,
            "the string is not Base64; for the bytes of its text mark the property @JSONData(.utf8)"
        ),
    ])
    func typesOfFoundationHaveHints(_ json: String, _ hint: String) {
        let error = #expect(throws: JSONError.self) { try Visit(json: json) }
        #expect(error?.hint == hint)
    }
}
#endif
