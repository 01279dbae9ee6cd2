// Decides which properties a call writes. From the selected names it makes a plan with fewer steps for each model that is
// written. The plans are only made for this call, so a call without a selection costs nothing.

/// The Swift names of properties to write or to leave out.
///
/// A dotted name selects a property inside a property that is a model, or a collection of models. The other properties of that model are
/// left out with `include:`, and kept with `exclude:`. A nested model for which there is no dotted name is written or left out as a whole.
///
/// ```swift
/// try status.jsonString(include: ["text", "user.login"])     // {"text":"Hi","user":{"login":"ann"}}
/// try status.jsonString(exclude: ["user.email"])
/// try [status].jsonString(include: ["text"])                 // [{"text":"Hi"}]
/// ```
public struct JSONSelection: Sendable, Hashable, ExpressibleByArrayLiteral {
    /// The names, dotted where they reach into a property.
    package let names: Set<String>

    /// A selection of names.
    public init(_ names: some Sequence<String>) { self.names = Set(names) }

    /// A selection of names.
    public init(arrayLiteral names: String...) { self.names = Set(names) }
}

extension JSONSelection {
    /// A selection of the properties that key paths refer to; nil if there are none to select.
    ///
    /// - Throws: ``JSONError`` of kind `notWritable` for a key path that does not refer to a property that is written.
    init?<Model: JSONModel>(_ keyPaths: Set<PartialKeyPath<Model>>?) throws(JSONError) {
        guard let keyPaths else { return nil }
        let table = Model._jsonTable
        if let problem = table.problem { throw problem }
        var rest = keyPaths
        var names: [String] = []
        for slot in table.properties.indices {
            guard let keyPath = Model._jsonKeyPath(slot) as? PartialKeyPath<Model>, rest.remove(keyPath) != nil else { continue }
            names.append(table.properties[slot].name)
        }
        if let unknown = rest.map({ String(describing: $0) }).min() {
            throw JSONError.notWritable("key paths of properties that \(table.modelName) writes", found: unknown)
        }
        self.init(names)
    }
}

/// Names as a tree: what follows the dots of a name is inside it.
private struct NameTree {
    /// Whether a name is selected as a whole, and the names inside it; a whole one has none.
    private(set) var names: [String: NameTree?] = [:]

    init(_ selection: JSONSelection) {
        for name in selection.names { insert(name.split(separator: ".", omittingEmptySubsequences: false)[...]) }
    }

    private init() {}

    private mutating func insert(_ path: ArraySlice<Substring>) {
        guard let name = path.first.map(String.init) else { return }
        if path.count == 1 { return names[name] = .some(nil) }
        if case .some(nil) = names[name] { return }
        var inner = names[name].flatMap { $0 } ?? NameTree()
        inner.insert(path.dropFirst())
        names[name] = inner
    }
}

/// One level of a selection: the properties to write, or to leave out, of the models in one property.
final class SelectedProperties {
    private enum Part {
        case whole
        case none
        case inner(SelectedProperties)
    }

    /// The properties to write; nil for all.
    private let included: NameTree?
    private let excluded: NameTree?
    /// The properties of which only a part is written.
    private var inner: [String: SelectedProperties] = [:]
    /// The plans made so far: usually one, or more if a property can have models of several types.
    private var plans: [Made] = []

    @safe
    private struct Made {
        let table: PropertyTable
        // Safe: freed in the selection's `deinit`, and the selection lives longer than the call that writes.
        let steps: UnsafeMutablePointer<WriteStep>
    }

    /// The outermost level.
    convenience init(include: JSONSelection?, exclude: JSONSelection?) {
        self.init(include.map(NameTree.init), exclude.map(NameTree.init))
    }

    private init(_ included: NameTree?, _ excluded: NameTree?) {
        self.included = included
        self.excluded = excluded
        for name in names {
            let (kept, dropped) = (included?.names[name] ?? nil, excluded?.names[name] ?? nil)
            if kept != nil || dropped != nil { inner[name] = SelectedProperties(kept, dropped) }
        }
    }

