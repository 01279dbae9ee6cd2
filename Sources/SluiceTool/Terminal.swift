// Lines for people.

#if CommandLine
internal import Foundation
internal import SluiceCore

/// Standard error and standard output, unbuffered.
enum Terminal {
    /// Writes a line to standard error. If that fails, there is no place left to say so.
    static func tell(_ line: String) { show(line + "\n") }

    /// Writes text to standard error.
    static func show(_ text: String) { try? write(text, to: FileOutput(descriptor: STDERR_FILENO, name: "standard error")) }

    /// Writes text to standard output.
    ///
    /// - Throws: ``JSONError`` of kind `inputOutput`.
    static func put(_ text: String) throws(JSONError) {
        try write(text, to: FileOutput(descriptor: STDOUT_FILENO, name: "standard output"))
    }

    private static func write(_ text: String, to output: FileOutput) throws(JSONError) {
        var failure: JSONError?
        unsafe Array(text.utf8).withUnsafeBytes { bytes in
            do throws(JSONError) { unsafe try output.write(bytes) } catch { failure = error }
        }
        if let failure { throw failure }
    }
}
#endif
