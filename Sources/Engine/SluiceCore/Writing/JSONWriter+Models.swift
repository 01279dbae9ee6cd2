// Writes a model as an object or an array: executes the steps of the write plan of its property table, one after another.

extension JSONWriter {
    // Models are passed as `inout`, although they are not changed: otherwise generic code would copy them and retain their strings.

    /// Writes a model by its table.
    @usableFromInline
    mutating func model<Model: JSONModel>(_ model: borrowing Model, _ table: PropertyTable) throws(JSONError) {
        if unsafe withUnsafePointer(to: model, { unsafe plainModel($0, table) }) { return }
        if let problem = table.problem { throw problem }
        if context.isSpecial { return try modelInContext(model, table) }
        let steps = unsafe table.steps(planOptions)
        try unsafe withUnsafePointer(to: model) { (address) throws(JSONError) in
            try unsafe walk(steps, &UnsafeMutablePointer(mutating: address).pointee, at: UnsafeRawPointer(address), table)
        }
    }

    /// Writes a model while the context is special. The context's formats belong to the property around the model, so the model starts
    /// with those of the options. The context's selection applies to the model.
    @inline(never)
    private mutating func modelInContext<Model: JSONModel>(
        _ model: borrowing Model, _ table: PropertyTable
    ) throws(JSONError) {
        if let form { return try form.write(model, table, to: &self) }
        let tags = takeTags(for: table)
        let outer = context
        context = WriteContext(options)
        defer { context = outer }
        let steps = unsafe try outer.selection?.steps(planOptions, table) ?? table.steps(planOptions)
        try unsafe withUnsafePointer(to: model) { (address) throws(JSONError) in
            try unsafe walk(steps, &UnsafeMutablePointer(mutating: address).pointee, at: UnsafeRawPointer(address), table, tags)
        }
    }

    /// Takes the pending tags, and returns those whose key no property of the model writes.
    mutating func takeTags(for table: PropertyTable) -> [VariantTag] {
        guard !pendingTags.isEmpty, table.layout == .object else { return [] }
        defer { pendingTags = [] }
        return pendingTags.filter { tag in
            !table.properties.contains { $0.direction != .reading && $0.keys.first?.components == [tag.key] }
        }
    }

    /// Writes a model by executing its steps, starting with members for the tags.
    @inline(__always)
    private mutating func walk<Model: JSONModel>(
        _ steps: UnsafePointer<WriteStep>, _ model: inout Model, at address: UnsafeRawPointer, _ table: PropertyTable,
        _ tags: [VariantTag] = []
    ) throws(JSONError) {
        if table.layout == .array { return try unsafe elements(steps, &model, at: address, table) }
        try beginObject()
        for tag in tags { try member(tag.key, tag.name) }
        // Safe: steps are immutable, and live as long as the process, or as the selection that they were made for. The last step is
        // always an `end`.
        var step = unsafe steps
        while true {
            if unsafe isCompact && step.pointee.field != .other { unsafe step = unsafe plainMembers(from: step, of: address) }
            let operation = unsafe step.pointee.operation
            if operation == .member {
                unsafe setKey(step.pointee.key, count: step.pointee.keyCount)
                do throws(JSONError) {
                    if let type = unsafe step.pointee.model {
                        // A nested model is written from its address. The call in the other branch would copy it and retain its strings.
                        try unsafe type._writeProperty(
                            at: address + Int(step.pointee.fieldOffset), isOptional: step.pointee.field == .optionalModel,
                            to: &self
                        )
                    } else {
                        try unsafe model._writeJSON(step.pointee.slot, to: &self)
                    }
                } catch {
                    // `walkOn` writes the remaining members, so that this loop has a single path.
                    try unsafe leaveOutMember(error, step, table)
                    try unsafe walkOn(from: step + 1, &model, table)
                    break
                }
            } else if operation == .open {
                try unsafe open(step)
            } else if operation == .close {
                unsafe close(step)
            } else if operation == .end {
                break
            } else {
                unsafe step = try take(step, &model, table)
            }
            unsafe step += 1
        }
        endObject()
    }

