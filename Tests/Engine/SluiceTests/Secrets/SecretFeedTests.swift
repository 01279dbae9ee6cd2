// E3: the errors of a feed's records, whichever part of Sluice makes them, and its checkpoints.
#if Macros

import Foundation
import Sluice
import Testing

@testable import SluiceFeed
@testable import SluiceTestSupport

@Suite struct SecretFeedTests {
    /// Damaged records of ``SecretLogin``.
    static let records: [String] = {
        let w = Secrets.word
        let good = #"{"name":"n","password":"\#(w)","age":1}"#
        return [
            good, #"{"name":"n","password":"\#(w)","age":"old"}"#, #"{"name":"n","password":\#(w)}"#,
            #"{"name":1,"password":["\#(w)"]}"#,
            #"{"password":"\#(w)"#, #"{"name":"n","pasword":"\#(w)\ud800"}"#, #""\#(w)""#, "\(Secrets.number)", w,
            good + #""\#(w)""#,
            #"{"name":"n","password" "\#(w)"}"#, good, #"{"password":"\#(w)","name":"\#(String(repeating: "x", count: 200))"}"#,
        ]
    }()

    static func texts<Record>(of feed: JSONFeed<Record>, thrown: [JSONError]) -> String {
        var dumped = ""
        dump(feed.rejectedRecords, to: &dumped)
        dump(feed.checkpoint, to: &dumped)
        return dumped + SecretTests.texts(of: feed.reasons + thrown, feed.report) + "\(feed.checkpoint)"
            + "\(feed.rejectedRecords)" + String(reflecting: feed.rejectedRecords)
    }

    static func options(_ change: (inout JSONFeed<SecretLogin>.Options) -> Void) -> JSONFeed<SecretLogin>.Options {
        var options = JSONFeed<SecretLogin>.Options()
        options.maximumRecordSize = 150
        options.keptReasons = 1_000
        change(&options)
        return options
    }

    static let inputs: [(String, JSONFeed<SecretLogin>.Options)] = [
        (records.joined(separator: "\n"), options { $0.invalidRecords = .skip }),
        (records.joined(separator: "\n"), options { $0.invalidRecords = .throw }),
        (records.map { "\u{1E}\($0)\n" }.joined(), options { ($0.invalidRecords, $0.format) = (.throw, .sequence) }),
        (records.map { "\u{1E}\($0)" }.joined(), options { ($0.invalidRecords, $0.format) = (.throw, .sequence) }),
        ("[" + records.joined(separator: ",") + "]", options { ($0.invalidRecords, $0.format) = (.throw, .array) }),
        (records.joined(separator: " "), options { ($0.invalidRecords, $0.format) = (.throw, .concatenated) }),
        (#"{"a":["# + records.joined(separator: ",") + "]}", options { ($0.invalidRecords, $0.at) = (.throw, "a") }),
        (
            #"{"a":["# + records.prefix(1).joined(separator: ",") + "] \(Secrets.word)}",
            options { ($0.invalidRecords, $0.at) = (.throw, "a") }
        ),
        (
            #"["name","password","age"]"# + "\n" + #"["n","\#(Secrets.word)","old"]"# + "\n" + #"["n","\#(Secrets.word)",1,2]"#
                + "\n"
                + #"["n","\#(Secrets.word)",1"# + "\n" + #"{"a":"\#(Secrets.word)"}"#,
            options { ($0.invalidRecords, $0.hasHeader) = (.throw, true) }
        ),
        (#"["\#(Secrets.word)",[1]]"# + "\n", options { ($0.invalidRecords, $0.hasHeader) = (.throw, true) }),
        (
            records.joined(separator: "\n"),
            options { ($0.invalidRecords, $0.maximumErrors) = (.skip, 2) }
        ),
    ]

    @Test(arguments: inputs.indices, [0, 1, 7, -2])
    func noRejectedRecordAndNoCheckpointShowsASecret(index: Int, piece: Int) throws {
        let (text, options) = Self.inputs[index]
        let bytes = Array(text.utf8)
        let parser = JSONFeedParser<SecretLogin>(options: options)
        let feed = piece > 0 ? parser.feed : JSONFeed<SecretLogin>(bytes: bytes, options: options)
        if piece < 0 { try feed.parallel(workers: 2) }
        var thrown: [JSONError] = []
        func readAll() {
            for _ in 0..<200 {
                do {
                    guard try feed.next() != nil else { return }
                } catch {
                    thrown.append(error)
                }
            }
        }
        if piece > 0 {
            for start in stride(from: 0, to: bytes.count, by: piece) {
                parser.append(bytes[start..<min(start + piece, bytes.count)])
                readAll()
            }
            parser.finish()
        }
        readAll()
        #expect(!thrown.isEmpty || !feed.rejectedRecords.isEmpty)
        let texts = Self.texts(of: feed, thrown: thrown)
        #expect(!SecretTests.shows(texts), "\(texts)")
    }

    @Test(arguments: [0, 2])
    func columnsOfAModelHideWhatItHides(workers: Int) throws {
        for declared in [[], [JSONColumn("name", .text), JSONColumn("password", .integer)]] {
            var options = Self.options { $0.invalidRecords = .skip }
            options.maximumRecordSize = 1 << 20
            let feed = JSONFeed<SecretLogin>(bytes: Array(Self.records.joined(separator: "\n").utf8), options: options)
            let columns = declared.isEmpty ? SecretLogin.schema.columns : declared
            let batches = try feed.columnBatches(of: 10, columns: columns, workers: workers)
            while try batches.next() != nil {}
            #expect(feed.rejectedRecords.count > 5)
            #expect(!SecretTests.shows(Self.texts(of: feed, thrown: [])), "\(Self.texts(of: feed, thrown: []))")
        }
    }

    @Test func aSensitiveColumnHidesItsValues() throws {
        let columns = [JSONColumn("name", .integer), JSONColumn(name: "password", type: .integer, isSensitive: true)]
        let feed = JSONFeed<JSONValue>(
            bytes: Array((Self.records + [#"{"name":"old","password":\#(Secrets.number)}"#]).joined(separator: "\n").utf8),
            options: .init(invalidRecords: .skip, keptReasons: 100))
        let batches = try feed.columnBatches(of: 10, columns: columns)
        while try batches.next() != nil {}
        #expect(!SecretTests.shows(Self.texts(of: feed, thrown: [])), "\(Self.texts(of: feed, thrown: []))")
        #expect(feed.rejectedRecords.last?.error.found == #"the string "old""#)
    }
}

#endif
