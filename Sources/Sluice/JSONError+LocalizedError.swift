// An error of Sluice, shown the way Foundation shows errors.

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif
public import SluiceCore

extension JSONError: LocalizedError {
    /// The summary, which `localizedDescription` gives: kind, place, expected, found and hint in one line.
    public var errorDescription: String? { summary }

    /// The hint, if the error has one.
    public var recoverySuggestion: String? { hint.isEmpty ? nil : hint }
}
