// A model with one property of each presence, generic over the property's type: what holds for one kind of property is asked
// of all kinds.

import SluiceTestSupport

@testable import SluiceCore

/// A type with a value that a defaulted property starts with.
protocol Sample: JSONBindable, Equatable {
    static var initial: Self { get }
}

struct Trio<Value: Sample>: Equatable {
    var required: Value
    var defaulted: Value = .initial
    var optional: Value?
}

extension Trio: JSONModel {
    static func _describeJSON(_ model: inout _ModelDescription<_InPlace<Trio>>) {
        model._required("required", \Trio.required)
        model._defaulted("defaulted", \Trio.defaulted, .each(.initial))
        model._optional("optional", \Trio.optional)
    }

    static var _jsonTable: PropertyTable { PropertyTable._compiled(for: Self.self) }

    func _writeJSON(_ slot: Int, to writer: inout JSONWriter) throws(JSONError) {
        switch slot {
        case 0: try writer.property(required)
        case 1: try writer.property(defaulted)
        case 2: try writer.property(optional)
        default: break
        }
    }
}

/// The same, made of a draft.
struct DraftedTrio<Value: Sample>: Equatable {
    var required: Value
    var defaulted: Value = .initial
    var optional: Value?
}

extension DraftedTrio: JSONModel {
    struct JSONDraft: _JSONModelDraft {
        var required: Value?
        var defaulted: Value?
        var optional: Value?
        init() {}
    }

    static func _describeJSON(_ model: inout _ModelDescription<JSONDraft>) {
        model.property("required", \JSONDraft.required)
        model.property("defaulted", \JSONDraft.defaulted, presence: .defaulted)
        model.property("optional", \JSONDraft.optional, presence: .optional)
    }

    static var _jsonTable: PropertyTable { PropertyTable._compiled(for: Self.self) }

    init(_jsonDraft draft: inout JSONDraft, bound: _BoundProperties) throws(JSONError) {
        required = try bound.required(draft.required, 0)
        if let value = draft.defaulted { defaulted = value }
        optional = draft.optional
    }

    func _writeJSON(_ slot: Int, to writer: inout JSONWriter) throws(JSONError) {
        switch slot {
        case 0: try writer.property(required)
        case 1: try writer.property(defaulted)
        case 2: try writer.property(optional)
        default: break
        }
    }
}

enum Color: String, JSONScalarBindable, JSONKeyBindable, Sample {
    case red, green, deepBlue = "deep blue"
    static var initial: Color { .green }
}

enum Level: Int8, JSONScalarBindable, Sample {
    case low = -1, middle, high = 127
    static var initial: Level { .low }
}

enum Wide: UInt64, JSONScalarBindable, Sample {
    case zero, most = 18_446_744_073_709_551_615
    static var initial: Wide { .zero }
}

/// A scalar with a conversion of its own, whose size is no multiple of its alignment.
struct Percent: JSONScalarBindable, Sample, Hashable {
    var value: Double
    var isExact = true

    init(_ value: Double) { self.value = value }

    init?(jsonScalar scalar: JSONScalar) {
        guard let value = scalar.double, (0...100).contains(value) else { return nil }
        self.value = value
    }

    func write(to writer: inout JSONWriter) throws(JSONError) { try writer.write(value) }
    static var jsonExpectation: String { "a percentage" }
    static var initial: Percent { Percent(50) }
}

extension FixedWidthInteger where Self: Sample { static var initial: Self { 42 } }
extension Int: Sample {}
extension Int8: Sample {}
extension Int16: Sample {}
extension Int32: Sample {}
extension Int64: Sample {}
extension Int128: Sample {}
extension UInt: Sample {}
extension UInt8: Sample {}
extension UInt16: Sample {}
extension UInt32: Sample {}
extension UInt64: Sample {}
extension UInt128: Sample {}
extension Float: Sample { static var initial: Float { 1.5 } }
extension Double: Sample { static var initial: Double { 2.5 } }
extension Bool: Sample { static var initial: Bool { true } }
extension String: Sample { static var initial: String { "initial, and longer than fifteen bytes" } }
extension JSONValue: Sample { static var initial: JSONValue { ["initial"] } }
extension RawJSON: Sample { static var initial: RawJSON { RawJSON(known: "[0]") } }
extension Optional: Sample where Wrapped: Sample { static var initial: Self { .some(.initial) } }
extension Array: Sample where Element: Sample { static var initial: Self { [.initial] } }
extension Set: Sample where Element: Sample { static var initial: Self { [.initial] } }
extension Dictionary: Sample where Key == String, Value: Sample { static var initial: Self { ["initial": .initial] } }
extension Tree: Sample { static var initial: Tree { Tree("initial") } }
extension Trio: Sample { static var initial: Self { Trio(required: .initial) } }
extension DraftedTrio: Sample { static var initial: Self { DraftedTrio(required: .initial) } }

extension RawJSON {
    /// Text that is known to be JSON.
    init(known text: StaticString) {
        unsafe self.init(validated: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }
}
