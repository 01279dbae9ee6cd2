// While a transaction is open, no other process can write to the database. So a run that waits for a slow pipe commits what it has read,
// and begins the next transaction when there is something to store.

#if CommandLine
internal import Foundation
internal import GRDB

extension IngestRun {
    /// How many milliseconds an input may have nothing to read before the transaction is ended.
    static let patience = 100

    /// Runs a body that waits for an input; without a transaction, unless the input is ready.
    func waiting<Result>(for opened: OpenInput, isReady: @autoclosure () -> Bool, _ body: () -> Result) throws -> Result {
        guard let db, db.isInsideTransaction, !isReady() else { return body() }
        if hasReadNothing, !hasCommitted, nextSequence == nil {
            // Empty tables would be in the way of the next run, if this one has to end before the first record.
            try db.rollback()
            loader = nil
        } else {
            try commitBatch(opened, db)
        }
        let result = body()
        try db.beginTransaction(.immediate)
        if loader == nil { try prepare(db) }
        return result
    }
}
#endif
