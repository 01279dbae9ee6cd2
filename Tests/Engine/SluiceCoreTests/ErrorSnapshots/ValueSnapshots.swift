// Values that do not fit their type, and keys that are missing, twice or too deep.

import SluiceTestSupport

@testable import SluiceCore

let valueSnapshots: [ErrorSnapshot] = [
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

let keySnapshots: [ErrorSnapshot] = [
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
