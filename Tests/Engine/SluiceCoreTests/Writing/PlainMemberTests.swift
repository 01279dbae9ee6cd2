import SluiceTestSupport
import Testing

@testable import SluiceCore

/// A struct whose plain fields the writer reads where they lie; `shout` is observed and `whisper` computed, so that the model writes
/// those itself.
private struct Plain: JSONModel, Equatable {
    var text = ""
    var aKeyOfMoreThanSixteenCharacters: String?
    var count = 0
    var place: Int?
    var isOpen = false
    var isPublic: Bool?
    var shout = "" { didSet { count += 0 } }
    var size = 0.0
    var weight: Double?
    var whisper: String { text.lowercased() }

    struct JSONDraft: _JSONModelDraft {
        init() {}
    }

    static func _describeJSON(_ model: inout _ModelDescription<JSONDraft>) {
        model.writeOnly("text", String.self)
        model.writeOnly("aKeyOfMoreThanSixteenCharacters", String.self)
        model.writeOnly("count", Int.self)
        model.writeOnly("place", Int.self)
        model.writeOnly("isOpen", Bool.self)
        model.writeOnly("isPublic", Bool.self)
        model.writeOnly("shout", String.self)
        model.writeOnly("size", Double.self)
        model.writeOnly("weight", Double.self)
        model.writeOnly("whisper", String.self)
    }

    static let _jsonTable = PropertyTable._compiled(for: Plain.self)

    init() {}
    init(_jsonDraft draft: inout JSONDraft, bound: _BoundProperties) throws(JSONError) {}

    func _writeJSON(_ slot: Int, to writer: inout JSONWriter) throws(JSONError) {
        switch slot {
        case 0: try writer.property(text)
        case 1: try writer.property(aKeyOfMoreThanSixteenCharacters)
        case 2: try writer.property(count)
        case 3: try writer.property(place)
        case 4: try writer.property(isOpen)
        case 5: try writer.property(isPublic)
        case 6: try writer.property(shout)
        case 7: try writer.property(size)
        case 8: try writer.property(weight)
        case 9: try writer.property(whisper)
        default: break
        }
    }

    static func _jsonKeyPath(_ slot: Int) -> AnyKeyPath? {
        switch slot {
        case 0: \Plain.text
        case 1: \Plain.aKeyOfMoreThanSixteenCharacters
        case 2: \Plain.count
        case 3: \Plain.place
        case 4: \Plain.isOpen
        case 5: \Plain.isPublic
        case 6: \Plain.shout
        case 7: \Plain.size
        case 8: \Plain.weight
        case 9: \Plain.whisper
        default: nil
        }
    }
}

/// A model that consists of plain fields alone, as an array of positions.
private struct Point: JSONModel, Equatable {
    var x = 0.0
    var name: String?

    struct JSONDraft: _JSONModelDraft {
        var x: Double?
        var name: String?
        init() {}
    }

    static func _describeJSON(_ model: inout _ModelDescription<JSONDraft>) {
        model.layout = .array
        model.property("x", \JSONDraft.x, presence: .defaulted)
        model.property("name", \JSONDraft.name, presence: .optional)
    }

    static let _jsonTable = PropertyTable._compiled(for: Point.self)

    init(x: Double, name: String? = nil) {
        self.x = x
        self.name = name
    }

    init(_jsonDraft draft: inout JSONDraft, bound: _BoundProperties) throws(JSONError) {
        if let value = draft.x { x = value }
        name = draft.name
    }

    func _writeJSON(_ slot: Int, to writer: inout JSONWriter) throws(JSONError) {
        switch slot {
        case 0: try writer.property(x)
        case 1: try writer.property(name)
        default: break
        }
    }

    static func _jsonKeyPath(_ slot: Int) -> AnyKeyPath? {
        switch slot {
        case 0: \Point.x
        case 1: \Point.name
        default: nil
        }
    }
}

/// A class without properties, whose subclass has one.
private class BareBase: JSONModel {
    struct JSONDraft: _JSONModelDraft {
        init() {}
    }

    class var _jsonTable: PropertyTable { PropertyTable._compiled(for: BareBase.self) }

    static func _describeJSON(_ model: inout _ModelDescription<JSONDraft>) {}

    init() {}
    required init(_jsonDraft draft: inout JSONDraft, bound: _BoundProperties) throws(JSONError) {}

    func _writeJSON(_ slot: Int, to writer: inout JSONWriter) throws(JSONError) {}

    func _write(to writer: inout JSONWriter) throws(JSONError) { try writer.model(self, BareBase._jsonTable) }
}

private final class BareLeaf: BareBase {
    override func _write(to writer: inout JSONWriter) throws(JSONError) { writer.write("circle") }
}

