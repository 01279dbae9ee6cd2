// A whole document that is a model, or an array of models, is read straight from its text: no tape is made. Bytes come in, and the value
// waits in memory here until the decoder moves it out.

internal import Foundation
internal import SluiceCore

/// Reads documents of models, and of arrays of models, one after the other.
///
/// What a type needs is in its ``TypeReader``. So nothing between a document and its value is generic: for each generic type that is
/// named the runtime is searched, which costs about as much as a small document.
@safe
final class DocumentReader {
    private static let kept = KeptObject<DocumentReader>()

    // Safe: a reader has one user at a time. A model that decodes a document while it is read gets another one.
    @exclusivity(unchecked) private var reader: JSONReader
    /// The number of the decoder's options that the reader has. The options themselves would keep what a user put into them.
    private var optionsNumber: Int
    /// Memory for a value.
    private(set) var memory: UnsafeMutableRawPointer
    private var capacity = 256
    private var alignment = 16

    private init(_ options: DecodingOptions, _ models: JSONReader.Options) {
        unsafe reader = JSONReader(options: models)
        optionsNumber = options.number
        unsafe memory = .allocate(byteCount: capacity, alignment: alignment)
    }

    deinit { unsafe memory.deallocate() }

    /// A reader with these options, for the caller alone; nil if tables do not support the options.
    static func take(_ options: DecodingOptions) -> DocumentReader? {
        let kept = kept.take()
        if let kept, kept.optionsNumber == options.number { return kept }
        guard let models = options.models else {
            if let kept { kept.giveBack() }
            return nil
        }
        guard let kept, unsafe kept.reader.options == models else { return DocumentReader(options, models) }
        kept.optionsNumber = options.number
        return kept
    }

    /// Keeps the reader for the next document.
    func giveBack() { DocumentReader.kept.keep(self) }

    /// Whether containers of the last document were skipped by their brackets only, so that their text may be invalid.
    var hasUncheckedText: Bool { unsafe reader.hasUncheckedText }

    /// Reads a document. Returns the error, or nil if its value is in ``memory``, as an optional that the caller moves out.
    ///
    /// - Parameter none: A nil `Model?`.
    func read<Model: JSONReadable>(_ type: Model.Type, _ text: UnsafeRawBufferPointer, none: NilBits<Model>) -> JSONError? {
        if none.size > capacity || none.alignment > alignment { makeRoom(none.size, none.alignment) }
        // Safe: the memory has room, and nil owns nothing.
        unsafe memory.copyMemory(from: none.address, byteCount: none.size)
        return unsafe reader.run(type, at: memory, text)
    }

    @inline(never)
    private func makeRoom(_ size: Int, _ alignment: Int) {
        unsafe memory.deallocate()
        capacity = max(capacity, size)
        self.alignment = max(self.alignment, alignment)
        unsafe memory = .allocate(byteCount: capacity, alignment: self.alignment)
    }
}

/// The bits of a nil `Value?`. A type's reader has them, and one reader of each type lives as long as the process.
@safe
struct NilBits<Value>: @unchecked Sendable {
    // Safe: never written again, and never freed.
    let address: UnsafeRawPointer
    let size = MemoryLayout<Value?>.size
    let alignment = MemoryLayout<Value?>.alignment

    init() {
        let value = UnsafeMutablePointer<Value?>.allocate(capacity: 1)
        unsafe value.initialize(to: nil)
        unsafe address = UnsafeRawPointer(value)
    }
}
