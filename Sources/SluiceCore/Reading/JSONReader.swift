// Bytes come in, a value goes out. The reader owns the parser and the binder's state, and feeds the one into the other.

internal import CYajl

/// Reads JSON into models and other bindable values; made once and used for many documents.
///
/// A reader keeps its parser and its memory between documents, which is most of the cost of a small one. After an error it is
/// as good as new. It is not `Sendable`: use one per task.
///
/// ```swift
/// var reader = JSONReader()
/// for line in lines {
///     let book = try reader.read(Book.self, from: line)      // String, [UInt8], UnsafeRawBufferPointer, RawSpan
/// }
/// ```
@safe
public struct JSONReader: ~Copyable {
    /// How documents are read.
    public struct Options: Sendable, Hashable {
        /// What is checked of the values that no property binds.
        public enum Validation: Sendable, Hashable {
            /// Their structure; of containers that no property binds, only brackets and quotes, if the document lies in memory
            /// as a whole. This is what makes reading a few properties of large records fast.
            case bound
            /// Everything, their strings' Unicode included.
            case full
        }

        /// What happens when a key stands twice in one object.
        public enum DuplicateKeys: Sendable, Hashable {
            /// The last value counts, as in most parsers.
            case last
            /// The first value counts, as in Foundation's `JSONDecoder`.
            case first
            /// It is an error of kind `duplicateKey`.
            case error
            /// The same for every key of the document: also for one that no property has, and for a dictionary's.
            case errorEverywhere
        }

        /// What happens when a key of a model stands twice in one object. Unless it is `errorEverywhere`, keys that no property
        /// has may stand twice, and in a dictionary the last value counts.
        public var duplicateKeys = DuplicateKeys.last
        /// Levels of containers, at the most. Deeper input is an error of kind `depthLimit`.
        public var maximumDepth = 512
        /// Bytes that one string or number may have, as it is written; more is an error of kind `sizeLimit`. Of input that lies in
        /// memory as a whole, only a limit below 256 MiB is checked.
        public var maximumTokenSize = 256 << 20
        /// Bytes that a document may have; more is an error of kind `sizeLimit`. Nil for no limit.
        public var maximumDocumentSize: Int?
        /// Keys that one object may have; more is an error of kind `sizeLimit`. Nil for no limit.
        public var maximumKeyCount: Int?
        /// Elements that one array may have; more is an error of kind `sizeLimit`. Nil for no limit.
        public var maximumElementCount: Int?
        /// What is checked of the values that no property binds; with `full`, a ``ReadReport`` counts unknown keys, too.
        public var validation = Validation.bound
        /// How scalars of other JSON types convert, where a model does not say.
        public var conversions = JSONConversions.lenient
        /// What an explicit null means, where a model does not say; nil for ``JSONNullPolicy/asNil``, or YYModel's own rule.
        public var nulls: JSONNullPolicy?
        /// What becomes of a property whose value does not fit, where a model does not say; nil for
        /// ``JSONMismatchPolicy/throw``, or YYModel's own rule.
        public var mismatch: JSONMismatchPolicy?
        /// What becomes of an element that does not fit, where a model does not say; nil for ``JSONElementPolicy/strict``, or
        /// YYModel's own rule.
        public var elements: JSONElementPolicy?
        /// The form of dates, where a model does not say; nil for any string format that is known.
        public var dates: JSONDateFormat?
        /// How many dropped values a ``ReadReport`` describes; the others it only counts.
        public var reportLimit = 100

        /// 512 levels, what is bound is validated, lenient conversions.
        public init() {}

