// Values of columns as text, for comparisons.

package import SluiceCore

extension JSONColumnValues {
    /// A value as text.
    package func text(at index: Int) -> String {
        if isNull(at: index) { return "null" }
        switch column.type {
        case .bool: return bool(at: index).map { "\($0)" } ?? "?"
        case .integer, .int32, .timestamp, .date, .decimal: return int64(at: index).map { "\($0)" } ?? "?"
        case .real: return double(at: index).map { "\($0)" } ?? "?"
        case .text, .json: return string(at: index).map { "'\($0)'" } ?? "?"
        case .list:
            guard let elements, let range = elementRange(at: index) else { return "?" }
            return "[" + range.map { elements.text(at: $0) }.joined(separator: ",") + "]"
        case .object: return "{" + members.map { $0.text(at: index) }.joined(separator: ",") + "}"
        }
    }
}
