// The result of a check.

package import SluiceCore
package import SluiceFeed

/// The result of a check of one input.
package struct CheckReport {
    package let name: String
    package var format = JSONFeedFormat.automatic
    /// Where the records are in the input's documents.
    package var path: JSONRecordPath?
    package var isCompressed = false
    /// Records that are valid JSON.
    package var records = 0
    /// Records that are not.
    package var wrong = 0
    /// The errors of the first wrong records.
    package var errors: [JSONError] = []
    package var bytes = 0
    package var nanoseconds: UInt64 = 0
    /// The signal that ended the check, or 0.
    package var signal: Int32 = 0
    /// Whether there were more errors than allowed.
    package var isStopped = false

    mutating func note(_ error: JSONError, limit: Int) {
        wrong += 1
        if errors.count < limit { errors.append(error) }
    }
}