        /// Options that differ from the defaults in what is named.
        public init(
            maximumDepth: Int = 512, maximumTokenSize: Int = 256 << 20, validation: Validation = .bound,
            duplicateKeys: DuplicateKeys = .last, conversions: JSONConversions = .lenient, nulls: JSONNullPolicy? = nil,
            mismatch: JSONMismatchPolicy? = nil, elements: JSONElementPolicy? = nil, dates: JSONDateFormat? = nil,
            reportLimit: Int = 100, maximumDocumentSize: Int? = nil, maximumKeyCount: Int? = nil,
            maximumElementCount: Int? = nil
        ) {
            self.maximumDepth = maximumDepth
            self.maximumTokenSize = maximumTokenSize
            self.validation = validation
            self.duplicateKeys = duplicateKeys
            self.conversions = conversions
            self.nulls = nulls
            self.mismatch = mismatch
            self.elements = elements
            self.dates = dates
            self.reportLimit = reportLimit
            self.maximumDocumentSize = maximumDocumentSize
            self.maximumKeyCount = maximumKeyCount
            self.maximumElementCount = maximumElementCount
        }

        /// Nothing is converted and nothing is left out: what Foundation's `JSONDecoder` accepts.
        public static let strict = Options(conversions: .strict)
        /// The default: what converts without a loss is converted, and nothing is left out. A value that does not fit is an error,
        /// also where it is one element of many.
        public static let lenient = Options()
        /// As ``lenient``, but an element of another JSON type is left out and counted in the ``ReadReport``.
        public static let tolerant = Options(elements: .skipMistyped)
        /// YYModel's own rules, losses included: what does not fit is left out and counted in the ``ReadReport``.
        public static let yyModel = Options(conversions: .yyModel)
        /// For text from strangers: everything is checked, no key may stand twice in any object, unknown keys are counted, and the
        /// budgets are small. A document has at most 1 MiB, 32 levels, 1,000 keys an object, 10,000 elements an array, and 64 KiB
        /// a string or number.
        ///
        /// Counting costs a second look at each byte. Change what does not fit:
        ///
        /// ```swift
        /// var options = JSONReader.Options.untrusted
        /// options.maximumDocumentSize = 8 << 20
        /// let order = try Order(json: body, options: options)
        /// ```
        public static let untrusted = Options(
            maximumDepth: 32, maximumTokenSize: 64 << 10, validation: .full, duplicateKeys: .errorEverywhere,
            maximumDocumentSize: 1 << 20, maximumKeyCount: 1000, maximumElementCount: 10_000)

        /// Whether a ``BudgetScanner`` must look at each document.
        var hasBudget: Bool {
            maximumDocumentSize != nil || maximumKeyCount != nil || maximumElementCount != nil
                || maximumTokenSize < 256 << 20 || duplicateKeys == .errorEverywhere
        }

        /// What the options say about values that do not fit, in the form in which properties say it.
        var policy: JSONPropertyPolicy {
            JSONPropertyPolicy(
                conversions: conversions, nulls: nulls, mismatch: mismatch, elements: elements, date: dates)
        }
    }

    /// How documents are read.
    public let options: Options
    private let state: UnsafeMutablePointer<ReaderState>
    /// The parser of whole documents; nil before the first and after an error.
    private var parser: YajlParser?
    /// Looks at the text before the parser does; nil where the options set no budget.
    private var budget: BudgetScanner?
    /// The binding of the type read last: the registry is asked only when the type changes.
    private var rootType: ObjectIdentifier?
    private var rootRow: UnsafePointer<PropertyRow>

    /// A reader without memory of its own yet.
    public init(options: Options = Options()) {
        self.options = options
        unsafe state = .allocate(capacity: 1)
        unsafe state.initialize(to: ReaderState(options: options))
        unsafe state.pointee.validatesEverything = options.validation == .full
        unsafe rootRow = unsafe ReaderRows.none
        budget = unsafe BudgetScanner(options, state)
    }

    deinit {
        unsafe state.pointee.deallocate()
        unsafe state.deinitialize(count: 1)
        unsafe state.deallocate()
    }

    /// What the document read last held that was left out of the value; after an error, what had been left out until then.
    ///
    /// ```swift
    /// var reader = JSONReader(options: .tolerant)
    /// let tags = try reader.read([Int].self, from: #"[1, "x", 2]"#)     // [1, 2]
    /// reader.report.droppedCount                                        // 1
    /// reader.report.issues.first?.path                                  // "[1]"
    /// ```
    public var report: ReadReport { unsafe state.pointee.report }

