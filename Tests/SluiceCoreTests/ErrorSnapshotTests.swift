// What a user reads, in full, for each mistake that is common: the input, what it is read as, and the error's whole text. Each is
// read whole, in chunks and cut at every byte, with the same result.

import SluiceTestSupport
import Testing

@testable import SluiceCore

/// An input and the text of its error.
struct ErrorSnapshot: CustomTestStringConvertible, Sendable {
    let name: String
    let bytes: [UInt8]
    let text: String
    /// The error's text, and the ways of reading that gave another error.
    let read: @Sendable () -> (text: String?, disagreements: [String])

    var testDescription: String { name }

    init<Value: JSONBindable & Equatable>(
        _ name: String, _ type: Value.Type, _ json: String, _ text: String, options: JSONReader.Options = .init()
    ) {
        self.init(name, type, bytes: Array(json.utf8), text, options: options)
    }

    init<Value: JSONBindable & Equatable>(
        _ name: String, _ type: Value.Type, bytes: [UInt8], _ text: String, options: JSONReader.Options = .init()
    ) {
        self.name = name
        self.bytes = bytes
        self.text = text
        read = {
            let reading = readings(of: type, bytes, options: options)
            return (reading.error?.description, reading.disagreements)
        }
    }
}

@Suite struct ErrorSnapshotTests {
    @Test(arguments: syntaxSnapshots + wordSnapshots + foreignSnapshots)
    func textThatIsNotJSONIsNamed(_ snapshot: ErrorSnapshot) { expect(snapshot) }

    @Test(arguments: endSnapshots + unicodeSnapshots)
    func endsAndBytesHaveTheirPlace(_ snapshot: ErrorSnapshot) { expect(snapshot) }

    @Test(arguments: valueSnapshots + keySnapshots)
    func valuesSayWhatTheirTypeTakes(_ snapshot: ErrorSnapshot) { expect(snapshot) }

    private func expect(_ snapshot: ErrorSnapshot) {
        let (text, disagreements) = snapshot.read()
        #expect(text == snapshot.text, "\(snapshot.name)")
        #expect(disagreements == [], "\(snapshot.name)")
    }
}

// MARK: - Structure

