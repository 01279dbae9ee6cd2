// Feeds, columns, archives, and writing.

import SluiceCore
import SluiceFeed

let feedShapes: [Shape] = [
    Shape("a feed of lines", 500) { size in
        let read = records((0..<size).map { "{\"id\":\($0)}\n" }.joined(), .lines)
        return { try read().accepted }
    },
    Shape("a feed in an array", 500) { size in
        let read = records("[" + joined(size) { "{\"id\":\($0)}\n" } + "]", .array)
        return { try read().accepted }
    },
    Shape("a feed of values", 500) { size in
        let read = records((0..<size).map { "{\"id\":\($0)}" }.joined(), .concatenated)
        return { try read().accepted }
    },
    Shape("a feed of unknown layout", 500) { size in
        let read = records((0..<size).map { "{\"id\":\($0)}\n" }.joined(), .automatic)
        return { try read().accepted }
    },
    Shape("a feed in small pieces", 500) { size in
        let read = records((0..<size).map { "{\"id\":\($0)}\n" }.joined(), .lines, pieces: 7)
        return { try read().accepted }
    },
    Shape("a long line in small pieces", 10_000, expected: { _ in 1 }) { size in
        let read = records("{\"tags\":[" + joined(size) { "\($0)" } + "]}\n", .lines, pieces: 1024)
        return { try read().accepted }
    },
    Shape("a long element in small pieces", 10_000, expected: { _ in 1 }) { size in
        let read = records("[{\"tags\":[" + joined(size) { "\($0)" } + "]}]", .array, pieces: 1024)
        return { try read().accepted }
    },
    Shape("a long value in small pieces", 10_000, expected: { _ in 1 }) { size in
        let read = records("{\"tags\":[" + joined(size) { "\($0)" } + "]}", .concatenated, pieces: 1024)
        return { try read().accepted }
    },
    Shape("records with keys that never come again", 500) { size in
        let read = records((0..<size).map { "{\"id\":\($0),\"key\($0)\":[1]}\n" }.joined(), .lines)
        return { try read().accepted }
    },
    Shape("a record with many unbound keys", 1000, expected: { _ in 1 }) { size in
        let read = records("{" + joined(size) { "\"key\($0 * 7919 % size)\":1" } + ",\"id\":1}\n", .lines)
        return { try read().accepted }
    },
    Shape("rejected records", 500) { size in
        let read = records((0..<size).map { "{\"id\":[\($0)]}\n" }.joined(), .lines)
        return { try read().rejected }
    },
    Shape("rejected elements", 500) { size in
        let read = records("[" + joined(size) { "{\"id\":[\($0)]}" } + "]", .array)
        return { try read().rejected }
    },
    Shape("records that are not JSON", 500) { size in
        let read = records((0..<size).map { "{\"id\":\($0)]}x\n" }.joined(), .lines)
        return { try read().rejected }
    },
    Shape("damaged values", 4000) { size in
        // The buffer of 256 KiB is full from the beginning: what one record costs must not depend on it.
        let read = records(String(repeating: "{\"a\" x\n", count: size), .concatenated, pieces: .max)
        return { try read().rejected }
    },
    Shape("damaged values with strings", 4000) { size in
        let read = records(String(repeating: "{\"a\":\"x\n", count: size), .concatenated, pieces: .max)
        return { try read().rejected }
    },
    Shape("a damaged value before white space in small pieces", 4000, expected: { _ in 1 }) { size in
        let read = records("{\"a\" x" + String(repeating: " ", count: size) + "\n{\"id\":1}", .concatenated, pieces: 7)
        return { try read().rejected }
    },
    Shape("a damaged value before tabs and line breaks in small pieces", 2000, expected: { _ in 1 }) { size in
        let read = records("{\"a\" x" + String(repeating: "\t\n", count: size) + "{\"id\":1}", .concatenated, pieces: 7)
        return { try read().rejected }
    },
    Shape("a damaged element before white space in small pieces", 4000, expected: { _ in 1 }) { size in
        let read = records("[{\"a\" x" + String(repeating: " ", count: size) + "\n{\"id\":1}]", .array, pieces: 7)
        return { try read().rejected }
    },
    Shape("a value that is too long before white space in small pieces", 4000, expected: { _ in 1 }) { size in
        let read = records(
            "{\"a\":[\"xxxxxxxxxx\"" + String(repeating: " ", count: size) + "]}\n{\"id\":1}", .concatenated, pieces: 7,
            .init(invalidRecords: .skip, maximumRecordSize: 10))
        return { try read().rejected }
    },
    Shape("white space before what may be a record, in small pieces", 4000, expected: { _ in 1 }) { size in
        // The container after the line break may be a record of its own as long as it is open.
        let read = records(
            "{\"id\":1,\"a\":" + String(repeating: " ", count: size) + "\n{\"b\":\"" + String(repeating: "x", count: size)
                + "\"}}",
            .concatenated, pieces: 7)
        return { try read().accepted }
    },
    Shape("white space before what may be a record, after a value that is too long", 2000, expected: { _ in 1 }) { size in
        let read = records(
            "{\"id\":[\"xxxxxxxxxx\"," + String(repeating: " ", count: size) + "\n{\"b\":\"" + String(repeating: "x", count: size)
                + "\"}]}", .concatenated, pieces: 7, .init(invalidRecords: .skip, maximumRecordSize: 10))
        return { try read().rejected }
    },
    Shape("white space before a value in small pieces", 20_000, expected: { _ in 1 }) { size in
        let read = records(String(repeating: " ", count: size) + "{\"id\":1}", .concatenated, pieces: 7)
        return { try read().accepted }
    },
    Shape("white space in a value in small pieces", 4000, expected: { _ in 1 }) { size in
        let read = records("{\"id\":" + String(repeating: " ", count: size) + "1}", .concatenated, pieces: 7)
        return { try read().accepted }
    },
    Shape("white space in a line in small pieces", 4000, expected: { _ in 1 }) { size in
        let read = records("{\"a\" x" + String(repeating: " ", count: size) + "\n{\"id\":1}\n", .lines, pieces: 7)
        return { try read().rejected }
    },
    Shape("white space after a text of a sequence in small pieces", 4000, expected: { _ in 1 }) { size in
        let read = records("\u{1E}{\"id\":1}" + String(repeating: "\n", count: size), .sequence, pieces: 7)
        return { try read().accepted }
    },
    Shape("white space after a text that is too long in small pieces", 4000, expected: { _ in 1 }) { size in
        let read = records(
            "\u{1E}{\"name\":\"xxxxxxxxxx\"}" + String(repeating: "\n", count: size), .sequence, pieces: 7,
            .init(invalidRecords: .skip, maximumRecordSize: 10))
        return { try read().rejected }
    },
    Shape("a feed of unknown layout in small pieces", 16_000, expected: { _ in 1 }) { size in
        let read = records("[{\"name\":\"" + String(repeating: "x", count: size) + "\"}]", .automatic, pieces: 7)
        return { try read().accepted }
    },
    Shape("white space before a feed of unknown layout in small pieces", 16_000, expected: { _ in 1 }) { size in
        let read = records(String(repeating: " ", count: size) + "{\"id\":1}", .automatic, pieces: 7)
        return { try read().accepted }
    },
    Shape("a long string of an envelope in small pieces", 16_000, expected: { _ in 1 }) { size in
        let text = "{\"a\":\"" + String(repeating: "x", count: size) + "\",\"r\":[{\"id\":1}]}"
        let read = records(text, .object, pieces: 7, .init(at: "r"))
        return { try read().accepted }
    },
    Shape("a long key of an envelope in small pieces", 16_000, expected: { _ in 1 }) { size in
        let text = "{\"" + String(repeating: "x", count: size) + "\":1,\"r\":[{\"id\":1}]}"
        let read = records(text, .object, pieces: 7, .init(at: "r"))
        return { try read().accepted }
    },
    Shape("a long line in small pieces, cut for workers", 16_000, expected: { $0 + 12 }) { size in
        let bytes = Array(("{\"name\":\"" + String(repeating: "x", count: size) + "\"}\n").utf8)
        return {
            var splitter = RecordSplitter(source: BytesSource(bytes, chunkSize: 7), format: .lines)
            var count = 0
            while let slice = splitter.nextSlice() { count += slice.bytes.count }
            return count
        }
    },
    Shape("damaged values before white space in small pieces", 100) { size in
        let read = records(
            String(repeating: "{\"a\" x" + String(repeating: " ", count: 300) + "\n", count: size), .concatenated, pieces: 7)
        return { try read().rejected }
    },
    Shape("damaged elements", 4000) { size in
        let read = records("[" + String(repeating: "{\"a\" x\n", count: size) + ",\n{\"id\":1}]", .array, pieces: .max)
        return { try read().rejected }
    },
    Shape("records that are too long", 200) { size in
        let line = "{\"name\":\"" + String(repeating: "x", count: 300) + "\"}\n"
        let read = records(
            String(repeating: line, count: size), .lines, pieces: 64, .init(invalidRecords: .skip, maximumRecordSize: 100))
        return { try read().rejected }
    },
    Shape("blank lines", 20_000, expected: { _ in 1 }) { size in
        let read = records(String(repeating: " \n", count: size) + "{\"id\":1}\n", .lines)
        return { try read().accepted }
    },
    Shape("an error at the end of a long record", 10_000, expected: { _ in 1 }) { size in
        let read = records("{\"tags\":[" + joined(size) { "\($0)" } + ",x]}\n", .lines)
        return { try read().rejected }
    },
    Shape("what records leave out", 500) { size in
        var reading = JSONReader.Options(mismatch: .keep)
        reading.reportLimit = .max
        let read = records(
            (0..<size).map { "{\"id\":\($0),\"name\":[]}\n" }.joined(), .lines, .init(invalidRecords: .skip, reading: reading))
        return { try read().accepted }
    },
    Shape("an untrusted feed", 300) { size in
        let read = records((0..<size).map { "{\"id\":\($0),\"x\":{\"y\":[1,2]}}\n" }.joined(), .lines, .untrusted)
        return { try read().accepted }
    },
]

