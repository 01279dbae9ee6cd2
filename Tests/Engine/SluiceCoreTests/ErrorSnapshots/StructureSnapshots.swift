// Commas, colons, brackets and keys that are missing, too many or misplaced.

import SluiceTestSupport

@testable import SluiceCore

let structureSnapshots: [ErrorSnapshot] = [
    ErrorSnapshot(
        "trailing comma in an array", JSONValue.self, "[1, 2,]",
        """
        invalid JSON at [2] (line 1, column 7, byte 6): expected a value, found ']' after a trailing comma; \
        remove the comma before ']'
        [1, 2,]
              ^
        """),
    ErrorSnapshot(
        "trailing comma in an object", JSONValue.self, "{\"a\":1,}",
        """
        invalid JSON (line 1, column 8, byte 7): expected a key, found '}' after a trailing comma; \
        remove the comma before '}'
        {"a":1,}
               ^
        """),
    ErrorSnapshot(
        "trailing comma on a line of its own", [Int].self, "[\n  1,\n  2,\n]",
        """
        invalid JSON at [2] (line 4, column 1, byte 12): expected a value, found ']' after a trailing comma; \
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
        invalid JSON at name (line 1, column 8, byte 7): expected ':', found '}' after a key; \
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
        values one after the other are a feed, not one document
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
        "a buffer with zeros after the text", [Int].self, "[1]\0\0",
        """
        unexpected content after the value (line 1, column 4, byte 3): expected the end of the input, found a zero byte; \
        the buffer is longer than the text in it
        [1]..
           ^
        """),
]
