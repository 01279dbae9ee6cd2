// Reads an untagged variant: the value is tried as one type after the other. Each nested value is tried only once per type, because its
// outcome is remembered until the outermost value is done.
//
// A worked example. An untagged type T has the variants First { a: T, b: Int }, Second { a: T, b: String } and Third { n: Int }:
//
//     {"a": {"n": 1}, "b": "x"}
//       as First    "a" is tried as T: it fits as a Third, which is remembered. "b" is not an Int, so the whole does not fit.
//       as Second   "a" is known to be a Third, and is stored without parsing it again. "b" is a String, so the whole is a Second.

extension _CapturedValue {
    /// Reads the value as the type of a variant; nil when it does not fit.
    @inlinable
    public func attempt<Value: JSONReadable>(_ type: Value.Type, variant: Int) -> Value? {
        // Inlinable, so that it is specialised in the variant's own module, as ``read(_:variant:)`` is.
        var value: Value?
        let fits = unsafe withUnsafeMutablePointer(to: &value) { address in
            unsafe attempt(variant: variant, at: UnsafeMutableRawPointer(address))
        }
        return fits ? value : nil
    }

    @usableFromInline
    func attempt(variant: Int, at address: UnsafeMutableRawPointer) -> Bool {
        let row = binding.variants[variant]
        return unsafe binder.state.attempt(content, for: row, at: address)
    }

    /// Whether an attempt is under way.
    var isTried: Bool { binder.state.document.attemptDepth > 0 }

    /// Whether the value that is read must be remembered, because a later attempt may need it again. Scalars are read again instead.
    @usableFromInline var keepsValue: Bool { isTried && !isScalar }

    /// Remembers a closure that stores the value just read once more.
    @usableFromInline
    func keep(_ store: @escaping (_Destination) -> Void) { binder.state.attempts.stored = store }

    /// Whether a variant can accept a value of this JSON type, as far as the kind of the variant's row shows; a cheap test before an
    /// attempt.
    func mayBe(_ variant: Int) -> Bool {
        // Safe: there is a row for each variant.
        let row = binding.variants[variant]
        switch content {
        case .scalar(let scalar):
            let isContainer = row.kind == .array || row.kind == .dictionary || row.kind == .model
            return !isContainer || scalar.kind == .null
        case .text(let text):
            if row.kind.isScalar { return false }
            let isArray = unsafe text.first == UInt8(ascii: "[")
            switch row.kind {
            case .array: return isArray
            case .dictionary: return !isArray
            case .model: return row.binding.model?.isPositional == isArray
            default: return true
            }
        }
    }

    // MARK: Remembered outcomes

    private func key(_ table: VariantTable) -> AttemptKey? {
        guard case .text(let text) = content else { return nil }
        return AttemptKey(address: UInt(bitPattern: text.baseAddress), table: ObjectIdentifier(table))
    }

    /// The outcome of an earlier attempt at this value with the same variants; nil if there was none.
    func outcome(of table: VariantTable) -> AttemptOutcome? {
        guard let key = key(table) else {
            return binder.state.attempts.scalarTables.contains(ObjectIdentifier(table)) ? .underWay : nil
        }
        return binder.state.attempts.outcomes[key]
    }

    /// Notes that the value is being tried.
    func begin(_ table: VariantTable) {
        if let key = key(table) {
            binder.state.attempts.outcomes[key] = .underWay
        } else {
            binder.state.attempts.scalarTables.append(ObjectIdentifier(table))
        }
    }

    /// Remembers the outcome of trying the value: the index of the variant that fits, or nil.
    func end(_ table: VariantTable, _ variant: Int?) {
        guard let key = key(table) else { return _ = binder.state.attempts.scalarTables.popLast() }
        guard isTried else { return binder.state.attempts.forget() }
        let store = binder.state.attempts.stored
        binder.state.attempts.stored = nil
        binder.state.attempts.outcomes[key] =
            variant.map { unsafe .fits(variant: $0, store: store, findings: binder.state.attempts.findings) } ?? .unfit
    }

    /// Stores the value that an earlier attempt has read. Returns false if the value has to be read again, because several properties share
    /// its key.
    func store(_ known: (_Destination) -> Void, _ findings: ReadFindings, at destination: _Destination) -> Bool {
        guard binder.state.attempts.sharing == 0 else { return false }
        binder.state.document.findings.add(findings, limit: binder.state.policy.options.reportLimit)
        known(destination)
        return true
    }

    /// Whether the value is a scalar.
    var isScalar: Bool { if case .scalar = content { true } else { false } }

    /// Whether an attempt has ended with an error other than a misfit.
    var hasFailed: Bool { binder.state.document.error != nil }

    /// Whether the text is JSON, before only a part of it is read. yajl has parsed it already, but the scanner has only found its end.
    ///
    /// - Throws: An error that is not reported: yajl then reads the document, and finds what is wrong.
    func checkWhole() throws(JSONError) {
        guard case .text(let text) = content, unsafe binder.state.document.yajl == nil else { return }
        let token = binder.state.document.token
        binder.state.document.skipDepth += 1
        defer {
            binder.state.document.skipDepth -= 1
            binder.state.document.token = token
        }
        guard unsafe DocumentScanner(binder, UnsafeRawBufferPointer(text)).readWhole() else { throw JSONError(.syntax) }
    }

    /// Checks that a value that fits no variant is valid JSON, before it is left out or treated as unknown.
    func check() throws(JSONError) {
        guard case .text = content else { return }
        if !isTried || binder.state.isTolerated(isNull: false, isMistyped: false) { _ = try raw() }
    }
}
