// The order in which a model is written. Key paths become nested objects, and key paths with a common prefix share an object.
//
// A worked example. `a` → `ext.d`, `b` → `ext.d`, `c` → `ext.d.e` and `f` → `f`, where `a` has a date format, compiles to
//
//     open "ext":
//       alternative "d":·a   alternative "d":·b   open or null "d":  member "e":·c  close   end of the alternatives
//     close
//     member "f":·f
//
// A model without formats and without shared keys has only members, opens and closes. A plan depends on some of the options; each is made
// when it is first needed.

internal import Synchronization

/// One step of writing a model.
@safe
struct WriteStep {
    enum Operation: UInt8 {
        /// Write the key and the property of a slot.
        case member
        /// Write the property of a slot that has a format of its own, or of which only a part is selected.
        case memberInContext
        /// Write the key and the property of a slot unless it is nil. If it was written, continue after the end of its group.
        case alternative
        /// No operation: the end of a group of alternatives.
        case endOfAlternatives
        /// Write the key and null, if nils are written.
        case null
        /// Write the key and open the object of a path level.
        case open
        /// The same after alternatives. If nils are written and all properties in the object are nil, null is written instead: an object
        /// could not be read as a value of the alternatives.
        case openOrNull
        /// Close the object of a path level, or remove it if it is empty.
        case close
        /// No operation: the end of the plan.
        case end
    }

    var operation: Operation
    /// The kind of a member that can be read directly from the model's memory; `other` for all other steps.
    var field = PlainField.Kind.other
    /// The byte offset of such a member in the model.
    var fieldOffset: Int32 = 0
    /// The type of a member that is a model, or an optional one.
    var model: (any JSONModel.Type)?
    /// The elements of a member that is an array.
    var elements: PlainElements?
    /// In a member that is an array of models: the first step of the element's model, and whether it is written as an array.
    var element: UnsafePointer<WriteStep>?
    var isPositional = false
    /// How a member that is an optional model says that it is nil.
    var absence: AbsenceMark?
    /// In the first step of a plan: whether all steps are plain fields.
    var beginsPlainModel = false
    /// How many levels of containers a member has that is a plain model or an array.
    var levels: Int32 = 0
    /// In how many of the plan's plain models the member lies.
    var depth: Int32 = 0
    /// The space to ask for before this step: enough for it and for all plain fields that follow, if every string is a small one.
    var room = WriteStep.lastRoom
    /// In a member that is a plain model: the first step of that model, with offsets in the outermost model. In a `leave`: the step of
    /// the member that ends there.
    var inner: UnsafePointer<WriteStep>?
    /// The number of a group of alternatives; those of one key form a group.
    var group: Int32 = 0
    var slot = 0
    /// The key in its written form: quoted, escaped, with its colon. Lives as long as the process.
    let key: UnsafePointer<UInt8>
    let keyCount: Int
    /// The properties to write of the models inside; nil for all. Retained by the selection that the step belongs to.
    var selection: Unmanaged<SelectedProperties>?

    init(_ operation: Operation, slot: Int = 0, group: Int32 = 0, key: UnsafePointer<UInt8>, keyCount: Int) {
        self.operation = operation
        self.slot = slot
        self.group = group
        unsafe self.key = unsafe key
        self.keyCount = keyCount
        unsafe selection = nil
        unsafe inner = nil
        unsafe element = nil
    }

    /// The space after the last plain field: for the brackets and the comma that follow.
    static let lastRoom = 4
    /// The space that a plain field needs beyond its key: for the key's last block, a number or a small string, quotes and the comma.
    static let fieldRoom = 16 + NumberFormatting.maximumLength + 4
}

extension PropertyTable {
    /// The steps of a plan, with an `end` after the last one. They live as long as the process.
    @inline(__always)
    func steps(_ options: PlanOptions) -> UnsafePointer<WriteStep> {
        // Safe: the raw value of the options is below `PlanOptions.count`, and each slot has the address of such steps.
        if let known = unsafe plans.known(at: options.rawValue) { return unsafe known.assumingMemoryBound(to: WriteStep.self) }
        return unsafe makeSteps(options)
    }

    @inline(never)
    private func makeSteps(_ options: PlanOptions) -> UnsafePointer<WriteStep> {
        // Before the plan is made, because steps are made one plan at a time. A struct is never inside itself, so this comes to an end.
        for slot in properties.indices {
            guard let field = field(slot) else { continue }
            if let table = (field.model ?? field.elements?.model)?._jsonTable, table.problem == nil {
                _ = unsafe table.steps(options)
            }
        }
        let steps = unsafe plans.address(at: options.rawValue) {
            unsafe UnsafeRawPointer(WritePlan(of: self, options).allocate(inlining: options))
        }
        return unsafe steps.assumingMemoryBound(to: WriteStep.self)
    }
}

/// All steps of a model, in declared order or sorted by key.
struct WritePlan {
    private(set) var steps: [WriteStep]
    /// Whether the model has a hook. The hook must run, so such a model is never written as a plain one.
    private var hasHook = false

