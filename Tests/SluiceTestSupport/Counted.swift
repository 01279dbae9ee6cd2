// A value that knows how many of its kind live: whatever a failed reading leaves behind is seen here.

package import SluiceCore
private import Synchronization

private let living = Mutex<[ObjectIdentifier: Int]>([:])

/// An object made of a JSON string; each `Tag` is counted for itself, so that tests may run side by side.
package final class Counted<Tag>: JSONScalarBindable, Equatable, Sendable {
    package let text: String

    package init?(jsonScalar scalar: JSONScalar) {
        guard let text = scalar.string else { return nil }
        self.text = text
        living.withLock { $0[ObjectIdentifier(Tag.self), default: 0] += 1 }
    }

    deinit { living.withLock { $0[ObjectIdentifier(Tag.self), default: 0] -= 1 } }

    package func write(to writer: inout JSONWriter) throws(JSONError) { writer.write(text) }

    /// How many live now.
    package static var live: Int { living.withLock { $0[ObjectIdentifier(Tag.self)] ?? 0 } }

    package static func == (left: Counted, right: Counted) -> Bool { left.text == right.text }
}
