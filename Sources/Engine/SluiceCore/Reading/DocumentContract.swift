// What a document must fit besides being JSON, such as a JSON Schema. Its text is checked as a whole before it is read.

/// A contract for documents, compiled once.
package protocol DocumentContract: Sendable {
    /// What contracts that are the same have in common.
    var identity: ObjectIdentifier { get }
    /// The most bytes that a document may have.
    var maximumSize: Int { get }
    /// Makes what checks one document after the other.
    func makeChecker() -> any DocumentChecker
}

/// Checks one document after the other; used by one thread at a time.
package protocol DocumentChecker: AnyObject {
    /// Why a document does not fit, or is not JSON; nil if it fits.
    ///
    /// - Parameter hidesText: Whether the error must not show the text of the document.
    func fault(in text: UnsafeRawBufferPointer, hidesText: Bool) -> JSONError?
}

extension JSONReader {
    /// A contract as one of the options. A class, so that the options stay small.
    package final class ContractOption: Sendable, Hashable {
        package let contract: any DocumentContract

        package init(_ contract: any DocumentContract) { self.contract = contract }

        package static func == (left: ContractOption, right: ContractOption) -> Bool {
            left.contract.identity == right.contract.identity
        }

        package func hash(into hasher: inout Hasher) { hasher.combine(contract.identity) }
    }

    /// Returns why a document does not fit the contract of the options; nil without one. At `root` is a nil `Value?`.
    package mutating func fault<Value: JSONReadable>(
        of type: Value.Type, at root: UnsafeMutableRawPointer, _ text: UnsafeRawBufferPointer
    ) -> JSONError? {
        hasContract ? unsafe fault(of: row(for: type), at: root, text) : nil
    }

    /// Reads a document that need not fit the contract, into memory that holds a nil `Value?`. Returns the error, or nil.
    package mutating func runUnchecked<Value: JSONReadable>(
        _ type: Value.Type, at root: UnsafeMutableRawPointer, _ text: UnsafeRawBufferPointer
    ) -> JSONError? {
        let hadContract = hasContract
        hasContract = false
        defer { hasContract = hadContract }
        return unsafe run(type, at: root, text)
    }

    /// Returns why a document does not fit the contract of the options, before anything is read of it.
    @inline(never)
    mutating func fault(
        of row: RowHandle, at root: UnsafeMutableRawPointer, _ text: UnsafeRawBufferPointer
    ) -> JSONError? {
        guard let contract = options.contract?.contract else { return nil }
        // A document that is too long is not looked at: its reading ends with the error.
        if let limit = options.maximumDocumentSize, text.count > limit { return nil }
        let checker = self.checker ?? contract.makeChecker()
        self.checker = checker
        // The report of the document before must not be taken for that of this one.
        unsafe binder.state.begin(row, at: root, firstChunk(text))
        let hidesText = binder.state.mayHoldSensitive
        binder.state.unwind()
        return unsafe checker.fault(in: text, hidesText: hidesText)
    }
}

extension JSONReader.Options {
    /// The options for a part of a document, and for text around documents: a contract is for whole documents.
    package var withoutContract: JSONReader.Options {
        var options = self
        options.contract = nil
        return options
    }
}
