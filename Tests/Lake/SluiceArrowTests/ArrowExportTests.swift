import CArrow
import Dispatch
import SluiceCore
import SluiceFeed
import SluiceTestSupport
import Synchronization
import Testing

@testable import SluiceArrow

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

@Suite struct ArrowExportTests {
    // Not stored: LeakSanitizer finds no reference to the box of a list's type, since its address carries the number of the case.
    private static var columns: [JSONColumn] {
        [
            JSONColumn("id", .integer), JSONColumn("who", .object([JSONColumn("name", .text)])),
            JSONColumn("tags", .list(of: .text)),
        ]
    }

    private func batch(_ records: [String] = [#"{"id":1,"who":{"name":"x"},"tags":["a"]}"#]) throws -> JSONColumnBatch {
        var reader = ColumnBatchReader(columns: Self.columns)
        for record in records {
            if let error = unsafe Array(record.utf8).withUnsafeBytes({ unsafe reader.append($0) }) { throw error }
        }
        return reader.takeBatch()
    }

    @Test func schemasSayWhatTheColumnsAre() throws {
        var schema = unsafe ArrowSchema()
        unsafe ArrowSchema.export(
            [
                JSONColumn("b", .bool), JSONColumn(name: "i", type: .integer, isRequired: true), JSONColumn("d", .real),
                JSONColumn("s", .text), JSONColumn("j", .json), JSONColumn("t", .timestamp), JSONColumn("l", .list(of: .bool)),
                JSONColumn("o.p", .object([JSONColumn("x", .real)])),
            ], to: &schema)
        func text(_ schema: UnsafeMutablePointer<ArrowSchema>) -> String {
            let children = unsafe (0..<Int(schema.pointee.n_children)).map { unsafe text(schema.pointee.children[$0]!) }
            let flag = unsafe schema.pointee.flags == Int64(ARROW_FLAG_NULLABLE) ? "?" : ""
            return unsafe "\(String(cString: schema.pointee.name)):\(String(cString: schema.pointee.format))\(flag)"
                + (children.isEmpty ? "" : "(\(children.joined(separator: " ")))")
        }
        #expect(unsafe text(&schema) == ":+s(b:b? i:l d:g? s:u? j:u? t:tsu:UTC? l:+l?(item:b?) o.p:+s?(x:g?))")
        unsafe schema.release(&schema)
        #expect(unsafe schema.release == nil)
    }

    /// Both are strings to Arrow. The metadata are pairs of texts after their lengths, in the machine's order.
    @Test func jsonIsToldFromStrings() throws {
        var schema = unsafe ArrowSchema()
        unsafe ArrowSchema.export([JSONColumn("s", .text), JSONColumn("j", .json)], to: &schema)
        #expect(unsafe schema.children[0]!.pointee.metadata == nil)
        let metadata = try unsafe #require(schema.children[1]!.pointee.metadata)
        let number = { (value: Int32) in unsafe withUnsafeBytes(of: value) { unsafe Array($0) } }
        let expected = number(1) + number(11) + "sluice.type".utf8 + number(4) + "json".utf8
        #expect(unsafe UnsafeRawBufferPointer(start: metadata, count: expected.count).elementsEqual(expected))
        unsafe schema.release(&schema)
    }

    @Test func aReleasedArrayReleasesItsBatch() throws {
        weak var watched: JSONColumnBatch?
        var array = unsafe ArrowArray()
        try {
            let made = try batch()
            watched = made
            unsafe ArrowArray.export(made, to: &array)
        }()
        #expect(watched != nil)
        #expect(unsafe array.length == 1)
        #expect(unsafe array.n_children == 3)
        #expect(unsafe array.n_buffers == 1)
        unsafe array.release(&array)
        #expect(unsafe array.release == nil)
        #expect(watched == nil)
    }

    @Test(arguments: [0, 1, 2]) func aChildThatWasMovedOutlivesItsParent(_ number: Int) throws {
        weak var watched: JSONColumnBatch?
        var array = unsafe ArrowArray()
        try {
            let made = try batch()
            watched = made
            unsafe ArrowArray.export(made, to: &array)
        }()
        // As the specification moves: the bytes are copied, and the source is marked as released.
        var moved = unsafe array.children[number]!.pointee
        unsafe array.children[number]!.pointee.release = nil
        unsafe array.release(&array)
        #expect(watched != nil)
        #expect(unsafe moved.length == 1)
        if number == 0 { #expect(unsafe moved.buffers[1]!.load(as: Int64.self) == 1) }
        unsafe moved.release(&moved)
        #expect(watched == nil)
    }

    /// A source of three batches, of which the last is an error.
    private final class Batches: BatchSource {
        let columns = ArrowExportTests.columns
        var left: [JSONColumnBatch]

        init(_ batches: [JSONColumnBatch]) { left = batches }

        func next() throws(JSONError) -> JSONColumnBatch? {
            if left.isEmpty { throw JSONError(.syntax, position: .start, expected: "a batch", found: "nothing") }
            return left.removeFirst()
        }
    }

    @Test(arguments: 0...3) func aStreamDroppedHalfWayReleasesAll(_ taken: Int) throws {
        weak var source: Batches?
        weak var last: JSONColumnBatch?
        var stream = unsafe ArrowArrayStream()
        try {
            let made = Batches([try batch(), try batch([]), try batch()])
            source = made
            last = made.left[2]
            unsafe ArrowArrayStream.export(made, to: &stream)
        }()
        var schema = unsafe ArrowSchema()
        #expect(unsafe stream.get_schema(&stream, &schema) == 0)
        unsafe schema.release(&schema)
        var kept: [ArrowArray] = unsafe []
        for _ in 0..<taken {
            var array = unsafe ArrowArray()
            #expect(unsafe stream.get_next(&stream, &array) == 0)
            unsafe kept.append(array)
        }
        if taken == 3 {
            var array = unsafe ArrowArray()
            #expect(unsafe stream.get_next(&stream, &array) == EINVAL)
            let text = unsafe String(cString: stream.get_last_error(&stream)!)
            #expect(text.hasPrefix("invalid JSON"))
            #expect(text.hasSuffix("expected a batch, found nothing"))
            #expect(unsafe stream.get_next(&stream, &array) == EINVAL)
        }
        var copy = unsafe stream
        unsafe stream.release(&stream)
        #expect(unsafe stream.release == nil)
        #expect(source == nil)
        // A thread that still reads finds a stream that has ended, and not the memory of one.
        var array = unsafe ArrowArray()
        #expect(unsafe copy.get_next(&copy, &array) == EINVAL)
        #expect(unsafe copy.get_last_error(&copy) == nil)
        #expect((last != nil) == (taken == 3))
        // Arrays live on without their stream.
        for index in unsafe kept.indices { unsafe kept[index].release(&kept[index]) }
        #expect(last == nil)
    }
}

@Suite struct EntryPointTests {
    /// The rows of a scan as text, or what `sluice_last_error` says.
    private func scan(_ text: String, _ options: String?) -> (rows: [String], error: String?) {
        let folder = unsafe getenv("TMPDIR").map { unsafe String(cString: $0) } ?? "/tmp"
        let path = "\(folder)/sluice-scan-\(getpid())-\(UInt64.random(in: 0 ... .max))"
        let file = unsafe fopen(path, "w")
        unsafe fputs(text, file)
        unsafe fclose(file)
        defer { unsafe unlink(path) }
        var stream = unsafe ArrowArrayStream()
        guard unsafe sluice_open(path, options, &stream) == 0 else {
            return unsafe ([], String(cString: sluice_last_error()).replacing(path, with: "FILE"))
        }
        #expect(unsafe String(cString: sluice_last_error()) == "")
        defer { unsafe stream.release(&stream) }
        var rows: [String] = []
        while true {
            var array = unsafe ArrowArray()
            guard unsafe stream.get_next(&stream, &array) == 0 else {
                return unsafe (rows, String(cString: stream.get_last_error(&stream)!))
            }
            guard let release = unsafe array.release else { return (rows, nil) }
            // The batch that the array keeps.
            let batch = unsafe Unmanaged<JSONColumnBatch>.fromOpaque(array.private_data).takeUnretainedValue()
            rows += batch.rows.map { $0.replacing(path, with: "FILE") }
            unsafe release(&array)
        }
    }

    private static let text = "{\"id\":1,\"a\":{\"b\":true}}\n{\"id\":\"x\"}\n{\"id\":3}\n"

    @Test func noErrorAndNoReasonOfAScanShowsASensitiveValue() {
        let (secret, number) = ("zQ7wKx93mJv51", "739182645908")
        let record = #"{"id":1,"user":{"name":"a","key":"\#(secret)"},"pin":\#(number),"note":"x"}"#
        func shows(_ text: String) -> Bool {
            [secret, number].contains { secret in
                (0...(secret.count - 4)).contains { text.contains(secret.dropFirst($0).prefix(4)) }
            }
        }
        var (damaged, errors, reasons, shown) = ([String](), 0, 0, 0)
        let scalars = Array(record)
        for index in scalars.indices {
            for character in "\"{}[,:\\x1" { damaged.append(String(scalars[..<index] + [character] + scalars[(index + 1)...])) }
            damaged.append(String(scalars[..<index]))
        }
        damaged += [
            #"{"id":1,"user":"\#(secret)","pin":1}"#, #"{"id":1,"pin":"\#(secret)"}"#, #"{"user":{"key":["\#(secret)"]}}"#,
            #"{"pin":\#(number).5}"#, #""\#(secret)""#, #"{"id":1,"kez":"\#(secret)"}"#,
        ]
        let sensitive = #""sensitive":["user.key","pin"]"#
        for columns in [
            #""columns":{"id":"int64","user.key":"string","pin":"int64"}"#, #""columns":{"id":"int64","user":{"key":"string"}}"#,
            #""columns":{"id":"int64"}"#, #""sampleSize":1"#,
        ] {
            for text in damaged {
                // The first record decides the columns where they are inferred.
                let feed = record + "\n" + text + "\n"
                let error = scan(feed, "{\(columns),\(sensitive),\"format\":\"lines\"}").error
                errors += error == nil ? 0 : 1
                #expect(!shows(error ?? ""), "\(columns) \(text): \(error ?? "")")
                let rows = scan(feed, "{\(columns),\(sensitive),\"format\":\"lines\",\"mode\":\"rejects\"}").rows
                reasons += rows.count
                #expect(!rows.contains(where: shows), "\(columns) \(text): \(rows)")
            }
        }
        for text in damaged.suffix(40) where shows(scan(text + "\n", #"{"columns":{"id":"int64","pin":"int64"}}"#).error ?? "") {
            shown += 1
        }
        #expect(errors > 500 && reasons > 500 && shown > 5, "\(errors) \(reasons) \(shown)")
        // A wrong value of another column is still shown, and a text that is no path is refused.
        let wrong = scan(#"{"id":"old","pin":1}"#, "{\"columns\":{\"id\":\"int64\",\"pin\":\"int64\"},\(sensitive)}")
        #expect(wrong.error?.contains(#"found the string "old""#) == true)
        #expect(scan("{}", #"{"sensitive":["a..b"]}"#).error?.contains("of the path 'a..b'") == true)
    }

    @Test func declaredColumnsAreRead() {
        #expect(
            scan(Self.text, #"{"columns":{"id":"int64","a.b":"bool"},"invalidRecords":"skip"}"#).rows == ["1|true", "3|null"])
        #expect(
            scan(Self.text, #"{"columns":{"a":{"b":"bool"},"id":"json"}}"#).rows == ["{true}|'1'", "null|'\"x\"'", "null|'3'"])
        let failed = scan(Self.text, #"{"columns":{"id":"int64"},"batchSize":1}"#)
        #expect(failed.rows == ["1"])
        #expect(
            failed.error?.hasPrefix(
                "type mismatch at id (line 2, column 7, byte 30): expected an integer or null, found the string \"x\"") == true)
    }

    @Test func columnsMayHaveNamesOfTheirOwn() {
        let text = #"{"id":1,"a":{"b":true},"x=y":5}"# + "\n"
        #expect(scan(text, #"{"columns":{"n=id":"int64","deep=a.b":"bool"},"required":["n"]}"#).rows == ["1|true"])
        #expect(scan(text, #"{"columns":["\"a=b\"=a.b","id","\"x=y\""]}"#).rows == ["true|1|5"])
        for (columns, reason) in [
            (#"["n=id","m=id"]"#, "found a second 'id'"), (#"["n=id","n=a"]"#, "found a second 'n'"),
            (#"["a=id","a"]"#, "found a second 'a'"), (#"["=id"]"#, "expected a name before '='"), (#"["n="]"#, "the path ''"),
            (#"["n=nid"]"#, "did you mean 'id'?"), (#"{"n=":"int64"}"#, "the path ''"),
        ] {
            let error = scan(text, #"{"columns":\#(columns)}"#).error ?? ""
            #expect(error.contains(reason), "\(columns): \(error)")
        }
    }

    @Test func typesHaveTheNamesOfArrow() {
        let text = #"{"n":7,"day":"2026-01-02","price":"12.50"}"# + "\n"
        #expect(scan(text, #"{"columns":{"n":"int32","day":"date","price":"decimal(12,2)"}}"#).rows == ["7|20455|1250"])
        for type in [
            "decimal", "decimal()", "decimal(19,2)", "decimal(4,5)", "decimal(0,0)", "decimal(4)", "decimal(4,-1)", "int8",
        ] {
            let error = scan(text, #"{"columns":{"n":"\#(type)"}}"#).error ?? ""
            #expect(error.contains("'decimal(precision,scale)' with at most 18 digits, found '\(type)'"), "\(type): \(error)")
        }
    }

    @Test func columnsAreInferredIfNoneAreGiven() {
        #expect(scan(Self.text, nil).rows == ["'1'|true", "'x'|null", "'3'|null"])
        #expect(
            scan(Self.text, #"{"columns":["a","id"]}"#).rows == ["'{\"b\":true}'|'1'", "null|'x'", "null|'3'"])
        #expect(scan(Self.text, #"{"sampleSize":1,"invalidRecords":"skip"}"#).rows == ["1|true", "3|null"])
        #expect(scan("7\n", nil).error?.contains("expected an object with a key among the first 1000 records") == true)
    }

    @Test func aKeyWithoutAColumnIsRejectedWhereColumnsAreFound() {
        let text =
            #"{"id":1,"a":{"b":1}}"# + "\n" + #"{"id":2,"late":7}"# + "\n" + #"{"id":3,"a":5}"# + "\n" + #"{"id":4,"a":[1]}"#
            + "\n"
        let failed = scan(text, #"{"sampleSize":1}"#)
        #expect(failed.rows == ["1|1"])
        #expect(
            failed.error?.hasPrefix(
                "unknown key 'late' (line 2, column 9, byte 29): expected a key that a property has; name the columns")
                == true, "\(failed.error ?? "")")
        #expect(scan(text, #"{"sampleSize":1,"invalidRecords":"skip"}"#).rows == ["1|1"])
        #expect(scan(text, #"{"sampleSize":1,"invalidRecords":"skip","workers":2}"#).rows == ["1|1"])
        #expect(scan(text, #"{"sampleSize":1,"mode":"rejects"}"#).rows.count == 3)
        #expect(scan(text, #"{"sampleSize":1,"unknownKeys":"ignore"}"#).rows == ["1|1", "2|null", "3|null", "4|null"])
        #expect(scan(text, #"{"columns":["id"]}"#).rows == ["1", "2", "3", "4"])
        #expect(scan(text, #"{"columns":["id"],"unknownKeys":"reject"}"#).rows == [])
        #expect(scan(text, #"{"unknownKeys":"no"}"#).error?.contains("expected one of 'ignore', 'reject', found 'no'") == true)
    }

    @Test func optionsReachTheFeed() {
        #expect(scan(Self.text, #"{"columns":{"id":"json"},"limit":2}"#).rows == ["'1'", "'\"x\"'"])
        #expect(scan(Self.text, #"{"columns":{"id":"json"},"range":[1,35]}"#).rows == ["'\"x\"'", "'3'"])
        #expect(scan(Self.text, #"{"columns":{"id":"json"},"range":[0,1],"workers":2}"#).rows == ["'1'"])
        #expect(scan(Self.text, #"{"columns":{"id":"json"},"range":[26,null]}"#).rows == ["'3'"])
        #expect(
            scan(#"{"d":[{"id":1},{"id":2}]}"#, #"{"columns":{"id":"json"},"at":"d","format":"object","compression":"none"}"#)
                .rows == ["'1'", "'2'"])
    }

    @Test func rejectedRecordsAreRows() {
        let options = #"{"columns":{"id":"int64","a.b":"bool"},"mode":"rejects","workers":0}"#
        let reason = "type mismatch at id (line 2, column 7, byte 30): expected an integer or null, found the string \"x\""
        for options in [options, options.replacing("\"workers\":0", with: "\"workers\":2")] {
            let found = scan(Self.text, options)
            #expect(found.rows == ["'FILE'|24|34|2|'id'|'\(reason)'"])
            #expect(found.error == nil)
        }
        #expect(scan("{\"id\":1}\n", options).rows == [])
    }

    @Test func whatIsWrongWithAnOptionIsSaidByItsName() {
        let cases = [
            (#"{"colums":[]}"#, "the option 'colums' is not valid: expected one of 'columns', "),
            (#"{"columns":{"id":"int"}}"#, "the option 'columns.id' is not valid: expected one of 'bool', "),
            (#"{"columns":["a","a"]}"#, "the option 'columns' is not valid: expected each column once, found a second 'a'"),
            (
                #"{"columns":7}"#,
                "the option 'columns' is not valid: expected an array of paths, or an object of types by path, found 7"
            ),
            (#"{"range":[5,1]}"#, "the option 'range' is not valid: expected [start, end] in bytes"),
            (#"{"batchSize":0}"#, "the option 'batchSize' is not valid: expected an integer of at least 1, found 0"),
            (#"{"batch_size":0}"#, "the option 'batch_size' is not valid: expected an integer of at least 1, found 0"),
            (#"{"mode":"all"}"#, "the option 'mode' is not valid: expected one of 'records', 'rejects', found 'all'"),
            (#"{"at":"a..b"}"#, "the option 'at' is not valid: expected a key (column 3 of the path 'a..b'), found '.'"),
            (
                #"{"columns":["a["]}"#,
                "the option 'columns' is not valid: expected the number of an element, or '*' (column 3 of the path 'a['), found the end"
            ),
            (#"{"columns":{"a..b":"bool"}}"#, "the option 'columns.a..b' is not valid: expected a key (column 3"),
            ("[]", "the options are not valid: expected an object of options, found an array"),
            ("{", "unexpected end of input"),
        ]
        for (options, start) in cases {
            let error = scan(Self.text, options).error
            #expect(error?.hasPrefix(start) == true, "\(options): \(error ?? "no error")")
        }
        var stream = unsafe ArrowArrayStream()
        #expect(unsafe sluice_open("/does/not/exist", nil, &stream) == EIO)
        #expect(
            unsafe String(cString: sluice_last_error())
                == "input/output error: cannot open /does/not/exist: No such file or directory")
        #expect(unsafe sluice_open("/", "{\"columns\":{\"a\":\"bool\"}}", &stream) == EIO)
    }

    @Test func aRequiredColumnHasAValueInEachRecord() {
        let text = "{\"id\":1}\n{}\n{\"id\":null}\n{\"id\":4}\n"
        let options = #"{"columns":{"id":"int64"},"required":["id"],"invalidRecords":"skip"}"#
        #expect(scan(text, options).rows == ["1", "4"])
        #expect(
            scan(text, #"{"columns":{"id":"int64"},"required":["ip"]}"#).error?.hasSuffix(
                "expected required columns that are among the columns, found 'ip'") == true)
    }

    @Test func anIntegerThatADoubleCannotHoldIsRejected() {
        let numbers = ["0.5", "9007199254740992", "-9007199254740993", "1e300", "18446744073709551617"]
        let text = numbers.map { "{\"x\":\($0)}\n" }.joined()
        #expect(
            scan(text, #"{"sampleSize":1,"invalidRecords":"skip"}"#).rows == ["0.5", "9007199254740992.0", "1e+300"])
        #expect(
            scan(text, #"{"columns":{"x":"double"}}"#).error?.contains(
                "expected a number that a double can hold, found the number -9007199254740993; its digits would change") == true)
    }

    @Test func threadsMayShareAStream() {
        let text = (0..<500).map { "{\"id\":\($0)}\n" }.joined()
        let folder = unsafe getenv("TMPDIR").map { unsafe String(cString: $0) } ?? "/tmp"
        let path = "\(folder)/sluice-shared-\(getpid())"
        let file = unsafe fopen(path, "w")
        unsafe fputs(text, file)
        unsafe fclose(file)
        defer { unsafe _ = unlink(path) }
        let stream = UnsafeMutablePointer<ArrowArrayStream>.allocate(capacity: 1)
        defer { unsafe stream.deallocate() }
        unsafe stream.initialize(to: ArrowArrayStream())
        #expect(unsafe sluice_open(path, #"{"columns":{"id":"int64"},"batchSize":1}"#, stream) == 0)
        let rows = Rows()
        let address = UInt(bitPattern: stream)
        DispatchQueue.concurrentPerform(iterations: 4) { _ in
            let stream = unsafe UnsafeMutablePointer<ArrowArrayStream>(bitPattern: address)!
            while true {
                var array = unsafe ArrowArray()
                guard unsafe stream.pointee.get_next(stream, &array) == 0, let release = unsafe array.release else { return }
                rows.count(Int(unsafe array.length))
                unsafe release(&array)
            }
        }
        unsafe stream.pointee.release(stream)
        #expect(rows.total == 500)
    }

    private final class Rows: Sendable {
        private let counted = Mutex(0)
        var total: Int { counted.withLock { $0 } }
        func count(_ rows: Int) { counted.withLock { $0 += rows } }
    }

    // MARK: Paths

    private static let dotted = #"{"k8s.pod.name":"p","k8s":{"pod":{"name":"q"}},"x.y":1,"tags":[7]}"# + "\n"

    /// The names of the columns of a scan, and the paths that the schema has beside them.
    private func schema(_ text: String, _ options: String?) throws -> [String] {
        let path =
            "\(unsafe getenv("TMPDIR").map { unsafe String(cString: $0) } ?? "/tmp")/sluice-schema-\(UInt64.random(in: 0 ... .max))"
        let file = unsafe fopen(path, "w")
        unsafe fputs(text, file)
        unsafe fclose(file)
        defer { unsafe unlink(path) }
        let columns = try FeedScan.columns(path, options.map { try ScanOptions(json: JSONValue(json: $0)) } ?? ScanOptions())
        return columns.map { "\($0.name)=\($0.keys[0].text)" }
    }

    @Test func columnsOfEqualKeysHaveTheirPathsForNames() throws {
        let found = try schema(Self.dotted, nil)
        #expect(found == [#""k8s.pod.name"="k8s.pod.name""#, "k8s.pod.name=k8s.pod.name", #"x.y="x.y""#, "tags=tags"])
        #expect(scan(Self.dotted, nil).rows == ["'p'|'q'|1|'[7]'"])
        // What inference names is found again, by its path and by its name.
        for options in [
            #"{"columns":["\"k8s.pod.name\"","k8s.pod.name","\"x.y\"","tags[0]"]}"#,
            #"{"columns":["/k8s.pod.name","$.k8s.pod.name","x.y","tags.0"]}"#,
            #"{"columns":{"\"k8s.pod.name\"":"string","k8s.pod.name":"string","\"x.y\"":"string","tags[0]":"string"}}"#,
        ] {
            #expect(scan(Self.dotted, options).rows.map { $0.replacing("'", with: "") } == ["p|q|1|7"], "\(options)")
        }
        #expect(
            try schema(Self.dotted, #"{"columns":{"\"x.y\"":"int64","tags[0]":"int64"}}"#) == [#"x.y="x.y""#, "tags.0=tags.0"])
    }

    @Test func aColumnThatNoRecordHasIsAnError() {
        for (column, hint) in [
            ("nope", "give its type if it comes later, or raise sampleSize"), ("tag", "did you mean 'tags'?"),
            ("k8s.pod.nam", #"did you mean '"k8s.pod.name"'?"#), ("x.z", #"did you mean '"x.y"'?"#),
            ("tags.a", "did you mean 'tags'?"),
        ] {
            let error = scan(Self.dotted, "{\"columns\":[\"\(column)\"]}").error ?? ""
            #expect(error.contains("a path that one of the first 1000 records has, found '\(column)'; \(hint)"), "\(error)")
        }
        #expect(scan("", #"{"columns":["nope"]}"#).error == nil)
        #expect(scan(Self.dotted, #"{"columns":{"nope":"string"}}"#).rows == ["null"])
        #expect(scan(Self.dotted + "{\"late\":null}\n", #"{"columns":["late"]}"#).rows == ["null", "null"])
    }

    @Test(arguments: PathCases.all) func aScanFindsThePath(path: PathCase) throws {
        let option = try JSONValue.object(["columns": .object(JSONObject([(path.path, "json")]))]).jsonString()
        let text = try path.value.map { "'\(try $0.jsonString())'" } ?? "null"
        #expect(scan(PathCases.document + "\n", option).rows == [text])
    }

    @Test func theVersionIsThatOfThePackage() {
        #expect(unsafe String(cString: sluice_version()) == SluiceVersion.text)
    }
}
