// Strings of 16 to 63 bytes, the most common of those that do not fit into the string itself, are made here by one call: memory from
// Swift's runtime, and the text. By way of the standard library it is seven calls, which cost twice as much as the memory.

internal import CScan

/// Strings that lie in memory of their own.
///
/// The form is the one of 64-bit platforms (StringObject.swift and StringStorage.swift of the standard library). ``metadata`` finds
/// out whether it holds, for each length.
enum HeapString {
    static let leastCount = 16
    /// Longer strings have a place for breadcrumbs.
    static let greatestCount = 63

    /// The address that the objects of native strings begin with; nil if the standard library makes strings in another form than
    /// ``make`` does.
    static let metadata: UInt? = {
        guard StringWords.isKnown, let metadata = Sample(count: leastCount, isASCII: true).head?.metadata else { return nil }
        let isKnown = (leastCount...greatestCount).allSatisfy { count in
            Sample(count: count, isASCII: true).isMade(metadata) && Sample(count: count, isASCII: false).isMade(metadata)
        }
        return isKnown ? metadata : nil
    }()

    /// A string of 16 to 63 bytes, which are valid UTF-8.
    ///
    /// - Parameter metadata: ``metadata``.
    @inline(__always)
    static func make(_ metadata: UInt, _ bytes: UnsafePointer<UInt8>, _ count: Int, isASCII: Bool) -> String {
        let description = UInt64(truncatingIfNeeded: count) | (isASCII ? asciiFlags : otherFlags)
        // Safe: there are as many bytes, and the call returns an object that is ours alone.
        let object = unsafe UInt(bitPattern: cscan_make_string(UnsafeRawPointer(bitPattern: metadata), bytes, count, description))
        var text = ""
        // Safe: strings have been found to have this form. The one that is overwritten owns no memory; the object passes to the new one.
        unsafe withUnsafeMutableBytes(of: &text) {
            unsafe $0.storeBytes(of: (description, UInt64(object)), as: (UInt64, UInt64).self)
        }
        return text
    }

    // The bytes follow the head of the object, which the string keeps alive; and there are only ASCII characters, in normal form.
    private static let asciiFlags: UInt64 = 0xF &<< 60
    private static let otherFlags: UInt64 = 3 &<< 60

    /// A string of the standard library, to compare with.
    private struct Sample {
        private let text: String
        private let isASCII: Bool

        init(count: Int, isASCII: Bool) {
            text = String(decoding: Sample.bytes(count, isASCII), as: UTF8.self)
            self.isASCII = isASCII
        }

        private static func bytes(_ count: Int, _ isASCII: Bool) -> [UInt8] {
            let tail: [UInt8] = isASCII ? [] : Array("é".utf8)
            return (0..<count - tail.count).map { UInt8(ascii: "a") + UInt8($0 % 26) } + tail
        }

        /// What the string says about itself, and its object; nil if it is not stored in this form.
        var head: Head? { Head(of: text) }

        /// Whether ``HeapString/make(_:_:_:isASCII:)`` makes the same of the same bytes.
        func isMade(_ metadata: UInt) -> Bool {
            let bytes = Array(text.utf8)
            let made = unsafe bytes.withUnsafeBufferPointer { bytes in
                // Safe: there are 16 bytes or more.
                unsafe HeapString.make(metadata, bytes.baseAddress.unsafelyUnwrapped, bytes.count, isASCII: isASCII)
            }
            return head != nil && head == Head(of: made) && made == text
        }
    }

    /// What a string says about itself, and what stands before and behind the text in its object, but for the count of references.
    private struct Head: Equatable {
        let metadata: UInt
        let capacity: UInt64
        let descriptions: [UInt64]
        let byteBehindText: UInt8

        init?(of text: String) {
            let words = StringWords(text)
            guard !words.isSmall, let bytes = unsafe words.ownBytes, let start = bytes.baseAddress else { return nil }
            // Safe: the string says that its bytes follow the head of its object, which is four words long, and `text` keeps it. Native
            // strings end with a zero.
            let object = unsafe UnsafeRawPointer(start - 32)
            metadata = unsafe object.load(as: UInt.self)
            capacity = unsafe object.load(fromByteOffset: 16, as: UInt64.self)
            descriptions = unsafe [words.description, object.load(fromByteOffset: 24, as: UInt64.self)]
            byteBehindText = unsafe start[bytes.count]
        }
    }
}
