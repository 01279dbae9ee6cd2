// Every kind of stored property that Swift has, ignored and bound, in structs, classes, generic types and cases of enums: what reading,
// writing, updating, comparing and copying do with it, and not how the macro expands.
#if Macros

import Sluice
import Synchronization
import Testing

@testable import SluiceCore
@testable import SluiceTestSupport

private protocol Surface { var area: Int { get } }
private struct Plane: Surface { var area = 1 }
private final class Target: Sendable { let marks = 1 }
private struct Token: ~Copyable { var marks = 1 }
private final class Box<Content: ~Copyable> {
    let content: Content
    init(_ content: consuming Content) { self.content = content }
}
private typealias Action = () -> Int
private typealias Labelled = (name: String, action: () -> Int)
private typealias Kind = Int.Type
private typealias Callback = (() -> Int)?
private enum Mode { case first, second }
private func makeAction() -> () -> Int { { 1 } }
private let owner = Target()
private let serials = Mutex(0)
private struct Serial: Equatable {
    let number = serials.withLock { number -> Int in
        number += 1
        return number
    }
}

@propertyWrapper private struct Computed {
    var wrappedValue: Int { 1 }
}

/// A model with a bound name and other storage, which it can change, and shows as text.
private protocol Storage: JSONHashableModel {
    var name: String { get }
    var shown: String { get }
    mutating func mark()
}

// MARK: Ignored, each kind in a struct of its own: what one of them needs must not hide what another one does

/// What all of these have in common: a bound property, and one that is ignored.
@JSONModel private struct OptionalFunction: Storage {
    var name = ""
    @JSONIgnored var kept: (() -> Int)?
    var shown: String { "\(kept?() ?? 0)" }
    mutating func mark() { kept = { 2 } }
}

@JSONModel private struct UnwrappedFunction: Storage {
    var name = ""
    @JSONIgnored var kept: ((Int) throws -> Int)!
    var shown: String { "\((try? kept?(1)) ?? 0)" }
    mutating func mark() { kept = { $0 + 1 } }
}

@JSONModel private struct Function: Storage {
    var name = ""
    @JSONIgnored var kept: @Sendable (Int) -> Int = { $0 }
    var shown: String { "\(kept(1))" }
    mutating func mark() { kept = { $0 + 1 } }
}

@JSONModel private struct AsyncFunction: Storage {
    var name = ""
    @JSONIgnored var kept: @Sendable (borrowing String) async throws -> Int = { _ in 0 }
    @JSONIgnored var isMarked = false
    var shown: String { "\(isMarked)" }
    mutating func mark() { (kept, isMarked) = ({ $0.utf8.count }, true) }
}

@JSONModel private struct ConstantFunction: Storage {
    var name = ""
    @JSONIgnored let typed: () -> Int = { 3 }
    @JSONIgnored let inferred = { 4 }
    @JSONIgnored let made = makeAction()
    var shown: String { "\(typed())\(inferred())\(made())" }
    mutating func mark() {}
}

@JSONModel private struct NamedFunction: Storage {
    var name = ""
    @JSONIgnored var kept: Action = makeAction()
    var shown: String { "\(kept())" }
    mutating func mark() { kept = { 2 } }
}

@JSONModel private struct NamedOptionalFunction: Storage {
    var name = ""
    @JSONIgnored var kept: Action?
    var shown: String { "\(kept?() ?? 0)" }
    mutating func mark() { kept = { 2 } }
}

@JSONModel private struct InferredFunction: Storage {
    var name = ""
    @JSONIgnored var kept = makeAction()
    var shown: String { "\(kept())" }
    mutating func mark() { kept = { 2 } }
}

@JSONModel private struct NoneOfAnAlias: Storage {
    var name = ""
    @JSONIgnored var kept: Callback = .none
    var shown: String { "\(kept?() ?? 0)" }
    mutating func mark() { kept = { 2 } }
}

@JSONModel private struct NoneOfANamedAlias: Storage {
    var name = ""
    @JSONIgnored var kept: Callback = Callback.none
    var shown: String { "\(kept?() ?? 0)" }
    mutating func mark() { kept = { 2 } }
}

@JSONModel private struct SomeOfAnAlias: Storage {
    var name = ""
    @JSONIgnored var kept: Callback = .some({ 1 })
    var shown: String { "\(kept?() ?? 0)" }
    mutating func mark() { kept = { 2 } }
}

@JSONModel private struct MadeAlias: Storage {
    var name = ""
    @JSONIgnored var kept: Callback = .init { 1 }
    var shown: String { "\(kept?() ?? 0)" }
    mutating func mark() { kept = { 2 } }
}

