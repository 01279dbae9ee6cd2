// Records whose keys do not come as in the record before: a reader that expects them must not be much slower.

internal import Sluice

/// What is changed of the keys of records.
enum KeyChange: String {
    /// One key in 20 is missing, of those that the five properties do not need.
    case missing = "keys missing"
    /// One key in 20 changes places with the next one.
    case swapped = "keys swapped"
    /// The keys of each object come in an order of their own.
    case shuffled = "keys shuffled"
    /// The last key of each object comes first.
    case reversed = "keys reversed"

    private static let needed: Set<String> = ["id", "type", "actor", "login", "repo", "name", "created_at"]

    /// The value with changes in all of its objects.
    func applied(to value: JSONValue, _ random: inout SplitMix64) -> JSONValue {
        switch value {
        case .array(let elements): return .array(elements.map { applied(to: $0, &random) })
        case .object(let object):
            var members = object.members.map { (key: $0.key, value: applied(to: $0.value, &random)) }
            if self == .shuffled { members.shuffle(using: &random) }
            if self == .reversed { members.reverse() }
            for index in members.indices.dropLast().reversed() where random.happens(1, outOf: 20) {
                switch self {
                case .swapped: members.swapAt(index, index + 1)
                case .shuffled, .reversed: break
                case .missing: if !Self.needed.contains(members[index].key) { members.remove(at: index) }
                }
            }
            return .object(JSONObject(members))
        default: return value
        }
    }
}

extension SplitMix64: RandomNumberGenerator {}