private let syntaxSnapshots: [ErrorSnapshot] = [
    ErrorSnapshot(
        "trailing comma in an array", JSONValue.self, "[1, 2,]",
        """
        invalid JSON at [2] (line 1, column 7, byte 6): expected a value, found ']' behind a trailing comma; \
        remove the comma before ']'
        [1, 2,]
              ^
        """),
    ErrorSnapshot(
        "trailing comma in an object", JSONValue.self, "{\"a\":1,}",
        """
        invalid JSON (line 1, column 8, byte 7): expected a key, found '}' behind a trailing comma; \
        remove the comma before '}'
        {"a":1,}
               ^
        """),
    ErrorSnapshot(
        "trailing comma on a line of its own", [Int].self, "[\n  1,\n  2,\n]",
        """
        invalid JSON at [2] (line 4, column 1, byte 12): expected a value, found ']' behind a trailing comma; \
        remove the comma before ']'
        ]
        ^
        """),
    ErrorSnapshot(
        "second comma", JSONValue.self, "[1,,2]",
        """
        invalid JSON at [1] (line 1, column 4, byte 3): expected a value, found a second comma; remove one of the two commas
        [1,,2]
           ^
        """),
    ErrorSnapshot(
        "second comma in an object", JSONValue.self, "{\"a\":1,,\"b\":2}",
        """
        invalid JSON (line 1, column 8, byte 7): expected a key, found a second comma; remove one of the two commas
        {"a":1,,"b":2}
               ^
        """),
    ErrorSnapshot(
        "leading comma", JSONValue.self, "[,1]",
        """
        invalid JSON at [0] (line 1, column 2, byte 1): expected a value or ']', found ','; \
        no comma stands before the first element
        [,1]
         ^
        """),
    ErrorSnapshot(
        "missing comma between elements", [Int].self, "[1 2]",
        """
        invalid JSON at [1] (line 1, column 4, byte 3): expected ',' or ']', found a number; a comma is missing before it
        [1 2]
           ^
        """),
    ErrorSnapshot(
        "missing comma between members", Resident.self, "{\"name\": \"Emma\"\n \"age\": 21}",
        """
        invalid JSON at name (line 2, column 2, byte 17): expected ',' or '}', found a string; a comma is missing before it
         "age": 21}
         ^
        """),
    ErrorSnapshot(
        "missing colon", Resident.self, "{\"name\" \"Emma\"}",
        """
        invalid JSON at name (line 1, column 9, byte 8): expected ':', found a string; a colon is missing before it
        {"name" "Emma"}
                ^
        """),
    ErrorSnapshot(
        "an equals sign instead of the colon", Resident.self, "{\"name\" = \"Emma\"}",
        """
        invalid JSON at name (line 1, column 9, byte 8): expected ':', found '='; a colon stands between key and value
        {"name" = "Emma"}
                ^
        """),
    ErrorSnapshot(
        "key without a value", Resident.self, "{\"name\":}",
        """
        invalid JSON at name (line 1, column 9, byte 8): expected a value, found '}'; each key of an object has a value
        {"name":}
                ^
        """),
    ErrorSnapshot(
        "key alone", Resident.self, "{\"name\"}",
        """
        invalid JSON at name (line 1, column 8, byte 7): expected ':', found '}' behind a key; \
        each key of an object has a value
        {"name"}
               ^
        """),
    ErrorSnapshot(
        "key without quotes", Resident.self, "{name: \"Emma\"}",
        """
        invalid JSON (line 1, column 2, byte 1): expected a key or '}', found the key name without quotes; \
        keys stand in double quotes: "name"
        {name: "Emma"}
         ^
        """),
    ErrorSnapshot(
        "number as a key", JSONValue.self, "{1: 2}",
        """
        invalid JSON (line 1, column 2, byte 1): expected a key or '}', found the key 1 without quotes; \
        keys stand in double quotes: "1"
        {1: 2}
         ^
        """),
    ErrorSnapshot(
        "keys in an array", JSONValue.self, "[\"a\": 1]",
        """
        invalid JSON at [1] (line 1, column 5, byte 4): expected ',' or ']', found ':'; keys stand in an object: { } instead of [ ]
        ["a": 1]
            ^
        """),
    ErrorSnapshot(
        "array closed by a brace", [Int].self, "[1, 2}",
        """
        invalid JSON at [2] (line 1, column 6, byte 5): expected ',' or ']', found '}'; the array that is open is closed by ']'
        [1, 2}
             ^
        """),
    ErrorSnapshot(
        "object closed by a bracket", JSONValue.self, "{\"a\": 1]",
        """
        invalid JSON (line 1, column 8, byte 7): expected ',' or '}', found ']'; the object that is open is closed by '}'
        {"a": 1]
               ^
        """),
    ErrorSnapshot(
        "semicolons", [Int].self, "[1; 2]",
        """
        invalid JSON at [1] (line 1, column 3, byte 2): expected ',' or ']', found ';'; values are separated by commas
        [1; 2]
          ^
        """),
    ErrorSnapshot(
        "quotes inside a string", JSONValue.self, #"{"a": "say "hi" now"}"#,
        """
        invalid JSON (line 1, column 13, byte 12): expected ',' or '}', found the word "hi"; \
        a quote inside a string is written \\"
        {"a": "say "hi" now"}
                    ^
        """),
    ErrorSnapshot(
        "bracket that nothing opened", JSONValue.self, "]",
        """
        invalid JSON (line 1, column 1, byte 0): expected a value, found ']'; no bracket is open
        ]
        ^
        """),
    ErrorSnapshot(
        "a bracket too many", [Int].self, "[1]]",
        """
        unexpected content after the value (line 1, column 4, byte 3): expected the end of the input, found ']'; \
        one bracket more is closed than was opened
        [1]]
           ^
        """),
    ErrorSnapshot(
        "two documents", Resident.self, "{\"name\":\"Emma\"}\n{\"name\":\"Jane\"}",
        """
        unexpected content after the value (line 2, column 1, byte 16): expected the end of the input, found an object; \
        values one behind the other are read as a feed: JSONFeed
        {"name":"Jane"}
        ^
        """),
    ErrorSnapshot(
        "elements without brackets", Int.self, "1,2,3",
        """
        unexpected content after the value (line 1, column 2, byte 1): expected the end of the input, found ','; \
        values separated by commas stand in an array: [ ] around them
        1,2,3
         ^
        """),
    ErrorSnapshot(
        "a member without braces", String.self, "\"a\": 1",
        """
        unexpected content after the value (line 1, column 4, byte 3): expected the end of the input, found ':'; \
        keys and values stand in an object: { } around them
        "a": 1
           ^
        """),
    ErrorSnapshot(
        "a buffer with zeros behind the text", [Int].self, "[1]\0\0",
        """
        unexpected content after the value (line 1, column 4, byte 3): expected the end of the input, found a zero byte; \
        the buffer is longer than the text in it
        [1]..
           ^
        """),
]

