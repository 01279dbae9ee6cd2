// Decides which properties a call writes: from the selected names it makes a plan with fewer steps for each model that is written.
// These plans are made for that one call, so a call without a selection costs nothing.

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
    /// A selection of the properties that key paths refer to.
    ///
    /// - Throws: ``JSONError`` of kind `notWritable` for a key path that does not refer to a property that is written.
    init<Model: JSONModel>(_ keyPaths: Set<PartialKeyPath<Model>>) throws(JSONError) {
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

/// One level of a selection: the properties to write, or to leave out, of the models in one property.
final class SelectedProperties {
    private enum Part {
        case whole
        case inner(SelectedProperties)
    }

    private let isIncluding: Bool
    private var parts: [String: Part] = [:]
    /// The plans made so far: usually one, or more if a property can have models of several types.
    private var plans: [Made] = []

    @safe
    private struct Made {
        let table: PropertyTable
        // Safe: freed in the selection's `deinit`, and the selection lives longer than the call that writes.
        let steps: UnsafeMutablePointer<WriteStep>
    }

    /// The outermost level.
    convenience init(_ selection: JSONSelection, isIncluding: Bool) {
        self.init(isIncluding: isIncluding)
        for name in selection.names { insert(name.split(separator: ".", omittingEmptySubsequences: false)[...]) }
    }

    private init(isIncluding: Bool) { self.isIncluding = isIncluding }

    deinit {
        for made in plans { unsafe made.steps.deallocate() }
    }

    /// Adds a name. A property that is also named without a dot is selected as a whole.
    private func insert(_ path: ArraySlice<Substring>) {
        guard let name = path.first.map(String.init) else { return }
        if path.count == 1 {
            parts[name] = .whole
            return
        }
        switch parts[name] {
        case .whole: break
        case .inner(let deeper): deeper.insert(path.dropFirst())
        case nil:
            let deeper = SelectedProperties(isIncluding: isIncluding)
            deeper.insert(path.dropFirst())
            parts[name] = .inner(deeper)
        }
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
        for name in parts.keys.sorted() {
            guard let slot = table.properties.firstIndex(where: { $0.name == name && $0.direction != .reading }) else {
                throw JSONError.notWritable("a property that \(table.modelName) writes", found: "'\(name)'")
            }
            if case .inner(let deeper)? = parts[name],
                let binding = unsafe table.binding.model?.firstRows[slot].binding,
                !SelectedProperties.leadsToModel(binding)
            {
                throw JSONError.notWritable("no property inside '\(name)', which is not a model", found: deeper.someName)
            }
        }
    }

    /// The first name at this level, quoted, for errors.
    private var someName: String { "'\(parts.keys.min() ?? "")'" }

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
                switch (parts[table.properties[step.slot].name], isIncluding) {
                case (.whole, true), (nil, false): break
                case (.inner(let deeper), _):
                    // Safe: `parts` retains the inner selection, and lives as long as the plan.
                    unsafe step.selection = unsafe Unmanaged.passUnretained(deeper)
                    if step.operation == .member { step.operation = .memberInContext }
                    step.field = .other
                case (.whole, false), (nil, true):
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
                if steps.last?.operation == .open {
                    steps.removeLast()
                    continue
                }
            case .open, .end: break
            }
            steps.append(step)
        }
        return WritePlan(steps)
    }
}
