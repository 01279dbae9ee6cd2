// Makes the columns for a model's properties from its schema.

extension JSONModelSchema {
    /// The columns of a batch of such models: one for each property that is read, named by the property's first key.
    ///
    /// | property | column |
    /// |---|---|
    /// | `Bool` | `bool` |
    /// | an integer | `integer`; a value outside the range of a signed 64-bit integer does not fit |
    /// | `Double`, `Float` | `real` |
    /// | `String`, and types that are read from one scalar, such as enums, dates and URLs | `text`: the value as it is written |
    /// | a model | `object` |
    /// | an array or set | `list`, whose elements may be null |
    /// | dictionaries, `JSONValue`, `@JSONCodable`, variants, models inside themselves and models written as arrays | `json` |
    ///
    /// A property that is neither optional nor has a default is required. The model's conversions and policies do not apply to
    /// columns.
    public var columns: [JSONColumn] { columns(inside: []) }

    private func columns(inside outer: [JSONModelSchema]) -> [JSONColumn] {
        properties.filter { $0.direction != .writing && !$0.row.isCollector && !$0.row.isInlined }.map { property in
            let type = property.bound?.columnType(inside: outer + [self]) ?? .json
            // In an object, each column is marked as sensitive by itself. A value of another type is marked as a whole.
            let holdsSensitive = if case .object = type { false } else { property.bound.map { SensitiveTypes.hold($0) } == true }
            return JSONColumn(
                name: property.keys.first?.description ?? property.name, type: type, keys: property.keys,
                isRequired: property.presence == .required && !property.takesNull,
                isSensitive: property.row.policy.isSensitive || holdsSensitive)
        }
    }

    fileprivate func columnType(inside outer: [JSONModelSchema]) -> ColumnType {
        guard layout == .object, !outer.contains(self) else { return .json }
        let columns = columns(inside: outer)
        return columns.isEmpty ? .json : .object(columns)
    }
}

extension TableHandle where Content == Binding {
    fileprivate func columnType(inside outer: [JSONModelSchema]) -> ColumnType {
        switch schemaKind {
        case .boolean: .bool
        case .integer: .integer
        case .number: .real
        case .string, .scalar: .text
        case .any, .dictionary, .codable: .json
        case .array: schemaElement.map { .list(of: $0.columnType(inside: outer)) } ?? .json
        case .model: schema?.columnType(inside: outer) ?? .json
        }
    }
}