@Suite struct PlainMemberTests {
    private static let lengths = [0, 1, 15, 16, 17, 31, 32, 33, 5000]

    /// The same text without the way that only compact text has.
    private func plainly(_ value: some JSONWritable) throws -> String {
        var options = JSONWriter.Options()
        options.escapesSlashes = true
        return try value.jsonString(options: options)
    }

    @Test func fieldsAreThoseOfStoredProperties() {
        let kinds = (0..<10).map { Plain._jsonTable.field($0)?.kind }
        #expect(
            kinds == [.string, .optionalString, .int, .optionalInt, .bool, .optionalBool, nil, .double, .optionalDouble, nil])
    }

    @Test func membersAreWrittenFromTheModelsMemory() throws {
        var value = Plain()
        #expect(
            try value.jsonString()
                == #"{"text":"","count":0,"isOpen":false,"shout":"","size":0,"whisper":""}"#)
        value.text = "A"
        value.aKeyOfMoreThanSixteenCharacters = "é\n\"" + String(repeating: "x", count: 40)
        value.count = .min
        value.place = 7
        value.isOpen = true
        value.isPublic = false
        value.shout = "B"
        value.size = 0.5
        value.weight = -1e300
        #expect(
            try value.jsonString()
                == #"{"text":"A","aKeyOfMoreThanSixteenCharacters":"é\n\""# + String(repeating: "x", count: 40)
                + #"","count":-9223372036854775808,"place":7,"isOpen":true,"isPublic":false,"shout":"B","size":0.5,"#
                + #""weight":-1e+300,"whisper":"a"}"#)
    }

    @Test(arguments: lengths, ["a", "é", "\"", "\u{1}", "a\\"])
    func stringsOfEveryLengthAreWritten(length: Int, unit: String) throws {
        for text in [String(repeating: unit, count: length), String(repeating: "a", count: length) + unit] {
            var value = Plain()
            value.text = text
            value.aKeyOfMoreThanSixteenCharacters = text
            #expect(try value.jsonString() == plainly(value))
            #expect(try [value, value].jsonString() == plainly([value, value]))
            // A substring's own memory is another one's.
            value.text = String(text.dropFirst())
            #expect(try value.jsonString() == plainly(value))
        }
    }

    @Test func nilsAreWrittenAsTheOptionsSay() throws {
        var options = JSONWriter.Options()
        options.nils = .null
        #expect(
            try Plain().jsonString(options: options)
                == #"{"text":"","aKeyOfMoreThanSixteenCharacters":null,"count":0,"place":null,"isOpen":false,"isPublic":null,"#
                + #""shout":"","size":0,"weight":null,"whisper":""}"#)
    }

    @Test func whatIsNotFiniteIsRefusedWithItsPath() throws {
        var value = Plain()
        value.weight = .infinity
        #expect(throws: JSONError.self) { try value.jsonString() }
        let points = [Point(x: 1), Point(x: .nan)]
        do {
            _ = try points.jsonString()
            Issue.record("NaN was written")
        } catch {
            #expect(error.path == "[1].x")
        }
        var options = JSONWriter.Options()
        options.nonFinite = .null
        #expect(try points.jsonString(options: options) == "[[1,null],[null,null]]")
    }

    @Test func arraysOfPlainModelsAreWrittenAtOnce() throws {
        #expect(try [Point]().jsonString() == "[]")
        #expect(try [Point(x: 1)].jsonString() == "[[1,null]]")
        let points = (0..<3000).map { Point(x: Double($0) / 8, name: $0 % 3 == 0 ? "n\($0)" : nil) }
        let text = try points.jsonString()
        #expect(text == (try plainly(points)))
        #expect(try [Point](json: text) == points)
        #expect(try ["a": [Point(x: 2, name: "b")]].jsonString() == #"{"a":[[2,"b"]]}"#)
    }

    @Test func aModelWithoutPropertiesMayHaveSubclasses() throws {
        #expect(try [BareBase(), BareLeaf()].jsonString() == #"[{},"circle"]"#)
    }

    @Test func aSelectionLeavesPlainMembersOut() throws {
        var value = Plain()
        value.text = "x"
        value.place = 3
        #expect(try value.jsonString(include: ["text", "place"]) == #"{"text":"x","place":3}"#)
        #expect(try Point(x: 1, name: "n").jsonString(include: ["name"]) == #"[null,"n"]"#)
    }

    @Test func levelsAreCounted() throws {
        var options = JSONWriter.Options()
        options.maximumDepth = 2
        #expect(try [Point(x: 1)].jsonString(options: options) == "[[1,null]]")
        options.maximumDepth = 1
        #expect(throws: JSONError.self) { try [Point(x: 1)].jsonString(options: options) }
    }
}
