// The order in which a model is written: key paths become nested objects, and those that share a prefix become one.

/// One step of writing a model.
@safe
struct WriteStep {
    enum Operation: UInt8 {
        /// Write the property of a slot behind the key.
        case member
        /// Open the object of a path level behind the key.
        case open
        /// Close it, or take it back if nothing is in it.
        case close
    }

    let operation: Operation
    let slot: Int
    /// The key as it is written: quoted, escaped, with its colon. Lives as long as the process.
    let key: UnsafePointer<UInt8>
    let keyCount: Int
}

/// All steps of a model, in declared order or sorted by key.
@safe
struct WritePlan {
    let steps: UnsafePointer<WriteStep>
    let count: Int

    private final class Node {
        let key: String
        var slots: [Int] = []
        var children: [Node] = []

        init(key: String) { self.key = key }
    }

    init(properties: [Property], sorted: Bool) {
        let root = Node(key: "")
        for (slot, property) in properties.enumerated() where property.direction != .reading {
            guard let path = property.keys.first else { continue }
            var node = root
            for key in path.components {
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
        var steps: [WriteStep] = []
        WritePlan.lay(out: root, into: &steps, sorted: sorted)
        let memory = UnsafeMutablePointer<WriteStep>.allocate(capacity: max(steps.count, 1))
        for (index, step) in steps.enumerated() { unsafe (memory + index).initialize(to: step) }
        unsafe self.steps = unsafe UnsafePointer(memory)
        count = steps.count
    }

    private static func lay(out node: Node, into steps: inout [WriteStep], sorted: Bool) {
        let children =
            sorted
            ? node.children.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
            : node.children
        for child in children {
            let key = unsafe encoded(child.key)
            for slot in child.slots {
                unsafe steps.append(WriteStep(operation: .member, slot: slot, key: key.start, keyCount: key.count))
            }
            guard !child.children.isEmpty else { continue }
            unsafe steps.append(WriteStep(operation: .open, slot: 0, key: key.start, keyCount: key.count))
            lay(out: child, into: &steps, sorted: sorted)
            unsafe steps.append(WriteStep(operation: .close, slot: 0, key: key.start, keyCount: 0))
        }
    }

    private static func encoded(_ key: String) -> (start: UnsafePointer<UInt8>, count: Int) {
        var writer = JSONWriter()
        writer.writeString(key)
        writer.append(UInt8(ascii: ":"))
        // Padded, because keys are copied in blocks of 16.
        let copy = UnsafeMutablePointer<UInt8>.allocate(capacity: writer.count + 16)
        unsafe copy.initialize(repeating: 0, count: writer.count + 16)
        unsafe copy.update(from: writer.start, count: writer.count)
        return unsafe (UnsafePointer(copy), writer.count)
    }
}
