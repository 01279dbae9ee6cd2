// The difference of two rows as a JSON Merge Patch (RFC 7396), with what such a patch cannot say.
//
//     before    {"id": 7, "name": "a", "tags": {"x": 1, "y": 2}}
//     after     {"id": 7, "tags": {"x": null, "z": 3}}               name is null
//     patch     {"name": null, "tags": {"x": null, "y": null, "z": 3}}
//     nulls     /name, /tags/x                                       y was removed
//
// In a merge patch, null removes a member. So the paths that became null are listed beside it: whoever applies the patch sets them to
// null afterwards. Arrays are replaced as a whole. https://www.rfc-editor.org/rfc/rfc7396

package import SluiceCore

/// How to turn one JSON object into another.
package struct MergePatch {
    package private(set) var patch = JSONObject()
    /// The paths of the values that become null, as JSON Pointers (RFC 6901).
    package private(set) var nulls: [String] = []
    /// The columns that are left out of the patch, because their values must not be shown.
    package private(set) var hidden: [String] = []

    /// The difference of two rows.
    ///
    /// - Parameters:
    ///   - before: The row's columns before; one that is missing is null. Nil if there was no row.
    ///   - after: Its columns afterwards.
    ///   - rewritten: The columns that are in the patch even if their values are the same.
    ///   - isHidden: Whether the values of a column must not be shown.
    package init(
        from before: JSONObject?, to after: JSONObject, rewriting rewritten: Set<String> = [],
        hiding isHidden: (String) -> Bool = { _ in false }
    ) {
        var members: [JSONObject.Member] = []
        // Most changes are new rows, of which each value but null is in the patch.
        let old = before.map { Members($0) } ?? Members()
        for (key, value) in after.members where rewritten.contains(key) || !MergePatch.isSame(old[key] ?? .null, value) {
            if isHidden(key) {
                hidden.append(MergePatch.pointer([key]))
            } else {
                members.append((key, change(from: old[key], to: value, at: [key])))
            }
        }
        if let before {
            let new = Members(after)
            for (key, value) in before.members where new[key] == nil && value != .null {
                if isHidden(key) {
                    hidden.append(MergePatch.pointer([key]))
                } else {
                    members.append((key, change(from: value, to: .null, at: [key])))
                }
            }
        }
        patch = JSONObject(members)
        nulls.sort()
    }

    /// The patch of a value that is not the same as before.
    private mutating func change(from old: JSONValue?, to new: JSONValue, at path: [String]) -> JSONValue {
        switch new {
        case .null:
            nulls.append(MergePatch.pointer(path))
            return .null
        case .object(let object):
            // A value that is not an object is first replaced by an empty object.
            return .object(difference(from: old?.object ?? JSONObject(), to: object, at: path))
        case .bool, .number, .string, .array: return new
        }
    }

    private mutating func difference(from old: JSONObject, to new: JSONObject, at path: [String]) -> JSONObject {
        let (before, after) = (Members(old), Members(new))
        var members: [JSONObject.Member] = []
        for (key, value) in after.members {
            let earlier = before[key]
            if let earlier, MergePatch.isSame(earlier, value) { continue }
            members.append((key, change(from: earlier, to: value, at: path + [key])))
        }
        for (key, _) in before.members where after[key] == nil { members.append((key, .null)) }
        return JSONObject(members)
    }

    /// Whether two values are the same. Texts are compared byte by byte, because Swift's `==` also accepts other spellings of a
    /// character.
    private static func isSame(_ left: JSONValue, _ right: JSONValue) -> Bool {
        switch (left, right) {
        case (.string(let left), .string(let right)): return left.utf8.elementsEqual(right.utf8)
        case (.array(let left), .array(let right)):
            return left.count == right.count && zip(left, right).allSatisfy { isSame($0, $1) }
        case (.object(let left), .object(let right)):
            let (left, right) = (Members(left), Members(right))
            return left.members.count == right.members.count
                && left.members.allSatisfy { key, value in right[key].map { isSame(value, $0) } ?? false }
        default: return left == right
        }
    }

    /// A path as a JSON Pointer: https://www.rfc-editor.org/rfc/rfc6901
    package static func pointer(_ path: [String]) -> String {
        path.map { "/" + $0.escaping([("~", "~0"), ("/", "~1")]) }.joined()
    }

    /// The members of an object by the bytes of their keys; of equal keys the last one counts.
    private struct Members {
        private(set) var members: [JSONObject.Member] = []
        private var indices: [[UInt8]: Int] = [:]

        init() {}

        init(_ object: JSONObject) {
            for member in object.members {
                let index = indices[Array(member.key.utf8), default: members.count]
                if index == members.count { members.append(member) } else { members[index] = member }
                indices[Array(member.key.utf8)] = index
            }
        }

        subscript(key: String) -> JSONValue? {
            indices.isEmpty ? nil : indices[Array(key.utf8)].map { members[$0].value }
        }
    }
}
