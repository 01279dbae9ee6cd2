// Threads may meet a key type, or one of its keys, at the same moment. One of them keeps what it has made; the others free theirs. That
// nothing is left is LeakSanitizer's to say: `Scripts/net asan`.

import SluiceCore
import Testing

@testable import SluiceCodable

@Suite(.serialized) struct KeyNameLeakTests {
    private enum Key: String, CodingKey { case a, b }

    /// Lives as long as the process, as every table of types.
    private static let table = TypeTable<KeyNames>()

    @Test func namesThatAnotherThreadHasMadeFirstAreFreed() {
        let table = KeyNameLeakTests.table
        // Not weak: these names stay, and LeakSanitizer would not see what refers to the record of their weak references.
        var first: ObjectIdentifier?
        weak var second: KeyNames?
        let record = unsafe table.record(of: Key.self) {
            // As another thread may: the names of the same type are made while these are.
            _ = unsafe table.record(of: Key.self) {
                let names = KeyNames()
                first = ObjectIdentifier(names)
                return names
            }
            let names = KeyNames()
            second = names
            return names
        }
        #expect(first != nil)
        #expect(unsafe record.pointee.worker.map(ObjectIdentifier.init) == first)
        #expect(second == nil)
    }

    /// A key whose name is asked for while it is found out for the first time.
    private enum Nested: CodingKey {
        case a, b

        nonisolated(unsafe) static var onName: (() -> Void)?

        var stringValue: String {
            let onName = unsafe Nested.onName
            unsafe Nested.onName = nil
            onName?()
            return "a"
        }
    }

    @Test(arguments: [false, true]) func aNameThatAnotherThreadHasMadeFirstIsKept(escapesSlashes: Bool) throws {
        let names = try #require(KeyNames.of(Nested.self))
        var first: UInt?
        unsafe Nested.onName = {
            first = unsafe UInt(bitPattern: names.name(of: Nested.a, escapesSlashes: escapesSlashes))
        }
        // The encoder that asked first goes on using what it got, so the name that is kept must be that one.
        for _ in 0..<2 {
            #expect(unsafe UInt(bitPattern: names.name(of: Nested.a, escapesSlashes: escapesSlashes)) == first)
        }
        #expect(first != nil)
    }
}
