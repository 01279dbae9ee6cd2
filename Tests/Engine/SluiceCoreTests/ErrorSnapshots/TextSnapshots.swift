// Text that is of another format, ends too soon, or is not UTF-8.

import SluiceTestSupport

@testable import SluiceCore

let foreignSnapshots: [ErrorSnapshot] = [
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

let endSnapshots: [ErrorSnapshot] = [
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
        "end after an element", [[Int]].self, "[[1, 2],\n [3",
        """
        unexpected end of input at [1][1] (line 2, column 4, byte 12): expected ',' or ']'; \
        the array that is open began at line 2, column 2
         [3
           ^
        """),
    ErrorSnapshot(
        "end after a key", Resident.self, "{\"name\"",
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

let unicodeSnapshots: [ErrorSnapshot] = [
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
