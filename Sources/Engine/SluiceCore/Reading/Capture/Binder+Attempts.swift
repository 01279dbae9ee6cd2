// An attempt to read a value as one of several types: if it does not fit, the document is what it was before.

extension JSONError {
    /// The error of an attempt whose value does not fit. It never reaches the caller, so it has no details.
    static let misfit = JSONError(.typeMismatch)
}

extension Binder {
    /// Tries to read a value for a row, into memory that has a nil. Returns false if the value does not fit; then nothing has changed.
    /// An error other than a misfit, such as the depth limit, stays in the document.
    mutating func attempt(
        _ content: _CapturedValue.Content, for row: RowHandle, at address: UnsafeMutableRawPointer
    ) -> Bool {
        guard document.attemptDepth < Binder.maximumCaptureDepth else { return failCaptureDepth() }
        let saved = document
        document.findings = ReadFindings()
        document.attemptDepth += 1
        unsafe pushNested(row, at: address)
        document.frame.isAttempt = true
        let isRead =
            switch content {
            case .text(let text): unsafe scanCaptured(text)
            case .scalar(let scalar): deliver(scalar)
            }
        let fits = isRead && document.error == nil && document.stackCount == saved.stackCount + 1
        if !fits { unwind(to: saved.stackCount) }
        // Two things are kept after the attempt: its findings, and an error that any other type would cause, too.
        let noted = document.findings
        let raised = document.error
        document = consume saved
        if fits {
            document.findings.add(noted, limit: policy.options.reportLimit)
        } else if let raised, !raised.kind.isTolerable {
            document.error = raised
        }
        attempts.findings = noted
        return fits
    }

    /// Reads a captured value with the document scanner alone. yajl would only be needed for the words of a syntax error, which an
    /// attempt never shows.
    private mutating func scanCaptured(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        unsafe document.yajl = nil
        return unsafe readCaptured(text)
    }

    /// Binds a scalar to the frame's current row.
    private mutating func deliver(_ scalar: JSONScalar) -> Bool {
        switch scalar.kind {
        case .null: return null()
        case .boolean: return boolean(scalar.boolean == true)
        case .number, .string:
            // Safe: numbers and strings have a start.
            let start = unsafe scalar.start.unsafelyUnwrapped
            return unsafe scalar.kind == .number ? number(start, scalar.count) : string(start, scalar.count)
        }
    }

    /// Stores the first variant that a scalar can be read as.
    mutating func storeFirst(_ scalar: JSONScalar) -> Bool {
        switch bind(.scalar(scalar)) {
        case .failure(let failure): return park(failure, isInside: true)
        case .success(.bound): return advance()
        case .success(.unbound): break
        }
        guard document.error == nil else { return false }
        return scalar.kind == .string || scalar.kind == .number ? failScalar(scalar) : mismatch(scalar)
    }
}
