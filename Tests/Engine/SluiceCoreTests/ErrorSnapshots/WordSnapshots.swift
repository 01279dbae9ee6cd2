// Words, numbers, strings and comments that JSON does not have.

import SluiceTestSupport

@testable import SluiceCore

let wordSnapshots: [ErrorSnapshot] = [
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
        "comment after a number sign", JSONValue.self, "# settings\n{}",
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
        "point without a digit after it", [Double].self, "[5.]",
        """
        invalid JSON at [0] (line 1, column 4, byte 3): expected a digit, found a number without a digit after its point
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
        "unit after a number", JSONValue.self, "[10px]",
        """
        invalid JSON at [1] (line 1, column 4, byte 3): expected ',' or ']', found "px" directly after a number; \
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