    deinit {
        for made in plans { unsafe made.steps.deallocate() }
    }

    /// All names at this level.
    private var names: Set<String> { Set((included?.names ?? [:]).keys).union((excluded?.names ?? [:]).keys) }

    /// What is written of a property: a property that is left out as a whole is so even if a part of it is included.
    private func part(_ name: String) -> Part {
        if let included, included.names[name] == nil { return .none }
        if case .some(nil) = excluded?.names[name] { return .none }
        return inner[name].map { .inner($0) } ?? .whole
    }

    /// The steps of a model at this level, with an `end` after the last one. They live as long as the selection.
    ///
    /// - Throws: ``JSONError`` of kind `notWritable` for a name that the model does not write.
    func steps(_ planOptions: PlanOptions, _ table: PropertyTable) throws(JSONError) -> UnsafePointer<WriteStep> {
        if let known = plans.first(where: { $0.table === table }) { return unsafe UnsafePointer(known.steps) }
        try check(table)
        let steps = unsafe selected(of: table.steps(planOptions), table).allocate()
        plans.append(unsafe Made(table: table, steps: steps))
        return unsafe UnsafePointer(steps)
    }

    /// Throws if a name is not that of a written property, or reaches into a property that is not a model.
    private func check(_ table: PropertyTable) throws(JSONError) {
        for name in names.sorted() {
            guard let slot = table.properties.firstIndex(where: { $0.name == name && $0.direction != .reading }) else {
                throw JSONError.notWritable("a property that \(table.modelName) writes", found: "'\(name)'")
            }
            if let deeper = inner[name],
                let binding = table.binding.model?.row(ofSlot: slot).binding,
                !SelectedProperties.leadsToModel(binding)
            {
                throw JSONError.notWritable("no property inside '\(name)', which is not a model", found: deeper.someName)
            }
        }
    }

    /// The first name at this level, quoted, for errors.
    private var someName: String { "'\(names.min() ?? "")'" }

    /// Whether a value can be a model, or a collection of models; true also for a type with its own way of binding, which may be one.
    static func leadsToModel(_ binding: BindingHandle) -> Bool {
        var binding = binding
        while binding.kind == .array || binding.kind == .dictionary,
            let element = binding.element
        {
            binding = element.binding
        }
        let kind = binding.kind
        return !(kind.isScalar || kind == .value || kind == .raw)
    }

    /// The plan of the selected properties, made from the plan of all.
    private func selected(of all: UnsafePointer<WriteStep>, _ table: PropertyTable) -> WritePlan {
        var steps: [WriteStep] = []
        var groups: Set<Int32> = []
        var next = unsafe all
        // Safe: the last step is followed by an `end`.
        while unsafe next.pointee.operation != .end {
            var step = unsafe next.pointee
            unsafe next += 1
            switch step.operation {
            case .member, .memberInContext, .alternative:
                switch part(table.properties[step.slot].name) {
                case .whole: break
                case .inner(let deeper):
                    // Safe: `inner` retains the inner selection, and lives as long as the plan.
                    unsafe step.selection = unsafe Unmanaged.passUnretained(deeper)
                    if step.operation == .member { step.operation = .memberInContext }
                    step.field = .other
                case .none:
                    // In a model that is written as an array, null keeps the positions of the others.
                    guard table.layout == .array else { continue }
                    step.operation = .null
                    step.field = .other
                }
                if step.operation == .alternative { groups.insert(step.group) }
            case .null:
                guard groups.contains(step.group) else { continue }
            case .endOfAlternatives:
                guard groups.contains(step.group) else { continue }
                // The object that ended the group was removed as empty, so the group needs a null of its own.
                if let last = steps.last, last.operation == .alternative {
                    steps.append(unsafe WriteStep(.null, group: last.group, key: last.key, keyCount: last.keyCount))
                }
            case .close:
                if steps.last?.operation == .open || steps.last?.operation == .openOrNull {
                    steps.removeLast()
                    continue
                }
            case .open, .openOrNull, .end: break
            }
            steps.append(step)
        }
        return WritePlan(steps)
    }
}
