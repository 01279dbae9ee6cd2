// What surrounds the attribute: other macros, property wrappers, actors, and access that reaches into other modules.
#if Macros

import Observation
public import Sluice
import Testing

@testable import SluiceCore
@testable import SluiceTestSupport

@propertyWrapper
struct Clamped: Equatable {
    private var value: Int
    var wrappedValue: Int {
        get { value }
        set { value = min(newValue, 10) }
    }
    init(wrappedValue: Int) { value = min(wrappedValue, 10) }
}

@JSONModel
struct Wrapped: Equatable {
    @Clamped var level = 3
    var name: String
    @Clamped var required: Int
}

@JSONModel
final class WrappedClass {
    @Clamped var level = 3
    var name: String
}

@Observable @JSONModel
final class Watched {
    var age = 3
    @JSONKey("n") var name: String
    @JSONIgnored var isBusy = false
    init(name: String) { self.name = name }
}

@MainActor @JSONModel
struct OnMain {
    var x = 3
    var y: String?
    var z: Int
}

@MainActor @JSONModel
enum MainChoice: String { case a, b }

@MainActor @JSONModel(tag: .key("t"))
enum MainShape {
    case main(OnMain)
    case none
}

@usableFromInline @JSONModel
struct Inlined: Equatable {
    @usableFromInline var x = 3
    var y: String?
}

@usableFromInline @JSONModel
final class InlinedClass {
    @usableFromInline var x = 3
}

@JSONModel(tag: .key("k"))
enum Maybe<Value> {
    case made(Value)
    case several([Value])
    case gone
    case unknown(RawJSON)
}

extension Maybe: Equatable where Value: Equatable {}

@Suite struct SurroundingsTests {
    @Test func wrappersWithAnInitialValueStandAboveRequiredProperties() throws {
        #expect(try Wrapped(json: #"{"name":"a","required":99}"#) == Wrapped(name: "a", required: 10))
        #expect(try Wrapped(json: #"{"level":11,"name":"a","required":1}"#).level == 10)
        #expect(failure(reading: Wrapped.self, "{}")?.keys == ["name", "required"])
        #expect(try WrappedClass(json: #"{"level":4,"name":"a"}"#).level == 4)
    }

    @Test func observableModelsKeepTheirMarkers() throws {
        let watched = try Watched(json: #"{"n":"Ann","isBusy":true}"#)
        #expect(watched.name == "Ann" && !watched.isBusy)
        #expect(try watched.jsonString() == #"{"age":3,"n":"Ann"}"#)
    }

    @Test func valuesOfTheMainActorAreReadAnywhere() throws {
        #expect(try OnMain(json: #"{"z":1}"#).jsonString() == #"{"x":3,"z":1}"#)
        #expect(try [MainChoice](json: #"["b"]"#) == [.b])
        #expect(try MainShape(json: #"{"t":"main","z":2}"#).jsonString() == #"{"t":"main","x":3,"z":2}"#)
    }

    @Test func modelsMayBeUsableFromInlinedCode() throws {
        #expect(try Inlined(json: #"{"x":1}"#) == Inlined(x: 1))
        #expect(try InlinedClass(json: #"{"x":1}"#).x == 1)
    }

    @Test func anEnumIsBindableWhereItsParametersAre() throws {
        let text = #"[{"k":"made","x":1},{"k":"gone"},{"k":"else"}]"#
        let values = try [Maybe<Inlined>](json: text)
        #expect(try values == [.made(Inlined(x: 1)), .gone, .unknown(RawJSON(json: #"{"k":"else"}"#))])
        #expect(try values.jsonString() == text)
        #expect(try JSONArchive(JSONArchive.bytes(of: values)).value([Maybe<Inlined>].self) == values)
        // A type that cannot be bound is still a type.
        if case .made = Maybe<() -> Void>.gone { Issue.record("gone is not made") }
    }
}

#endif
