// Reads strings, numbers, booleans, plain models and arrays of these directly from the model's memory and writes them one after the other,
// with the output address in a register: without a call into the model, without its metadata, and without retaining strings.

extension JSONWriter {
    /// Writes members in compact text as long as their properties are plain fields. Returns the first step that is not a plain field, or
    /// whose value is too deep, or has an infinity or NaN in it.
    ///
    /// - Parameter model: The model's memory, which must not change during the call.
    @inline(never)
    mutating func plainMembers(from first: UnsafePointer<WriteStep>, of model: UnsafeRawPointer) -> UnsafePointer<WriteStep> {
        var end = unsafe makeRoom(first.pointee.room, start + count)
        let last = unsafe plainFields(from: first, of: model, &end)
        unsafe count = end - start
        return unsafe last
    }

    /// Writes members as ``plainMembers(from:of:)`` does, from `end` on, where the space that the first step asks for is free.
    @inline(__always)
    private mutating func plainFields(
        from first: UnsafePointer<WriteStep>, of model: UnsafeRawPointer, _ end: inout UnsafeMutablePointer<UInt8>
    ) -> UnsafePointer<WriteStep> {
        var step = unsafe first
        // The outermost member whose model's own steps are being written, and where its key begins.
        var open: UnsafePointer<WriteStep>?
        var opened = 0
        // Safe: each step has the offset of a field of exactly its type, and at the start of each round there is the space that the step
        // asks for. So there is also space for a plain field and for all that follow; what takes more asks again.
        while true {
            let value = unsafe model + Int(step.pointee.fieldOffset)
            switch unsafe step.pointee.field {
            case .optionalString:
                if unsafe value.assumingMemoryBound(to: String?.self).pointee == nil {
                    unsafe end = unsafe nilMember(step, end)
                    break
                }
                fallthrough
            case .string:
                // The space for this step includes that for all that follow, and for more than a small string and the key.
                unsafe end = unsafe endMember(string(at: value, copyKey(step, end), room: step.pointee.room))
            case .optionalInt:
                if unsafe value.assumingMemoryBound(to: Int?.self).pointee == nil {
                    unsafe end = unsafe nilMember(step, end)
                    break
                }
                fallthrough
            case .int:
                unsafe end = unsafe copyKey(step, end)
                unsafe end = unsafe endMember(end + NumberFormatting.write(Int64(value.load(as: Int.self)), to: end))
            case .optionalBool:
                if unsafe value.assumingMemoryBound(to: Bool?.self).pointee == nil {
                    unsafe end = unsafe nilMember(step, end)
                    break
                }
                fallthrough
            case .bool:
                unsafe end = unsafe copyKey(step, end)
                let isTrue = unsafe value.load(as: Bool.self)
                let word: UInt64 = isTrue ? 0x2C_6575_7274 : 0x2C65_736C_6166
                unsafe UnsafeMutableRawPointer(end).storeBytes(of: word.littleEndian, as: UInt64.self)
                unsafe end += isTrue ? 5 : 6
            case .optionalModel:
                // Only one that has inner steps is a plain field, and its type is known to mark a nil.
                guard unsafe step.pointee.inner != nil, let absence = unsafe step.pointee.absence else { return unsafe step }
                if unsafe absence.isIn(value) {
                    unsafe end = unsafe nilMember(step, end)
                    break
                }
                fallthrough
            case .model:
                // No model is open here: one has inner steps only if all models in it have.
                guard let inner = unsafe step.pointee.inner else { return unsafe step }
                if unsafe open == nil {
                    // The model is written as any other, which finds the position of the error.
                    guard unsafe nesting &+ Int(step.pointee.levels) <= options.maximumDepth else { return unsafe step }
                    unsafe open = unsafe step
                    opened = unsafe end - start
                }
                unsafe end = unsafe copyKey(step, end)
                unsafe end[0] = UInt8(ascii: "{")
                unsafe end += 1
                unsafe step = unsafe inner
                continue
            case .leave:
                // The closing bracket overwrites the last comma.
                if unsafe end[-1] == UInt8(ascii: ",") { unsafe end -= 1 }
                unsafe end[0] = UInt8(ascii: "}")
                unsafe end = unsafe endMember(end + 1)
                // Safe: a `leave` has the step of its member.
                unsafe step = unsafe step.pointee.inner.unsafelyUnwrapped
                if unsafe step == open { unsafe open = nil }
            case .optionalDouble:
                if unsafe value.assumingMemoryBound(to: Double?.self).pointee == nil {
                    unsafe end = unsafe nilMember(step, end)
                    break
                }
                fallthrough
            case .double:
                let number = unsafe value.load(as: Double.self)
                guard number.isFinite else {
                    guard let open = unsafe open else { return unsafe step }
                    // The outermost member is dropped, and the caller writes it again.
                    unsafe end = unsafe start + opened
                    return unsafe open
                }
                unsafe end = unsafe copyKey(step, end)
                unsafe end = unsafe endMember(end + NumberFormatting.writeHere(number, to: end))
            case .ints, .doubles, .bools, .strings, .models:
                guard let values = unsafe ArrayWords(at: value) else {
                    unsafe end = unsafe nilMember(step, end)
                    break
                }
                let before = unsafe end - start
                guard unsafe nesting &+ Int(step.pointee.depth) &+ Int(step.pointee.levels) <= options.maximumDepth,
                    let next = unsafe listMember(step, values, end)
                else {
                    // The buffer may have been reallocated.
                    unsafe end = unsafe start + (open == nil ? before : opened)
                    return unsafe open ?? step
                }
                unsafe end = unsafe next
            case .other:
                return unsafe step
            }
            unsafe step += 1
        }
    }