@JSONModel private struct CalledAlias: Storage {
    var name = ""
    @JSONIgnored var kept = Callback({ 1 })
    var shown: String { "\(kept?() ?? 0)" }
    mutating func mark() { kept = { 2 } }
}

@JSONModel private struct CFunction: Storage {
    var name = ""
    @JSONIgnored var kept: @convention(c) (Int) -> Int = { $0 }
    var shown: String { "\(kept(1))" }
    mutating func mark() { kept = { $0 + 1 } }
}

@JSONModel private struct OptionalCFunction: Storage {
    var name = ""
    @JSONIgnored var kept: (@convention(c) (Int) -> Int)?
    var shown: String { "\(kept?(1) ?? 0)" }
    mutating func mark() { kept = { $0 + 1 } }
}

@JSONModel private struct PlainTuple: Storage {
    var name = ""
    @JSONIgnored var kept: (Int, label: String) = (1, "a")
    var shown: String { "\(kept)" }
    mutating func mark() { kept = (2, "b") }
}

@JSONModel private struct Tuples: Storage {
    var name = ""
    @JSONIgnored var kept: (Int, () -> Int) = (1, { 1 })
    var shown: String { "\(kept.0)\(kept.1())" }
    mutating func mark() { kept = (2, { 2 }) }
}

@JSONModel private struct OptionalTuple: Storage {
    var name = ""
    @JSONIgnored var kept: (Int, (Int, () -> Int))?
    var shown: String { "\(kept?.1.1() ?? 0)" }
    mutating func mark() { kept = (2, (2, { 2 })) }
}

@JSONModel private struct NamedTuple: Storage {
    var name = ""
    @JSONIgnored var kept: Labelled?
    var shown: String { "\(kept?.action() ?? 0)" }
    mutating func mark() { kept = ("c", { 2 }) }
}

@JSONModel private struct CalledTuple: Storage {
    var name = ""
    @JSONIgnored var kept = Labelled(name: "a", action: { 1 })
    var shown: String { "\(kept.name)\(kept.action())" }
    mutating func mark() { kept = ("c", { 2 }) }
}

@JSONModel private struct TuplePattern: Storage {
    var name = ""
    @JSONIgnored var (left, right) = (1, { 1 })
    var shown: String { "\(left)\(right())" }
    mutating func mark() { (left, right) = (2, { 2 }) }
}

@JSONModel private struct EmptyTuple: Storage {
    var name = ""
    @JSONIgnored var kept: () = ()
    var shown: String { "\(kept)" }
    mutating func mark() {}
}

@JSONModel private struct Metatypes: Storage {
    var name = ""
    @JSONIgnored var kept: Int.Type = Int.self
    var shown: String { "\(kept)" }
    mutating func mark() {}
}

@JSONModel private struct NamedMetatype: Storage {
    var name = ""
    @JSONIgnored var kept: Kind?
    var shown: String { "\(String(describing: kept))" }
    mutating func mark() { kept = Int.self }
}

@JSONModel private struct InferredMetatype: Storage {
    var name = ""
    @JSONIgnored var kept = Int.self
    var shown: String { "\(kept)" }
    mutating func mark() {}
}

@JSONModel private struct AnyMetatype: Storage {
    var name = ""
    @JSONIgnored var kept: Any.Type = Int.self
    var shown: String { "\(kept)" }
    mutating func mark() { kept = String.self }
}

@JSONModel private struct ExistentialMetatype: Storage {
    var name = ""
    @JSONIgnored var kept: any Surface.Type = Plane.self
    var shown: String { "\(kept)" }
    mutating func mark() {}
}

@JSONModel private struct TupleOfMetatype: Storage {
    var name = ""
    @JSONIgnored var kept: (Int, Int.Type) = (1, Int.self)
    var shown: String { "\(kept)" }
    mutating func mark() { kept.0 = 2 }
}

@JSONModel private struct ListOfMetatypes: Storage {
    var name = ""
    @JSONIgnored var kept: [Any.Type] = []
    var shown: String { "\(kept)" }
    mutating func mark() { kept = [Int.self] }
}

@JSONModel private struct Existentials: Storage {
    var name = ""
    @JSONIgnored var kept: Any = 1
    var shown: String { "\(kept)" }
    mutating func mark() { kept = "x" }
}

@JSONModel private struct ExistentialOfProtocol: Storage {
    var name = ""
    @JSONIgnored var kept: any Surface = Plane()
    var shown: String { "\(kept.area)" }
    mutating func mark() { kept = Plane(area: 2) }
}

