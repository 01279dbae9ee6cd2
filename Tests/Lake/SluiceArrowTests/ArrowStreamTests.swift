import SluiceArrow
import SluiceCompression
import SluiceCore
import SluiceTestSupport
import Testing

/// The stream is read here by the text of the specification: tables of FlatBuffers, their fields by the numbers of Schema.fbs and
/// Message.fbs. `Scripts/net arrow` has pyarrow read it, too.
@Suite struct ArrowStreamTests {
    private func stream(
        _ columns: [JSONColumn], _ batches: [[String]], _ compression: ArrowCompression = .none
    ) throws -> [UInt8] {
        var writer = ArrowStreamWriter(columns: columns, to: [UInt8](), compression: compression)
        var reader = ColumnBatchReader(columns: columns)
        for records in batches {
            for record in records {
                if let error = unsafe Array(record.utf8).withUnsafeBytes({ unsafe reader.append($0) }) { throw error }
            }
            try writer.write(reader.takeBatch())
        }
        try writer.finish()
        return writer.sink
    }

    @Test func aStreamWithoutBatchesIsASchemaAndAnEnd() throws {
        let bytes = try stream([], [])
        let messages = Message.all(in: bytes)
        #expect(messages.count == 1)
        #expect(bytes.suffix(8) == [0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 0, 0])
        #expect(messages[0].table.int16(0) == 4)
        #expect(messages[0].table.uint8(1) == 1)
        #expect(messages[0].table.int64(3) == 0)
    }