    // MARK: Whole documents

    /// Reads one value from bytes that lie in memory as a whole.
    ///
    /// - Throws: ``JSONError``; nothing of the value is left then, and the reader can be used again.
    @inlinable
    public mutating func read<Value: JSONBindable>(
        _ type: Value.Type, from bytes: UnsafeRawBufferPointer
    ) throws(JSONError) -> Value {
        // Specialised in the caller's module: otherwise the value would be copied out through its metadata.
        var result: Value?
        let failure = unsafe withUnsafeMutablePointer(to: &result) { root in
            unsafe run(type, at: UnsafeMutableRawPointer(root), bytes)
        }
        if let failure { throw failure }
        guard let result else { throw JSONReader.nothing }
        return result
    }

    /// Reads one value from an array of bytes.
    @inlinable
    public mutating func read<Value: JSONBindable>(_ type: Value.Type, from bytes: [UInt8]) throws(JSONError) -> Value {
        try unsafe bytes.withUnsafeBytes { buffer in
            Result { () throws(JSONError) in try unsafe read(type, from: buffer) }
        }.get()
    }

    /// Reads one value from a string.
    @inlinable
    public mutating func read<Value: JSONBindable>(_ type: Value.Type, from text: String) throws(JSONError) -> Value {
        var text = text
        return try text.withUTF8 { buffer in
            // `withUTF8` rethrows without a type, so the error travels as a value.
            Result { () throws(JSONError) in try unsafe read(type, from: UnsafeRawBufferPointer(buffer)) }
        }.get()
    }

    /// Reads one value from a span of bytes.
    @inlinable
    public mutating func read<Value: JSONBindable>(_ type: Value.Type, from bytes: RawSpan) throws(JSONError) -> Value {
        try unsafe bytes.withUnsafeBytes { buffer throws(JSONError) in try unsafe read(type, from: buffer) }
    }

    /// Binds a document to memory that holds a nil `Value?`; the error, or nil.
    @usableFromInline
    package mutating func run<Value: JSONBindable>(
        _ type: Value.Type, at root: UnsafeMutableRawPointer, _ bytes: UnsafeRawBufferPointer
    ) -> JSONError? {
        unsafe run(row(for: type), at: root, bytes)
    }

    /// No error and no value: the binder has a bug if this is ever thrown.
    @usableFromInline static var nothing: JSONError { JSONError(.unexpectedEnd, expected: "a value", found: "none") }

    /// Binds a document to the place of a row; the error, or nil.
    mutating func run(
        _ row: UnsafePointer<PropertyRow>, at root: UnsafeMutableRawPointer, _ input: UnsafeRawBufferPointer
    ) -> JSONError? {
        if let failure = YajlSelfTest.failure { return failure }
        unsafe state.pointee.begin(row, at: root)
        let bytes = unsafe withoutByteOrderMark(input)
        guard unsafe !bytes.isEmpty else { return unsafe endOfInput(at: .start.advanced(over: input)) }
        if budget != nil, let failure = unsafe failureOfBudget(row, at: root, input, bytes) { return failure }
        if parser == nil {
            parser = unsafe YajlParser(callbacks: EventCallbacks.plain, context: state)
        }
        unsafe state.pointee.parser = unsafe parser?.unownedHandle
        unsafe state.pointee.beginChunk(bytes)
        unsafe state.pointee.readsPlainly = false

        if let handle = unsafe parser?.unownedHandle {
            var lifting = unsafe FlatRunReader(state, bytes, handle)
            if lifting.read(), let end = unsafe state.pointee.rootEnd,
                unsafe firstNonBlank(in: bytes, from: end - state.pointee.chunkOffset) == nil
            {
                return nil
            }
        }
        return unsafe runPlainly(row, at: root, input)
    }