let otherShapes: [Shape] = [
    Shape("columns", 500) { size in
        let lines = (0..<size).map { Array("{\"i\":\($0),\"t\":\"a\\nb\",\"x\":[1],\"j\":{\"k\":\($0)}}".utf8) }
        return {
            let reader = ColumnReader(columns: columns)
            for line in lines { try unsafe line.withUnsafeBytes { try unsafe reader.read($0) } }
            return lines.count
        }
    },
    Shape("columns of a long record", 2000, expected: { _ in 1 }) { size in
        let line = Array(
            ("{\"t\":\"\\n" + String(repeating: "xé", count: size) + "\"," + joined(size) { "\"x\($0)\":1" } + "}").utf8)
        return {
            let reader = ColumnReader(columns: columns)
            try unsafe line.withUnsafeBytes { try unsafe reader.read($0) }
            return 1
        }
    },
    Shape("archives", 500) { size in
        let items = (0..<size).map { Item(id: $0) }
        return { try JSONArchive(JSONArchive.bytes(of: items)).value([Item].self).count }
    },
    Shape("copies", 500) { size in
        let items = (0..<size).map { Item(id: $0) }
        return { try [Item](json: try items.jsonBytes()).count }
    },
    Shape("writing", 500, expected: { _ in 1 }) { size in
        let items = (0..<size).map { Item(id: $0) }
        return { try items.jsonString().utf8.count > items.count ? 1 : 0 }
    },
    Shape("writing with indentation", 500, expected: { _ in 1 }) { size in
        let items = (0..<size).map { Item(id: $0) }
        return { try items.jsonString(options: .pretty).utf8.count > items.count ? 1 : 0 }
    },
    Shape("writing long strings", 20_000, expected: { _ in 1 }) { size in
        let text = String(repeating: "a\n\"é", count: size)
        return { try text.jsonString().utf8.count > size ? 1 : 0 }
    },
    Shape("writing deep arrays", 100, expected: { $0 * 2 }) { size in
        var value = JSONValue.array([])
        for _ in 1..<size { value = .array([value]) }
        return { [value] in try value.jsonString().utf8.count }
    },
]

private let columns = [
    JSONColumn(name: "i", type: .integer, keys: ["i"]), JSONColumn(name: "t", type: .text, keys: ["t"]),
    JSONColumn(name: "j", type: .json, keys: ["j"]),
]
