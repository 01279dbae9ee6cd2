// The objects that a type is decoded from mostly have the same keys in the same order. So the orders seen so far are kept, with
// the key of the type for each key of the object. If an object's keys equal one of these orders byte by byte, no key has to be looked
// up by name or checked for duplicates.

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
    private struct Order {
        let keys: UnsafeMutablePointer<Key>
        var count = 0
        /// Keys of the type that are known to be missing from objects with this order, one bit for each byte.
        let absent = UnsafeMutablePointer<UInt64>.allocate(capacity: 4)

        init(room: Int) {
            unsafe keys = .allocate(capacity: room)
            unsafe absent.initialize(repeating: 0, count: 4)
        }

        func deallocate() {
            for index in 0..<count { unsafe keys[index].text.deallocate() }
            unsafe keys.deallocate()
            unsafe absent.deallocate()
        }
    }

    private static let noByte = 256
    private static let greatestNumber = 4
    private static let greatestCount = 128
    private static let greatestKeySize = 64

    /// For the byte of each key, the index of the value's entry; 0 if the object does not have the key.
    package let values: UnsafeMutablePointer<Int32>
    private let orders: UnsafeMutablePointer<Order>
    private var number = 0
    /// The order that matched last.
    private var latest = 0
    /// Whether `values` may hold values that do not belong to the latest order.
    private var isMixed = false
    /// Orders are kept only while they pay off: keeping a new one costs credit, and each object that matches an order adds some.
    private var credit = 16
    private static let price = 4

    package init() {
        unsafe values = .allocate(capacity: KeyOrders.noByte + 1)
        unsafe values.initialize(repeating: 0, count: KeyOrders.noByte + 1)
        unsafe orders = .allocate(capacity: KeyOrders.greatestNumber)
    }

    deinit {
        for index in 0..<number { unsafe orders[index].deallocate() }
        unsafe orders.deallocate()
        unsafe values.deallocate()
    }

    /// Finds the values of an object whose keys are all plain ASCII; false if no order matches.
    package func find(in tape: JSONTape, _ head: Int) -> Bool {
        let count = unsafe tape.entries[head].count
        var index = latest
        for _ in 0..<number {
            // Safe: `index` is below `number`, the count of orders kept.
            if unsafe orders[index].count == count {
                if isMixed || index != latest { unsafe values.update(repeating: 0, count: KeyOrders.noByte) }
                isMixed = unsafe !fits(orders + index, tape, head)
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

    /// Compares an object's keys with those of an order, and notes its values.
    @inline(__always)
    private func fits(_ order: UnsafePointer<Order>, _ tape: JSONTape, _ head: Int) -> Bool {
        let (entries, start, size) = unsafe (tape.entries, tape.start, tape.size)
        var member = head &+ 2
        var key = unsafe order.pointee.keys
        for _ in unsafe 0..<order.pointee.count {
            let entry = unsafe entries[member]
            let offset = Int(entry.offset)
            guard unsafe entry.count == key.pointee.size else { return false }
            // Safe: the entry lies in the text, and the key's text is padded to whole blocks.
            let isEqual =
                size &- offset >= 16 && entry.count > 0
                ? unsafe cscan_begins_with(start + offset, key.pointee.text, entry.count)
                : unsafe equalBytes(start + offset, key.pointee.text, entry.count)
            guard isEqual else { return false }
            // Safe: there is room for the byte of every key, and for `noByte`. An index fits, because a tape has at most
            // `JSONTape.greatestEntryCount` entries.
            unsafe values[key.pointee.byte] = Int32(truncatingIfNeeded: member &+ 1)
            member = tape.index(after: member &+ 1)
            unsafe key += 1
        }
        return true
    }

    /// Keeps the order of an object whose keys are all plain ASCII and all different. Returns false if orders no longer pay off, or if
    /// the object has too many keys or one that is too long.
    ///
    /// - Parameter byte: Returns the byte of the type's key that has a name; nil if the type has no such key.
    package func learn(from tape: JSONTape, _ head: Int, _ byte: (String) -> UInt8?) -> Bool {
        let count = unsafe tape.entries[head].count
        guard credit >= KeyOrders.price, count > 0, count <= KeyOrders.greatestCount else { return false }
        credit &-= KeyOrders.price
        var order = Order(room: count)
        var member = head &+ 2
        while order.count < count {
            let name = unsafe tape.entries[member].count <= KeyOrders.greatestKeySize ? tape.string(at: member) : nil
            guard let name else {
                order.deallocate()
                return false
            }
            let text = UnsafeMutablePointer<UInt8>.allocate(capacity: KeyOrders.greatestKeySize + 16)
            unsafe text.initialize(repeating: 0, count: KeyOrders.greatestKeySize + 16)
            unsafe text.update(from: tape.start + Int(tape.entries[member].offset), count: tape.entries[member].count)
            unsafe (order.keys + order.count).initialize(
                to: Key(text: text, size: tape.entries[member].count, byte: byte(name).map(Int.init) ?? KeyOrders.noByte))
            order.count += 1
            member = tape.index(after: member &+ 1)
        }
        keep(order)
        return true
    }

    /// Adds an order to the list; if the list is full, the order replaces the one after the latest.
    private func keep(_ order: Order) {
        if number < KeyOrders.greatestNumber {
            unsafe (orders + number).initialize(to: order)
            number += 1
            return
        }
        let index = (latest + 1) % number
        unsafe orders[index].deallocate()
        unsafe orders[index] = order
    }

    // MARK: Missing keys

    /// Whether a key of the type is known to be missing from the object found last.
    package func isAbsent(_ byte: Int) -> Bool {
        assert((0...255).contains(byte))
        return unsafe orders[latest].absent[byte &>> 6] & 1 &<< UInt64(truncatingIfNeeded: byte) != 0
    }

    /// Records that a key of the type is missing from the object found last.
    package func noteAbsent(_ byte: Int) {
        assert((0...255).contains(byte))
        unsafe orders[latest].absent[byte &>> 6] |= 1 &<< UInt64(truncatingIfNeeded: byte)
    }
}
