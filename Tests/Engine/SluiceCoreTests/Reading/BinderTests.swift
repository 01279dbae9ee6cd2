// The binder without yajl: its events are called as methods, which shows that it does not depend on who makes them.

import SluiceTestSupport
import Testing

@testable import SluiceCore

@Suite struct BinderTests {
    @Test func eventsBindWithoutAParser() throws {
        let tree = try bound(Tree.self) { events in
            #expect(events.open("{"))
            #expect(events.key("children"))
            #expect(events.open("["))
            #expect(events.open("{"))
            #expect(events.key("name"))
            #expect(events.string("inner"))
            #expect(events.key("unknown"))
            #expect(events.open("["))
            #expect(events.number("1"))
            #expect(events.open("{"))
            #expect(events.key("name"))
            #expect(events.close("}"))
            #expect(events.close("]"))
            #expect(events.close("}"))
            #expect(events.close("]"))
            #expect(events.key("name"))
            #expect(events.string("outer"))
            #expect(events.close("}"))
        }
        #expect(tree == Tree("outer", [Tree("inner")]))
    }

    @Test func eventsOfEveryKindReachAnyValue() throws {
        let value = try bound(JSONValue.self) { events in
            #expect(events.open("{"))
            #expect(events.key("a"))
            #expect(events.null())
            #expect(events.key("b"))
            #expect(events.open("["))
            #expect(events.boolean(true))
            #expect(events.boolean(false))
            #expect(events.number("-1.50e3"))
            #expect(events.string("text"))
            #expect(events.close("]"))
            #expect(events.close("}"))
        }
        #expect(value.description == #"{"a":null,"b":[true,false,-1.50e3,"text"]}"#)
    }

    @Test func anEventThatDoesNotFitStopsTheSource() throws {
        let error = try #require(
            failure { () throws(JSONError) in
                try bound([Int].self) { events in
                    #expect(events.open("["))
                    #expect(events.number("1"))
                    #expect(!events.string("two"))
                }
            })
        #expect(error.kind == .typeMismatch)
        #expect(error.path == "[1]")
        #expect(error.found == "the string \"two\"")
    }

    @Test func aSecondValueIsRefused() throws {
        let error = try #require(
            failure { () throws(JSONError) in
                try bound(Bool.self) { events in
                    #expect(events.boolean(true))
                    #expect(!events.boolean(true))
                }
            })
        #expect(error.kind == .trailingContent)
    }

    @Test func whatIsOpenAtTheEndIsDestroyed() {
        enum Tag {}
        typealias Model = [String: [Trio<Counted<Tag>>]]
        var reader: Binder? = Binder(options: .strict)
        var root: Model?
        withBinder(&reader!, Model.self, &root) { events in
            #expect(events.open("{"))
            #expect(events.key("a"))
            #expect(events.open("["))
            #expect(events.open("{"))
            #expect(events.key("required"))
            #expect(events.string("one"))
            #expect(events.close("}"))
            #expect(events.open("{"))
            #expect(events.key("optional"))
            #expect(events.string("two"))
        }
        // The finished model's required and defaulted property, and what the open one holds.
        #expect(Counted<Tag>.live == 3)
        reader?.deallocate()
        #expect(Counted<Tag>.live == 0)
        #expect(root == nil)
    }

    // MARK: A source of events

    private func bound<Value: JSONBindable>(_ type: Value.Type, _ body: (inout Events) -> Void) throws(JSONError) -> Value {
        var binder = Binder(options: .strict)
        defer { binder.deallocate() }
        var root: Value?
        withBinder(&binder, type, &root, body)
        if let error = binder.document.error { throw error }
        guard let root else { throw JSONError(.unexpectedEnd) }
        #expect(binder.document.stackCount == 0)
        return root
    }

    private func withBinder<Value: JSONBindable>(
        _ binder: inout Binder, _ type: Value.Type, _ root: inout Value?, _ body: (inout Events) -> Void
    ) {
        binder.withHandle { binder in
            unsafe withUnsafeMutablePointer(to: &root) { root in
                unsafe binder.state.begin(BindingRegistry.shared.rootRow(for: type), at: UnsafeMutableRawPointer(root))
                var events = Events(binder: binder)
                body(&events)
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

/// Calls the binder with text of its own.
private struct Events {
    let binder: BinderHandle

    func open(_ bracket: Character) -> Bool { bracket == "{" ? binder.state.openObject() : binder.state.openArray() }
    func close(_ bracket: Character) -> Bool {
        bracket == "}" ? binder.state.closeObject() : binder.state.closeArray()
    }
    func null() -> Bool { binder.state.null() }
    func boolean(_ value: Bool) -> Bool { binder.state.boolean(value) }
    func key(_ text: String) -> Bool { unsafe with(text) { unsafe binder.state.key($0, $1) } }
    func string(_ text: String) -> Bool { unsafe with(text) { unsafe binder.state.string($0, $1) } }
    func number(_ text: String) -> Bool { unsafe with(text) { unsafe binder.state.number($0, $1) } }

    private func with(_ text: String, _ body: (UnsafePointer<UInt8>, Int) -> Bool) -> Bool {
        var text = text
        return text.withUTF8 { unsafe body($0.baseAddress ?? NoBytes.address, $0.count) }
    }
}