    /// The same for a document that goes into the model that `root` holds.
    mutating func runUpdate(
        _ row: UnsafePointer<PropertyRow>, at root: UnsafeMutableRawPointer, _ input: UnsafeRawBufferPointer,
        _ assigned: inout [AssignedProperty]
    ) -> JSONError? {
        unsafe state.pointee.isUpdating = true
        defer { unsafe state.pointee.isUpdating = false }
        let failure = unsafe run(row, at: root, input)
        assigned = unsafe state.pointee.assigned
        return failure
    }

    /// What is wrong with a document that uses up a budget: it is read up to there like input in chunks, because an error that stands
    /// before the place comes first. Nil if the budgets suffice.
    @inline(never)
    private mutating func failureOfBudget(
        _ row: UnsafePointer<PropertyRow>, at root: UnsafeMutableRawPointer, _ input: UnsafeRawBufferPointer,
        _ bytes: UnsafeRawBufferPointer
    ) -> JSONError? {
        budget?.begin(at: input.count - bytes.count)
        guard unsafe budget?.scan(bytes) != nil else { return nil }
        unsafe state.pointee.begin(row, at: root)
        unsafe state.pointee.readsPlainly = true
        var source = unsafe LentSource(rest: input)
        do throws(JSONError) {
            try runChunks(from: &source)
        } catch {
            unsafe state.pointee.unwind()
            return error
        }
        return nil
    }

    /// Reads a document through the parser alone, which finds out what is wrong with it.
    @inline(never)
    private mutating func runPlainly(
        _ row: UnsafePointer<PropertyRow>, at root: UnsafeMutableRawPointer, _ input: UnsafeRawBufferPointer
    ) -> JSONError? {
        unsafe state.pointee.unwind()
        unsafe state.pointee.begin(row, at: root)
        unsafe state.pointee.readsPlainly = true
        let bytes = unsafe withoutByteOrderMark(input)
        parser = unsafe YajlParser(callbacks: EventCallbacks.tracking, context: state)
        unsafe state.pointee.parser = unsafe parser?.unownedHandle
        unsafe state.pointee.beginChunk(bytes)
        var status = unsafe parser?.parse(bytes) ?? .failed
        if status == .ok, unsafe state.pointee.rootEnd == nil {
            unsafe state.pointee.isCompleting = true
            status = parser?.complete() ?? .failed
        }
        defer { parser = nil }
        if let failure = unsafe failure(status, parser?.syntaxError(), bytes) {
            unsafe state.pointee.unwind()
            return failure
        }
        return nil
    }

    /// What is wrong after the parser has returned, if anything.
    private func failure(
        _ status: YajlStatus, _ syntax: @autoclosure () -> YajlSyntaxError?, _ bytes: UnsafeRawBufferPointer
    ) -> JSONError? {
        if let blank = unsafe controlBlank(in: bytes, status) { return blank }
        if let error = unsafe state.pointee.error { return error }
        if status != .ok { return unsafe syntaxError(syntax(), bytes) }
        guard let end = unsafe state.pointee.rootEnd else {
            return unsafe endOfInput(at: state.pointee.chunkPosition.advanced(over: bytes))
        }
        // yajl accepts an unterminated string behind a complete value (P29).
        if let index = unsafe firstNonBlank(in: bytes, from: end - state.pointee.chunkOffset) {
            return error(.trailingContent, "the end of the input", "more", at: index)
        }
        return nil
    }

    /// The control character that yajl took for white space, unless it stands behind where yajl stopped.
    private func controlBlank(in bytes: UnsafeRawBufferPointer, _ status: YajlStatus) -> JSONError? {
        guard let index = unsafe ControlBlanks.first(in: bytes), unsafe status == .ok || index < state.pointee.tokenOffset else {
            return nil
        }
        // How far the document was read behind that character depends on the way of reading, and so does what was left out.
        unsafe state.pointee.report = ReadReport()
        // Where a control character ends a string that is none, that is what yajl says.
        let place = unsafe state.pointee.position(of: state.pointee.chunkStart + index)
        // No path: what was bound last may lie before or behind it.
        return JSONError(
            .syntax, position: place.position, expected: "JSON white space", found: "a vertical tab or form feed",
            excerpt: place.excerpt)
    }

