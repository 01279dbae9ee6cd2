// Rows that the inputs of a complete snapshot no longer have. During such a load, the sink notes the keys of the records, in the
// same transactions. At the end, a row is missing if its key was not noted.

internal import SluiceCore

/// What happens to missing rows. The inputs must be a complete snapshot of the table.
public enum MissingRows: String, Hashable, Sendable, Codable, CaseIterable {
    /// They stay as they are.
    case keep
    /// Their column `_missing_since` gets the time. When a row comes back, it becomes null.
    case mark
    /// They are removed.
    case delete

    /// The column of marks.
    package static let markColumn = "_missing_since"
}

/// A change that a sink makes at the end of a load.
package enum MissingChange: Hashable, Sendable {
    /// Removes the rows whose keys were not noted, and those of child tables.
    case delete
    /// Marks the rows whose keys were not noted and which have no mark yet.
    case mark
    /// Clears the marks of rows whose keys were noted.
    case clear
}

/// A load whose keys are noted, as the sink keeps it beside the checkpoints.
package struct SinkSnapshot: Hashable, Sendable {
    /// The same for the same inputs.
    package let load: String
    /// The ``RunIdentity/text`` of the run that has noted keys last.
    package let run: String
    /// Whether the rows that the inputs did not have were dealt with.
    package let isDone: Bool

    package init(load: String, run: String, isDone: Bool) { (self.load, self.run, self.isDone) = (load, run, isDone) }

    /// The run that has noted keys last and has not dealt with the missing rows; nil if that is done.
    package var runInProgress: RunIdentity? { isDone ? nil : RunIdentity(text: run) }

    /// The snapshot as one line of JSON, for the sink.
    package var text: String {
        let value: JSONValue = ["load": .string(load), "run": .string(run), "done": .bool(isDone)]
        return (try? value.jsonString()) ?? ""
    }

    /// - Returns: nil if the text is something else.
    package init?(text: String) {
        guard let json = try? JSONValue(json: text), let load = json["load"]?.string, let run = json["run"]?.string,
            let isDone = json["done"]?.bool
        else { return nil }
        self.init(load: load, run: run, isDone: isDone)
    }
}

/// Thrown by a sink that does not find the rows of all noted keys: then it is not known which rows are missing.
package struct UnfoundKeys: Error {
    package let count: Int

    package init(count: Int) { self.count = count }
}
