// Handles standard streams that are closed when the process starts, and pipes whose reader has gone.

#if CommandLine
internal import Foundation
internal import SluiceIngest

/// The descriptors 0, 1 and 2.
enum StandardStreams {
    /// Opens a stand-in for each stream that is closed.
    ///
    /// Otherwise the next file or pipe to be opened would get the stream's number, and be read as standard input or written to by
    /// a message. A stand-in is opened in the wrong direction, so using it is still an error.
    static func occupy() {
        for (descriptor, mode) in [(STDIN_FILENO, O_WRONLY), (STDOUT_FILENO, O_RDONLY), (STDERR_FILENO, O_RDONLY)] {
            // `open` returns the lowest free number, and all lower ones are taken.
            if fcntl(descriptor, F_GETFD) == -1 { _ = unsafe open("/dev/null", mode) }
        }
    }

    /// From now on, writing to a pipe whose reader has gone is an error, and no longer ends the process.
    static func ignoreBrokenPipes() { _ = signal(SIGPIPE, SIG_IGN) }

    /// From now on, writing beyond a limit of the file size (`ulimit -f`) is an error with a message, and no longer ends the process.
    static func ignoreFileSizeLimit() { _ = signal(SIGXFSZ, SIG_IGN) }
}
#endif
