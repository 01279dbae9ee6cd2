// An address for a pointer that must not be nil, but is never read.

/// Memory that stands for empty text.
enum NoBytes {
    // Safe: never read and never freed; large enough for code that looks at a whole word.
    nonisolated(unsafe) static let address: UnsafePointer<UInt8> = {
        let byte = UnsafeMutablePointer<UInt8>.allocate(capacity: 16)
        unsafe byte.initialize(repeating: 0, count: 16)
        return unsafe UnsafePointer(byte)
    }()
}