    /// Writes an array of models that consist of plain fields. Returns false, and writes nothing, if the models have to be written one by
    /// one.
    @usableFromInline
    mutating func plainModels(_ first: UnsafeRawPointer, _ number: Int, stride: Int, _ table: PropertyTable) -> Bool {
        guard isCompact, !context.isSpecial, table.problem == nil, nesting &+ 2 <= options.maximumDepth else { return false }
        let steps = unsafe table.steps(planOptions)
        guard unsafe steps.pointee.beginsPlainModel else { return false }
        let before = count
        nesting &+= 2
        defer { nesting &-= 2 }
        let values = unsafe ArrayWords(first: first, count: number)
        let end = unsafe models(values, stride: stride, steps, isPositional: table.layout == .array, start + count)
        unsafe count = end.map { unsafe $0 - start } ?? before
        return unsafe end != nil
    }

    /// Writes an array of models by the steps of their plan. Returns its end, after which there is space for a comma; nil if the models
    /// have to be written one by one.
    @inline(never)
    mutating func models(
        _ values: ArrayWords, stride: Int, _ steps: UnsafePointer<WriteStep>, isPositional: Bool,
        _ end: UnsafeMutablePointer<UInt8>
    ) -> UnsafeMutablePointer<UInt8>? {
        let opening = isPositional ? UInt8(ascii: "[") : UInt8(ascii: "{")
        let closing = isPositional ? UInt8(ascii: "]") : UInt8(ascii: "}")
        // Two bytes are opening brackets.
        let room = unsafe 2 &+ steps.pointee.room
        var end = unsafe makeRoom(room, end)
        unsafe end[0] = UInt8(ascii: "[")
        unsafe end += 1
        var model = unsafe values.first
        for _ in 0..<values.count {
            unsafe end = makeRoom(room, end)
            unsafe end[0] = opening
            unsafe end += 1
            // Safe: `count` models lie at `first`, `stride` bytes apart.
            guard unsafe plainFields(from: steps, of: model, &end).pointee.operation == .end else { return nil }
            // The closing bracket overwrites the last comma. Safe: `room` includes it and the next comma, however long the fields were.
            if unsafe end[-1] == UInt8(ascii: ",") { unsafe end -= 1 }
            assert(unsafe end + 2 < start + capacity)
            unsafe end[0] = closing
            unsafe end[1] = UInt8(ascii: ",")
            unsafe end += 2
            unsafe model += stride
        }
        if values.count > 0 { unsafe end -= 1 }
        unsafe end[0] = UInt8(ascii: "]")
        return unsafe end + 1
    }

