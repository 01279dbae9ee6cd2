// The binder without yajl: events are called as methods, which shows that it does not care who makes them.

import SluiceTestSupport
import Testing

@testable import SluiceCore

@Suite struct BinderTests {
    @Test func eventsBindWithoutAParser() throws {
        let tree = try bound(Tree.self) { binder in
            #expect(binder.open("{"))
            #expect(binder.key("children"))
            #expect(binder.open("["))
            #expect(binder.open("{"))
            #expect(binder.key("name"))
            #expect(binder.string("inner"))
            #expect(binder.key("unknown"))
            #expect(binder.open("["))
            #expect(binder.number("1"))
            #expect(binder.open("{"))
            #expect(binder.key("name"))
            #expect(binder.close("}"))
            #expect(binder.close("]"))
            #expect(binder.close("}"))
            #expect(binder.close("]"))
            #expect(binder.key("name"))
            #expect(binder.string("outer"))
            #expect(binder.close("}"))
        }
        #expect(tree == Tree("outer", [Tree("inner")]))
    }

    @Test func eventsOfEveryKindReachAnyValue() throws {
        let value = try bound(JSONValue.self) { binder in
            #expect(binder.open("{"))
            #expect(binder.key("a"))
            #expect(binder.null())
            #expect(binder.key("b"))
            #expect(binder.open("["))
            #expect(binder.boolean(true))
            #expect(binder.boolean(false))
            #expect(binder.number("-1.50e3"))
            #expect(binder.string("text"))
            #expect(binder.close("]"))
            #expect(binder.close("}"))
        }
        #expect(value.description == #"{"a":null,"b":[true,false,-1.50e3,"text"]}"#)
    }

    @Test func anEventThatDoesNotFitStopsTheSource() throws {
        let error = try #require(
            failure { () throws(JSONError) in
                try bound([Int].self) { binder in
                    #expect(binder.open("["))
                    #expect(binder.number("1"))
                    #expect(!binder.string("two"))
                }
            })
        #expect(error.kind == .typeMismatch)
        #expect(error.path == "[1]")
        #expect(error.found == "the string \"two\"")
    }

    @Test func aSecondValueIsRefused() throws {
        let error = try #require(
            failure { () throws(JSONError) in
                try bound(Bool.self) { binder in
                    #expect(binder.boolean(true))
                    #expect(!binder.boolean(true))
                }
            })
        #expect(error.kind == .trailingContent)
    }

    @Test func whatIsOpenAtTheEndIsDestroyed() {
        enum Tag {}
        typealias Model = [String: [Trio<Counted<Tag>>]]
        var reader: Binder? = Binder(options: .strict)
        var root: Model?
        withBinder(&reader!, Model.self, &root) { binder in
            #expect(binder.open("{"))
            #expect(binder.key("a"))
            #expect(binder.open("["))
            #expect(binder.open("{"))
            #expect(binder.key("required"))
            #expect(binder.string("one"))
            #expect(binder.close("}"))
            #expect(binder.open("{"))
            #expect(binder.key("optional"))
            #expect(binder.string("two"))
        }
        // The finished model's required and defaulted property, and what the open one holds.
        #expect(Counted<Tag>.live == 3)
        reader?.deallocate()
        #expect(Counted<Tag>.live == 0)
        #expect(root == nil)
    }

    // MARK: A source of events

    private func bound<Value: JSONBindable>(_ type: Value.Type, _ events: (inout Binder) -> Void) throws(JSONError) -> Value {
        var binder = Binder(options: .strict)
        defer { binder.deallocate() }
        var root: Value?
        withBinder(&binder, type, &root, events)
        if let error = binder.error { throw error }
        guard let root else { throw JSONError(.unexpectedEnd) }
        #expect(binder.stackCount == 0)
        return root
    }

    private func withBinder<Value: JSONBindable>(
        _ binder: inout Binder, _ type: Value.Type, _ root: inout Value?, _ events: (inout Binder) -> Void
    ) {
        unsafe withUnsafeMutablePointer(to: &binder) { binder in
            unsafe withUnsafeMutablePointer(to: &root) { root in
                unsafe binder.pointee.begin(BindingRegistry.shared.rootRow(for: type), at: UnsafeMutableRawPointer(root))
                var binder = unsafe Binder(binder: binder)
                events(&binder)
            }
        }
    }
}

extension Counted: Sample {
    static var initial: Counted { Counted(jsonScalar: sampleScalar)! }
}

/// A string scalar for values that are made of one.
private var sampleScalar: JSONScalar {
    unsafe JSONScalar(kind: .string, start: UnsafePointer(StaticString("initial").utf8Start), count: 7)
}

/// Calls the binder's events with text of its own.
@safe
private struct Binder {
    let binder: UnsafeMutablePointer<Binder>

    func open(_ bracket: Character) -> Bool { unsafe bracket == "{" ? binder.pointee.openObject() : binder.pointee.openArray() }
    func close(_ bracket: Character) -> Bool { unsafe bracket == "}" ? binder.pointee.closeObject() : binder.pointee.closeArray() }
    func null() -> Bool { unsafe binder.pointee.null() }
    func boolean(_ value: Bool) -> Bool { unsafe binder.pointee.boolean(value) }
    func key(_ text: String) -> Bool { unsafe with(text) { unsafe binder.pointee.key($0, $1) } }
    func string(_ text: String) -> Bool { unsafe with(text) { unsafe binder.pointee.string($0, $1) } }
    func number(_ text: String) -> Bool { unsafe with(text) { unsafe binder.pointee.number($0, $1) } }

    private func with(_ text: String, _ body: (UnsafePointer<UInt8>, Int) -> Bool) -> Bool {
        var text = text
        return text.withUTF8 { unsafe body($0.baseAddress ?? PropertyRow.noKey, $0.count) }
    }
}