// MARK: - Words, numbers and strings

private let wordSnapshots: [ErrorSnapshot] = [
    ErrorSnapshot(
        "single quotes", Resident.self, "{'name': 'Emma'}",
        """
        invalid JSON (line 1, column 2, byte 1): expected a key or '}', found a single quote; \
        strings and keys stand in double quotes
        {'name': 'Emma'}
         ^
        """),
    ErrorSnapshot(
        "typographic quotes", Resident.self, "{\"name\": “Emma”}",
        """
        invalid JSON at name (line 1, column 10, byte 9): expected a value, found the typographic quote “; \
        strings and keys stand in plain double quotes
        {"name": “Emma”}
                 ^
        """),
    ErrorSnapshot(
        "comment to the end of the line", [Int].self, "[1, // one\n 2]",
        """
        invalid JSON at [1] (line 1, column 5, byte 4): expected a value, found a comment; JSON has no comments; remove it
        [1, // one
            ^
        """),
    ErrorSnapshot(
        "comment between marks", [Int].self, "[/* none */]",
        """
        invalid JSON at [0] (line 1, column 2, byte 1): expected a value or ']', found a comment; \
        JSON has no comments; remove it
        [/* none */]
         ^
        """),
    ErrorSnapshot(
        "comment behind a number sign", JSONValue.self, "# settings\n{}",
        """
        invalid JSON (line 1, column 1, byte 0): expected a value, found a comment; JSON has no comments; remove it
        # settings
        ^
        """),
    ErrorSnapshot(
        "NaN", [Double].self, "[1.5, NaN]",
        """
        invalid JSON at [1] (line 1, column 7, byte 6): expected a value, found NaN; \
        JSON has no NaN; write null, or the string "NaN" for conversions with nonFiniteStrings
        [1.5, NaN]
              ^
        """),
    ErrorSnapshot(
        "infinity", [Double].self, "[-Infinity]",
        """
        invalid JSON at [0] (line 1, column 2, byte 1): expected a value or ']', found -Infinity; \
        JSON has no infinity; write null, or the string "Infinity" for conversions with nonFiniteStrings
        [-Infinity]
         ^
        """),
    ErrorSnapshot(
        "Python's True", JSONValue.self, "{\"a\": True}",
        """
        invalid JSON at a (line 1, column 7, byte 6): expected a value, found True; JSON writes true
        {"a": True}
              ^
        """),
    ErrorSnapshot(
        "Python's None", JSONValue.self, "{\"a\": None}",
        """
        invalid JSON at a (line 1, column 7, byte 6): expected a value, found None; JSON writes null
        {"a": None}
              ^
        """),
    ErrorSnapshot(
        "JavaScript's undefined", JSONValue.self, "{\"a\": undefined}",
        """
        invalid JSON at a (line 1, column 7, byte 6): expected a value, found undefined; \
        JSON has no undefined; leave the key out, or write null
        {"a": undefined}
              ^
        """),
    ErrorSnapshot(
        "misspelt literal", [Bool].self, "[tru]",
        """
        invalid JSON at [0] (line 1, column 2, byte 1): expected a value or ']', found the word "tru"; \
        the words of JSON are true, false and null
        [tru]
         ^
        """),
    ErrorSnapshot(
        "text without quotes", Resident.self, "{\"name\": Emma}",
        """
        invalid JSON at name (line 1, column 10, byte 9): expected a value, found the word "Emma"; \
        text stands in double quotes
        {"name": Emma}
                 ^
        """),
    ErrorSnapshot(
        "leading zero", [Int].self, "[7, 007]",
        """
        invalid JSON at [2] (line 1, column 5, byte 4): expected a number without a leading zero, found a leading zero; \
        leave the zero out, or put the digits in double quotes
        [7, 007]
            ^
        """),
    ErrorSnapshot(
        "plus sign", [Int].self, "[+1]",
        """
        invalid JSON at [0] (line 1, column 2, byte 1): expected a value or ']', found a number with a plus sign; \
        leave the sign out
        [+1]
         ^
        """),
    ErrorSnapshot(
        "point without a digit before it", [Double].self, "[.5]",
        """
        invalid JSON at [0] (line 1, column 2, byte 1): expected a value or ']', found a number without a digit before its point; \
        write 0 before the point
        [.5]
         ^
        """),
    ErrorSnapshot(
        "point without a digit behind it", [Double].self, "[5.]",
        """
        invalid JSON at [0] (line 1, column 4, byte 3): expected a digit, found a number without a digit behind its point
        [5.]
           ^
        """),
    ErrorSnapshot(
        "exponent without a digit", [Double].self, "[5e+]",
        """
        invalid JSON at [0] (line 1, column 5, byte 4): expected a digit, found a number without a digit in its exponent
        [5e+]
            ^
        """),
    ErrorSnapshot(
        "minus sign alone", [Int].self, "[-]",
        """
        invalid JSON at [0] (line 1, column 3, byte 2): expected a digit, found a minus sign without a digit
        [-]
          ^
        """),
    ErrorSnapshot(
        "hexadecimal number", [Int].self, "[0x1F]",
        """
        invalid JSON at [1] (line 1, column 2, byte 1): expected a decimal number, found a hexadecimal number; \
        write it in decimal digits
        [0x1F]
         ^
        """),
    ErrorSnapshot(
        "separators between digits", [Int].self, "[1_000]",
        """
        invalid JSON at [1] (line 1, column 3, byte 2): expected ',' or ']', found '_' in a number; \
        the digits of a number stand without separators
        [1_000]
          ^
        """),
    ErrorSnapshot(
        "date without quotes", JSONValue.self, "{\"a\": 2014-01-20}",
        """
        invalid JSON (line 1, column 11, byte 10): expected ',' or '}', found '-' inside a number; \
        dates, versions and the like stand in double quotes
        {"a": 2014-01-20}
                  ^
        """),
    ErrorSnapshot(
        "unit behind a number", JSONValue.self, "[10px]",
        """
        invalid JSON at [1] (line 1, column 4, byte 3): expected ',' or ']', found "px" directly behind a number; \
        what is not a number stands in double quotes
        [10px]
           ^
        """),
    ErrorSnapshot(
        "line break inside a string", Resident.self, "{\"name\": \"Em\nma\"}",
        """
        invalid JSON at name (line 1, column 13, byte 12): a line break inside a string; \
        write it as \\n, or close the string before it
        {"name": "Em
                    ^
        """),
    ErrorSnapshot(
        "tab inside a string", [String].self, "[\"a\tb\"]",
        """
        invalid JSON at [0] (line 1, column 4, byte 3): a tab inside a string; write it as \\t
        ["a.b"]
           ^
        """),
    ErrorSnapshot(
        "control character inside a string", [String].self, "[\"a\u{1}b\"]",
        """
        invalid JSON at [0] (line 1, column 4, byte 3): the control character 0x01 inside a string; write it as \\u0001
        ["a.b"]
           ^
        """),
    ErrorSnapshot(
        "escape of C", [String].self, #"["\x41"]"#,
        #"""
        invalid JSON at [0] (line 1, column 3, byte 2): expected an escape of JSON: \" \\ \/ \b \f \n \r \t \u0000, found \x; \#
        write \u00 before the two digits
        ["\x41"]
          ^
        """#),
    ErrorSnapshot(
        "escaped apostrophe", [String].self, #"["it\'s"]"#,
        #"""
        invalid JSON at [0] (line 1, column 5, byte 4): expected an escape of JSON: \" \\ \/ \b \f \n \r \t \u0000, found \'; \#
        an apostrophe needs no escape
        ["it\'s"]
            ^
        """#),
    ErrorSnapshot(
        "path of Windows", [String].self, #"["C:\Users"]"#,
        #"""
        invalid JSON at [0] (line 1, column 5, byte 4): expected an escape of JSON: \" \\ \/ \b \f \n \r \t \u0000, found \U; \#
        a backslash itself is written \\
        ["C:\Users"]
            ^
        """#),
    ErrorSnapshot(
        "escape without its digits", [String].self, #"["\u12g4"]"#,
        #"""
        invalid JSON at [0] (line 1, column 3, byte 2): expected \u and four hexadecimal digits, found \u without them
        ["\u12g4"]
          ^
        """#),
    ErrorSnapshot(
        "invisible character", [Int].self, "[1,\u{A0}2]",
        """
        invalid JSON at [1] (line 1, column 4, byte 3): expected a value, found the invisible character U+00A0; \
        JSON's white space is space, tab, line feed and carriage return
        [1,\u{A0}2]
           ^
        """),
]

// MARK: - Other formats

private let foreignSnapshots: [ErrorSnapshot] = [
    ErrorSnapshot(
        "HTML", Resident.self, "<!DOCTYPE html>\n<html><body>502 Bad Gateway</body></html>",
        """
        invalid JSON (line 1, column 1, byte 0): expected a value, found HTML; \
        the server may have answered with a page, perhaps an error page
        <!DOCTYPE html>
        ^
        """),
    ErrorSnapshot(
        "XML", Resident.self, "<?xml version=\"1.0\"?><a/>",
        """
        invalid JSON (line 1, column 1, byte 0): expected a value, found XML; \
        the server may have answered with a page, perhaps an error page
        <?xml version="1.0"?><a/>
        ^
        """),
    ErrorSnapshot(
        "gzip", JSONValue.self, bytes: [0x1F, 0x8B, 0x08, 0x00, 0x00],
        """
        invalid JSON (line 1, column 1, byte 0): expected JSON, found data compressed with gzip; unpack it first
        .\u{FFFD}...
        ^
        """),
    ErrorSnapshot(
        "zstd", JSONValue.self, bytes: [0x28, 0xB5, 0x2F, 0xFD, 0x04],
        """
        invalid JSON (line 1, column 1, byte 0): expected JSON, found data compressed with zstd; unpack it first
        (\u{FFFD}/\u{FFFD}.
        ^
        """),
    ErrorSnapshot(
        "ZIP", JSONValue.self, bytes: [0x50, 0x4B, 0x03, 0x04, 0x14],
        """
        invalid JSON (line 1, column 1, byte 0): expected JSON, found a ZIP archive; unpack it first
        PK...
        ^
        """),
    ErrorSnapshot(
        "CSV", [Resident].self, "name,age\nEmma,21\n",
        """
        invalid JSON (line 1, column 1, byte 0): expected JSON, found text like CSV; rows of separated values are not JSON
        name,age
        ^
        """),
    ErrorSnapshot(
        "JSONP", Resident.self, "callback({\"name\":\"Emma\"})",
        """
        invalid JSON (line 1, column 1, byte 0): expected JSON, found a call around the JSON (JSONP); \
        leave the call out, and read what stands in its parentheses
        callback({"name":"Emma"})
        ^
        """),
    ErrorSnapshot(
        "form", Resident.self, "name=Emma&age=21",
        """
        invalid JSON (line 1, column 1, byte 0): expected JSON, found text like a form or a settings file; \
        pairs with '=' are not JSON
        name=Emma&age=21
        ^
        """),
    ErrorSnapshot(
        "YAML", Resident.self, "name: Emma",
        """
        invalid JSON (line 1, column 1, byte 0): expected JSON, found a key without quotes and braces; \
        an object stands in { }, and its keys in double quotes
        name: Emma
        ^
        """),
    ErrorSnapshot(
        "text that is escaped once too often", Resident.self, #"{\"name\": \"Emma\"}"#,
        #"""
        invalid JSON (line 1, column 2, byte 1): expected a key or '}', found a backslash outside a string; \#
        the text may be escaped once too often
        {\"name\": \"Emma\"}
         ^
        """#),
    ErrorSnapshot(
        "a guard before the JSON", JSONValue.self, ")]}'\n{}",
        """
        invalid JSON (line 1, column 1, byte 0): expected a value, found ')'; \
        some servers put )]}' before JSON; leave that line out
        )]}'
        ^
        """),
    ErrorSnapshot(
        "UTF-16", [Int].self, bytes: [0xFF, 0xFE, 0x5B, 0x00, 0x5D, 0x00],
        """
        unsupported encoding (line 1, column 1, byte 0): expected UTF-8, found UTF-16 (little-endian); \
        convert the text to UTF-8 first
        \u{FFFD}\u{FFFD}[.].
        ^
        """),
]

// MARK: - Ends

private let endSnapshots: [ErrorSnapshot] = [
    ErrorSnapshot(
        "nothing", Resident.self, "",
        "unexpected end of input (line 1, column 1, byte 0): expected a value, found an empty input"),
    ErrorSnapshot(
        "white space", Resident.self, " \n",
        "unexpected end of input (line 2, column 1, byte 2): expected a value, found only white space"),
    ErrorSnapshot(
        "end inside a string", Resident.self, "{\"name\": \"Em",
        """
        unexpected end of input at name (line 1, column 13, byte 12): expected the rest of the string; \
        the object that is open began at line 1, column 1
        {"name": "Em
                    ^
        """),
    ErrorSnapshot(
        "end inside an inner object", Resident.self, "{\"name\":\"Emma\",\n \"homes\":\n  {\"old\": {\"street\":\"Main\",",
        """
        unexpected end of input at homes.old.street (line 3, column 28, byte 53): expected a key; \
        the object that is open began at line 3, column 11
          {"old": {"street":"Main",
                                   ^
        """),
    ErrorSnapshot(
        "end behind an element", [[Int]].self, "[[1, 2],\n [3",
        """
        unexpected end of input at [1][1] (line 2, column 4, byte 12): expected ',' or ']'; \
        the array that is open began at line 2, column 2
         [3
           ^
        """),
    ErrorSnapshot(
        "end behind a key", Resident.self, "{\"name\"",
        """
        unexpected end of input at name (line 1, column 8, byte 7): expected ':'; \
        the object that is open began at line 1, column 1
        {"name"
               ^
        """),
    ErrorSnapshot(
        "end inside a word", [Bool].self, "[true, fal",
        """
        unexpected end of input at [1] (line 1, column 11, byte 10): expected the rest of 'fal'; \
        the array that is open began at line 1, column 1
        [true, fal
                  ^
        """),
    ErrorSnapshot(
        "end inside what no property wants", Resident.self, "{\"other\": {\"list\": [1, {\"deep\": ",
        """
        unexpected end of input (line 1, column 33, byte 32): expected a value; \
        the object that is open began at line 1, column 24
        {"other": {"list": [1, {"deep": 
                                       ^
        """),
]

private let unicodeSnapshots: [ErrorSnapshot] = [
    ErrorSnapshot(
        "byte of ISO 8859-1", Resident.self, bytes: Array("{\"name\": \"Zo".utf8) + [0xEB] + Array("\"}".utf8),
        """
        invalid Unicode at name (line 1, column 13, byte 12): expected UTF-8, found the byte 0xEB; \
        the text may be in ISO 8859-1 or Windows-1252
        {"name": "Zo\u{FFFD}"}
                    ^
        """),
    ErrorSnapshot(
        "surrogate in UTF-8", [String].self, bytes: [0x5B, 0x22, 0x61, 0xED, 0xA0, 0x80, 0x22, 0x5D],
        """
        invalid Unicode at [0] (line 1, column 4, byte 3): expected UTF-8, found the byte 0xED
        ["a\u{FFFD}\u{FFFD}\u{FFFD}"]
           ^
        """),
    ErrorSnapshot(
        "half of a surrogate pair", [String].self, #"["a", "b\ud83d"]"#,
        #"""
        invalid Unicode at [1] (line 1, column 9, byte 8): expected both halves of a surrogate pair, \#
        found \ud83d without its other half
        ["a", "b\ud83d"]
                ^
        """#),
    ErrorSnapshot(
        "the other half alone", [String].self, #"["é\udE00!"]"#,
        #"""
        invalid Unicode at [0] (line 1, column 5, byte 4): expected both halves of a surrogate pair, \#
        found \udE00 without its other half
        ["é\udE00!"]
           ^
        """#),
    ErrorSnapshot(
        "key that is not UTF-8", [String: Int].self, bytes: Array("{\"a".utf8) + [0xC3] + Array("\":1}".utf8),
        """
        invalid Unicode (line 1, column 4, byte 3): expected UTF-8, found the byte 0xC3; \
        the text may be in ISO 8859-1 or Windows-1252
        {"a\u{FFFD}":1}
           ^
        """),
]

// MARK: - Values

private let valueSnapshots: [ErrorSnapshot] = [
    ErrorSnapshot(
        "text for a number", Resident.self, #"{"name":"Emma","age":"twenty"}"#,
        """
        type mismatch at age (line 1, column 22, byte 21): expected UInt8?, found the string "twenty"
        {"name":"Emma","age":"twenty"}
                             ^
        """),
    ErrorSnapshot(
        "number that does not fit", Resident.self, #"{"name":"Emma","age":300}"#,
        """
        invalid value at age (line 1, column 22, byte 21): expected UInt8? (0…255), found the number 300
        {"name":"Emma","age":300}
                             ^
        """),
    ErrorSnapshot(
        "number below zero", [UInt16].self, "[-1]",
        """
        invalid value at [0] (line 1, column 2, byte 1): expected UInt16 (0…65535), found the number -1
        [-1]
         ^
        """),
    ErrorSnapshot(
        "fraction for an integer", [Int].self, "[1, 2.5]",
        """
        invalid value at [1] (line 1, column 5, byte 4): expected Int (-9223372036854775808…9223372036854775807), \
        found the number 2.5; a fraction needs Double or Decimal
        [1, 2.5]
            ^
        """),
    ErrorSnapshot(
        "number that is not finite", [Double].self, "[1e999]",
        """
        invalid value at [0] (line 1, column 2, byte 1): expected Double (±1.7976931348623157e+308), found the number 1e999
        [1e999]
         ^
        """),
    ErrorSnapshot(
        "no case of an enum", Resident.self, #"{"name":"Emma","hue":"blue"}"#,
        """
        invalid value at hue (line 1, column 22, byte 21): expected a case of Hue ("red", "green", "deep blue") or null, \
        found the string "blue"
        {"name":"Emma","hue":"blue"}
                             ^
        """),
    ErrorSnapshot(
        "epoch for a date", Resident.self, #"{"name":"Emma","born":1401234567}"#,
        """
        invalid value at born (line 1, column 23, byte 22): expected Day?, found the number 1401234567; \
        mark the property @JSONDate(.unix) if the number counts seconds since 1970
        {"name":"Emma","born":1401234567}
                              ^
        """),
    ErrorSnapshot(
        "milliseconds for a date", Resident.self, #"{"name":"Emma","born":1401234567000}"#,
        """
        invalid value at born (line 1, column 23, byte 22): expected Day?, found the number 1401234567000; \
        mark the property @JSONDate(.milliseconds) if the number counts milliseconds since 1970
        {"name":"Emma","born":1401234567000}
                              ^
        """),
    ErrorSnapshot(
        "date in a form of its own", Resident.self, #"{"name":"Emma","born":"20.1.2014"}"#,
        """
        invalid value at born (line 1, column 23, byte 22): expected Day?, found the string "20.1.2014"; \
        a date without @JSONDate looks like 2014-01-20T12:24:48Z; other forms need @JSONDate
        {"name":"Emma","born":"20.1.2014"}
                              ^
        """),
    ErrorSnapshot(
        "object for an array", Resident.self, #"{"name":"Emma","tags":{"a":1}}"#,
        """
        type mismatch at tags (line 1, column 23, byte 22): expected [String], found an object
        {"name":"Emma","tags":{"a":1}}
                              ^
        """),
    ErrorSnapshot(
        "array for a dictionary", Resident.self, #"{"name":"Emma","homes":[1]}"#,
        """
        type mismatch at homes (line 1, column 24, byte 23): expected [String: Home], found an array
        {"name":"Emma","homes":[1]}
                               ^
        """),
    ErrorSnapshot(
        "scalar for a model", Resident.self, #"{"name":"Emma","homes":{"old":"Main Street"}}"#,
        """
        type mismatch at homes.old (line 1, column 31, byte 30): expected Home, found the string "Main Street"
        {"name":"Emma","homes":{"old":"Main Street"}}
                                      ^
        """),
    ErrorSnapshot(
        "array for a model", Resident.self, "[]",
        """
        type mismatch (line 1, column 1, byte 0): expected Resident, found an array
        []
        ^
        """),
    ErrorSnapshot(
        "null among elements", [Int].self, "[1, null]",
        """
        type mismatch at [1] (line 1, column 5, byte 4): expected Int, found null; only an optional takes null: Int?
        [1, null]
            ^
        """),
    ErrorSnapshot(
        "string with a line break for a number", [Int].self, #"["a\nb"]"#,
        #"""
        type mismatch at [0] (line 1, column 2, byte 1): expected Int, found the string "a\nb"
        ["a\nb"]
         ^
        """#),
]

// MARK: - Keys

private let keySnapshots: [ErrorSnapshot] = [
    ErrorSnapshot(
        "missing key with a slip of the pen", Resident.self, #"{"nmae":"Emma","age":21}"#,
        """
        missing key 'name' (line 1, column 25, byte 24): expected an object of Resident; found unknown 'nmae'
        {"nmae":"Emma","age":21}
                               ^
        """),
    ErrorSnapshot(
        "missing keys in other spelling", [String: Home].self, #"{"new":{"Street":"Main","zip":1}}"#,
        """
        missing keys 'street', 'city' or 'town' at new (line 1, column 33, byte 32): expected an object of Home; \
        found unknown 'Street'
        {"new":{"Street":"Main","zip":1}}
                                       ^
        """),
    ErrorSnapshot(
        "object around the object", Resident.self, #"{"data":{"name":"Emma"},"status":200}"#,
        """
        missing key 'name' (line 1, column 38, byte 37): expected an object of Resident; \
        the object has none of its keys, but 'data', 'status'
        {"data":{"name":"Emma"},"status":200}
                                            ^
        """),
    ErrorSnapshot(
        "missing key without a reason", [Resident].self, #"[{"name":"a"},{"age":3}]"#,
        """
        missing key 'name' at [1] (line 1, column 24, byte 23): expected an object of Resident
        [{"name":"a"},{"age":3}]
                              ^
        """),
    ErrorSnapshot(
        "null for a required key", Resident.self, #"{"name":null}"#,
        """
        missing key 'name' (null) (line 1, column 14, byte 13): expected an object of Resident; only an optional takes null
        {"name":null}
                    ^
        """),
    ErrorSnapshot(
        "key twice", Resident.self, #"{"name":"a","name":"b"}"#,
        """
        duplicate key 'name' at name (line 1, column 19, byte 18): a second value
        {"name":"a","name":"b"}
                          ^
        """, options: .init(duplicateKeys: .error)),
    ErrorSnapshot(
        "nested too deep", JSONValue.self, "[[[1]]]",
        """
        nested too deep at [0][0] (line 1, column 4, byte 3): expected at most 2 levels (maximumDepth), found more
        [[[1]]]
           ^
        """, options: .init(maximumDepth: 2)),
]
