// Reads a model with inlined properties. The text of its object is captured. After the end of the object, the text is read once for each
// inlined property, and once for the model's own properties.

/// The object that is being read for an inlined property.
@safe
struct InlinedObject {
    /// The first byte of the object; nil while no inlined property is read.
    private(set) var start: UnsafePointer<UInt8>?
    /// The level of the frame of the model around the property.
    private(set) var level = 0
    /// The row of the property.
    private(set) var row = ReaderRows.ignored
    /// The keys of the model around the property.
    private(set) var outer: KeyTableHandle?

    static var none: InlinedObject { InlinedObject() }

    private init() {}

    init(_ text: UnsafeBufferPointer<UInt8>, level: Int, row: RowHandle, outer: KeyTableHandle) {
        unsafe start = text.baseAddress
        (self.level, self.row, self.outer) = (level, row, outer)
    }

    /// Whether a text is that of the object, and not that of a value inside it.
    func isText(_ text: UnsafePointer<UInt8>?) -> Bool { unsafe start != nil && start == text }

    /// Whether a member belongs to the property. It does if it has one of the property's keys, or if the outer model does not
    /// have the key and does not collect unknown keys.
    func owns(_ key: TextString) -> Bool {
        if row.level?.contains(key) == true { return true }
        return outer.map { $0.unknownKeys != .collect && !$0.contains(key) } ?? true
    }
}

extension Binder {
    /// Opens a model whose table has a problem, or which has inlined properties.
    @inline(never)
    mutating func openUncommon(_ declared: BindingHandle, as form: JSONLayout) -> Bool {
        let outer = update.isActive && updatesAddress ? destination : nil
        let binding = outer.flatMap { bindingOfSubclass(declared, at: $0) } ?? declared
        // Safe: a binding of kind `model` always has a layout by the time its table is handed out.
        let layout = unsafe binding.model.unsafelyUnwrapped
        if layout.table.problem != nil { return failModel(layout) }
        guard form == .object else { return mismatch(found: "an array") }
        guard let text = unsafe capture.inlining else { return openCapture() }
        unsafe capture.inlining = nil
        let isOpen =
            outer == nil && layout.isBuiltThere && isBuildingThere
            ? openThere(binding, layout, as: form) : openDraft(binding, layout, from: outer, as: form)
        return unsafe isOpen && readInlined(text, of: layout)
    }

    /// Reads the captured text of a model with inlined properties, for the frame's row and position.
    mutating func readInlining(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        // The text's first bracket opens the model again, and now it finds the text.
        unsafe capture.inlining = unsafe text
        defer { unsafe capture.inlining = nil }
        return unsafe readCaptured(text)
    }

    /// Reads the text of the object that has just opened for each of its inlined properties.
    private mutating func readInlined(_ text: UnsafeBufferPointer<UInt8>, of layout: LayoutHandle) -> Bool {
        let level = document.stackCount
        let outer = capture.inlined
        attempts.sharing += 1
        defer {
            attempts.sharing -= 1
            capture.inlined = outer
        }
        for row in layout.inlinedRows {
            let isRequired = unsafe layout.required[Int(row.slot) >> 6] & (1 << UInt64(row.slot & 63)) != 0
            if !isRequired || document.frame.isPrefilled, unsafe !hasKey(of: row, text) { continue }
            capture.inlined = unsafe InlinedObject(text, level: level, row: row, outer: layout.level)
            guard bind(row), unsafe document.frame.row.kind == .ignored || readCaptured(text) else { return false }
            // The value does not fit, and an outer frame has dropped it together with this model.
            if document.stackCount < level || document.skipDepth > 0 { return true }
        }
        document.frame.row = policy.ignoredRow
        return true
    }

    private func hasKey(of row: RowHandle, _ text: UnsafeBufferPointer<UInt8>) -> Bool {
        var members = unsafe MemberCursor(text)
        while let member = members.next() {
            if row.level?.contains(member.key) == true { return true }
        }
        return false
    }

    /// Whether the current object is read for an inlined property. Then keys that the property does not have are those of the model around
    /// it, or unknown to that model, which says so.
    var isInlinedObject: Bool {
        // It is asked for each unknown key: a getter that is not mutating would copy the binder.
        mutating get {
            guard unsafe capture.inlined.start != nil, document.frame.kind == .model else { return false }
            let first = capture.inlined.level + 1
            guard first <= document.stackCount else { return false }
            // Safe: `stackCount` frames lie on the stack.
            return (first..<document.stackCount).allSatisfy { unsafe frames.stack[$0].kind == .nested }
        }
    }

    /// The members of an object that belong to the inlined property for which it is read, as an object; nil for any other text.
    func inlinedMembers(of text: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
        guard unsafe capture.inlined.isText(text.baseAddress) else { return nil }
        var members = unsafe MemberCursor(text)
        var result: [UInt8] = [UInt8(ascii: "{")]
        while let member = members.next() {
            guard capture.inlined.owns(member.key) else { continue }
            if result.count > 1 { result.append(UInt8(ascii: ",")) }
            result.append(.quote)
            unsafe result += member.key.bytes
            result += [.quote, UInt8(ascii: ":")]
            unsafe result += member.value
        }
        result.append(UInt8(ascii: "}"))
        return result
    }
}
