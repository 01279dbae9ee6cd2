// What is kept of the failures inside a document. Types that try one thing after another fail on purpose, and rarely read the
// error. So it has Foundation's words, the coding path, and an index on the tape. The position, the excerpt and the `JSONError` are made
// from that when the error leaves the top-level call.

internal import Synchronization

/// Where on the tape an error arose. It is the `underlyingError` inside a document.
struct TapeMark: Error, CustomStringConvertible {
    enum Cause {
        /// The value has another JSON type, or is null.
        case misfit
        /// The object lacks a key.
        case missing
        /// The array has no more elements.
        case exhausted
        /// The value has impossible content.
        case content(expected: String)
        /// The type cannot represent the number. The error itself has no path.
        case number(Any.Type, [any CodingKey])
    }

    /// The number of the document, see ``Failures/document``.
    let document: UInt64
    let index: Int32
    let cause: Cause

    var description: String { "entry \(index) of the document" }
}

/// The marks and the words of the failures in a document. A decoder and the decoders of nested containers share them.
final class Failures {
    /// A number that no other document has; 0 until something fails.
    private(set) var document: UInt64 = 0
    private static let documents = Atomic<UInt64>(0)
    /// The mark made last for a value that does not fit: the next type that is tried mostly fails at the same value.
    @exclusivity(unchecked)
    private var latest: (index: Int, mark: any Error)?

    private struct Words {
        var type: UInt = 0
        var detail = 0
        var text = ""
    }

    private static var size: Int { 64 }
    /// A cache of words. Several words share a slot; those that were used last have it.
    @exclusivity(unchecked)
    private var words = [Words](repeating: Words(), count: Failures.size)

    /// Forgets the document.
    func clear() {
        document = 0
        unsafe latest = nil
    }

    func mark(_ index: Int, _ cause: TapeMark.Cause) -> any Error {
        if document == 0 { document = Failures.documents.wrappingAdd(1, ordering: .relaxed).newValue }
        // Safe: a tape has at most `JSONTape.greatestEntryCount` entries.
        return TapeMark(document: document, index: Int32(truncatingIfNeeded: index), cause: cause)
    }

    /// The mark of a value that does not fit.
    func misfit(at index: Int) -> any Error {
        if let latest = unsafe latest, latest.index == index { return latest.mark }
        let mark = mark(index, .misfit)
        unsafe latest = (index, mark)
        return mark
    }

    /// The words of an error, which are the same for a type and a number that the caller chooses.
    func words(_ type: Any.Type, _ detail: Int, _ make: () -> String) -> String {
        // Safe: the address of a type is that of its metadata, which lives as long as the process.
        let address = unsafe UInt(bitPattern: unsafeBitCast(type, to: UnsafeRawPointer.self))
        let mixed = (address &>> 4 ^ UInt(bitPattern: detail) &* 31) &* 0x9E37_79B9_7F4A_7C15
        let slot = Int(truncatingIfNeeded: mixed &>> 58)
        let known = unsafe words[slot]
        if known.type == address, known.detail == detail { return known.text }
        let text = make()
        unsafe words[slot] = Words(type: address, detail: detail, text: text)
        return text
    }
}
