// A source of bytes that need not be read from its beginning.

package import SluiceCore

/// A source that can continue at another position.
package protocol SeekableSource: ByteSource {
    /// Moves to a byte offset from the source's beginning; returns false if it cannot.
    ///
    /// - Throws: `JSONError` of kind `inputOutput`.
    mutating func seek(to offset: Int) throws(JSONError) -> Bool
}