@JSONModel private struct OptionalExistential: Storage {
    var name = ""
    @JSONIgnored var kept: (any Surface)?
    var shown: String { "\(kept?.area ?? 0)" }
    mutating func mark() { kept = Plane(area: 2) }
}

@JSONModel private struct ExistentialObject: Storage {
    var name = ""
    @JSONIgnored var kept: AnyObject? = nil
    var shown: String { "\(kept === owner)" }
    mutating func mark() { kept = owner }
}

@JSONModel private struct ComposedExistential: Storage {
    var name = ""
    @JSONIgnored var kept: any Surface & Sendable = Plane()
    var shown: String { "\(kept.area)" }
    mutating func mark() { kept = Plane(area: 2) }
}

@JSONModel private struct Opaque: Storage {
    var name = ""
    @JSONIgnored var kept: some Surface & Sendable = Plane(area: 3)
    @JSONIgnored var isMarked = false
    var shown: String { "\(kept.area)\(isMarked)" }
    mutating func mark() { isMarked = true }
}

@JSONModel private struct Boxed: Storage {
    var name = ""
    @JSONIgnored var kept = Box(Token())
    @JSONIgnored var other: Box<Token>?
    var shown: String { "\(kept.content.marks)\(other?.content.marks ?? 0)" }
    mutating func mark() { (kept, other) = (Box(Token(marks: 2)), Box(Token(marks: 3))) }
}

@JSONModel private struct WeakReference: Storage {
    var name = ""
    @JSONIgnored weak var kept: Target?
    var shown: String { "\(kept === owner)" }
    mutating func mark() { kept = owner }
}

@JSONModel private struct UnownedReference: Storage {
    var name = ""
    @JSONIgnored unowned var kept: Target? = nil
    var shown: String { "\(kept === owner)" }
    mutating func mark() { kept = owner }
}

@JSONModel private struct UnsafeReference: Storage {
    var name = ""
    @JSONIgnored unowned(unsafe) var kept: Target? = nil
    var shown: String { "\(unsafe kept === owner)" }
    mutating func mark() { unsafe kept = owner }
}

@JSONModel private struct UnownedConstant: Storage {
    var name = ""
    @JSONIgnored unowned let kept: Target = owner
    var shown: String { "\(kept.marks)" }
    mutating func mark() {}
}

@JSONModel private struct StrongReference: Storage {
    var name = ""
    @JSONIgnored var kept: Target?
    var shown: String { "\(kept === owner)" }
    mutating func mark() { kept = owner }
}

@JSONModel private struct LazyStorage: Storage {
    var name = ""
    @JSONIgnored lazy var kept = 1
    var shown: String {
        var copy = self
        return "\(copy.kept)"
    }
    mutating func mark() { kept = 3 }
}

@JSONModel private struct LazyFunction: Storage {
    var name = ""
    @JSONIgnored lazy var kept: () -> Int = { 1 }
    var shown: String {
        var copy = self
        return "\(copy.kept())"
    }
    mutating func mark() { kept = { 4 } }
}

@JSONModel private struct WrappedStorage: Storage {
    var name = ""
    @Clamped @JSONIgnored var kept = 1
    var shown: String { "\(kept)" }
    mutating func mark() { kept = 2 }
}

@JSONModel private struct ComputedStorage: Storage {
    var name = ""
    @Computed @JSONIgnored var kept
    var shown: String { "\(kept)" }
    mutating func mark() {}
}

@JSONModel private struct Observed: Storage {
    var name = ""
    @JSONIgnored var count = 1 { willSet { changes += 1 } }
    @JSONIgnored var changes = 0
    var shown: String { "\(count)\(changes)" }
    mutating func mark() { count = 2 }
}

@JSONModel private struct ObservedFunction: Storage {
    var name = ""
    @JSONIgnored var kept: (() -> Int)? { didSet { changes += 1 } }
    @JSONIgnored var changes = 0
    var shown: String { "\(kept?() ?? 0)\(changes)" }
    mutating func mark() { kept = { 2 } }
}

@JSONModel private struct Conditional: Storage {
    var name = ""
    #if Macros
    @JSONIgnored var kept: (() -> Int)?
    #endif
    var shown: String { "\(kept?() ?? 0)" }
    mutating func mark() { kept = { 2 } }
}

@JSONModel private struct Nominal: Storage {
    var name = ""
    @JSONIgnored let id = Serial()
    @JSONIgnored let made = Target()
    @JSONIgnored var mode = Mode.first
    var shown: String { "\(mode)" }
    mutating func mark() { mode = .second }
}

