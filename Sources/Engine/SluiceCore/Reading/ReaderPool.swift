// `Book(json: text)` needs a reader for one document. Making one costs more than reading a short text, so the last one is kept.

internal import Synchronization

extension JSONReader {
    /// A reader with default options, for one document: the one that is kept, or a new one.
    @usableFromInline
    static func borrowed() -> UnsafeMutablePointer<JSONReader> {
        if let kept = unsafe ReaderPool.exchange(nil) { return unsafe kept }
        let reader = UnsafeMutablePointer<JSONReader>.allocate(capacity: 1)
        unsafe reader.initialize(to: JSONReader())
        return unsafe reader
    }

    /// Keeps a reader with default options for the next document.
    @usableFromInline
    static func giveBack(_ reader: UnsafeMutablePointer<JSONReader>) {
        if let other = unsafe ReaderPool.exchange(reader) {
            unsafe other.deinitialize(count: 1)
            unsafe other.deallocate()
        }
    }
}

extension JSONReader.Options {
    /// Whether these are the default options.
    @usableFromInline
    var areDefaults: Bool { self == .lenient }
}

/// The reader that is kept between documents; calls at the same time make readers of their own.
private enum ReaderPool {
    /// The reader's address; 0 while it is in use.
    private static let address = Atomic<UInt>(0)

    /// Puts a reader, or none, into the pool, and returns the reader that was there. Only the caller may then use it.
    static func exchange(_ reader: UnsafeMutablePointer<JSONReader>?) -> UnsafeMutablePointer<JSONReader>? {
        // Safe: the exchange is atomic, so only one caller gets the reader that was put in.
        unsafe UnsafeMutablePointer(
            bitPattern: address.exchange(UInt(bitPattern: reader), ordering: .acquiringAndReleasing))
    }
}
