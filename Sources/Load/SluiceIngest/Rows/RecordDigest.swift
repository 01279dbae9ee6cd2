// A number for the text of a record, by which it is recognised when it is read again.

internal import SluiceCore

/// A digest of a record's text. It tells another text at the same place; it is no protection from somebody who makes a text to fit.
package enum RecordDigest {
    /// The digest of a text without the white space around it. Databases keep it, so it stays the same in all versions.
    package static func of(_ text: UnsafeRawBufferPointer) -> Int64 {
        let text = unsafe text.withoutLeadingBlanks
        let end = unsafe (text.lastIndex { !JSONWhiteSpace.contains($0) } ?? -1) + 1
        return unsafe Int64(bitPattern: TailDigest.hash(UnsafeRawBufferPointer(rebasing: text[..<end])))
    }
}