@JSONModel private struct ImplicitMember: Storage {
    var name = ""
    @JSONIgnored var kept: Mode = .first
    var shown: String { "\(kept)" }
    mutating func mark() { kept = .second }
}

@JSONModel private struct NamedMember: Storage {
    var name = ""
    @JSONIgnored var kept: Mode = Mode.first
    var shown: String { "\(kept)" }
    mutating func mark() { kept = .second }
}

@JSONModel private struct MadeMember: Storage {
    var name = ""
    @JSONIgnored var kept: Plane = .init(area: 1)
    var shown: String { "\(kept.area)" }
    mutating func mark() { kept.area = 2 }
}

@JSONModel private struct CalledType: Storage {
    var name = ""
    @JSONIgnored var kept = Plane(area: 1)
    var shown: String { "\(kept.area)" }
    mutating func mark() { kept.area = 2 }
}

@JSONModel private struct OptionalNominal: Storage {
    var name = ""
    @JSONIgnored var kept: Mode?
    var shown: String { "\(String(describing: kept))" }
    mutating func mark() { kept = .second }
}

@JSONModel private struct ListOfFunctions: Storage {
    var name = ""
    @JSONIgnored var kept: [() -> Int] = [{ 1 }]
    var shown: String { "\(kept[0]())" }
    mutating func mark() { kept = [{ 2 }] }
}

@JSONModel private struct TableOfFunctions: Storage {
    var name = ""
    @JSONIgnored var kept: [String: () -> Int] = [:]
    var shown: String { "\(kept["a"]?() ?? 0)" }
    mutating func mark() { kept = ["a": { 2 }] }
}

@JSONModel private struct InterpolatedText: Storage {
    var name = ""
    @JSONIgnored var kept = "\(owner.marks)"
    var shown: String { kept }
    mutating func mark() { kept = "b" }
}

// MARK: The same beside what an update cannot simply assign

/// A bound constant.
@JSONModel private struct BesideAConstant: Storage {
    let name: String
    @JSONIgnored let id = Serial()
    @JSONIgnored var kept: (() -> Int)?
    @JSONIgnored weak var weakly: Target?
    @JSONIgnored unowned var unowned: Target? = nil
    @JSONIgnored lazy var computed = 1
    var shown: String {
        var copy = self
        return "\(kept?() ?? 0)\(weakly === owner)\(unowned === owner)\(copy.computed)"
    }
    mutating func mark() { (kept, weakly, unowned, computed) = ({ 2 }, owner, owner, 2) }
}

/// A bound property that is observed. An update calls no observer.
@JSONModel private struct BesideAnObserver: Storage {
    var name: String { didSet { changes += 1 } }
    @JSONIgnored var changes = 0
    @JSONIgnored let id = Serial()
    @JSONIgnored var kept: (() -> Int)?
    @JSONIgnored var (left, right) = (1, { 1 })
    @JSONIgnored weak var weakly: Target?
    @JSONIgnored unowned var unowned: Target? = nil
    @JSONIgnored lazy var late = 1
    @JSONIgnored var observed = 1 { didSet { changes += 1 } }
    @JSONIgnored @Clamped var clamped = 1
    @JSONIgnored @Computed var computed
    #if Macros
    @JSONIgnored var conditional = 1
    #endif
    var shown: String {
        var copy = self
        return "\(changes)\(kept?() ?? 0)\(left)\(right())\(weakly === owner)\(unowned === owner)\(copy.late)"
            + "\(observed)\(clamped)\(computed)\(conditional)"
    }
    mutating func mark() {
        (kept, left, right, weakly, unowned, late) = ({ 2 }, 2, { 2 }, owner, owner, 2)
        (observed, clamped, conditional) = (2, 2, 2)
    }
}

/// A bound property with a wrapper.
@JSONModel private struct BesideAWrapper: Storage {
    @Clamped var level = 1
    var name = ""
    @JSONIgnored let id = Serial()
    @JSONIgnored var kept: Action?
    @JSONIgnored unowned var unowned: Target? = nil
    @JSONIgnored lazy var late = 1
    var shown: String {
        var copy = self
        return "\(kept?() ?? 0)\(unowned === owner)\(copy.late)"
    }
    mutating func mark() { (kept, unowned, late) = ({ 2 }, owner, 2) }
}

/// Counts its instances.
private final class CountedObject {
    static let live = Mutex(0)
    init() { CountedObject.live.withLock { $0 += 1 } }
    deinit { CountedObject.live.withLock { $0 -= 1 } }
}

/// A wrapper that holds objects.
@propertyWrapper private struct Holding {
    private let counted = CountedObject()
    private var value: [String]
    var wrappedValue: [String] {
        get { value }
        set { value = newValue }
    }
    init(wrappedValue: [String]) { value = wrappedValue }
}

