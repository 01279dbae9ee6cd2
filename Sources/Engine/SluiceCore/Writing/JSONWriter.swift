// Renders models as JSON text into one buffer, which is then copied once into the result, or passed to a sink. In a stream of records,
// yajl's generator takes the text of each record as a whole.
//
// A comma is written after every member and element, and the closing bracket overwrites the last comma. So the writer does not need to
// know whether a value is the first one. The text is compact; pretty text is made of it at the end (`TextLayout`).

/// Writes JSON into memory.
///
/// Most code calls `jsonBytes()`, `jsonString()` or `write(to:)` on a value instead. A type with a JSON form of its own
/// (``JSONScalarBindable``) is passed a writer and writes one scalar.
@safe
public struct JSONWriter: ~Copyable {
    var start: UnsafeMutablePointer<UInt8>
    package internal(set) var count = 0
    private(set) var capacity: Int
    /// The pool of the thread, if it is known.
    private var pool: UnsafeMutablePointer<BufferPool>?
    /// Whether the memory belongs to somebody else: it is neither freed nor kept.
    private(set) var isLent = false
    /// The request that did not fit into the lent memory.
    private(set) var askedInVain = 0
    var nesting = 0
    /// The next member's key in its written form, with quotes, escapes and colon; empty in a model that is written as an array.
    var key: UnsafePointer<UInt8>
    var keyCount = 0
    /// Selects the write plan of each model.
    let planOptions: PlanOptions
    /// Whether strings have escapes that JSON does not require: of slashes, or of characters outside ASCII.
    let escapesMore: Bool
    /// Whether members take the compact path. Of the additional escapes, it writes only those of slashes.
    let isCompact: Bool
    /// The options that values are written with.
    @usableFromInline package let options: Options
    /// Settings for the values being written that can differ from the options: formats, a selection.
    var context: WriteContext
    /// Whether texts that pretty printing leaves as they are have marks.
    var marksVerbatim = false
    /// In a model that is written as an array: the byte range of the nulls just written for absent elements. They are removed if the
    /// array ends there.
    var absentRange: Range<Int>?
    /// Members that name the variant, with which the next model must begin. While there are any, the context is special.
    var pendingTags: [VariantTag] = []

    /// A writer with an empty buffer.
    public init(options: Options = Options()) {
        self.init(options: options, selection: nil)
    }

    /// A writer with an empty buffer, for only some properties of a model.
    init(options: Options, selection: SelectedProperties?) {
        unsafe self.init(options, selection, BufferPool.takeBuffer())
    }

    /// A writer with an empty buffer and the settings of another writer, for a part of that writer's text.
    init(options: Options, context: WriteContext) {
        self.init(options: options, selection: nil)
        self.context = context
    }

    /// A writer for the length of one call, which takes its buffer from `pool` and returns it there.
    init(_ options: Options, _ selection: SelectedProperties?, of pool: UnsafeMutablePointer<BufferPool>?) {
        unsafe self.init(options, selection, BufferPool.takeBuffer(from: pool))
        unsafe self.pool = unsafe pool
    }

    /// A writer that has no memory before it is lent some.
    init(lentLaterWith options: Options, _ selection: SelectedProperties?) {
        // Safe: nothing is written there, as its capacity is 0.
        unsafe self.init(options, selection, (UnsafeMutablePointer(mutating: NoBytes.address), 0))
        isLent = true
    }

    @inline(__always)
    private init(
        _ options: Options, _ selection: SelectedProperties?, _ buffer: (start: UnsafeMutablePointer<UInt8>, capacity: Int)
    ) {
        self.options = options
        context = WriteContext(options)
        context.selection = selection
        context.isSpecial = selection != nil
        planOptions = PlanOptions(options)
        escapesMore = options.escapesSlashes || options.escapesNonASCII
        isCompact = !options.escapesNonASCII && PlainField.isKnown
        unsafe (start, capacity) = unsafe buffer
        unsafe key = unsafe NoBytes.address
    }

    deinit {
        if !isLent { unsafe BufferPool.keep(start, capacity: capacity, in: pool ?? BufferPool.ofThread) }
    }

    /// Writes into memory of the caller's from now on, as long as the text fits there. The caller keeps the memory meanwhile.
    mutating func lend(_ memory: UnsafeMutableBufferPointer<UInt8>) {
        assert(isLent && count == 0)
        guard let first = memory.baseAddress else { return }
        unsafe (start, capacity) = unsafe (first, memory.count)
    }

