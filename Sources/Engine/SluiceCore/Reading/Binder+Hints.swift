// Hints for a value that does not fit, and for missing keys: built together with the error, and never before.

extension Binder {
    /// The hint for a scalar that its property or element does not accept; empty if no remedy is evident.
    func hint(for scalar: JSONScalar) -> String {
        let type = document.frame.row.binding.spelledType
        if let own = type as? any JSONScalarReadable.Type, let hint = own.jsonHint(for: withPolicy(scalar)) { return hint }
        if document.frame.row.kind.isCell, let hint = dateHint(for: scalar) { return hint }
        switch scalar.kind {
        case .null where !document.frame.row.flags.contains(.nullable) && document.frame.kind != .root:
            return "only an optional takes null: \(TypeSpelling.of(type))?"
        case .number where document.frame.row.kind.isInteger:
            return scalar.hasFraction ? "a fraction needs Double or Decimal" : ""
        default:
            return ""
        }
    }

    /// The hint for a value that a column of dates has refused, and one of another type takes.
    private func dateHint(for scalar: JSONScalar) -> String? {
        let kind = document.frame.row.kind
        switch scalar.kind {
        case .number where (kind == .momentCell || kind == .dayCell) && !hasDateFormat:
            return "numbers are dates in a column of type \(DeclaredType.namesOfEpochs)"
        case .string where kind == .dayCell:
            return withDateFormat(scalar).timestamp == nil ? nil : "a time of day needs a column of type timestamp"
        default: return nil
        }
    }

    /// The hint for an object that lacks keys of its model, or an empty text.
    ///
    /// - Parameter missing: The keys of each missing property.
    func hint(forMissing missing: [[JSONKeyPath]], of finished: Frame, in table: PropertyTable) -> String {
        let unknown = finished.hasUnknownKeys ? frames.unknownKeys.keys(at: document.stackCount + 1) : []
        // A longer hint would not be read, and comparing keys takes time.
        let meant = missing.prefix(8).compactMap { keys in
            keys.lazy.compactMap { KeyLikeness.closest(to: $0.components[0], among: unknown) }.first
        }
        func list(_ keys: some Sequence<String>) -> String { keys.map { "'\($0.printable)'" }.joined(separator: ", ") }
        if !meant.isEmpty { return "found unknown \(list(meant))" }
        let bound = finished.contents.bound
        guard !unknown.isEmpty, !table.properties.indices.contains(where: { bound.contains($0) }) else { return "" }
        return "the object has none of its keys, but \(list(unknown.prefix(4)))\(unknown.count > 4 ? " and others" : "")"
    }
}