@JSONModel private struct BesideAHoldingWrapper {
    @Holding var names: [String] = ["a"]
    @JSONIgnored var kept = 1
}

@MainActor @JSONModel private struct Isolated: Storage {
    nonisolated let name: String
    @JSONIgnored var kept: (() -> Int)?
    @JSONIgnored nonisolated var isMarked = false
    nonisolated var shown: String { "\(isMarked)" }
    nonisolated mutating func mark() { isMarked = true }
}

// MARK: Left out in other ways

@JSONModel(except: ["kept"]) private struct LeftOutByExcept: Storage {
    var name = ""
    var kept: (() -> Int)?
    var shown: String { "\(kept?() ?? 0)" }
    mutating func mark() { kept = { 2 } }
}

@JSONModel(only: ["name"]) private struct LeftOutByOnly: Storage {
    var name = ""
    let constant = { 3 }
    var kept: (Int, Action)?
    weak var weakly: Target?
    var shown: String { "\(constant())\(kept?.1() ?? 0)\(weakly === owner)" }
    mutating func mark() { (kept, weakly) = ((2, { 2 }), owner) }
}

@JSONModel private struct LeftOutByKeys: Storage {
    enum CodingKeys: String, CodingKey { case name }
    var name = ""
    var kept: Action?
    lazy var computed = 1
    var shown: String {
        var copy = self
        return "\(kept?() ?? 0)\(copy.computed)"
    }
    mutating func mark() { (kept, computed) = ({ 2 }, 2) }
}

// MARK: In generic types and classes

@JSONModel private struct Generic<Item>: Storage {
    var name = ""
    @JSONIgnored var kept: ((Item) -> Int)?
    var shown: String { "\(kept != nil)" }
    mutating func mark() { kept = { _ in 2 } }
}

@JSONModel private struct GenericMetatype<Item>: Storage {
    var name = ""
    @JSONIgnored var kept = Item.self
    var shown: String { "\(kept)" }
    mutating func mark() {}
}

@JSONModel private struct GenericOptionalPair<Item>: Storage {
    var name = ""
    @JSONIgnored var kept: (Item, Int)?
    var shown: String { "\(kept != nil)" }
    mutating func mark() {}
}

@JSONModel private struct GenericInPlace<Item>: Storage {
    var name = ""
    @JSONIgnored var item: Item?
    @JSONIgnored var pair: (Item?, Int) = (nil, 1)
    @JSONIgnored var isMarked = false
    var shown: String { "\(isMarked)\(item != nil)\(pair)" }
    mutating func mark() { (isMarked, pair.1) = (true, 2) }
}

@JSONModel private struct GenericOfBound<Item: JSONBindable>: Storage {
    var name = ""
    var items: [Item] = []
    @JSONIgnored var kept: (Item) -> Int = { _ in 1 }
    @JSONIgnored var isMarked = false
    var shown: String { "\(isMarked)" }
    mutating func mark() { (kept, isMarked) = ({ _ in 2 }, true) }
}

@JSONModel private final class Everything: Storage {
    var name = ""
    @JSONIgnored var kept: (() -> Int)?
    @JSONIgnored let constant = { 3 }
    @JSONIgnored var tuple: (Int, Action) = (1, { 1 })
    @JSONIgnored var thin = Int.self
    @JSONIgnored var any: any Surface = Plane()
    @JSONIgnored let opaque: some Surface = Plane()
    @JSONIgnored let token = Token()
    @JSONIgnored weak var weakly: Everything?
    @JSONIgnored unowned var unowned: Target? = nil
    @JSONIgnored lazy var computed = 1
    @JSONIgnored var observed = 1 { didSet { changes += 1 } }
    @JSONIgnored var changes = 0
    @Clamped @JSONIgnored var clamped = 1
    var shown: String {
        "\(kept?() ?? 0)\(constant())\(tuple.1())\(thin)\(any.area)\(token.marks)\(weakly === self)\(unowned === owner)"
            + "\(computed)\(observed)\(changes)\(clamped)"
    }
    func mark() {
        (kept, tuple, any, weakly, unowned) = ({ 2 }, (2, { 2 }), Plane(area: 2), self, owner)
        (computed, observed, clamped) = (2, 2, 2)
    }
}

@JSONModel private final class GenericClass<Item>: Storage {
    var name = ""
    @JSONIgnored var kept: ((Item) -> Int)?
    @JSONIgnored weak var weakly: Target?
    var shown: String { "\(kept != nil)\(weakly === owner)" }
    func mark() { (kept, weakly) = ({ _ in 2 }, owner) }
}

