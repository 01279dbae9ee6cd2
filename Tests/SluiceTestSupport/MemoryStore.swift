// A store of archives for tests.

import SluiceCore
import Synchronization

/// A store in memory.
package final class MemoryStore: JSONKeyValueStore, Sendable {
    private let contents = Mutex<[String: [UInt8]]>([:])

    package init() {}

    package func bytes(forKey key: String) -> [UInt8]? { contents.withLock { $0[key] } }
    package func setBytes(_ bytes: [UInt8], forKey key: String) { contents.withLock { $0[key] = bytes } }
    package func removeBytes(forKey key: String) { contents.withLock { _ = $0.removeValue(forKey: key) } }
    /// All keys, sorted.
    package var keys: [String] { contents.withLock { $0.keys.sorted() } }
}
