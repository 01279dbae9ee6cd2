// The version of the yajl library that this process has loaded.

internal import CYajl

/// The yajl library.
package enum YajlLibrary {
    /// Its version, such as `2.1.0`. Distributions fix bugs without changing this number.
    package static var version: String {
        let number = Int(yajl_version())
        return "\(number / 10_000).\(number / 100 % 100).\(number % 100)"
    }
}