    /// Calls a closure with the text written so far.
    package func withBytes<Result, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try unsafe body(UnsafeRawBufferPointer(start: start, count: count))
    }

    /// Removes all text and keeps the memory.
    package mutating func removeAll() {
        count = 0
        nesting = 0
    }

    // MARK: Scalars

    /// Writes `null`.
    public mutating func writeNull() { append("null") }

    /// Writes `true` or `false`.
    public mutating func write(_ value: Bool) { value ? append("true") : append("false") }

    /// Writes a string, escaped.
    public mutating func write(_ value: String) { writeString(value) }

    /// Writes a substring, escaped.
    package mutating func write(_ value: Substring) {
        var value = value
        value.withUTF8 { unsafe writeString($0) }
    }

    /// Writes an integer.
    @inlinable
    public mutating func write<Value: FixedWidthInteger>(_ value: Value) {
        // Wherever the type is known, one of the branches is left.
        if Value.bitWidth <= 64 {
            Value.isSigned ? writeInteger(Int64(truncatingIfNeeded: value)) : writeInteger(UInt64(truncatingIfNeeded: value))
        } else if Value.bitWidth <= 128 {
            Value.isSigned ? writeInteger(Int128(truncatingIfNeeded: value)) : writeInteger(UInt128(truncatingIfNeeded: value))
        } else {
            writeNumber(JSONNumber(value))
        }
    }

    @usableFromInline
    mutating func writeInteger(_ value: Int64) {
        reserve(NumberFormatting.maximumLength)
        unsafe count &+= NumberFormatting.write(value, to: start + count)
    }

    @usableFromInline
    mutating func writeInteger(_ value: UInt64) {
        reserve(NumberFormatting.maximumLength)
        unsafe count &+= NumberFormatting.write(value, to: start + count)
    }

    @usableFromInline
    mutating func writeInteger(_ value: Int128) {
        reserve(NumberFormatting.maximumLength)
        unsafe count &+= NumberFormatting.write(value, to: start + count)
    }

    @usableFromInline
    mutating func writeInteger(_ value: UInt128) {
        reserve(NumberFormatting.maximumLength)
        unsafe count &+= NumberFormatting.write(value, to: start + count)
    }

    /// Writes a double: the shortest text that reads back as the same double.
    ///
    /// - Throws: ``JSONError`` of kind `notWritable` for infinities and NaN, which JSON does not have, unless the options say
    ///   otherwise.
    public mutating func write(_ value: Double) throws(JSONError) {
        guard value.isFinite else { return try writeNonFinite(value) }
        reserve(NumberFormatting.maximumLength)
        unsafe count &+= NumberFormatting.write(value, to: start + count)
    }

    /// Writes a float: the shortest text that reads back as the same float.
    ///
    /// - Throws: ``JSONError`` of kind `notWritable` for infinities and NaN, which JSON does not have, unless the options say
    ///   otherwise.
    public mutating func write(_ value: Float) throws(JSONError) {
        guard value.isFinite else { return try writeNonFinite(Double(value)) }
        reserve(NumberFormatting.maximumLength)
        unsafe count &+= NumberFormatting.write(value, to: start + count)
    }

    /// Writes a number with its text unchanged.
    @usableFromInline package mutating func writeNumber(_ number: JSONNumber) { append(number.lexeme) }

    /// Writes JSON text that is known to be valid.
    mutating func writeRaw(_ text: String) { append(text) }

    /// Writes JSON text that is known to be valid, and stays as it is in pretty text, too.
    mutating func writeVerbatim(_ text: String) {
        if marksVerbatim { append(TextLayout.Mark.verbatim) }
        append(text)
        if marksVerbatim { append(TextLayout.Mark.verbatim) }
    }

    // MARK: Properties: called by generated code, one slot at a time

    /// Writes a property with its key. If it is nil, null is written or the property left out, as the options say.
    @inlinable
    public mutating func property<Value: JSONWritable>(_ value: borrowing Value) throws(JSONError) {
        if value._isNil { return nilProperty() }
        appendKey()
        try value._write(to: &self)
        endElement()
    }

    /// Writes a property. It is passed as `inout` to avoid a copy, and not changed.
    @inlinable
    mutating func lentProperty<Value: JSONWritable>(_ value: inout Value) throws(JSONError) {
        if value._isNil { return nilProperty() }
        appendKey()
        try value._write(to: &self)
        endElement()
    }

    /// Writes a string property.
    public mutating func property(_ value: String) throws(JSONError) {
        if isCompact { return compactMember(value) }
        appendKey()
        writeString(value)
        endElement()
    }

    /// Writes an optional string property.
    public mutating func property(_ value: String?) throws(JSONError) {
        guard let value else { return nilProperty() }
        try property(value)
    }

    /// Writes an integer property.
    public mutating func property(_ value: Int) throws(JSONError) {
        // Safe: space is reserved for the longest number and the comma.
        let end = unsafe beginCompactMember(NumberFormatting.maximumLength &+ 1)
        unsafe endCompactMember(end + NumberFormatting.write(Int64(value), to: end))
    }

    /// Writes an optional integer property.
    public mutating func property(_ value: Int?) throws(JSONError) {
        guard let value else { return nilProperty() }
        try property(value)
    }

    /// Writes a boolean property.
    public mutating func property(_ value: Bool) throws(JSONError) {
        // Safe: eight bytes are reserved; the first five or six become `true,` or `false,`.
        let end = unsafe beginCompactMember(8)
        let word: UInt64 = value ? 0x2C_6575_7274 : 0x2C65_736C_6166
        unsafe UnsafeMutableRawPointer(end).storeBytes(of: word.littleEndian, as: UInt64.self)
        unsafe count = end + (value ? 5 : 6) - start
    }

    /// Writes a number property.
    public mutating func property(_ value: Double) throws(JSONError) {
        if !value.isFinite {
            appendKey()
            try write(value)
            return endElement()
        }
        // Safe: space is reserved for the longest number and the comma.
        let end = unsafe beginCompactMember(NumberFormatting.maximumLength &+ 1)
        unsafe endCompactMember(end + NumberFormatting.write(value, to: end))
    }

    /// Writes the key of a member in compact text, and reserves `size` bytes after it for the value. Returns the address for the value.
    @inline(__always)
    mutating func beginCompactMember(_ size: Int) -> UnsafeMutablePointer<UInt8> {
        reserve(keyCount &+ 16 &+ size)
        return unsafe JSONKeyText.copy(key, keyCount, to: start + count)
    }

    /// Writes the comma after a member whose value ends at `end`.
    @inline(__always)
    private mutating func endCompactMember(_ end: UnsafeMutablePointer<UInt8>) {
        unsafe end[0] = UInt8(ascii: ",")
        unsafe count = end + 1 - start
    }

    @usableFromInline
    mutating func nilProperty() {
        // An element of a model that is written as an array (it has no key) keeps its position even if it is nil.
        guard context.keepsNils || keyCount == 0 else { return }
        appendKey()
        append("null")
        endElement()
    }

    /// Sets the key of the next member. Its bytes live as long as the process, and are padded to whole blocks of 16.
    @inline(__always)
    mutating func setKey(_ bytes: UnsafePointer<UInt8>, count: Int) {
        unsafe key = unsafe bytes
        keyCount = count
    }

    /// Writes the key of the current member.
    @usableFromInline
    mutating func appendKey() {
        reserve(keyCount &+ 16)
        unsafe count = JSONKeyText.copy(key, keyCount, to: start + count) - start
    }

    // MARK: Containers

    /// Opens an object.
    ///
    /// - Throws: ``JSONError`` of kind `depthLimit`.
    @usableFromInline @inline(__always)
    mutating func beginObject() throws(JSONError) { try begin(UInt8(ascii: "{")) }

    /// Closes the object.
    @usableFromInline @inline(__always)
    mutating func endObject() { end(UInt8(ascii: "}"), opening: UInt8(ascii: "{")) }

    /// Opens an array.
    ///
    /// - Throws: ``JSONError`` of kind `depthLimit`.
    @usableFromInline
    mutating func beginArray() throws(JSONError) { try begin(UInt8(ascii: "[")) }

    /// Closes the array.
    @usableFromInline
    mutating func endArray() { end(UInt8(ascii: "]"), opening: UInt8(ascii: "[")) }

    /// Writes an array of doubles directly, which saves a call through the element's conformance for each one.
    @usableFromInline
    mutating func doubles(_ values: [Double]) throws(JSONError) {
        try beginArray()
        for index in values.indices {
            do throws(JSONError) {
                try write(values[index])
            } catch {
                try leaveOutElement(error, index)
                continue
            }
            endElement()
        }
        endArray()
    }

    /// Writes an array of integers directly, as ``doubles(_:)`` does.
    @usableFromInline
    mutating func integers(_ values: [Int]) throws(JSONError) {
        try beginArray()
        for value in values {
            write(Int64(value))
            endElement()
        }
        endArray()
    }

    /// Writes an element. It is passed as `inout` to avoid a copy, and not changed.
    @inlinable @inline(__always)
    mutating func element<Element: JSONWritable>(_ value: inout Element) throws(JSONError) {
        try value._write(to: &self)
    }

    /// Ends an element or a member.
    @usableFromInline
    mutating func endElement() { append(UInt8(ascii: ",")) }

    /// Writes a dictionary of integers directly, as ``integers(_:)`` does an array.
    @usableFromInline
    mutating func integers(_ pairs: [String: Int]) throws(JSONError) {
        try beginObject()
        for (key, value) in pairs {
            _ = beginMember(key)
            write(Int64(value))
            endElement()
        }
        endObject()
    }

    /// Writes a member whose key is not part of a write plan, such as a dictionary's.
    @inlinable
    mutating func member<Value: JSONWritable>(_ text: String, _ value: borrowing Value) throws(JSONError) {
        let before = beginMember(text)
        do throws(JSONError) {
            try value._write(to: &self)
        } catch {
            return try leaveOutMember(error, text, before)
        }
        endElement()
    }

    /// Writes a member whose key is not part of a write plan. A closure writes its value.
    mutating func member(_ text: String, _ value: (inout JSONWriter) throws(JSONError) -> Void) throws(JSONError) {
        let before = beginMember(text)
        do throws(JSONError) {
            try value(&self)
        } catch {
            return try leaveOutMember(error, text, before)
        }
        endElement()
    }

    /// Writes the key of such a member. Returns the count of bytes before it.
    @usableFromInline
    mutating func beginMember(_ text: String) -> Int {
        let before = count
        writeString(text)
        append(UInt8(ascii: ":"))
        return before
    }

    /// Removes a member that began after `before` bytes, if the error of its value means that it is left out.
    ///
    /// - Throws: Any other error, with the key in its path.
    @usableFromInline @inline(never)
    mutating func leaveOutMember(_ error: JSONError, _ text: String, _ before: Int) throws(JSONError) {
        guard isOmission(error) else { throw error.prefixed(byKey: text) }
        count = before
    }

    @inline(__always)
    private mutating func begin(_ bracket: UInt8) throws(JSONError) {
        nesting &+= 1
        if nesting > options.maximumDepth { throw tooDeep() }
        append(bracket)
    }

    @inline(__always)
    private mutating func end(_ bracket: UInt8, opening: UInt8) {
        nesting &-= 1
        // Safe: an opening bracket precedes, so there is a last byte.
        if unsafe start[count &- 1] == UInt8(ascii: ",") { count &-= 1 }
        append(bracket)
    }

    @inline(never)
    private func tooDeep() -> JSONError {
        JSONError(.depthLimit, expected: "at most \(options.maximumDepth) levels", found: "more")
    }

    // MARK: Bytes

    @inline(__always)
    package mutating func append(_ byte: UInt8) {
        reserve(1)
        unsafe start[count] = byte
        count &+= 1
    }

    @inline(__always)
    mutating func append(_ text: StaticString) {
        reserve(text.utf8CodeUnitCount)
        unsafe (start + count).update(from: text.utf8Start, count: text.utf8CodeUnitCount)
        count &+= text.utf8CodeUnitCount
    }

    private mutating func append(_ text: String) {
        var text = text
        text.withUTF8 { unsafe append($0) }
    }

    package mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard let address = bytes.baseAddress else { return }
        reserve(bytes.count)
        unsafe (start + count).update(from: address, count: bytes.count)
        count &+= bytes.count
    }

    /// Makes space for at least `size` more bytes.
    @inline(__always)
    mutating func reserve(_ size: Int) {
        if capacity &- count < size { grow(size) }
    }

    @inline(never)
    private mutating func grow(_ size: Int) {
        let needed = max(capacity * 2, count + size)
        guard isLent else {
            unsafe start = unsafe BufferPool.resize(start, to: needed)
            return capacity = needed
        }
        // From now on, the text is in memory of the writer's own.
        let lent = unsafe start
        unsafe (start, capacity) = unsafe BufferPool.takeBuffer(ofAtLeast: needed)
        (isLent, askedInVain) = (false, size)
        unsafe start.update(from: lent, count: count)
    }
}