    init(of table: PropertyTable, _ planOptions: PlanOptions) {
        var compiler = Compiler(properties: table.properties, planOptions: planOptions, field: table.field)
        if table.layout == .array {
            for slot in table.properties.indices { compiler.add(slot) }
        } else {
            compiler.layOut(WritePlan.tree(of: table.properties, isFlat: planOptions.contains(.flat)))
            // A collector (a property that takes all other keys) has no key of its own, because it writes its members itself.
            for slot in table.properties.indices where table.properties[slot].isCollector { compiler.add(slot) }
        }
        self.init(compiler.steps)
        hasHook = table.binding.type is any _JSONWriteHook.Type
    }

    init(_ steps: [WriteStep]) { self.steps = steps }

    /// Whether a step writes a plain field.
    private static func isPlain(_ step: WriteStep) -> Bool {
        switch step.field {
        case .other: false
        case .model, .optionalModel: unsafe step.inner != nil
        default: true
        }
    }

    /// Copies the steps into new memory, with an `end` after them. The caller owns the memory.
    ///
    /// - Parameter options: If they are given, members that are plain models get the steps of these models. These live as long as the
    ///   process, as the steps of a table do.
    func allocate(inlining options: PlanOptions? = nil) -> UnsafeMutablePointer<WriteStep> {
        let memory = UnsafeMutablePointer<WriteStep>.allocate(capacity: steps.count + 1)
        unsafe (memory + steps.count).initialize(to: WriteStep(.end, key: NoBytes.address, keyCount: 0))
        // A model without steps does not count as plain: it may be a class whose subclasses have properties.
        var isPlain = !hasHook && !steps.isEmpty
        // From the last to the first, because the space for a step includes that for the steps after it.
        for index in steps.indices.reversed() {
            let step = unsafe memory + index
            unsafe step.initialize(to: steps[index])
            // The steps of a selection are copies of a table's, where these were set.
            unsafe step.pointee.levels = step.pointee.elements.map { Int32($0.rank + ($0.model == nil ? 0 : 1)) } ?? 0
            unsafe step.pointee.depth = 0
            unsafe step.pointee.room = WriteStep.lastRoom
            unsafe step.pointee.inner = unsafe options.flatMap { unsafe WritePlan.innerSteps(of: step.pointee, $0) }
            guard unsafe WritePlan.isPlain(step.pointee) else {
                isPlain = false
                continue
            }
            unsafe WritePlan.prepare(step, inner: step.pointee.inner, by: step.pointee.fieldOffset)
        }
        unsafe memory.pointee.beginsPlainModel = isPlain
        return unsafe memory
    }

    /// The steps that a member's model was given before, if it and all models in it consist of plain fields.
    private static func innerSteps(of step: WriteStep, _ options: PlanOptions) -> UnsafePointer<WriteStep>? {
        guard step.field == .model || step.absence != nil, let table = step.model?._jsonTable, table.layout == .object else {
            return nil
        }
        return unsafe plainSteps(of: table, options)
    }

    /// The steps that a table was given before, if its model consists of plain fields, and so do all models in it.
    private static func plainSteps(of table: PropertyTable, _ options: PlanOptions) -> UnsafePointer<WriteStep>? {
        guard table.problem == nil, let known = unsafe table.plans.known(at: options.rawValue) else { return nil }
        // Safe: each slot of `plans` has the address of steps, the last of which is an `end`.
        let first = unsafe known.assumingMemoryBound(to: WriteStep.self)
        return unsafe first.pointee.beginsPlainModel ? first : nil
    }

    /// Copies the steps of a plan up to its end, after which comes `leave`, with `offset` added to their offsets.
    private static func moved(
        _ steps: UnsafePointer<WriteStep>, by offset: Int32, leave: WriteStep
    ) -> UnsafeMutablePointer<WriteStep> {
        var count = 0
        // Safe: the steps of a plan end with an `end`, and those of a model inside with a `leave`, whose operation is the same.
        while unsafe steps[count].operation != .end { count += 1 }
        let memory = UnsafeMutablePointer<WriteStep>.allocate(capacity: count + 1)
        unsafe (memory + count).initialize(to: leave)
        for index in (0..<count).reversed() {
            let step = unsafe memory + index
            unsafe step.initialize(to: steps[index])
            unsafe step.pointee.fieldOffset += offset
            unsafe step.pointee.depth += 1
            unsafe prepare(step, inner: steps[index].inner, by: offset)
        }
        return unsafe memory
    }