    private func syntaxError(_ reason: YajlSyntaxError?, _ bytes: UnsafeRawBufferPointer) -> JSONError {
        // At the end yajl is fed a blank: whatever that does not fit, it is the end that is unexpected.
        if unsafe !state.pointee.isCompleting, case .other(let found)? = reason {
            if let encoding = unsafe foreignEncoding(of: bytes), unsafe state.pointee.chunkOffset <= 3 {
                return error(.unsupportedEncoding, "UTF-8", encoding, at: 0)
            }
            let place = unsafe state.pointee.syntaxPlace()
            return unsafe JSONError(
                state.pointee.rootEnd != nil ? .trailingContent : .syntax, path: state.pointee.path(),
                position: place.position, expected: state.pointee.rootEnd != nil ? "the end of the input" : "",
                found: found, excerpt: place.excerpt)
        }
        return unsafe endOfInput(at: state.pointee.chunkPosition.advanced(over: bytes))
    }

    private func error(_ kind: JSONError.Kind, _ expected: String, _ found: String, at index: Int) -> JSONError {
        let place = unsafe state.pointee.position(of: state.pointee.chunkStart + index)
        return unsafe JSONError(
            kind, path: state.pointee.path(), position: place.position, expected: expected, found: found,
            excerpt: place.excerpt)
    }

    private func endOfInput(at position: SourcePosition) -> JSONError {
        let path = unsafe state.pointee.path()
        return unsafe JSONError(
            .unexpectedEnd, path: path, position: position,
            expected: state.pointee.stackCount == 0 && state.pointee.nesting == 0 ? "a value" : "the rest of the value")
    }

    private func withoutByteOrderMark(_ bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        guard unsafe bytes.starts(with: [0xEF, 0xBB, 0xBF]) else { return unsafe bytes }
        unsafe state.pointee.skipByteOrderMark()
        return unsafe UnsafeRawBufferPointer(rebasing: bytes[3...])
    }

    // MARK: Documents in chunks

    /// Reads one value from a source, chunk by chunk, in memory that does not depend on the source's size.
    ///
    /// ```swift
    /// var source = FileDescriptorSource(descriptor: 0)
    /// let archive = try reader.read(Archive.self, from: &source)
    /// ```
    ///
    /// - Throws: ``JSONError``; also what the source throws.
    public mutating func read<Value: JSONBindable>(
        _ type: Value.Type, from source: inout some ByteSource
    ) throws(JSONError) -> Value {
        if let failure = YajlSelfTest.failure { throw failure }
        var result: Value?
        let row = unsafe row(for: type)
        var failure: JSONError?
        unsafe withUnsafeMutablePointer(to: &result) { root in
            unsafe state.pointee.begin(row, at: UnsafeMutableRawPointer(root))
            unsafe state.pointee.readsPlainly = true
            do throws(JSONError) {
                try runChunks(from: &source)
            } catch {
                failure = error
                unsafe state.pointee.unwind()
            }
        }
        if let failure { throw failure }
        guard let result else { throw JSONReader.nothing }
        return result
    }

