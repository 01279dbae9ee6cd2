// The names of the tables that a database has beside the rows.

/// The tables of the ledger that have no other name.
package enum OwnTables {
    /// How far inputs have been read.
    package static let checkpoints = "_sluice_checkpoints"
    /// What tables remember of their columns.
    package static let memory = "_sluice_memory"
    package static let names = [checkpoints, memory]
}
