// What the article "Conversions and policies" shows, compiled and run.

#if Macros
import Foundation
import Sluice
import Testing

// swift-format-ignore
@JSONModel
struct Review {
    var pages = 0                            // 474, "474", " 474 "
    @JSONConvert(.strict) var count = 0      // 3, never "3"
    @JSONConvert(.truncating) var stars = 0  // 4.7 is 4
    @JSONJoin(", ") var authors = ""         // ["a", "b"] is "a, b"
    @JSONDate(.unix) var published: Date?    // 1390220688, both ways
    // "20/01/2014"; also .milliseconds, .rfc1123 and others
    @JSONDate(.format("dd/MM/yyyy")) var printed: Date?
    @JSONData(.utf8) var body: Data?         // the bytes, not Base64
}

// swift-format-ignore
@JSONModel
struct Sheet {
    var cells: [Int] = []                                  // [1, "x", 2] is an error, and [1, 2] with `.tolerant`
    @JSONElements(.skipNull) var marks: [Int] = []         // [1, null, 2] is [1, 2]
    @JSONElements(.strict) var ids: [Int] = []             // an error, whatever the options say
    @JSONMismatch(.nil) var width: Int?                    // {} is nil
    @JSONNull(.empty) var title = "untitled"               // null is ""
}

@Suite struct ConversionsArticleTests {
    @Test func valuesConvertAsTheArticleSays() throws {
        let lenient = try Review(json: #"{"pages": "474", "stars": 4.7}"#)
        // nil, because "474" is no number:
        let strict = try? Review(json: #"{"pages": "474"}"#, options: .strict)
        // 474, as far as it is a number:
        let loose = try Review(
            json: #"{"pages": "474 or so"}"#, options: .yyModel)

        #expect(lenient.pages == 474)
        #expect(lenient.stars == 4)
        #expect(strict == nil)
        #expect(loose.pages == 474)
        #expect(throws: JSONError.self) { try Review(json: #"{"count": "3"}"#) }
        let text = #"{"pages":1,"count":3,"stars":4,"authors":"a","published":1390220688,"printed":"20/01/2014","body":"b"}"#
        #expect(try Review(json: text).jsonString() == text)
        #expect(try Review(json: #"{"authors": ["Simon", "Garfunkel"]}"#).authors == "Simon, Garfunkel")
    }

    @Test func whatDoesNotFitIsLeftOutAndCounted() throws {
        var printed = ""
        func print(_ items: Any...) { printed = items.map { "\($0)" }.joined(separator: " ") }

        let text = #"{"cells": [1, "x", 2], "width": {}, "title": null}"#
        let (sheet, report) = try Sheet.reading(json: text, options: .tolerant)
        print(sheet.cells, report.droppedCount, report.issues.map(\.path))

        #expect(try Article("ConversionsAndPolicies").blocks("text").contains(printed))
        #expect(sheet.width == nil)
        #expect(sheet.title == "")
        #expect(try Sheet(json: #"{"marks": [1, null, 2]}"#).marks == [1, 2])
        #expect(throws: JSONError.self) { try Sheet(json: #"{"ids": [1, "x"]}"#, options: .tolerant) }
        #expect(throws: JSONError.self) { try Sheet(json: text) }
        #expect(throws: JSONError.self) { try Sheet(json: text, options: .strict) }
    }
}
#endif