    private mutating func runChunks(from source: inout some ByteSource) throws(JSONError) {
        guard let parser = unsafe YajlParser(callbacks: EventCallbacks.tracking, context: state) else {
            throw JSONError(.incompatibleParser, found: "yajl has no memory for a parser")
        }
        unsafe state.pointee.parser = unsafe parser.unownedHandle
        var buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 << 10, alignment: 16)
        defer { unsafe buffer.deallocate() }
        // A byte order mark may itself be split, and four bytes tell the encoding, so that many are gathered first.
        var filled = 0
        while filled < 4 {
            let count = try unsafe source.readChecked(into: UnsafeMutableRawBufferPointer(rebasing: buffer[filled...]))
            if count == 0 { break }
            filled += count
        }
        var chunk = unsafe withoutByteOrderMark(UnsafeRawBufferPointer(rebasing: buffer[..<filled]))
        budget?.begin(at: filled - chunk.count)
        while filled > 0 {
            // Empty when only a byte order mark has come so far.
            unsafe state.pointee.beginChunk(chunk)
            if let breach = unsafe budget?.scan(chunk) { throw unsafe failure(of: breach, parser, chunk) }
            if let failure = unsafe failureInChunk(parser.parse(chunk), parser, chunk) { throw failure }
            unsafe state.pointee.endChunk()
            let head = unsafe state.pointee.tokenHead.count
            if budget == nil, head > options.maximumTokenSize {
                throw unsafe JSONError(
                    .sizeLimit, path: state.pointee.path(), position: state.pointee.chunkPosition,
                    expected: BudgetScanner.tokenExpectation(options), found: "a longer one")
            }
            if head > buffer.count {
                // yajl scans a token that spans chunks again from its start with each chunk (P14): chunks that grow with the
                // token keep that linear.
                unsafe buffer.deallocate()
                unsafe buffer = .allocate(byteCount: head * 2, alignment: 16)
            }
            filled = try unsafe source.readChecked(into: buffer)
            unsafe chunk = unsafe UnsafeRawBufferPointer(rebasing: buffer[..<filled])
        }
        unsafe state.pointee.isCompleting = true
        let empty = unsafe UnsafeRawBufferPointer(start: buffer.baseAddress, count: 0)
        unsafe state.pointee.beginChunk(empty)
        if let failure = unsafe failureInChunk(parser.complete(), parser, empty) { throw failure }
        if unsafe state.pointee.rootEnd == nil { throw unsafe endOfInput(at: state.pointee.chunkPosition) }
    }

    /// What is wrong with a chunk in which a budget is used up.
    private func failure(
        of breach: BudgetScanner.Breach, _ parser: borrowing YajlParser, _ chunk: UnsafeRawBufferPointer
    ) -> JSONError {
        let before = unsafe UnsafeRawBufferPointer(rebasing: chunk[..<breach.index])
        if let earlier = unsafe failureInChunk(parser.parse(before), parser, before) { return earlier }
        let place = unsafe state.pointee.position(at: breach.index)
        return unsafe JSONError(
            breach.kind, path: breach.isOfContainer ? state.pointee.pathOfContainer() : state.pointee.path(),
            position: place.position, expected: breach.expected, found: breach.found, keys: breach.keys,
            excerpt: place.excerpt)
    }

    /// What is wrong after a chunk, if anything; a document that has not ended yet is not.
    private func failureInChunk(
        _ status: YajlStatus, _ parser: borrowing YajlParser, _ chunk: UnsafeRawBufferPointer
    ) -> JSONError? {
        if let blank = unsafe controlBlank(in: chunk, status) { return blank }
        if let error = unsafe state.pointee.error { return error }
        if status != .ok { return unsafe syntaxError(parser.syntaxError(), chunk) }
        if let end = unsafe state.pointee.rootEnd {
            let start = unsafe max(0, end - state.pointee.chunkOffset)
            if let index = unsafe firstNonBlank(in: chunk, from: start) {
                return error(.trailingContent, "the end of the input", "more", at: index)
            }
        }
        return nil
    }

    /// Text that cells of the last record refer to.
    func cellText(at offset: Int, count: Int) -> UnsafeBufferPointer<UInt8> {
        // Safe: the buffer is not touched before the next document begins.
        unsafe state.pointee.cellText.withUnsafeBufferPointer {
            unsafe UnsafeBufferPointer(rebasing: $0[offset..<(offset + count)])
        }
    }

    // MARK: Roots

    private mutating func row<Value: JSONBindable>(for type: Value.Type) -> UnsafePointer<PropertyRow> {
        if rootType != ObjectIdentifier(type) {
            unsafe rootRow = unsafe BindingRegistry.shared.rootRow(for: type)
            rootType = ObjectIdentifier(type)
        }
        return unsafe rootRow
    }
}

@available(*, unavailable, message: "a reader belongs to one task; make one for each")
extension JSONReader: @unchecked Sendable {}
