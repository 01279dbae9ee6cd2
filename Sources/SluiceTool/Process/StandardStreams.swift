// Standard input, output and error may be closed when the process starts.

#if CommandLine
internal import Foundation

/// The descriptors 0, 1 and 2.
enum StandardStreams {
    /// Puts something in the place of each that is closed.
    ///
    /// Otherwise the next file or pipe that is opened would get its number, and be read as standard input or written to by a
    /// message. What is put there cannot be used the way the stream is meant, so using it is an error as before.
    static func occupy() {
        for (descriptor, mode) in [(STDIN_FILENO, O_WRONLY), (STDOUT_FILENO, O_RDONLY), (STDERR_FILENO, O_RDONLY)] {
            // The lowest number that is free is the one that is given, and those below are taken.
            if fcntl(descriptor, F_GETFD) == -1 { _ = unsafe open("/dev/null", mode) }
        }
    }

    /// A reader that has gone away ends the process no more: writing to it is an error instead.
    static func ignoreBrokenPipes() { _ = signal(SIGPIPE, SIG_IGN) }
}
#endif
