import SluiceCore
import SluiceFeed
import SluiceTestSupport
import Testing

@Suite struct ColumnBatchTests {
    private func batch(_ columns: [JSONColumn], _ records: String...) throws -> JSONColumnBatch {
        var reader = ColumnBatchReader(columns: columns)
        for record in records {
            if let error = unsafe Array(record.utf8).withUnsafeBytes({ unsafe reader.append($0) }) { throw error }
        }
        return reader.takeBatch()
    }

    private func failure(_ columns: [JSONColumn], _ record: String, _ options: JSONReader.Options = .strict) -> JSONError? {
        var reader = ColumnBatchReader(columns: columns, options: options)
        return unsafe Array(record.utf8).withUnsafeBytes { unsafe reader.append($0) }
    }

    @Test func everyTypeKeepsItsValues() throws {
        let columns = [
            JSONColumn("b", .bool), JSONColumn("i", .integer), JSONColumn("d", .real), JSONColumn("s", .text),
            JSONColumn("t", .timestamp), JSONColumn("j", .json), JSONColumn("l", .list(of: .integer)),
            JSONColumn("o", .object([JSONColumn("x", .real), JSONColumn("y.z", .text)])),
        ]
        let made = try batch(
            columns,
            #"{"b":true,"i":-9223372036854775808,"d":0.1,"s":"a\u00e9\n","t":"1969-12-31T23:59:59.5Z","j":{ "a" : 1 },"l":[1,null,3],"o":{"x":1,"y":{"z":"w"}}}"#,
            #"{"b":false,"i":9223372036854775807,"d":-1e300,"s":"","t":"2024-02-29T00:00:00.123456789+01:00","j":"q","l":[],"o":{}}"#,
            "{}")
        #expect(
            made.rows == [
                #"true|-9223372036854775808|0.1|'aé"# + "\n" + #"'|-500000|'{"a":1}'|[1,null,3]|{1.0,'w'}"#,
                #"false|9223372036854775807|-1e+300|''|1709161200123456|'"q"'|[]|{null,null}"#,
                "null|null|null|null|null|null|null|null",
            ])
        #expect(made.columns.map(\.nullCount) == [1, 1, 1, 1, 1, 1, 1, 1])
    }

    @Test func narrowIntegersDatesAndDecimalsKeepTheirValues() throws {
        let columns = [
            JSONColumn("i", .int32), JSONColumn("d", .date), JSONColumn("m", .decimal(precision: 5, scale: 2)),
            JSONColumn("l", .list(of: .date)),
        ]
        let made = try batch(
            columns, #"{"i":-2147483648,"d":"1969-12-31","m":-999.99,"l":["2024-02-29",null]}"#,
            #"{"i":2147483647,"d":"2024-03-01T00:00:00Z","m":"12.5"}"#, "{}", #"{"i":true,"d":"1970-01-01","m":1e2,"l":[]}"#)
        #expect(
            made.rows == [
                "-2147483648|-1|-99999|[19782,null]", "2147483647|19783|1250|null", "null|null|null|null", "1|0|10000|[]",
            ])
        func bytes(_ column: Int) -> [UInt8]? {
            let values = made.columns[column]
            return unsafe values.buffers[1].map { unsafe Array($0) }
        }
        #expect(bytes(0) == [0, 0, 0, 0x80, 0xFF, 0xFF, 0xFF, 0x7F, 0, 0, 0, 0, 1, 0, 0, 0])
        #expect(bytes(1)?.prefix(8) == [0xFF, 0xFF, 0xFF, 0xFF, 0x47, 0x4D, 0, 0])
        let negative: [UInt8] = [0x61, 0x79, 0xFE] + Array(repeating: 0xFF, count: 13)
        let positive: [UInt8] = [0xE2, 0x04] + Array(repeating: 0, count: 14)
        let decimals = try #require(bytes(2))
        #expect(Array(decimals[..<16]) == negative)
        #expect(Array(decimals[16..<32]) == positive)
        #expect(decimals.count == 64)
        // Rows of another batch, and enough of them for the buffers to grow.
        var part = ColumnBatchReader(columns: columns)
        let record = #"{"i":-5,"d":"1969-12-31","m":-999.99,"l":["2024-02-29"]}"#
        for text in [record, "{}"] {
            if let error = unsafe Array(text.utf8).withUnsafeBytes({ unsafe part.append($0) }) { throw error }
        }
        let rows = part.takeRows()
        var whole = ColumnBatchReader(columns: columns)
        for _ in 0..<100 { whole.append(0..<2, of: rows) }
        let expected = ["-5|-1|-99999|[19782]", "null|null|null|null"]
        #expect(whole.takeBatch().rows == (0..<100).flatMap { _ in expected })
    }

    @Test(arguments: [
        (ColumnType.int32, "2147483648"), (.int32, "-2147483649"), (.int32, "0.5"), (.int32, #""1""#), (.int32, "[1]"),
        (.date, #""2024-03-01T00:00:01Z""#), (.date, #""2024-03-01T00:00:00+01:00""#), (.date, #""2024-02-30""#),
        (.date, "19783"),
        (.decimal(precision: 5, scale: 2), "1000"), (.decimal(precision: 5, scale: 2), "0.005"),
        (.decimal(precision: 5, scale: 2), #""1,5""#), (.decimal(precision: 5, scale: 2), #""""#),
        (.decimal(precision: 5, scale: 2), "true"), (.decimal(precision: 18, scale: 0), "1e400"),
    ])
    func whatDoesNotFitANarrowTypeIsAnError(_ type: ColumnType, _ value: String) {
        let failure = failure([JSONColumn("x", type)], "{\"x\":\(value)}")
        #expect(failure?.description.contains("at x (line 1, column 6, byte 5)") == true, "\(failure?.description ?? "")")
    }

    @Test func buffersLieAsArrowWantsThem() throws {
        let made = try batch(
            [JSONColumn("s", .text), JSONColumn("b", .bool), JSONColumn("l", .list(of: .text))],
            #"{"s":"ab","b":true,"l":["x"]}"#, #"{"b":false,"l":["y","zz"]}"#, #"{"s":"","b":true}"#,
            #"{"s":"cde","b":true,"l":[]}"#)
        func bytes(_ column: Int, _ buffer: Int) throws -> [UInt8]? {
            let values = made.columns[column]
            return unsafe values.buffers[buffer].map { unsafe Array($0) }
        }
        #expect(try bytes(0, 0) == [0b1101])
        #expect(try bytes(0, 1) == [0, 0, 0, 0, 2, 0, 0, 0, 2, 0, 0, 0, 2, 0, 0, 0, 5, 0, 0, 0])
        #expect(try bytes(0, 2) == Array("abcde".utf8))
        #expect(try bytes(1, 0) == nil, "nothing is null")
        #expect(try bytes(1, 1) == [0b1101])
        #expect(try bytes(2, 0) == [0b1011])
        #expect(try bytes(2, 1) == [0, 0, 0, 0, 1, 0, 0, 0, 3, 0, 0, 0, 3, 0, 0, 0, 3, 0, 0, 0])
        let elements = try #require(made.columns[2].elements)
        #expect(unsafe elements.buffers[2].map { unsafe Array($0) } == Array("xyzz".utf8))
        for column in made.columns {
            for start in unsafe column.buffers.compactMap({ unsafe $0?.baseAddress.map { UInt(bitPattern: $0) } }) {
                #expect(start % 64 == 0)
            }
        }
    }

    @Test(arguments: 0...70) func bitsAreRightAtEveryBorderOfAByte(_ count: Int) throws {
        var random = SplitMix64(seed: UInt64(count))
        let values = (0..<count).map { _ in [nil, true, false][Int(random.next() % 3)] as Bool? }
        var reader = ColumnBatchReader(columns: [JSONColumn("b", .bool)], expectedRows: 1)
        for value in values {
            let record = value.map { "{\"b\":\($0)}" } ?? "{}"
            let error = unsafe Array(record.utf8).withUnsafeBytes { unsafe reader.append($0) }
            #expect(error == nil)
        }
        let column = try #require(reader.takeBatch().columns.first)
        #expect((0..<count).map { column.bool(at: $0) } == values)
        #expect(column.nullCount == values.count { $0 == nil })
        // Bits after the last value are 0.
        for last in unsafe column.buffers.compactMap({ unsafe $0?.last }) where !count.isMultiple(of: 8) {
            #expect(last >> UInt8(count % 8) == 0)
        }
    }

    @Test func whatDoesNotFitIsRefusedWithItsPosition() throws {
        let columns = [
            JSONColumn("i", .integer), JSONColumn("d", .real), JSONColumn("b", .bool), JSONColumn("s", .text),
            JSONColumn("t", .timestamp), JSONColumn("l", .list(of: .integer)), JSONColumn("o", .object([JSONColumn("x", .bool)])),
        ]
        let cases: [(String, JSONError.Kind, String)] = [
            (#"{"i":1.5}"#, .invalidValue, "i"), (#"{"i":9223372036854775808}"#, .invalidValue, "i"),
            (#"{"i":"1"}"#, .typeMismatch, "i"), (#"{"i":[1]}"#, .typeMismatch, "i"), (#"{"d":1e400}"#, .invalidValue, "d"),
            (#"{"d":true}"#, .typeMismatch, "d"), (#"{"b":1}"#, .typeMismatch, "b"), (#"{"s":{}}"#, .typeMismatch, "s"),
            (#"{"t":"soon"}"#, .invalidValue, "t"), (#"{"t":1}"#, .typeMismatch, "t"), (#"{"l":1}"#, .typeMismatch, "l"),
            (#"{"l":[1,"x"]}"#, .typeMismatch, "l[1]"), (#"{"l":{"a":1}}"#, .typeMismatch, "l"),
            (#"{"o":[true]}"#, .typeMismatch, "o"), (#"{"o":{"x":1}}"#, .typeMismatch, "o.x"), ("[]", .typeMismatch, ""),
            ("null", .typeMismatch, ""), ("7", .typeMismatch, ""), ("", .unexpectedEnd, ""), (#"{"i":1,}"#, .syntax, "i"),
            (#"{"i":1} 2"#, .trailingContent, ""),
        ]
        for (record, kind, path) in cases {
            // What a reader converts or leaves out for models does not hold for columns.
            for options in [JSONReader.Options.strict, .lenient, .tolerant, .yyModel] {
                let error = failure(columns, record, options)
                #expect(error?.kind == kind, "\(record): \(error?.summary ?? "no error")")
                #expect(error?.path == path, "\(record)")
            }
        }
        var invalid = Array(#"{"s":"a"}"#.utf8)
        invalid[6] = 0xFF
        var reader = ColumnBatchReader(columns: columns)
        #expect(unsafe invalid.withUnsafeBytes { unsafe reader.append($0) }?.kind == .invalidUnicode)
        #expect(reader.takeBatch().rowCount == 0)
    }

    @Test func scalarsBecomeStringsAndTruthsIntegers() throws {
        let made = try batch(
            [JSONColumn("s", .text), JSONColumn("i", .integer)], #"{"s":1.50,"i":true}"#, #"{"s":false,"i":7.0}"#,
            #"{"s":"x","i":1e2}"#)
        #expect(made.rows == ["'1.50'|1", "'false'|7", "'x'|100"])
    }

    @Test func missingKeysThatAreRequiredAreNamed() throws {
        let columns = [
            JSONColumn(name: "a", type: .integer, isRequired: true),
            JSONColumn(name: "o", type: .object([JSONColumn(name: "x", type: .list(of: .bool), isRequired: true)])),
            JSONColumn(name: "j", type: .json, isRequired: true),
        ]
        #expect(
            try batch(columns, #"{"a":1,"j":2}"#, #"{"a":2,"o":null,"j":[]}"#, #"{"a":3,"o":{"x":[]},"j":"z"}"#).rows.count == 3)
        #expect(failure(columns, #"{"o":{"x":[]}}"#)?.keys == ["a", "j"])
        #expect(failure(columns, #"{"a":null,"j":null}"#)?.keys == ["a", "j"])
        let inner = failure(columns, #"{"a":1,"j":1,"o":{"x":null}}"#)
        #expect(inner?.keys == ["x"])
        #expect(inner?.path == "o")
    }

    /// As in models: null is no value, and another key of the column has given one.
    @Test func nullForABetterKeyLeavesTheValueOfARequiredColumn() throws {
        let columns = [
            JSONColumn(name: "i", type: .integer, keys: ["a", "b"], isRequired: true),
            JSONColumn(name: "j", type: .json, keys: ["c", "d"], isRequired: true),
        ]
        for options in [JSONReader.Options.strict, .strict.throughYajl] {
            for record in [#"{"b":1,"a":null,"d":[2],"c":null}"#, #"{"a":null,"b":1,"c":null,"d":[2]}"#] {
                var reader = ColumnBatchReader(columns: columns + [JSONColumn("o", .object(columns))], options: options)
                let text = record.dropLast() + #","o":\#(record)}"#
                let error = unsafe Array(text.utf8).withUnsafeBytes { unsafe reader.append($0) }
                #expect(error == nil)
                #expect(reader.takeBatch().rows == ["1|'[2]'|{1,'[2]'}"])
            }
            for record in [#"{"a":1,"a":null,"c":[2]}"#, #"{"a":1,"c":[2],"c":null}"#, #"{"a":null,"b":null,"c":[2]}"#] {
                #expect(failure(columns, record, options)?.kind == .missingKeys)
            }
        }
    }

    @Test func oneValueGoesToSeveralColumns() throws {
        let columns = [
            JSONColumn("a.b", .integer), JSONColumn("a", .json), JSONColumn(name: "again", type: .text, keys: ["a.b"]),
            JSONColumn(name: "first", type: .integer, keys: ["x", "y"]),
        ]
        #expect(
            try batch(columns, #"{"a":{"b":5},"y":2,"x":1}"#, #"{"a":null,"y":2}"#).rows
                == [#"5|'{"b":5}'|'5'|1"#, "null|null|null|2"])
    }

    @Test func theLastOfTwoEqualKeysCounts() throws {
        let columns = [
            JSONColumn("l", .list(of: .integer)), JSONColumn("o", .object([JSONColumn("x", .integer)])),
            JSONColumn("i", .integer),
        ]
        #expect(
            try batch(
                columns, #"{"l":[1,2],"o":{"x":1},"i":1,"l":[3],"o":{"x":2},"i":2}"#, #"{"l":[1],"l":null,"o":{"x":1},"o":null}"#
            ).rows
                == ["[3]|{2}|2", "null|null|null"])
    }

    @Test func keysThatDifferOnlyInTheirBytesAreDifferentKeys() throws {
        let composed = "\u{E9}"
        let decomposed = "e\u{301}"
        #expect(JSONKeyPath(composed) != JSONKeyPath(decomposed))
        for (key, other) in [(composed, decomposed), (decomposed, composed)] {
            let made = try batch([JSONColumn(key, .integer)], "{\"\(key)\":1}", "{\"\(other)\":2}")
            #expect(made.rows == ["1", "null"])
        }
    }

    @Test func deepListsAndLongOnesKeepTheirElements() throws {
        let columns = [JSONColumn("l", .list(of: .list(of: .object([JSONColumn("s", .text)]))))]
        let long = (0..<5000).map { #"[{"s":"\#($0)"},null,{}]"# }.joined(separator: ",")
        let made = try batch(columns, #"{"l":[[],null,[{"s":"a\n"}]]}"#, "{\"l\":[\(long)]}")
        #expect(made.rows[0] == "[[],null,[{'a\n'}]]")
        #expect(made.rows[1] == "[" + (0..<5000).map { "[{'\($0)'},null,{null}]" }.joined(separator: ",") + "]")
    }

    @Test(arguments: 0..<60 as Range<UInt64>) func randomRecordsBecomeTheirRows(_ seed: UInt64) throws {
        var source = RandomRecords(seed: seed)
        let columns = source.columns()
        let records = (0..<80).map { _ in source.record(columns) }
        let expected = records.map { ColumnType.row(of: columns, in: $0) }
        let lines = try records.map { try $0.jsonString() }.joined(separator: "\n")
        for options in [JSONReader.Options.strict, .strict.throughYajl] {
            for workers in [0, 2] {
                let feed = JSONFeed<JSONValue>(
                    bytes: Array(lines.utf8), options: .init(invalidRecords: .skip, keptReasons: 100, reading: options))
                let trace = try ColumnTrace(feed, of: 7, columns: columns, workers: workers)
                #expect(trace.rows == expected.compactMap(\.self))
                #expect(trace.rejected.map(\.index) == expected.indices.filter { expected[$0] == nil })
                #expect(trace.failure == nil)
            }
        }
    }
}
