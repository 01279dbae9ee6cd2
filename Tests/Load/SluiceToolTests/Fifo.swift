#if CommandLine && os(Linux)
import Foundation
import SluiceTestSupport
import Testing

/// A FIFO in a test's folder, held open so that it neither ends nor blocks.
final class Fifo {
    private var descriptor: Int32

    init(_ scratch: Scratch, _ name: String = "feed") throws {
        try #require(unsafe mkfifo(scratch.path(name), 0o600) == 0)
        descriptor = unsafe open(scratch.path(name), O_RDWR)
    }

    deinit { end() }

    /// Closes the FIFO: its reader finds the end.
    func end() {
        if descriptor >= 0 { close(descriptor) }
        descriptor = -1
    }

    func write(_ text: String) { _ = unsafe text.withCString { unsafe Glibc.write(descriptor, $0, strlen($0)) } }

    /// Waits until a reader has taken what was written.
    func awaitReader() {
        var count: Int32 = 1
        for _ in 0..<30_000 {
            _ = unsafe ioctl(descriptor, UInt(FIONREAD), &count)
            if count == 0 { return }
            usleep(1_000)
        }
    }
}
#endif
