// Shows an error of Sluice through Foundation's protocol for errors.

public import Foundation
public import SluiceCore

extension JSONError: LocalizedError {
    /// The summary in one line: kind, position, expected, found and hint. `localizedDescription` returns it.
    public var errorDescription: String? { summary }

    /// The hint, if the error has one.
    public var recoverySuggestion: String? { hint }
}
