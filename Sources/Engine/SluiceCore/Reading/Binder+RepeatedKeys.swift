// Finds keys that are repeated in one object, where no property shows that its key came before: in dictionaries, trees and collected
// members, and in objects that key paths lead through. The keys of most objects are not noted. They are noted if the options do not let
// the last value count, and from the first key on that may become the same key as one with other bytes.
//
//     {"e\u0301": 1, "\u00e9": 2}       two keys of JSON, one key of [String: Int]

extension Binder {
    /// The keys of an open object.
    struct NotedKeys {
        /// The level of the object's frame: how many frames lie below it.
        let level: Int
        /// The text of each key.
        var texts: [AnyHashable: String] = [:]
        /// The key that was noted last, with the text that it had before.
        var latest: (key: AnyHashable, text: String?)?
        /// What the report says if the value of that key is stored: it replaces that of a key with other bytes.
        var issue: JSONError?
    }

    private enum Repetition { case none, sameText, otherText }

    /// Checks a key of a dictionary or a tree, which has just become the first half of a pair.
    @inline(never)
    mutating func checkKey(_ key: String, isASCII: Bool) -> Bool {
        let binding = document.frame.binding
        // A key that was refused has replaced the row, to skip its value.
        document.frame.row = binding.element ?? document.frame.row
        if binding.checksKeys, let problem = binding.assembly.problem(ofKey: key) { return refuseKey(problem) }
        let rule = policy.options.duplicateKeys
        guard rule != .last || document.frame.notesKeys || binding.assembly.mayMerge(key, isASCII: isASCII) else { return true }
        if !document.frame.notesKeys { beginNotes(with: document.frame.contents) }
        let repetition = note(key, as: binding.assembly.merged(key))
        guard repetition != .none else { return true }
        switch rule {
        case .last:
            if repetition == .otherText { frames.notedKeys[frames.notedKeys.count - 1].issue = repeatedKey(key) }
            return true
        case .first:
            if repetition == .otherText { count(repeatedKey(key)) }
            forgetLatestKey()
            removePendingKey()
            document.frame.row = policy.leftOutRow
            return true
        case .error, .errorEverywhere:
            return failDuplicate(hidesKeys(at: document.stackCount) ? JSONError.redacted : key)
        }
    }

    /// Whether a key of the open object has come before. The object is that of a model or of a key path.
    ///
    /// - Parameter merges: Whether keys that are equal as strings are the same key, although their bytes differ.
    mutating func hasCome(_ key: String, merges: Bool) -> Bool {
        if !document.frame.notesKeys { beginNotes(with: nil) }
        return note(key, as: merges ? AnyHashable(key) : AnyHashable(Array(key.utf8))) != .none
    }

    /// Begins to note the keys of the open object, with those that have come.
    private mutating func beginNotes(with contents: _Contents?) {
        document.frame.notesKeys = true
        frames.notedKeys.removeAll { $0.level >= document.stackCount }
        frames.notedKeys.append(NotedKeys(level: document.stackCount))
        guard let contents else { return }
        // The key that has just come is not a part of a complete pair.
        for index in 0..<contents.count {
            let text = unsafe contents.key(at: index).pointee
            _ = note(text, as: document.frame.binding.assembly.merged(text))
        }
    }

    private mutating func note(_ text: String, as key: AnyHashable) -> Repetition {
        settleNotedKeys()
        let last = frames.notedKeys.count - 1
        let known = frames.notedKeys[last].texts.updateValue(text, forKey: key)
        frames.notedKeys[last].latest = (key, known)
        guard let known else { return .none }
        return known.utf8.elementsEqual(text.utf8) ? .sameText : .otherText
    }

    /// Reports the value that the one of the latest key has replaced.
    private mutating func settleNotedKeys() {
        dropClosedNotes()
        guard let last = frames.notedKeys.indices.last, let issue = frames.notedKeys[last].issue else { return }
        frames.notedKeys[last].issue = nil
        count(issue)
    }

    /// Forgets the keys of an object that closes, and whose frame has been popped.
    @inline(never)
    mutating func endNotes() {
        if let last = frames.notedKeys.last(where: { $0.level == document.stackCount + 1 }), let issue = last.issue {
            count(issue)
        }
        dropClosedNotes()
    }

    /// Forgets the keys of objects that are no longer open.
    private mutating func dropClosedNotes() {
        while let last = frames.notedKeys.last, last.level > document.stackCount { frames.notedKeys.removeLast() }
    }

    /// Forgets that the latest key has come, because its value is left out.
    mutating func forgetLatestKey() {
        dropClosedNotes()
        guard let last = frames.notedKeys.indices.last, frames.notedKeys[last].level == document.stackCount,
            let latest = frames.notedKeys[last].latest
        else { return }
        frames.notedKeys[last].texts[latest.key] = latest.text
        frames.notedKeys[last].latest = nil
        frames.notedKeys[last].issue = nil
    }

    /// What a report says of a key that becomes the same key as another one, although their bytes differ.
    private func repeatedKey(_ key: String) -> JSONError {
        let key = hidesKeys(at: document.stackCount) ? JSONError.redacted : key
        return unsafe error(.duplicateKey, found: "another spelling of a key", keys: [key])
    }
}
