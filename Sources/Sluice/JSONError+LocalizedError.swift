// Shows an error of Sluice through Foundation's protocol for errors.

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif
public import SluiceCore

extension JSONError: LocalizedError {
    /// The summary in one line: kind, place, expected, found and hint. `localizedDescription` returns it.
    public var errorDescription: String? { summary }

    /// The hint, if the error has one.
    public var recoverySuggestion: String? { hint.isEmpty ? nil : hint }
}