    @Test func schemasHaveTheNumbersOfTheSpecification() throws {
        let bytes = try stream(
            [
                JSONColumn("b", .bool), JSONColumn(name: "i", type: .integer, isRequired: true), JSONColumn("d", .real),
                JSONColumn("é.s", .text), JSONColumn("j", .json), JSONColumn("t", .timestamp),
                JSONColumn("l", .list(of: .integer)),
                JSONColumn("o", .object([JSONColumn("x", .list(of: .text))])),
            ], [])
        let schema = try #require(Message.all(in: bytes).first?.table.table(2))
        #expect(schema.int16(0) == 0, "little endian")
        #expect(
            schema.tables(1).map(Field.init(table:)).map(\.text)
                == ["b?6", "i2(64,1)", "d?3(2)", "é.s?5", "j?5", "t?10(2,UTC)", "l?12[item?2(64,1)]", "o?13[x?12[item?5]]"])
    }

    @Test func batchesSayWhereTheirBuffersStand() throws {
        let columns = [
            JSONColumn("i", .integer), JSONColumn("b", .bool), JSONColumn("s", .text), JSONColumn("l", .list(of: .real)),
            JSONColumn("o", .object([JSONColumn("x", .text)])),
        ]
        let bytes = try stream(
            columns,
            [
                [
                    #"{"i":1,"b":true,"s":"ab","l":[0.5],"o":{"x":"q"}}"#, #"{"b":true,"s":"c","l":[],"o":null}"#,
                    #"{"i":-1,"b":false,"s":"","l":[1,2]}"#,
                ],
                [], [#"{"i":7,"b":false,"s":"zzzzzzzzz","l":[],"o":{"x":"w"}}"#],
            ])
        let messages = Message.all(in: bytes)
        #expect(messages.count == 4)
        #expect(messages.dropFirst().allSatisfy { $0.table.uint8(1) == 3 })
        let batch = try #require(messages[1].table.table(2))
        #expect(batch.int64(0) == 3)
        #expect(batch.pairs(1) == [[3, 1], [3, 0], [3, 0], [3, 0], [3, 0], [3, 2], [3, 2]])
        #expect(
            batch.pairs(2) == [
                [0, 1], [8, 24], [32, 0], [32, 1], [40, 0], [40, 16], [56, 3], [64, 0], [64, 16], [80, 0], [80, 24], [104, 1],
                [112, 1], [120, 16], [136, 1],
            ])
        let body = Array(messages[1].body)
        #expect(body.count == 144)
        #expect(body[0] == 0b101)
        #expect(
            body[8..<32].elementsEqual(
                [1, 0, 0, 0, 0, 0, 0, 0] + Array(repeating: 0, count: 8) + Array(repeating: 0xFF, count: 8)))
        #expect(body[32] == 0b011)
        #expect(body[40..<56].elementsEqual([0, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0, 3, 0, 0, 0]))
        #expect(body[56..<64].elementsEqual(Array("abc".utf8) + [0, 0, 0, 0, 0]), "a buffer is filled up with zeros")
        #expect(body[64..<80].elementsEqual([0, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 3, 0, 0, 0]))
        #expect(body[104] == 0b001)
        #expect(body[112] == 0b001)
        #expect(body[136] == UInt8(ascii: "q"))
        #expect(messages[2].table.table(2)?.int64(0) == 0)
        #expect(messages[3].table.table(2)?.int64(0) == 1)
    }

    #if Compression
    @Test func compressedBuffersHoldTheSameBytes() throws {
        let columns = [
            JSONColumn("i", .integer), JSONColumn("s", .text), JSONColumn("l", .list(of: .real)), JSONColumn("b", .bool),
        ]
        let records = (0..<500).map { #"{"i":\#($0 % 7),"s":"text","l":[1,2],"b":\#($0 == 3 ? "null" : "true")}"# }
        let batches = [records, [], [#"{"i":1}"#]]
        let plain = Message.all(in: try stream(columns, batches))
        let compressed = Message.all(in: try stream(columns, batches, .zstd))
        #expect(compressed.count == plain.count)
        #expect(compressed[1].body.count < plain[1].body.count / 4)
        for (message, other) in zip(compressed, plain).dropFirst() {
            let (batch, expected) = (try #require(message.table.table(2)), try #require(other.table.table(2)))
            #expect(batch.pairs(1) == expected.pairs(1))
            #expect(batch.table(3)?.uint8(0) == 1, "the codec is zstd")
            #expect(expected.table(3) == nil)
            #expect(batch.pairs(2).allSatisfy { $0[0] % 8 == 0 })
            #expect(try message.buffers(isCompressed: true) == other.buffers(isCompressed: false))
        }
        // A buffer that compression would not make smaller is stored as it is, after -1 as its length.
        let range = try #require(compressed[3].table.table(2)?.pairs(2).first { $0[1] == 16 })
        let start = compressed[3].body.startIndex + Int(range[0])
        #expect(compressed[3].body[start..<(start + 8)].allSatisfy { $0 == 0xFF })
    }
    #endif

    @Test func aBatchWithOtherColumnsIsRefused() throws {
        var writer = ArrowStreamWriter(columns: [JSONColumn("a", .bool)], to: [UInt8]())
        var reader = ColumnBatchReader(columns: [JSONColumn("b", .bool)])
        let batch = reader.takeBatch()
        #expect(failure { () throws(JSONError) in try writer.write(batch) }?.kind == .notWritable)
        #expect(writer.sink.isEmpty)
    }

    @Test func whatTheSinkRefusesIsThrown() throws {
        struct Full: ByteSink {
            mutating func write(_ bytes: UnsafeRawBufferPointer) throws(JSONError) { throw .inputOutput("the disk is full") }
        }
        var writer = ArrowStreamWriter(columns: [], to: Full())
        #expect(failure { () throws(JSONError) in try writer.finish() }?.summary == "input/output error: the disk is full")
    }
}

/// A table of a FlatBuffer.
private struct Table {
    let bytes: [UInt8]
    let start: Int

    private func integer<Value: FixedWidthInteger>(_ type: Value.Type, at offset: Int) -> Value {
        (0..<(Value.bitWidth / 8)).reduce(0) { $0 | Value(truncatingIfNeeded: bytes[offset + $1]) << (8 * $1) }
    }

    /// Where a field is; nil if it has its default.
    private func field(_ number: Int, size: Int) -> Int? {
        let vtable = start - Int(integer(Int32.self, at: start))
        guard 4 + 2 * number < Int(integer(UInt16.self, at: vtable)) else { return nil }
        let offset = Int(integer(UInt16.self, at: vtable + 4 + 2 * number))
        guard offset != 0 else { return nil }
        #expect((start + offset) % size == 0, "a field stands at a multiple of its size")
        #expect(offset + size <= Int(integer(UInt16.self, at: vtable + 2)), "a field lies in its table")
        return start + offset
    }

    private func target(_ number: Int) -> Int? {
        field(number, size: 4).map { $0 + Int(integer(UInt32.self, at: $0)) }
    }

    func uint8(_ number: Int) -> UInt8 { field(number, size: 1).map { bytes[$0] } ?? 0 }
    func int16(_ number: Int) -> Int16 { field(number, size: 2).map { integer(Int16.self, at: $0) } ?? 0 }
    func int32(_ number: Int) -> Int32 { field(number, size: 4).map { integer(Int32.self, at: $0) } ?? 0 }
    func int64(_ number: Int) -> Int64 { field(number, size: 8).map { integer(Int64.self, at: $0) } ?? 0 }
    func table(_ number: Int) -> Table? { target(number).map { Table(bytes: bytes, start: $0) } }

    func string(_ number: Int) -> String? {
        target(number).map { start in
            let count = Int(integer(UInt32.self, at: start))
            #expect(bytes[start + 4 + count] == 0)
            return String(decoding: bytes[(start + 4)..<(start + 4 + count)], as: UTF8.self)
        }
    }

    func tables(_ number: Int) -> [Table] {
        guard let start = target(number) else { return [] }
        return (0..<Int(integer(UInt32.self, at: start))).map { index in
            let offset = start + 4 + 4 * index
            return Table(bytes: bytes, start: offset + Int(integer(UInt32.self, at: offset)))
        }
    }

    func pairs(_ number: Int) -> [[Int64]] {
        guard let start = target(number) else { return [] }
        #expect((start + 4) % 8 == 0)
        return (0..<Int(integer(UInt32.self, at: start))).map { index in
            [0, 8].map { integer(Int64.self, at: start + 4 + 16 * index + $0) }
        }
    }
}

/// A message of a stream.
private struct Message {
    let table: Table
    let body: ArraySlice<UInt8>

    #if Compression
    /// The buffers of a batch.
    func buffers(isCompressed: Bool) throws -> [[UInt8]] {
        try (table.table(2)?.pairs(2) ?? []).map { range in
            let bytes = Array(body.dropFirst(Int(range[0])).prefix(Int(range[1])))
            guard isCompressed, !bytes.isEmpty else { return bytes }
            let size = (0..<8).reduce(0) { $0 | Int64(bytes[$1]) << (8 * $1) }
            let rest = Array(bytes.dropFirst(8))
            if size == -1 { return rest }
            var source = DecompressingSource(BytesSource(rest), compression: .zstd)
            var result = [UInt8](repeating: 0, count: Int(size) + 1)
            var count = 0
            while true {
                let read = try unsafe result.withUnsafeMutableBytes { buffer throws(JSONError) in
                    try unsafe source.read(into: UnsafeMutableRawBufferPointer(rebasing: buffer[count...]))
                }
                if read == 0 { break }
                count += read
            }
            #expect(count == Int(size))
            return Array(result.prefix(count))
        }
    }
    #endif

    /// The messages before the end of a stream.
    static func all(in bytes: [UInt8]) -> [Message] {
        var messages: [Message] = []
        var offset = 0
        while true {
            #expect(offset % 8 == 0)
            #expect(bytes[offset..<(offset + 4)].elementsEqual([0xFF, 0xFF, 0xFF, 0xFF]))
            let size = (0..<4).reduce(0) { $0 | Int(bytes[offset + 4 + $1]) << (8 * $1) }
            offset += 8
            if size == 0 { break }
            #expect(size % 8 == 0)
            let metadata = Array(bytes[offset..<(offset + size)])
            let root = (0..<4).reduce(0) { $0 | Int(metadata[$1]) << (8 * $1) }
            let table = Table(bytes: metadata, start: root)
            offset += size
            let bodySize = Int(table.int64(3))
            messages.append(Message(table: table, body: bytes[offset..<(offset + bodySize)]))
            offset += bodySize
        }
        #expect(offset == bytes.count)
        return messages
    }
}

/// A field of a schema.
private struct Field {
    let table: Table

    /// Its name, `?` if it may be null, the number of its type, the type's own fields, and its children.
    var text: String {
        let number = table.uint8(2)
        let type = table.table(3)
        let details: [String] =
            switch number {
            case 2: ["\(type?.int32(0) ?? 0)", "\(type?.uint8(1) ?? 0)"]
            case 3: ["\(type?.int16(0) ?? 0)"]
            case 10: ["\(type?.int16(0) ?? 0)", type?.string(1) ?? ""]
            default: []
            }
        let children = table.tables(5).map { Field(table: $0).text }
        return (table.string(0) ?? "") + (table.uint8(1) == 1 ? "?" : "") + "\(number)"
            + (details.isEmpty ? "" : "(\(details.joined(separator: ",")))")
            + (children.isEmpty ? "" : "[\(children.joined(separator: ","))]")
    }
}
