// Writes a model property by property as text that is not meant as JSON output: to be shown, compared or stored. A stored form is valid
// JSON. The other forms also contain bytes that JSON never has (see ``TextLayout/Mark``), because they are not read back.

extension _ModelDescription {
    /// Binds the properties by their stored keys, without policies, which are meant for JSON from outside. Each property's other keys and
    /// its name are accepted too, because its stored key may have been another one when it was stored.
    mutating func take(_ form: StoredForm) {
        layout = .object
        let keys = StoredForm.keys(of: entries.map(\.property))
        var taken = Set(keys)
        entries = zip(entries, keys).map { entry, key in
            let others = (entry.keys.dropFirst().map(\.description) + [entry.name]).filter { taken.insert($0).inserted }
            return Entry(
                name: entry.name, keys: ([key] + others).map { .literal($0) }, direction: entry.direction,
                presence: entry.presence, offset: form.has(entry.property) ? entry.offset : nil, typeName: entry.typeName,
                policy: .none, isObserved: entry.isObserved, field: entry.field, bind: entry.bind)
        }
    }
}

/// Writes models for a ``JSONWriter`` in a form other than their JSON.
final class ModelRendering {
    enum Purpose: Equatable {
        /// To be shown: every property, sorted by name, with sensitive values masked.
        case description
        /// To be shown on one line: every property in the order of declaration, with sensitive values masked.
        case summary
        /// To be compared: every property that can be written.
        case comparison
        /// To be read back.
        case stored(StoredForm)

        var isStored: Bool { if case .stored = self { true } else { false } }
        /// Whether people see the text, so that sensitive values are masked.
        var isShown: Bool { self == .description || self == .summary }
    }

    let purpose: Purpose
    /// The objects that are stored separately, see ``StoredObjects``.
    var objects: [StoredObject] = []
    /// The instances of classes that are being written, outermost first.
    private var open: [ObjectIdentifier] = []
    /// The plans of the models written so far, by their tables.
    private var plans: [ObjectIdentifier: Plan] = [:]

    private struct Plan {
        /// The text before the value of each slot: a name or a stored key.
        let labels: [String]
        /// The slots in the order in which they are written.
        let order: [Int]
    }

    init(_ purpose: Purpose) { self.purpose = purpose }

    /// Writes a model.
    ///
    /// - Throws: ``JSONError``; in a stored form, of kind `notWritable` for an object inside itself.
    func write<Model: JSONModel>(
        _ model: borrowing Model, _ table: PropertyTable, to writer: inout JSONWriter
    ) throws(JSONError) {
        let identity = ModelRendering.identity(of: model)
        if let identity {
            guard !open.contains(identity) else {
                guard !purpose.isStored else {
                    throw JSONError.notWritable("a tree of objects", found: "a \(table.modelName) that holds itself")
                }
                return writer.append(TextLayout.Mark.cycle)
            }
            open.append(identity)
        }
        defer { if identity != nil { open.removeLast() } }

        if !purpose.isStored {
            writer.append(TextLayout.Mark.model)
            writer.writeString(table.modelName)
        }
        writer.pendingTags = []
        try writer.beginObject()
        for slot in plan(of: table).order { try write(slot, of: model, table, to: &writer) }
        writer.endObject()
    }

    /// Writes one property as a member; writes nothing if the form leaves it out.
    func write<Model: JSONModel>(
        _ slot: Int, of model: borrowing Model, _ table: PropertyTable, to writer: inout JSONWriter
    ) throws(JSONError) {
        let property = table.properties[slot]
        if case .stored(let form) = purpose, !form.has(property) { return }
        // A collected member has a key that no property has. It may be the misspelt key of a sensitive property.
        let isMasked =
            purpose.isShown
            && (property.policy.isSensitive || property.isCollector && table.properties.contains(where: \.policy.isSensitive))
        let start = (count: writer.count, nesting: writer.nesting)
        writer.writeString(plan(of: table).labels[slot])
        let afterName = writer.count
        do throws(JSONError) {
            // With a key, a nil property writes nothing; without one, as an array element, it writes null. A property that writes
            // nothing in both cases cannot be written at all.
            unsafe writer.setKey(JSONKeyText.colon.start, count: 1)
            try model._writeJSON(slot, to: &writer)
            if writer.count == afterName {
                unsafe writer.setKey(JSONKeyText.colon.start, count: 0)
                try model._writeJSON(slot, to: &writer)
                let isReachable = writer.count > afterName
                writer.count = isReachable ? afterName : start.count
                if isReachable { writeNil(to: &writer) }
            } else if isMasked {
                writer.count = afterName
                writeMark(TextLayout.Mark.masked, to: &writer)
            }
        } catch {
            // Values that are nested too deep to be compared must not count as equal.
            if purpose.isStored || purpose == .comparison && error.kind == .depthLimit {
                throw error.prefixed(by: property.name)
            }
            writer.count = afterName
            writer.nesting = start.nesting
            writeMark(isMasked ? TextLayout.Mark.masked : TextLayout.Mark.unwritable, to: &writer, isMasked ? nil : error.found)
        }
    }

    private func writeNil(to writer: inout JSONWriter) {
        guard purpose.isStored else { return writeMark(TextLayout.Mark.absent, to: &writer) }
        writer.append(UInt8(ascii: ":"))
        writer.writeNull()
        writer.endElement()
    }

    private func writeMark(_ mark: UInt8, to writer: inout JSONWriter, _ text: String? = nil) {
        writer.append(UInt8(ascii: ":"))
        writer.append(mark)
        if let text { writer.writeString(text) }
        writer.endElement()
    }

    private func plan(of table: PropertyTable) -> Plan {
        if let known = plans[ObjectIdentifier(table)] { return known }
        let names = table.properties.map(\.name)
        var order = Array(names.indices)
        if purpose == .description { order.sort { names[$0].utf8.lexicographicallyPrecedes(names[$1].utf8) } }
        let made = Plan(labels: purpose.isStored ? StoredForm.keys(of: table.properties) : names, order: order)
        plans[ObjectIdentifier(table)] = made
        return made
    }

    /// The identity of a model that is an instance of a class; nil for a value.
    static func identity<Model>(of model: borrowing Model) -> ObjectIdentifier? {
        guard Model.self is AnyClass else { return nil }
        return ObjectIdentifier(copy model as AnyObject)
    }
}

extension JSONWritable {
    /// The value's text in another form than JSON.
    func bytes(for purpose: ModelRendering.Purpose) throws(JSONError) -> [UInt8] {
        // Sorted, so that equal sets and dictionaries have equal text.
        var writer = JSONWriter(options: .sortedKeys)
        writer.form = ModelRendering(purpose)
        try _write(to: &writer)
        // Safe: the bytes are copied while the writer lives.
        return unsafe writer.withBytes { unsafe Array($0) }
    }

    /// The value's text in a stored form, and the objects that it refers to.
    func stored(in form: StoredForm) throws(JSONError) -> (text: [UInt8], objects: [StoredObject]) {
        var writer = JSONWriter()
        let stored = ModelRendering(.stored(form))
        writer.form = stored
        try _write(to: &writer)
        // Safe: the bytes are copied while the writer lives.
        return unsafe (writer.withBytes { unsafe Array($0) }, stored.objects)
    }
}
