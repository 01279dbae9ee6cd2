// Reads strings, numbers and booleans directly from the model's memory and writes them one after the other, with the output address in
// a register: without a call into the model, without its metadata, and without retaining strings.

internal import CScan

extension JSONWriter {
    /// Writes members in compact text as long as their properties are plain fields. Returns the first step that is not a plain field, or
    /// whose value is an infinity or NaN.
    ///
    /// - Parameter model: The model's memory, which must not change during the call.
    @inline(never)
    mutating func plainMembers(from first: UnsafePointer<WriteStep>, of model: UnsafeRawPointer) -> UnsafePointer<WriteStep> {
        var step = unsafe first
        var end = unsafe start + count
        // Safe: each step has the offset of a field of exactly its type, and each round first makes space for what it writes.
        while true {
            let value = unsafe model + Int(step.pointee.fieldOffset)
            unsafe end = unsafe makeRoom(step.pointee.keyCount &+ JSONWriter.plainRoom, end)
            switch unsafe step.pointee.field {
            case .optionalString:
                if unsafe value.assumingMemoryBound(to: String?.self).pointee == nil {
                    unsafe end = unsafe nilMember(step, end)
                    break
                }
                fallthrough
            case .string:
                unsafe end = unsafe stringMember(step, value, end)
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
            case .model:
                guard unsafe modelMember(step, value, end) else { return unsafe step }
                unsafe end = unsafe start + count
            case .optionalDouble:
                if unsafe value.assumingMemoryBound(to: Double?.self).pointee == nil {
                    unsafe end = unsafe nilMember(step, end)
                    break
                }
                fallthrough
            case .double:
                let number = unsafe value.load(as: Double.self)
                guard number.isFinite else { fallthrough }
                unsafe end = unsafe copyKey(step, end)
                unsafe end = unsafe endMember(end + NumberFormatting.write(number, to: end))
            case .optionalModel, .other:
                unsafe count = end - start
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
        let isArray = table.layout == .array
        let before = count
        append(UInt8(ascii: "["))
        nesting &+= 2
        defer { nesting &-= 2 }
        for index in 0..<number {
            append(isArray ? UInt8(ascii: "[") : UInt8(ascii: "{"))
            let opened = count
            // Safe: `number` models lie at `first`, `stride` bytes apart.
            guard unsafe plainMembers(from: steps, of: first + index &* stride).pointee.operation == .end else {
                count = before
                return false
            }
            reserve(2)
            // The closing bracket overwrites the last comma.
            if count > opened { count &-= 1 }
            unsafe start[count] = isArray ? UInt8(ascii: "]") : UInt8(ascii: "}")
            unsafe start[count &+ 1] = UInt8(ascii: ",")
            count &+= 2
        }
        if number > 0 { count &-= 1 }
        append(UInt8(ascii: "]"))
        return true
    }

    /// Writes a model that consists of plain fields as an object. Returns false, and writes nothing, if the model has to be written member
    /// by member.
    @usableFromInline
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

    /// Writes a member that is a model, and the comma after it. Returns false, and writes nothing, if the model does not consist of plain
    /// fields.
    @inline(never)
    private mutating func modelMember(
        _ step: UnsafePointer<WriteStep>, _ value: UnsafeRawPointer, _ end: UnsafeMutablePointer<UInt8>
    ) -> Bool {
        let before = unsafe end - start
        unsafe count = copyKey(step, end) - start
        // Safe: the step's field has this model type.
        guard let type = unsafe step.pointee.model, unsafe type._writePlainModel(value, to: &self) else {
            count = before
            return false
        }
        endElement()
        return true
    }

    /// The bytes that a member needs beyond its key: for the key's last block, a number or a small string, quotes and the comma.
    private static let plainRoom = 16 + NumberFormatting.maximumLength + 4

    @inline(never)
    private mutating func nilMember(
        _ step: UnsafePointer<WriteStep>, _ end: UnsafeMutablePointer<UInt8>
    ) -> UnsafeMutablePointer<UInt8> {
        guard unsafe context.keepsNils || step.pointee.keyCount == 0 else { return unsafe end }
        unsafe count = end - start
        unsafe setKey(step.pointee.key, count: step.pointee.keyCount)
        nilProperty()
        return unsafe start + count
    }

    /// Copies the key of a step, in whole blocks.
    @inline(__always)
    private func copyKey(
        _ step: UnsafePointer<WriteStep>, _ end: UnsafeMutablePointer<UInt8>
    ) -> UnsafeMutablePointer<UInt8> {
        // Safe: callers have made space for whole blocks; keys are padded to whole blocks and live as long as their table.
        let key = unsafe UnsafeRawPointer(step.pointee.key)
        let size = unsafe step.pointee.keyCount
        unsafe UnsafeMutableRawPointer(end).storeBytes(of: key.loadUnaligned(as: SIMD16<UInt8>.self), as: SIMD16<UInt8>.self)
        var offset = 16
        while offset < size {
            let block = unsafe key.loadUnaligned(fromByteOffset: offset, as: SIMD16<UInt8>.self)
            unsafe UnsafeMutableRawPointer(end + offset).storeBytes(of: block, as: SIMD16<UInt8>.self)
            offset &+= 16
        }
        return unsafe end + size
    }

    @inline(__always)
    private mutating func stringMember(
        _ step: UnsafePointer<WriteStep>, _ value: UnsafeRawPointer, _ place: UnsafeMutablePointer<UInt8>
    ) -> UnsafeMutablePointer<UInt8> {
        let words = unsafe StringWords(at: value)
        if words.isSmall, !words.needsEscape, !(escapesMore && words.hasSlash) {
            let end = unsafe copyKey(step, place)
            unsafe end[0] = .quote
            unsafe words.store(to: end + 1)
            return unsafe endString(end + 1 + words.count)
        }
        guard let bytes = unsafe words.ownBytes, let source = bytes.baseAddress else {
            return unsafe otherString(step, value, place)
        }
        if escapesMore {
            unsafe count = copyKey(step, place) - start
            // Safe: the model holds the string.
            unsafe writeWithSlashes(bytes)
            endElement()
            return unsafe start + count
        }
        // `plainRoom` includes the bytes that block copies overwrite.
        var end = unsafe makeRoom(step.pointee.keyCount &+ bytes.count &+ JSONWriter.plainRoom, place)
        unsafe end = unsafe copyKey(step, end)
        unsafe end[0] = .quote
        // Safe: the model holds the string.
        let plain = unsafe cscan_copy_plain(end + 1, source, bytes.count)
        if plain == bytes.count { return unsafe endString(end + 1 + plain) }
        unsafe count = end + 1 + plain - start
        unsafe escapeRest(source, plain, bytes.count)
        endElement()
        return unsafe start + count
    }

    /// Writes a string member for which there is no fast path: a short string with escapes, or a string in an unusual kind of storage.
    @inline(never)
    private mutating func otherString(
        _ step: UnsafePointer<WriteStep>, _ value: UnsafeRawPointer, _ end: UnsafeMutablePointer<UInt8>
    ) -> UnsafeMutablePointer<UInt8> {
        unsafe count = end - start
        unsafe setKey(step.pointee.key, count: step.pointee.keyCount)
        // Safe: the field is a `String`, or an optional one that is not nil and has the same layout.
        unsafe compactMember(value.assumingMemoryBound(to: String.self).pointee)
        return unsafe start + count
    }

    /// Writes the comma after a member.
    @inline(__always)
    private func endMember(_ end: UnsafeMutablePointer<UInt8>) -> UnsafeMutablePointer<UInt8> {
        unsafe end[0] = UInt8(ascii: ",")
        return unsafe end + 1
    }

    /// Writes the closing quote of a member and the comma after it.
    @inline(__always)
    private func endString(_ end: UnsafeMutablePointer<UInt8>) -> UnsafeMutablePointer<UInt8> {
        unsafe end[0] = .quote
        unsafe end[1] = UInt8(ascii: ",")
        return unsafe end + 2
    }
}
