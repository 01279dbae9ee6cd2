// The version of the yajl library that this process has loaded, and the result of its self-test.

internal import CYajl

/// The yajl library.
package enum YajlLibrary {
    /// Its version, such as `2.1.0`. Distributions fix bugs without changing this number.
    package static var version: String {
        let number = Int(yajl_version())
        return "\(number / 10_000).\(number / 100 % 100).\(number % 100)"
    }

    /// The result of the self-test, in one line.
    package static var verdict: String { verdict(on: YajlSelfTest.failure) }

    static func verdict(on failure: JSONError?) -> String {
        guard let failure else { return "self-test passed: CVE-2017-16516 is fixed" }
        return "self-test failed: \(failure.summary)"
    }
}
