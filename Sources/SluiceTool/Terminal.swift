// Lines for people.

#if CommandLine
internal import Foundation

/// Standard error and standard output, unbuffered.
enum Terminal {
    /// Writes a line to standard error.
    static func tell(_ line: String) { FileHandle.standardError.write(Data((line + "\n").utf8)) }

    /// Writes text to standard output.
    static func put(_ text: String) { FileHandle.standardOutput.write(Data(text.utf8)) }
}
#endif