    /// Writes a model as an array of its properties.
    private mutating func elements<Model: JSONModel>(
        _ steps: UnsafePointer<WriteStep>, _ model: inout Model, at address: UnsafeRawPointer, _ table: PropertyTable
    ) throws(JSONError) {
        try beginArray()
        absentRange = nil
        // Safe: steps are immutable and live long enough, see `walk`. The last step is an `end`.
        var step = unsafe steps
        while true {
            if unsafe isCompact && step.pointee.field != .other { unsafe step = unsafe plainMembers(from: step, of: address) }
            guard unsafe step.pointee.operation == .member else { break }
            keyCount = 0
            do throws(JSONError) {
                try unsafe model._writeJSON(step.pointee.slot, to: &self)
            } catch {
                try unsafe leaveOutMember(error, step, table)
            }
            unsafe step += 1
        }
        if unsafe step.pointee.operation != .end { try unsafe walkOn(from: step, &model, table) }
        if let absent = absentRange {
            if absent.upperBound == count { count = absent.lowerBound }
            absentRange = nil
        }
        endArray()
    }

    /// Executes all steps from `first` on.
    @inline(never)
    private mutating func walkOn<Model: JSONModel>(
        from first: UnsafePointer<WriteStep>, _ model: inout Model, _ table: PropertyTable
    ) throws(JSONError) {
        // Safe: steps are immutable and live long enough, see `walk`. The last step is an `end`.
        var step = unsafe first
        while unsafe step.pointee.operation != .end {
            unsafe step = try take(step, &model, table)
            unsafe step += 1
        }
    }

    /// Executes a step of any kind, and returns the last step that is then done. That is the end of the group if an alternative was
    /// written, otherwise the step itself.
    @inline(never)
    private mutating func take<Model: JSONModel>(
        _ step: UnsafePointer<WriteStep>, _ model: inout Model, _ table: PropertyTable
    ) throws(JSONError) -> UnsafePointer<WriteStep> {
        switch unsafe step.pointee.operation {
        case .member: try unsafe member(step, &model, table)
        case .memberInContext: try unsafe memberInContext(step, &model, table)
        case .alternative:
            let before = count
            try unsafe memberInContext(step, &model, table)
            if count > before { return unsafe endOfAlternatives(from: step) }
        case .endOfAlternatives, .end: break
        case .null:
            unsafe setKey(step.pointee.key, count: step.pointee.keyCount)
            nilProperty()
        case .open: try unsafe open(step)
        case .openOrNull: return try unsafe openUnlessNull(step, &model, table)
        case .close: unsafe close(step)
        }
        return unsafe step
    }

    /// Opens the object of a path level.
    @inline(__always)
    private mutating func open(_ step: UnsafePointer<WriteStep>) throws(JSONError) {
        unsafe setKey(step.pointee.key, count: step.pointee.keyCount)
        appendKey()
        try beginObject()
    }

    /// Opens the object of a path level that follows alternatives, or writes null for it. Returns the last step that is then
    /// finished.
    @inline(never)
    private mutating func openUnlessNull<Model: JSONModel>(
        _ step: UnsafePointer<WriteStep>, _ model: inout Model, _ table: PropertyTable
    ) throws(JSONError) -> UnsafePointer<WriteStep> {
        guard context.keepsNils else {
            try unsafe open(step)
            return unsafe step
        }
        let before = count
        context.keepsNils = false
        defer { context.keepsNils = true }
        try unsafe open(step)
        var (next, depth) = unsafe (step, 1)
        // Safe: after each opening in a plan comes its `close`.
        while depth > 0 {
            unsafe next += 1
            let operation = unsafe next.pointee.operation
            if operation.isOpening { depth += 1 }
            if operation == .close { depth -= 1 }
            unsafe next = try take(next, &model, table)
        }
        if count == before {
            context.keepsNils = true
            unsafe setKey(step.pointee.key, count: step.pointee.keyCount)
            nilProperty()
            return unsafe next
        }
        // It is written anew, with its nils.
        count = before
        try unsafe open(step)
        return unsafe step
    }