@JSONBaseClass private class KeptBase {
    var name = ""
    @JSONIgnored var kept: Action?
    @JSONIgnored weak var weakly: Target?
}

@JSONSubclass(of: KeptBase.self) private final class KeptDerived: KeptBase, Storage {
    var level = 1
    @JSONIgnored var other: (Int, () -> Int) = (1, { 1 })
    var shown: String { "\(kept?() ?? 0)\(weakly === owner)\(other.1())" }
    func mark() { (kept, weakly, other) = ({ 2 }, owner, (2, { 2 })) }
}

@JSONModel(tag: .key("case")) private enum KeptPayload: Equatable {
    case function(OptionalFunction)
    case tuples(Tuples)
    case metatypes(Metatypes)
    case opaque(Opaque)
    case references(WeakReference)
    case lazily(LazyStorage)
    case constant(BesideAConstant)
    case generic(Generic<Int>)
    case object(Everything)
}

// MARK: Bound

private protocol BoundStorage: JSONModel, Equatable {
    var constant: Int { get }
    var observed: Int { get }
    var clamped: Int { get }
    var optional: Int! { get }
    var changes: Int { get }
    var written: Int { get }
    var read: Int { get }
    var fixed: Int { get }
}

extension BoundStorage {
    var facts: [Int?] { [constant, observed, clamped, optional, changes, written, read, fixed] }
}

@JSONModel private struct Bound: BoundStorage {
    let constant: Int
    var observed: Int = 1 { didSet { changes += 1 } }
    var watched: String { willSet { changes += 1 } }
    @Clamped var clamped = 3
    private(set) var shown: [Int]?
    var optional: Int!
    @JSONIgnored var changes = 0
    @JSONIgnored(.reading) var written = 5
    @JSONIgnored(.writing) var read = 6
    @JSONIgnored(.reading) let fixed = 7
}

@JSONModel private final class BoundClass: JSONHashableModel, BoundStorage {
    let constant: Int
    var observed: Int = 1 { didSet { changes += 1 } }
    var watched: String { willSet { changes += 1 } }
    @Clamped var clamped = 3
    private(set) var shown: [Int]?
    var optional: Int!
    @JSONIgnored var changes = 0
    @JSONIgnored(.reading) var written = 5
    @JSONIgnored(.writing) var read = 6
    @JSONIgnored(.reading) let fixed = 7
}

@JSONModel private struct BoundGeneric<Item: Equatable>: Equatable {
    let constant: Item
    var observed: Item? { didSet { changes += 1 } }
    @JSONIgnored var changes = 0
    @JSONIgnored(.reading) var written: Item?
}

@JSONModel(tag: .key("case")) private enum BoundPayload: Equatable {
    case value(Bound)
    case generic(BoundGeneric<Int>)
    case object(BoundClass)
}

@Suite struct StorageTests {
    private static let ignored: [any Storage.Type] = [
        OptionalFunction.self, UnwrappedFunction.self, Function.self, AsyncFunction.self, ConstantFunction.self,
        NamedFunction.self,
        NamedOptionalFunction.self, InferredFunction.self, NoneOfAnAlias.self, NoneOfANamedAlias.self, SomeOfAnAlias.self,
        MadeAlias.self, CalledAlias.self, CFunction.self, OptionalCFunction.self, PlainTuple.self, Tuples.self,
        OptionalTuple.self,
        NamedTuple.self, CalledTuple.self, TuplePattern.self, EmptyTuple.self, Metatypes.self, NamedMetatype.self,
        InferredMetatype.self, AnyMetatype.self, ExistentialMetatype.self, TupleOfMetatype.self, ListOfMetatypes.self,
        Existentials.self, ExistentialOfProtocol.self, OptionalExistential.self, ExistentialObject.self, ComposedExistential.self,
        Opaque.self, Boxed.self, WeakReference.self, UnownedReference.self, UnsafeReference.self, UnownedConstant.self,
        StrongReference.self, LazyStorage.self, LazyFunction.self, WrappedStorage.self, ComputedStorage.self, Observed.self,
        ObservedFunction.self, Conditional.self, Nominal.self, ImplicitMember.self, NamedMember.self, MadeMember.self,
        CalledType.self, OptionalNominal.self, ListOfFunctions.self, TableOfFunctions.self, InterpolatedText.self,
        BesideAConstant.self, BesideAnObserver.self, BesideAWrapper.self, InPlace.self, Isolated.self, LeftOutByExcept.self,
        LeftOutByOnly.self,
        LeftOutByKeys.self,
        Generic<Int>.self, Generic<() -> Int>.self, Generic<(Int, Target)>.self, GenericMetatype<Int>.self,
        GenericMetatype<() -> Int>.self, GenericOptionalPair<Int>.self, GenericOptionalPair<() -> Int>.self,
        GenericInPlace<Int>.self, GenericInPlace<() -> Int>.self, GenericInPlace<(Int, () -> Int)>.self,
        GenericInPlace<Int.Type>.self, GenericOfBound<Int>.self, Everything.self, GenericClass<() -> Int>.self, KeptDerived.self,
    ]

