// Finds the elements of an `Array` without a call into the standard library, and without retaining the array.

/// An array as the standard library stores it on 64-bit platforms: the address of an object that has the count at byte 16 and the elements
/// from byte 32 on (SwiftShims/GlobalObjects.h of the standard library). The layout is part of the ABI where the standard library belongs
/// to the system. Everywhere else ``isKnown`` checks it.
@safe
struct ArrayWords {
    /// The address of the first element.
    let first: UnsafeRawPointer
    let count: Int

    /// The array at an address; nil if an optional array there is nil. The elements are structs that are aligned to at most
    /// ``alignment`` bytes. The caller keeps the array alive while it reads them, and ``isKnown`` is true.
    @inline(__always)
    init?(at address: UnsafeRawPointer) {
        // Safe: the caller passes the address of an array.
        guard let object = unsafe address.load(as: UnsafeRawPointer?.self) else { return nil }
        count = unsafe object.load(fromByteOffset: 16, as: Int.self)
        unsafe first = unsafe object + 32
    }

    /// Elements that lie one after the other.
    init(first: UnsafeRawPointer, count: Int) {
        unsafe self.first = unsafe first
        self.count = count
    }

    /// Elements with a greater alignment may begin further on.
    static let alignment = 16

    /// Whether arrays have the layout that this type assumes.
    static let isKnown: Bool = {
        guard MemoryLayout<[Int]?>.size == 8, MemoryLayout<Int>.size == 8, !holds(nil as [Int]?) else { return false }
        return holds([Int]()) && holds([7]) && holds([true, false, true]) && holds([""]) && holds([("a", true), ("b", false)])
    }()

    private static func holds<Element>(_ array: [Element]?) -> Bool {
        unsafe withUnsafePointer(to: array) { address in
            guard let words = unsafe ArrayWords(at: address), let array, words.count == array.count else { return false }
            return unsafe array.withUnsafeBufferPointer { elements in
                // Safe: only addresses are compared.
                unsafe elements.isEmpty || elements.baseAddress.map { unsafe UnsafeRawPointer($0) } == words.first
            }
        }
    }
}
