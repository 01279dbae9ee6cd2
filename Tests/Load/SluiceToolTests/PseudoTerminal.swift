#if CommandLine && os(Linux)
import Foundation
import Testing

/// A terminal that a test types on and reads from.
final class PseudoTerminal {
    private let descriptor: Int32
    /// What a shell redirects to or from.
    let path: String

    // From asm-generic/ioctls.h; Swift does not import macros of this form.
    private static let unlock: UInt = 0x4004_5431
    private static let number: UInt = 0x8004_5430

    init(columns: UInt16 = 80) throws {
        descriptor = unsafe open("/dev/ptmx", O_RDWR | O_NOCTTY)
        var (isLocked, number): (Int32, Int32) = (0, 0)
        let isReady =
            unsafe ioctl(descriptor, PseudoTerminal.unlock, &isLocked) == 0
            && ioctl(descriptor, PseudoTerminal.number, &number) == 0
        try #require(isReady)
        path = "/dev/pts/\(number)"
        var size = winsize(ws_row: 24, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
        _ = unsafe ioctl(descriptor, UInt(TIOCSWINSZ), &size)
    }

    deinit { close(descriptor) }

    func type(_ text: String) { _ = unsafe text.withCString { unsafe write(descriptor, $0, strlen($0)) } }

    /// What has been shown so far.
    func shown() -> String {
        var bytes = [UInt8](repeating: 0, count: 1 << 16)
        _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
        var text: [UInt8] = []
        while true {
            let count = unsafe read(descriptor, &bytes, bytes.count)
            guard count > 0 else { break }
            text += bytes[..<count]
        }
        return String(decoding: text, as: UTF8.self).replacing("\r\n", with: "\n")
    }
}
#endif
