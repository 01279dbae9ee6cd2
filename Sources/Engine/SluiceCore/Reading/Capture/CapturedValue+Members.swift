// Members of a captured object, found by the reader's rule for keys that occur twice. What decides by a member what the value becomes must
// take the same member that a property with that key would take.

extension _CapturedValue {
    /// What happens with a key that occurs twice.
    private var duplicateKeys: JSONReader.Options.DuplicateKeys { binder.state.policy.options.duplicateKeys }

    /// The member with a key.
    ///
    /// - Throws: ``JSONError`` of kind `duplicateKey`.
    func member(_ key: String) throws(JSONError) -> MemberCursor.Member? { try member(key, in: members, after: []) }

    /// The member at the end of a path through objects.
    func member(at path: [String]) throws(JSONError) -> MemberCursor.Member? {
        var found: MemberCursor.Member?
        for (index, key) in path.enumerated() {
            let members = index == 0 ? self.members : found.map { unsafe MemberCursor($0.value) }
            guard let members else { return nil }
            found = try member(key, in: members, after: path[..<index])
        }
        return found
    }

    private func member(
        _ key: String, in members: MemberCursor, after path: ArraySlice<String>
    ) throws(JSONError) -> MemberCursor.Member? {
        guard let (first, last) = members.members(key) else { return nil }
        guard unsafe first.key.start != last.key.start else { return first }
        return try isFirst(of: Array(path) + [key]) ? first : last
    }

    /// Whether the first value of a key that is repeated counts, and not the last one.
    ///
    /// - Parameter path: The way to the key.
    func isFirst(of path: [String]) throws(JSONError) -> Bool {
        switch duplicateKeys {
        case .first: return true
        case .last: return false
        case .error, .errorEverywhere: throw repeated(path)
        }
    }

    private func repeated(_ keys: [String]) -> JSONError {
        var path = binder.state.path()
        for key in keys { PathSyntax.append(key, to: &path) }
        return JSONError(.duplicateKey, path: path, found: "a second value", keys: Array(keys.suffix(1)))
    }

    /// The member around the value of a variant: the only one of the object. `name` returns the number of the variant with a key.
    ///
    /// If the value is inlined, the other members belong to the model around it.
    ///
    /// - Throws: ``JSONError`` if the object has another member, too.
    func onlyMember(
        _ variant: (TextString) -> Int?
    ) throws(JSONError) -> (member: MemberCursor.Member, variant: Int)? {
        let isInlined = unsafe binder.state.capture.inlined.isText(text.baseAddress)
        var members = self.members
        var found: (member: MemberCursor.Member, variant: Int)?
        var other: TextString?
        while let member = members.next() {
            if let number = variant(member.key) {
                if let first = found {
                    guard first.variant == number else {
                        other = other ?? member.key
                        continue
                    }
                    if try isFirst(of: [member.key.decoded ?? ""]) { continue }
                }
                found = (member, number)
            } else if !isInlined, other == nil {
                other = member.key
            }
        }
        guard let found, let other else { return found }
        let key = other.decoded ?? ""
        let isShown = !binder.state.mayHoldSensitive
        throw JSONError(
            .invalidValue, expected: "'\(found.member.key.decoded ?? "")' to be the only key",
            found: isShown ? "a second key '\(key)'" : "another key", keys: isShown ? [key] : [])
    }
}
