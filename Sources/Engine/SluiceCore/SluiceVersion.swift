/// The version of this package.
package enum SluiceVersion {
    /// By the rules of https://semver.org.
    package static let text = "0.1.0"
}