    /// Gives a plain field the space that it and the fields after it need, and the steps of its model, if there are `inner` ones.
    private static func prepare(_ step: UnsafeMutablePointer<WriteStep>, inner: UnsafePointer<WriteStep>?, by offset: Int32) {
        // Safe: after each step comes another one, the last of which is an `end` or a `leave`.
        let after = unsafe step[1].room
        unsafe step.pointee.inner = nil
        guard let inner = unsafe inner else {
            unsafe step.pointee.room = step.pointee.keyCount + WriteStep.fieldRoom + after
            return
        }
        var leave = unsafe WriteStep(.end, key: NoBytes.address, keyCount: 0)
        leave.field = .leave
        leave.room = after + WriteStep.lastRoom
        unsafe leave.inner = unsafe UnsafePointer(step)
        let first = unsafe moved(inner, by: offset, leave: leave)
        var levels: Int32 = 0
        var next = unsafe first
        while unsafe next.pointee.operation != .end {
            levels = unsafe max(levels, next.pointee.levels)
            unsafe next += 1
        }
        unsafe step.pointee.inner = unsafe UnsafePointer(first)
        unsafe step.pointee.levels = levels + 1
        // The key's last block, and the opening bracket.
        unsafe step.pointee.room = unsafe step.pointee.keyCount + 17 + first.pointee.room
    }

    /// A trie of the keys that are written, which are the first key of each property.
    private static func tree(of properties: [JSONProperty], isFlat: Bool) -> KeyNode {
        let root = KeyNode(key: "")
        for (slot, property) in properties.enumerated() where property.direction != .reading {
            if property.isInlined {
                let made = KeyNode(key: property.name)
                (made.isInlined, made.rows) = (true, [(slot, 0)])
                root.children.append(made)
            } else if let path = property.keys.first {
                let keys = isFlat ? [path.description] : path.components
                keys.reduce(root) { $0.child($1) }.rows.append((slot, 0))
            }
        }
        return root
    }

    private struct Compiler {
        let properties: [JSONProperty]
        let planOptions: PlanOptions
        let field: (_ slot: Int) -> PlainField?
        var steps: [WriteStep] = []
        private var groups: Int32 = 0

        init(properties: [JSONProperty], planOptions: PlanOptions, field: @escaping (_ slot: Int) -> PlainField?) {
            self.properties = properties
            self.planOptions = planOptions
            self.field = field
        }

        /// Adds the step of a property without a key: an element of a model that is written as an array, or a collector.
        mutating func add(_ slot: Int) {
            unsafe steps.append(member(slot, NoBytes.address, 0))
        }

        /// The step of a property that shares its key with no other.
        private func member(_ slot: Int, _ key: UnsafePointer<UInt8>, _ count: Int) -> WriteStep {
            var step = unsafe WriteStep(operation(slot), slot: slot, key: key, keyCount: count)
            if step.operation == .member, let field = field(slot) {
                if let table = field.elements?.model?._jsonTable {
                    // An array whose elements do not consist of plain fields is not written here.
                    guard let first = unsafe WritePlan.plainSteps(of: table, planOptions) else { return step }
                    unsafe step.element = unsafe first
                    step.isPositional = table.layout == .array
                }
                step.field = field.kind
                step.fieldOffset = field.offset
                step.model = field.model
                step.elements = field.elements
                step.absence = field.absence
            }
            return step
        }

        mutating func layOut(_ node: KeyNode) {
            let children =
                planOptions.contains(.sorted)
                ? node.children.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
                : node.children
            for child in children {
                if child.isInlined {
                    for row in child.rows {
                        unsafe steps.append(WriteStep(.member, slot: row.slot, key: NoBytes.address, keyCount: 0))
                    }
                    continue
                }
                let key = JSONKeyText(
                    child.key, escapesSlashes: planOptions.contains(.escapedSlashes),
                    escapesNonASCII: planOptions.contains(.escapedNonASCII))
                if child.rows.count + (child.children.isEmpty ? 0 : 1) > 1 {
                    unsafe layOutAlternatives(child, key.start, key.count)
                } else if let slot = child.rows.first?.slot {
                    unsafe steps.append(member(slot, key.start, key.count))
                } else {
                    unsafe layOutObject(child, key.start, key.count)
                }
            }
        }

        private mutating func layOutObject(
            _ node: KeyNode, _ key: UnsafePointer<UInt8>, _ count: Int, as opening: WriteStep.Operation = .open
        ) {
            unsafe steps.append(WriteStep(opening, key: key, keyCount: count))
            layOut(node)
            unsafe steps.append(WriteStep(.close, key: key, keyCount: 0))
        }

        /// Adds the steps of a key that several properties write, or that is also the beginning of a longer path. The first property that
        /// is not nil is written.
        private mutating func layOutAlternatives(_ node: KeyNode, _ key: UnsafePointer<UInt8>, _ count: Int) {
            groups += 1
            let group = groups
            for row in node.rows {
                unsafe steps.append(WriteStep(.alternative, slot: row.slot, group: group, key: key, keyCount: count))
            }
            if node.children.isEmpty {
                unsafe steps.append(WriteStep(.null, group: group, key: key, keyCount: count))
            } else {
                unsafe layOutObject(node, key, count, as: .openOrNull)
            }
            unsafe steps.append(WriteStep(.endOfAlternatives, group: group, key: key, keyCount: 0))
        }

        private func operation(_ slot: Int) -> WriteStep.Operation {
            let policy = properties[slot].policy
            return policy.date == nil && policy.dataFormat == nil ? .member : .memberInContext
        }
    }
}
