// Unsafe code is safe because of what its callers promise. In debug builds, and in those of `make test`, assertions hold them to it: a wrong
// slot, address or mark ends the process instead of touching memory that belongs to something else.

import SluiceTestSupport
import Testing

@testable import SluiceCore

@Suite struct WrongSlotTests {
    @Test(.enabled(if: hasAssertions, "built without assertions"), arguments: WrongSlot.allCases)
    func aWrongSlotTraps(_ slot: WrongSlot) async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            [slot = slot as WrongSlot] in
            skipBacktrace()
            slot.use()
        }
        let words = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(words.contains("Assertion failed"), "\(words)")
    }

    @Test(arguments: WrongSlot.allCases) func theNextSlotDoesNot(_ slot: WrongSlot) { slot.use(isWrong: false) }
}

/// Whether assertions are compiled into the library: the tests and the library are built with them, or neither is.
private var hasAssertions: Bool {
    var result = false
    func note() -> Bool {
        result = true
        return true
    }
    assert(note())
    return result
}

/// A way to break what unsafe code relies on.
enum WrongSlot: String, CaseIterable, Codable, Sendable {
    case row, key, presence, nullBit, mark, alignment, segment, element, address, string, sharedKey, bit, bits, columnMemory

    /// Uses the first slot, address or size that is not there, or the last one that is.
    func use(isWrong: Bool = true) {
        let past = isWrong ? 1 : 0
        let table = Trio<Int>._jsonTable
        guard let layout = table.binding.model else { return }
        switch self {
        case .row: _ = layout.row(ofSlot: layout.slotCount - 1 + past)
        case .key: _ = layout.level.row(at: layout.level.count - 1 + past)
        case .presence, .nullBit:
            unsafe withUnsafeTemporaryAllocation(of: UInt64.self, capacity: 4) { words in
                unsafe words.initialize(repeating: 0)
                // Safe: there are more words than the bits say.
                let bits = unsafe _BoundProperties(words: UnsafePointer(words.baseAddress.unsafelyUnwrapped), wordCount: 1)
                _ = self == .presence ? bits.contains(63 + past) : bits.isNull(63 + past)
            }
        case .mark, .segment, .alignment:
            var arena = Arena()
            defer { arena.deallocate() }
            let low = arena.mark
            // The second allocation needs a segment of its own.
            _ = unsafe arena.allocate(64, alignment: self == .alignment ? 16 - past : 16)
            if self == .segment { _ = unsafe arena.allocate(1 << 20, alignment: 16) }
            let high = arena.mark
            if isWrong { arena.release(to: low) }
            arena.release(to: high)
        case .element:
            unsafe withUnsafeTemporaryAllocation(byteCount: 64, alignment: 16) { memory in
                let start = unsafe memory.baseAddress.unsafelyUnwrapped
                let arena = Arena()
                defer { arena.deallocate() }
                var frame = unsafe Frame(ofRoot: ReaderRows.none, at: start, .empty, mark: arena.mark)
                frame.stride = 8
                unsafe frame.address = unsafe start + 16 + past
                _ = frame.countInMemory
            }
        case .address, .string:
            let text = Array("  x ".utf8)
            unsafe text.withUnsafeBufferPointer { text in
                let start = unsafe text.baseAddress.unsafelyUnwrapped
                let cursor = unsafe TextCursor(end: start + 3)
                var (address, high) = (unsafe start + 3 + past, UInt32(0))
                _ = unsafe self == .address ? cursor.skipBlanks(address) != nil : cursor.skipPlain(&address, &high)
            }
        case .sharedKey:
            let key: [UInt8] = Array("key".utf8)
            unsafe key.withUnsafeBufferPointer { key in
                let start = unsafe key.baseAddress.unsafelyUnwrapped
                let known = unsafe isWrong ? .none : ExpectedKeyHandle(unboundKeyOf: start, 3, ReaderRows.ignored, room: 8)
                unsafe known.replace(by: start, 3)
                if !isWrong { known.free() }
            }
        case .bit, .bits:
            let memory = BitMemory(capacity: 512)
            defer { memory.deallocate() }
            if self == .bit { memory.append(true, at: 511 + past) } else { memory.appendOnes(500 + past, at: 12) }
        case .columnMemory:
            var memory = ColumnMemory(capacity: 64)
            memory.grow(to: 128, keeping: 64 + past)
            memory.deallocate()
        }
    }
}
