// A record's bytes go in, and the record goes to memory if it matches the predicate. If a look at its keys is enough to decide, that
// comes before the record is read; otherwise the predicate is applied to the record that was read.

internal import SluiceCore

/// Reads the records that match a predicate, in one thread.
@safe
struct RecordChoice {
    /// The result for one record.
    enum Outcome {
        case matched, unmatched
        case failed(JSONError)
    }

    private var filter: RecordFilter
    /// Whether records that do not match are read and checked, too.
    private let readsAll: Bool
    /// Whether the record in memory matches.
    private let keeps: (UnsafeMutableRawPointer) -> Bool
    /// Destroys the record in memory.
    private let discard: (UnsafeMutableRawPointer) -> Void

    /// Nil if all records are wanted.
    init?<Record>(_ predicate: JSONPredicate<Record>?, _ options: JSONReader.Options) {
        guard let predicate else { return nil }
        filter = predicate.makeFilter(options: options)
        readsAll = options.validation == .full
        // Safe: the caller of `read` guarantees that the memory holds a `Record?`.
        unsafe keeps = { address in unsafe address.assumingMemoryBound(to: Record?.self).pointee.map(predicate.matches) ?? false }
        unsafe discard = { address in unsafe address.assumingMemoryBound(to: Record?.self).pointee = nil }
    }

    /// Reads a record into memory that holds a nil `Record?`, if it matches.
    mutating func read<Record: JSONReadable>(
        _ type: Record.Type, at address: UnsafeMutableRawPointer, _ bytes: UnsafeRawBufferPointer, _ reader: inout JSONReader
    ) -> Outcome {
        let verdict = unsafe filter.verdict(on: bytes)
        if verdict == .doesNotMatch, !readsAll { return .unmatched }
        // Only wanted records must fit a contract.
        let fault = unsafe verdict == .doesNotMatch ? nil : reader.fault(of: type, at: address, bytes)
        if let fault, verdict == .matches { return .failed(fault) }
        if let error = unsafe reader.runUnchecked(type, at: address, bytes) { return .failed(fault ?? error) }
        if verdict == .matches || verdict == .unclear && (unsafe keeps(address)) {
            guard let fault else { return .matched }
            unsafe discard(address)
            return .failed(fault)
        }
        unsafe discard(address)
        return .unmatched
    }
}
