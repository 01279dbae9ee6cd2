// Types that are only read, or only written: alone, in collections, and as properties of models.

#if Macros

import Sluice
import Testing

/// Only read: nothing says how it would be written.
private struct Port: JSONScalarReadable, Equatable {
    var number: UInt16
    init(_ number: UInt16) { self.number = number }
    init?(jsonScalar scalar: JSONScalar) {
        guard let number = scalar.integer(as: UInt16.self) else { return nil }
        self.number = number
    }
    static var jsonExpectation: String { "a port" }
}

/// Only written: its text cannot be read back.
private struct Masked: JSONScalarWritable {
    var digits: String
    func write(to writer: inout JSONWriter) throws(JSONError) { writer.write("…" + digits.suffix(4)) }
}

@JSONModel
private struct Payment {
    var amount = 0
    @JSONIgnored(.writing) var port = Port(80)
    @JSONIgnored(.reading) var card = Masked(digits: "0000")
}

@Suite struct DirectionTests {
    @Test func aTypeMayBeReadAlone() throws {
        #expect(try Port(json: "8080") == Port(8080))
        #expect(try [String: [Port?]](json: #"{"a":[1,null]}"#) == ["a": [Port(1), nil]])
        #expect(try Set<Int>(json: "[1,1]") == [1])
        let error = #expect(throws: JSONError.self) { try [Port](json: "[1,70000]") }
        #expect(error?.path == "[1]")
        #expect(error?.expected == "a port")
    }

    @Test func aFeedAcceptsTypesThatAreOnlyReadable() throws {
        let feed = JSONFeed<Port>(bytes: Array("1 2 3".utf8), options: .init(format: .concatenated))
        var ports: [Port] = []
        while let port = try feed.next() { ports.append(port) }
        #expect(ports == [Port(1), Port(2), Port(3)])
    }

    @Test func aTypeMayBeWrittenAlone() throws {
        #expect(try Masked(digits: "12345678").jsonString() == #""…5678""#)
        #expect(try ["a": [Masked(digits: "12345678"), nil]].jsonString() == #"{"a":["…5678",null]}"#)
    }

    @Test func aModelHasPropertiesThatAreOnlyReadOrOnlyWritten() throws {
        var payment = try Payment(json: #"{"amount":5,"port":443,"card":"ignored"}"#)
        #expect(payment.port == Port(443))
        payment.card = Masked(digits: "12345678")
        #expect(try payment.jsonString() == #"{"amount":5,"card":"…5678"}"#)
        // A copy would lack the port.
        let error = #expect(throws: JSONError.self) { try payment.copy() }
        #expect(error?.kind == .notWritable)
        #expect(error?.found == "Port")
    }
}

#endif
