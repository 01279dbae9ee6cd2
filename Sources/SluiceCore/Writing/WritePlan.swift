// The order in which a model is written. Key paths become nested objects, and key paths with a common prefix share an object.
//
// A worked example. `a` → `ext.d`, `b` → `ext.d`, `c` → `ext.d.e` and `f` → `f`, where `a` has a date format, compiles to
//
//     open "ext":
//       alternative "d":·a   alternative "d":·b   open "d":  member "e":·c  close   end of the alternatives
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
    /// In the first step of a plan: whether all steps are plain fields.
    var beginsPlainModel = false
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
    }
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
        unsafe plans.address(at: options.rawValue) { unsafe UnsafeRawPointer(WritePlan(of: self, options).allocate()) }
            .assumingMemoryBound(to: WriteStep.self)
    }
}

/// All steps of a model, in declared order or sorted by key.
struct WritePlan {
    private(set) var steps: [WriteStep]
    /// Whether the model has a hook. The hook must run, so such a model is never written as a plain one.
    private var hasHook = false

    private final class Node {
        let key: String
        var slots: [Int] = []
        var children: [Node] = []

        init(key: String) { self.key = key }
    }

    init(of table: PropertyTable, _ planOptions: PlanOptions) {
        var compiler = Compiler(properties: table.properties, planOptions: planOptions, field: table.field)
        if table.layout == .array {
            for slot in table.properties.indices { compiler.place(slot) }
        } else {
            compiler.layOut(WritePlan.tree(of: table.properties, isFlat: planOptions.contains(.flat)))
            // A collector (a property that takes all other keys) has no key of its own, because it writes its members itself.
            for slot in table.properties.indices where table.properties[slot].isCollector { compiler.place(slot) }
        }
        self.init(compiler.steps)
        hasHook = table.binding.type is any _JSONWriteHook.Type
    }

    init(_ steps: [WriteStep]) { self.steps = steps }

    /// Copies the steps into new memory, with an `end` after them. The caller owns the memory.
    func allocate() -> UnsafeMutablePointer<WriteStep> {
        let memory = UnsafeMutablePointer<WriteStep>.allocate(capacity: steps.count + 1)
        for (index, step) in steps.enumerated() { unsafe (memory + index).initialize(to: step) }
        unsafe (memory + steps.count).initialize(to: WriteStep(.end, key: NoBytes.address, keyCount: 0))
        // A model without steps does not count as plain: it may be a class whose subclasses have properties.
        unsafe memory.pointee.beginsPlainModel =
            !hasHook && !steps.isEmpty && steps.allSatisfy { $0.field != .other && $0.field != .optionalModel }
        return unsafe memory
    }

    /// A trie of the keys that are written, which are the first key of each property.
    private static func tree(of properties: [JSONProperty], isFlat: Bool) -> Node {
        let root = Node(key: "")
        for (slot, property) in properties.enumerated() where property.direction != .reading {
            guard let path = property.keys.first else { continue }
            var node = root
            for key in isFlat ? [path.description] : path.components {
                if let known = node.children.first(where: { $0.key.utf8.elementsEqual(key.utf8) }) {
                    node = known
                } else {
                    let made = Node(key: key)
                    node.children.append(made)
                    node = made
                }
            }
            node.slots.append(slot)
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
        mutating func place(_ slot: Int) {
            unsafe steps.append(member(slot, NoBytes.address, 0))
        }

        /// The step of a property that shares its key with no other.
        private func member(_ slot: Int, _ key: UnsafePointer<UInt8>, _ count: Int) -> WriteStep {
            var step = unsafe WriteStep(operation(slot), slot: slot, key: key, keyCount: count)
            if step.operation == .member, let field = field(slot) {
                step.field = field.kind
                step.fieldOffset = field.offset
                step.model = field.model
            }
            return step
        }

        mutating func layOut(_ node: Node) {
            let children =
                planOptions.contains(.sorted)
                ? node.children.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
                : node.children
            for child in children {
                let key = unsafe encoded(child.key)
                if child.slots.count + (child.children.isEmpty ? 0 : 1) > 1 {
                    unsafe layOutAlternatives(child, key.start, key.count)
                } else if let slot = child.slots.first {
                    unsafe steps.append(member(slot, key.start, key.count))
                } else {
                    unsafe layOutObject(child, key.start, key.count)
                }
            }
        }

        private mutating func layOutObject(_ node: Node, _ key: UnsafePointer<UInt8>, _ count: Int) {
            unsafe steps.append(WriteStep(.open, key: key, keyCount: count))
            layOut(node)
            unsafe steps.append(WriteStep(.close, key: key, keyCount: 0))
        }

        /// Adds the steps of a key that several properties write, or that is also the beginning of a longer path. The first property that
        /// is not nil is written.
        private mutating func layOutAlternatives(_ node: Node, _ key: UnsafePointer<UInt8>, _ count: Int) {
            groups += 1
            let group = groups
            for slot in node.slots {
                unsafe steps.append(WriteStep(.alternative, slot: slot, group: group, key: key, keyCount: count))
            }
            if node.children.isEmpty {
                unsafe steps.append(WriteStep(.null, group: group, key: key, keyCount: count))
            } else {
                unsafe layOutObject(node, key, count)
            }
            unsafe steps.append(WriteStep(.endOfAlternatives, group: group, key: key, keyCount: 0))
        }

        private func operation(_ slot: Int) -> WriteStep.Operation {
            let policy = properties[slot].policy
            return policy.date == nil && policy.dataFormat == nil ? .member : .memberInContext
        }

        private func encoded(_ key: String) -> (start: UnsafePointer<UInt8>, count: Int) {
            var writer = JSONWriter(
                options: .init(
                    escapesSlashes: planOptions.contains(.escapedSlashes), escapesNonASCII: planOptions.contains(.escapedNonASCII)
                ))
            writer.writeString(key)
            writer.append(UInt8(ascii: ":"))
            // Padded, because keys are copied in blocks of 16.
            let copy = UnsafeMutablePointer<UInt8>.allocate(capacity: writer.count + 16)
            unsafe copy.initialize(repeating: 0, count: writer.count + 16)
            unsafe copy.update(from: writer.start, count: writer.count)
            return unsafe (UnsafePointer(copy), writer.count)
        }
    }
}