    /// Writes a model that consists of plain fields as an object. Returns false, and writes nothing, if the model has to be written member
    /// by member.
    mutating func plainModel(_ model: UnsafeRawPointer, _ table: PropertyTable) -> Bool {
        guard isCompact, !context.isSpecial, table.problem == nil, table.layout == .object, nesting < options.maximumDepth
        else { return false }
        let steps = unsafe table.steps(planOptions)
        guard unsafe steps.pointee.beginsPlainModel else { return false }
        let before = count
        append(UInt8(ascii: "{"))
        nesting &+= 1
        defer { nesting &-= 1 }
        guard unsafe plainMembers(from: steps, of: model).pointee.operation == .end else {
            count = before
            return false
        }
        // The closing bracket overwrites the last comma.
        if count > before &+ 1 { count &-= 1 }
        append(UInt8(ascii: "}"))
        return true
    }

    /// Writes a member that is an array, and the comma after it. Returns the end, after which there is space for all plain fields that
    /// follow; nil if its elements have to be written one by one.
    @inline(__always)
    private mutating func listMember(
        _ step: UnsafePointer<WriteStep>, _ values: ArrayWords, _ end: UnsafeMutablePointer<UInt8>
    ) -> UnsafeMutablePointer<UInt8>? {
        let end = unsafe copyKey(step, end)
        if values.count == 0 {
            let word: UInt32 = 0x2C5D5B
            unsafe UnsafeMutableRawPointer(end).storeBytes(of: word.littleEndian, as: UInt32.self)
            return unsafe end + 3
        }
        return unsafe filledList(step, values, end)
    }

    @inline(never)
    private mutating func filledList(
        _ step: UnsafePointer<WriteStep>, _ values: ArrayWords, _ end: UnsafeMutablePointer<UInt8>
    ) -> UnsafeMutablePointer<UInt8>? {
        let levels = unsafe Int(step.pointee.depth &+ step.pointee.levels)
        nesting &+= levels
        defer { nesting &-= levels }
        let rank = unsafe step.pointee.elements?.rank ?? 1
        guard let end = unsafe list(values, rank: rank, step, end) else { return nil }
        return unsafe makeRoom(step[1].room, endMember(end))
    }

    /// Writes null, or nothing. The caller has made space.
    @inline(__always)
    private func nilMember(
        _ step: UnsafePointer<WriteStep>, _ end: UnsafeMutablePointer<UInt8>
    ) -> UnsafeMutablePointer<UInt8> {
        guard unsafe context.keepsNils || step.pointee.keyCount == 0 else { return unsafe end }
        let end = unsafe copyKey(step, end)
        let word: UInt64 = 0x2C_6C6C_756E
        unsafe UnsafeMutableRawPointer(end).storeBytes(of: word.littleEndian, as: UInt64.self)
        return unsafe end + 5
    }

    /// Copies the key of a step, in whole blocks.
    @inline(__always)
    private func copyKey(
        _ step: UnsafePointer<WriteStep>, _ end: UnsafeMutablePointer<UInt8>
    ) -> UnsafeMutablePointer<UInt8> {
        unsafe JSONKeyText.copy(step.pointee.key, step.pointee.keyCount, to: end)
    }

    /// Writes the comma after a member.
    @inline(__always)
    private func endMember(_ end: UnsafeMutablePointer<UInt8>) -> UnsafeMutablePointer<UInt8> {
        assert(unsafe end < start + capacity)
        unsafe end[0] = UInt8(ascii: ",")
        return unsafe end + 1
    }
}
