// A source of bytes that need not be read from its beginning.

package import SluiceCore

/// A source that can go on at another place.
package protocol SeekableSource: ByteSource {
    /// Goes to a place, counted in bytes from the source's beginning; false if it cannot.
    ///
    /// - Throws: `JSONError` of kind `inputOutput`.
    mutating func seek(to offset: Int) throws(JSONError) -> Bool
}
