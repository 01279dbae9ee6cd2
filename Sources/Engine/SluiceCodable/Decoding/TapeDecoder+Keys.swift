// The keys of objects on the tape, as they are written and as a key strategy converts them.

internal import Foundation
internal import SluiceCore

extension TapeDecoder {
    /// The keys of an object in the order of the text, each once.
    func keys(of head: Int) -> [String] {
        let isUnique = entry(head + 1).flags & TapeEntry.isIndexed == 0
        var seen: Set<String> = []
        var keys: [String] = []
        var item = head + 2
        for _ in 0..<count(at: head) {
            if let key = tape.string(at: item), isUnique || seen.insert(key).inserted { keys.append(key) }
            item = index(after: item + 1)
        }
        return keys
    }

    /// The indices of an object's values by converted key. If several keys are equal, the first one counts.
    func convertedKeys(of head: Int, _ path: [any CodingKey]) throws -> [String: Int] {
        var members: [String: Int] = [:]
        members.reserveCapacity(count(at: head))
        var item = head + 2
        for _ in 0..<count(at: head) {
            guard let key = tape.string(at: item) else { throw damage(at: item, path) }
            let converted =
                switch options.keys {
                case .convertFromSnakeCase: SnakeCase.camelCase(key)
                case .custom(let convert): convert(path + [PathKey(stringValue: key)]).stringValue
                default: key
                }
            if members[converted] == nil { members[converted] = item + 1 }
            item = index(after: item + 1)
        }
        return members
    }

    /// The key of a step; nil for ``CodingStep/none``.
    func codingKey(of step: CodingStep) -> (any CodingKey)? {
        guard let entry = step.memberEntry else { return step.codingKey }
        let member = tape.string(at: entry) ?? ""
        // Without a key strategy, a dictionary's key that is a number has it as its `intValue`. With one, Foundation leaves that out.
        return options.hasDefaultKeys ? PathKey(member: member) : PathKey(stringValue: member)
    }
}
