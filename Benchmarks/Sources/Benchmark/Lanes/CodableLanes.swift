// The lanes of SluiceCodable: Foundation's decoder and encoder with Sluice's in their place, and the same types.

internal import CodableModels
internal import Foundation
internal import Sluice
internal import SluiceCodable

enum CodableLanes {
    /// Reads the whole text into a type without a table, if the subject has one, and into one with a table.
    static func reading<Model: JSONBindable & Codable & Equatable>(
        _ name: String, _ document: Document, _ type: Model.Type, _ dates: DateStyle
    ) -> [Lane] {
        let plain = CodableModels.type(of: name).map { plain in
            [
                reading(document, plain, .sluiceCodable, dates), FoundationLanes.reading(document, plain, dates.decoder),
            ]
        }
        return (plain ?? [FoundationLanes.reading(document, type, dates.decoder)])
            + [reading(document, type, .sluiceCodableModel, dates)]
    }

    /// Reads the whole text into a type that is Codable and nothing else.
    static func readingWithoutTable<Value: Codable & Equatable>(_ document: Document, _ type: Value.Type) -> [Lane] {
        [reading(document, type, .sluiceCodable, .iso8601), FoundationLanes.reading(document, type, JSONDecoder())]
    }

    private static func reading<Value: Codable & Equatable>(
        _ document: Document, _ type: Value.Type, _ kind: LaneKind, _ dates: DateStyle
    ) -> Lane {
        let decoder = dates.applied(to: SluiceJSONDecoder())
        return .inProcess(kind) { count in
            for _ in 0..<count { _ = try decoder.decode(type, from: document.data) }
        } check: {
            if let problem = problem(with: type, kind) { return problem }
            return try decoder.decode(type, from: document.data) == dates.decoder.decode(type, from: document.data)
                ? nil : "another value than Foundation's"
        }
    }

    /// Writes a value; the same, of a type without a table, if the subject has one.
    static func writing<Value: JSONBindable & Codable & Equatable>(
        _ name: String, _ value: Value, _ document: Data?, _ dates: DateStyle
    ) throws -> [Lane] {
        let plain = try CodableModels.type(of: name).flatMap { type in
            try document.map { try dates.decoder.decode(type, from: $0) }
        }
        return (plain.map { [writing($0, .sluiceCodable, dates), foundation($0, dates)] } ?? [foundation(value, dates)])
            + [writing(value, .sluiceCodableModel, dates)]
    }

    private static func writing<Value: Codable & Equatable>(_ value: Value, _ kind: LaneKind, _ dates: DateStyle) -> Lane {
        let encoder = dates.applied(to: SluiceJSONEncoder())
        return .inProcess(kind) { count in
            for _ in 0..<count { _ = try encoder.encode(value) }
        } check: {
            if let problem = problem(with: Value.self, kind) { return problem }
            return try dates.decoder.decode(Value.self, from: try encoder.encode(value)) == value
                ? nil : "what it writes reads back as another value"
        }
    }

    private static func foundation<Value: Codable & Equatable>(_ value: Value, _ dates: DateStyle) -> Lane {
        FoundationLanes.writing(value, dates.encoder, dates.decoder)
    }

    /// A lane without tables must not find one.
    private static func problem(with type: Any.Type, _ kind: LaneKind) -> String? {
        kind == .sluiceCodable && type is any JSONReadable.Type ? "the type has a table" : nil
    }
}
