// Sinks whose rows may be text from the start.

package import SluiceCore

/// A sink that stores text, where the options allow it: then records become text in the workers, and need no cells.
package protocol TextSink: RecordSink {
    /// How records become text; nil if the sink needs cells.
    ///
    /// - Parameters:
    ///   - columns: The declared columns.
    ///   - needsCells: Whether other options ask for cells of columns.
    ///   - needsColumns: Whether other options say which columns there are.
    func textForm(columns: [JSONColumn], needsCells: Bool, needsColumns: Bool) -> RecordTextForm?
}
