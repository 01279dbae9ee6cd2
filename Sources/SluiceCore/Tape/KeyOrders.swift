// The objects that a type is decoded from mostly have the same keys in the same order. So the orders seen so far are kept, together with
// the type's key for each place. If an object's keys equal one of these orders byte by byte, it needs neither a look-up by name nor a
// check for duplicate keys.

internal import CScan

/// The orders of keys seen so far in the objects of one type. Each key of the type is identified by a byte.
///
/// A worked example: the type has the keys `name` = 0 and `id` = 1. In the order `"id", "x", "name"` the keys' bytes are 1, none and 0.
/// For an object with these keys, whose values are the entries 5, 7 and 9, ``values`` then begins with 9, 5.
@safe
package final class KeyOrders {
    @safe
    private struct Key {
        /// Padded to whole blocks of 16 bytes.
        let text: UnsafeMutablePointer<UInt8>
        let size: Int
        /// ``noByte`` for a key that the type does not have.
        let byte: Int
    }

    @safe
    private struct Layout {
        let keys: UnsafeMutablePointer<Key>
        let count: Int
        /// Keys of the type that are known to be missing from objects of this layout, one bit for each byte.
        var absent: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)

        func deallocate() {
            for index in 0..<count { unsafe keys[index].text.deallocate() }
            unsafe keys.deallocate()
        }
    }

    private static let noByte = 256
    private static let greatestNumber = 4
    private static let greatestCount = 128
    private static let greatestKeySize = 64

    /// The entry index of each value of the object, by the byte of its key; 0 where the object has no such key.
    package let values: UnsafeMutablePointer<Int32>
    private let layouts: UnsafeMutablePointer<Layout>
    private var number = 0
    /// The layout that matched last.
    private var latest = 0
    /// Whether `values` may hold values that do not belong to the latest layout.
    private var isMixed = false
    /// Layouts are made only while they pay off: making one costs some credit, and each object that matches one adds some.
    private var credit = 16
    private static let price = 4

    package init() {
        unsafe values = .allocate(capacity: KeyOrders.noByte + 1)
        unsafe values.initialize(repeating: 0, count: KeyOrders.noByte + 1)
        unsafe layouts = .allocate(capacity: KeyOrders.greatestNumber)
    }

    deinit {
        for index in 0..<number { unsafe layouts[index].deallocate() }
        unsafe layouts.deallocate()
        unsafe values.deallocate()
    }

    /// Finds the values of an object whose keys are all plain ASCII; false if no layout matches.
    package func find(in tape: JSONTape, _ head: Int) -> Bool {
        let count = unsafe tape.entries[head].count
        var index = latest
        for _ in 0..<number {
            // Safe: `index` is below `number`, the count of layouts made.
            if unsafe layouts[index].count == count {
                if isMixed || index != latest { unsafe values.update(repeating: 0, count: KeyOrders.noByte) }
                isMixed = unsafe !fits(layouts + index, tape, head)
                if !isMixed {
                    latest = index
                    credit = min(credit &+ 1, 64)
                    return true
                }
            }
            index = index &+ 1 < number ? index &+ 1 : 0
        }
        return false
    }

    /// Compares an object's keys with those of a layout, and records its values.
    @inline(__always)
    private func fits(_ layout: UnsafePointer<Layout>, _ tape: JSONTape, _ head: Int) -> Bool {
        let (entries, start, size) = unsafe (tape.entries, tape.start, tape.size)
        var place = head &+ 2
        var key = unsafe layout.pointee.keys
        for _ in unsafe 0..<layout.pointee.count {
            let entry = unsafe entries[place]
            let offset = Int(entry.offset)
            guard unsafe entry.count == key.pointee.size else { return false }
            // Safe: the entry lies in the text, and the layout's text is padded to whole blocks.
            let isEqual =
                size &- offset >= 16 && entry.count > 0
                ? unsafe cscan_begins_with(start + offset, key.pointee.text, entry.count)
                : unsafe equalBytes(start + offset, key.pointee.text, entry.count)
            guard isEqual else { return false }
            // Safe: `byte` is that of a key, or `noByte`, for which there is room too; a tape has at most
            // `JSONTape.greatestEntryCount` entries.
            unsafe values[key.pointee.byte] = Int32(truncatingIfNeeded: place &+ 1)
            place = tape.index(after: place &+ 1)
            unsafe key += 1
        }
        return true
    }

    /// Makes a layout from an object whose keys are all plain ASCII and all different; false if layouts no longer pay off, or if the
    /// object has too many keys or one that is too long.
    ///
    /// - Parameter byte: Returns the byte of the type's key with a name; nil if it has no such key.
    package func learn(from tape: JSONTape, _ head: Int, _ byte: (String) -> UInt8?) -> Bool {
        let count = unsafe tape.entries[head].count
        guard credit >= KeyOrders.price, count > 0, count <= KeyOrders.greatestCount else { return false }
        credit &-= KeyOrders.price
        let keys = UnsafeMutablePointer<Key>.allocate(capacity: count)
        var layout = unsafe Layout(keys: keys, count: count)
        var place = head &+ 2
        for index in 0..<count {
            let name = unsafe tape.entries[place].count <= KeyOrders.greatestKeySize ? tape.string(at: place) : nil
            guard let name else {
                layout = unsafe Layout(keys: keys, count: index)
                layout.deallocate()
                return false
            }
            let text = UnsafeMutablePointer<UInt8>.allocate(capacity: KeyOrders.greatestKeySize + 16)
            unsafe text.initialize(repeating: 0, count: KeyOrders.greatestKeySize + 16)
            unsafe text.update(from: tape.start + Int(tape.entries[place].offset), count: tape.entries[place].count)
            unsafe (keys + index).initialize(
                to: Key(text: text, size: tape.entries[place].count, byte: byte(name).map(Int.init) ?? KeyOrders.noByte))
            place = tape.index(after: place &+ 1)
        }
        keep(layout)
        return true
    }

    /// Keeps a layout; if the list is full, it replaces the one behind the latest.
    private func keep(_ layout: Layout) {
        if number < KeyOrders.greatestNumber {
            unsafe (layouts + number).initialize(to: layout)
            number += 1
            return
        }
        let index = (latest + 1) % number
        unsafe layouts[index].deallocate()
        unsafe layouts[index] = layout
    }

    // MARK: Missing keys

    /// Whether a key of the type is known to be missing from the object found last.
    package func isAbsent(_ byte: Int) -> Bool { word(byte) & 1 &<< UInt64(truncatingIfNeeded: byte) != 0 }

    private func word(_ byte: Int) -> UInt64 {
        let absent = unsafe layouts[latest].absent
        switch byte &>> 6 {
        case 0: return absent.0
        case 1: return absent.1
        case 2: return absent.2
        default: return absent.3
        }
    }

    /// Records that a key of the type is missing from the object found last.
    package func noteAbsent(_ byte: Int) {
        let bit = 1 as UInt64 &<< UInt64(truncatingIfNeeded: byte)
        switch byte &>> 6 {
        case 0: unsafe layouts[latest].absent.0 |= bit
        case 1: unsafe layouts[latest].absent.1 |= bit
        case 2: unsafe layouts[latest].absent.2 |= bit
        default: unsafe layouts[latest].absent.3 |= bit
        }
    }
}