    /// Closes the object of a path level, or removes it if it is empty.
    @inline(__always)
    private mutating func close(_ step: UnsafePointer<WriteStep>) {
        endObject()
        if unsafe takeBackEmptyObject(keyCount: keyCount(ofOpening: step)) { return }
        endElement()
    }

    /// Writes a member with the formats of its property, and with the step's selection. If the step is an alternative and its property is
    /// nil, nothing is written.
    @inline(never)
    private mutating func memberInContext<Model: JSONModel>(
        _ step: UnsafePointer<WriteStep>, _ model: inout Model, _ table: PropertyTable
    ) throws(JSONError) {
        let outer = context
        defer { context = outer }
        let policy = unsafe table.properties[step.pointee.slot].policy
        context.date = policy.date ?? options.dates
        context.data = policy.dataFormat ?? options.data
        // Safe: the outer selection, which made the step and lives longer than this call, retains this one.
        context.selection = unsafe step.pointee.selection?.takeUnretainedValue()
        context.isSpecial = true
        if unsafe step.pointee.operation == .alternative { context.keepsNils = false }
        try unsafe member(step, &model, table)
    }

    /// Writes the key and the property of a step.
    private mutating func member<Model: JSONModel>(
        _ step: UnsafePointer<WriteStep>, _ model: inout Model, _ table: PropertyTable
    ) throws(JSONError) {
        unsafe setKey(step.pointee.key, count: step.pointee.keyCount)
        do throws(JSONError) {
            try unsafe model._writeJSON(step.pointee.slot, to: &self)
        } catch {
            try unsafe leaveOutMember(error, step, table)
        }
    }

    /// Handles the error of a member. If the error means that the member is left out, its key is removed again; an element of a model
    /// that is written as an array becomes null instead, so that the others keep their positions.
    ///
    /// - Throws: Any other error, with the property's name in its path.
    @inline(never)
    private mutating func leaveOutMember(
        _ error: JSONError, _ step: UnsafePointer<WriteStep>, _ table: PropertyTable
    ) throws(JSONError) {
        guard isOmission(error) else {
            // Safe: the slot of a step is that of a property.
            let property = unsafe table.properties[step.pointee.slot]
            throw (property.policy.isSensitive ? error.withoutWords(path: "") : error).prefixed(by: property.name)
        }
        guard unsafe step.pointee.keyCount > 0 else {
            writeNull()
            return endElement()
        }
        // Safe: the key was just written, and nothing after it.
        unsafe count -= step.pointee.keyCount
    }

    /// The step that ends the group of an alternative.
    private func endOfAlternatives(from step: UnsafePointer<WriteStep>) -> UnsafePointer<WriteStep> {
        var end = unsafe step
        // Safe: every group in a plan is followed by its end.
        while unsafe end.pointee.operation != .endOfAlternatives || end.pointee.group != step.pointee.group { unsafe end += 1 }
        return unsafe end
    }

    /// The length of the key that the object closed by `step` was opened with.
    private func keyCount(ofOpening step: UnsafePointer<WriteStep>) -> Int {
        var opening = unsafe step
        var depth = 0
        // Safe: every `close` in a plan has its `open` before it.
        repeat {
            if unsafe opening.pointee.operation == .close { depth += 1 }
            if unsafe opening.pointee.operation.isOpening { depth -= 1 }
            if depth == 0 { return unsafe opening.pointee.keyCount }
            unsafe opening -= 1
        } while true
    }

    /// Removes `"key":{}` at the end of the text, if all properties under that path level were nil. Returns whether it did.
    private mutating func takeBackEmptyObject(keyCount: Int) -> Bool {
        guard count >= keyCount + 2, unsafe start[count - 1] == UInt8(ascii: "}"), unsafe start[count - 2] == UInt8(ascii: "{")
        else {
            return false
        }
        count -= keyCount + 2
        return true
    }
}

extension WriteStep.Operation {
    /// Whether a `close` ends what begins with this step.
    fileprivate var isOpening: Bool { self == .open || self == .openOrNull }
}
