// Reads bytes from a file or a pipe until it ends, or until a signal arrives.

package import SluiceCore

/// A descriptor whose bytes end when a signal arrives.
package struct InterruptibleSource: ByteSource {
    private var source: FileDescriptorSource
    private let descriptor: Int32
    private let interruption: Interruption

    package var name: String { source.name }

    package init(descriptor: Int32, name: String, interruption: Interruption) {
        source = FileDescriptorSource(descriptor: descriptor, name: name)
        self.descriptor = descriptor
        self.interruption = interruption
    }

    package mutating func read(into output: inout OutputRawSpan) throws(JSONError) {
        guard interruption.waits(for: descriptor) else { return }
        try source.read(into: &output)
    }
}