    /// The members of ignored properties have values that fit none of them.
    private static let text = #"{"kept":5,"name":"a","other":[],"constant":"c","id":{},"tuple":null,"weakly":{"a":1}}"#

    @Test(arguments: ignored.indices)
    func anIgnoredPropertyIsNotLookedAt(number: Int) throws { try expectUntouched(Self.ignored[number]) }

    private func expectUntouched<Model: Storage>(_ type: Model.Type) throws {
        let reading = readEveryWay(Model.self, Self.text)
        #expect(reading.disagreements == [], "\(type)")
        guard case .value(var model) = reading.outcome else {
            Issue.record("\(type): \(reading.outcome)")
            return
        }
        let fresh = model.shown
        #expect(model.name == "a", "\(type)")
        let written = try model.jsonString()
        #expect(try written.contains(#""name":"a""#) && !written.contains("kept") && Model(json: written) == model, "\(type)")

        model.mark()
        let marked = model.shown
        let old = model
        let changes = try model.update(json: Self.text.replacing(#""a""#, with: #""b""#))
        #expect(
            changes.changed == ["name"] && model.name == "b" && model.shown == marked, "\(type): \(model.shown), not \(marked)")
        #expect(throws: JSONError.self) { try model.update(json: #"{"name":[]}"#) }
        #expect(model.name == "b" && model.shown == marked, "\(type)")
        if !(type is AnyClass) {
            #expect(try model.changes(from: old).changed == ["name"] && model != old && old.shown == marked, "\(type)")
        }
        #expect(try model == Model(json: #"{"name":"b"}"#), "\(type)")

        let copy = try model.copy()
        #expect(copy == model && copy.shown == fresh, "\(type)")
        #expect(try JSONArchive(model.archive()).value(Model.self) == model, "\(type)")
        let several = try [String: [Model?]](json: #"{"x":[{"name":"c"},null,{"name":"d"}]}"#)
        #expect(several["x"]?.map { $0?.name } == ["c", nil, "d"], "\(type)")
        #expect(throws: JSONError.self) { try [Model](json: #"[{"name":"c"},{"name":1e}]"#) }
    }

    @Test func anIgnoredConstantKeepsItsIdentityInAnUpdate() throws {
        func expectSame<Model: Storage, ID: Equatable>(_ model: Model, _ id: (Model) -> ID) throws {
            var model = model
            let old = id(model)
            try model.update(json: #"{"name":"z"}"#)
            #expect(id(model) == old && model.name == "z", "\(Model.self)")
        }
        let text = #"{"name":"a"}"#
        try expectSame(Nominal()) { "\($0.id)\(ObjectIdentifier($0.made))" }
        try expectSame(BesideAConstant(json: text), \.id)
        try expectSame(BesideAnObserver(json: text), \.id)
        try expectSame(BesideAWrapper(), \.id)
        #expect(try Nominal(json: "{}").id != Nominal(json: "{}").id)
    }

    @Test func anUpdateKeepsAReferenceToAnObjectThatIsGone() throws {
        var (weakly, unowned) = (WeakReference(), UnownedReference())
        do {
            let node = Target()
            (weakly.kept, unowned.kept) = (node, node)
        }
        try weakly.update(json: #"{"name":"b"}"#)
        try unowned.update(json: #"{"name":"b"}"#)
        #expect(weakly.name == "b" && weakly.kept == nil && unowned.name == "b")
    }

    /// In an initialiser, an assignment of a wrapped property makes a new wrapper, and the compiler forgets the one that a copy has.
    @Test func anUpdateLeavesNoWrapperAfter() throws {
        do {
            var model = BesideAHoldingWrapper()
            model.kept = 2
            for count in 1...20 { try model.update(json: #"{"names":["\#(count)"]}"#) }
            #expect(model.names == ["20"] && model.kept == 2)
        }
        #expect(CountedObject.live.withLock { $0 } == 0)
    }

    @Test(arguments: ["function", "metatypes", "tuples", "opaque", "references", "lazily", "constant", "generic", "object"])
    func aCaseMayHoldAModelWithIgnoredStorage(name: String) throws {
        let text = #"{"case":"\#(name)","kept":1,"name":"a"}"#
        let reading = readEveryWay(KeptPayload.self, text)
        #expect(reading.disagreements == [])
        let value = try KeptPayload(json: text)
        #expect(reading.outcome == .value(value))
        #expect(try value.jsonString() == #"{"case":"\#(name)","name":"a"}"#)
        #expect(try JSONArchive(JSONArchive.bytes(of: [value])).value([KeptPayload].self) == [value])
    }

    @Test func boundStorageIsReadWrittenUpdatedComparedAndCopied() throws {
        let text =
            #"{"constant":1,"observed":2,"watched":"w","clamped":11,"shown":[1],"optional":4,"written":9,"read":8,"fixed":9}"#
        let written = #"{"constant":1,"observed":2,"watched":"w","clamped":10,"shown":[1],"optional":4,"written":5,"fixed":7}"#
        func expectBound<Model: BoundStorage>(_ type: Model.Type) throws {
            let reading = readEveryWay(Model.self, text)
            #expect(reading.disagreements == [])
            var model = try Model(json: text)
            #expect(reading.outcome == .value(model))
            #expect(model.facts == [1, 2, 10, 4, 0, 5, 8, 7])
            #expect(try model.jsonString() == written)
            #expect(try model.copy() == model)
            let changes = try model.update(json: #"{"constant":1,"watched":"v","optional":null,"read":3,"shown":[2]}"#)
            #expect(changes.changed == ["watched", "optional", "read", "shown"])
            #expect(model.facts.dropLast(4) == [1, 2, 10, nil] && model.facts.suffix(3) == [5, 3, 7])
            #expect(throws: JSONError.self) { try Model(json: "{}") }
        }
        try expectBound(Bound.self)
        try expectBound(BoundClass.self)
        var generic = try BoundGeneric<Int>(json: #"{"constant":1,"observed":2,"written":3}"#)
        try generic.update(json: #"{"constant":4,"observed":null}"#)
        #expect(generic == BoundGeneric(constant: 4, observed: nil) && generic.changes == 0)
        for (name, text) in [("value", text), ("object", text), ("generic", #"{"constant":1}"#)] {
            let tagged = #"{"case":"\#(name)",\#(text.dropFirst())"#
            let reading = readEveryWay(BoundPayload.self, tagged)
            #expect(reading.disagreements == [])
            #expect(try reading.outcome == .value(BoundPayload(json: tagged)))
        }
    }

    @Test func whatIsCertainlyNoFunctionNeedsNoDraft() {
        let mayBeFunctions: [any JSONModel.Type] = [
            Nominal.self, Boxed.self, NoneOfAnAlias.self, CalledTuple.self, MadeAlias.self,
        ]
        #expect(mayBeFunctions.allSatisfy { $0.schema.draftReason?.hasSuffix("is ignored, and may be a function") == true })
        let inPlace: [any JSONModel.Type] = [
            PlainTuple.self, EmptyTuple.self, ExistentialMetatype.self, ListOfMetatypes.self, Existentials.self,
            ExistentialOfProtocol.self, OptionalExistential.self, ExistentialObject.self, ComposedExistential.self,
            ImplicitMember.self, NamedMember.self, MadeMember.self, CalledType.self, ListOfFunctions.self, TableOfFunctions.self,
            InterpolatedText.self, GenericInPlace<() -> Int>.self, GenericOptionalPair<() -> Int>.self, InPlace.self,
        ]
        for type in inPlace { #expect(type.schema.isBuiltInPlace, "\(type): \(type.schema.draftReason ?? "")") }
    }
}

/// Several of them beside each other.
@JSONModel private struct InPlace: Storage {
    var name = ""
    @JSONIgnored let id = Serial()
    @JSONIgnored let made = Target()
    @JSONIgnored var other: Mode = .first
    @JSONIgnored var list: [() -> Int] = [{ 1 }]
    @JSONIgnored var dates: [String: Set<Int>]?
    @JSONIgnored var any: (any Surface)?
    @JSONIgnored var pair: (Int, String?) = (1, nil)
    @JSONIgnored var text: String?
    var shown: String { "\(other)\(list[0]())\(dates ?? [:])\(any?.area ?? 0)\(pair)\(text ?? "")" }
    mutating func mark() {
        (other, list, dates, any, pair, text) = (.second, [{ 2 }], ["a": [1]], Plane(area: 2), (2, "b"), "c")
    }
}
#endif
