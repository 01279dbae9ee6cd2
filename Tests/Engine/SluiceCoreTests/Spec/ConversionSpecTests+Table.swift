// A row of the tables of conversions: a JSON value, and what becomes of it under each profile, in each kind of property.

import SluiceTestSupport
import Testing

@testable import SluiceCore

extension ConversionSpecTests {
    /// What becomes of a value.
    enum Cell<Value: Sample> {
        /// The property gets a value.
        case gives(Value)
        /// An error of kind `typeMismatch`.
        case mismatch
        /// An error of kind `invalidValue`.
        case invalid
        /// The value counts as null: nil, or what the property has.
        case null
        /// As YYModel has it for numbers: nil where the property is an optional, otherwise 0.
        case empties(Value)
        /// The property keeps what it has, and the value is counted.
        case kept
        /// The property becomes nil where it may, keeps what it has otherwise, and the value is counted.
        case niled
        /// The property becomes empty, and the value is counted.
        case counted(Value)
    }

    struct Row<Value: Sample> {
        let json: String
        let strict, lenient, yyModel: Cell<Value>

        init(_ json: String, _ strict: Cell<Value>, _ lenient: Cell<Value>, _ yyModel: Cell<Value>) {
            self.json = json
            self.strict = strict
            self.lenient = lenient
            self.yyModel = yyModel
        }

        /// The same under all profiles.
        init(_ json: String, _ cell: Cell<Value>) { self.init(json, cell, cell, cell) }
    }

    /// Reads each row's value into a required, a defaulted and an optional property, and as an element.
    func expect<Value: Sample>(
        _ type: Value.Type, _ rows: [Row<Value>], _ location: SourceLocation = #_sourceLocation
    ) {
        for row in rows {
            expect(row.json, row.strict, .strict, location)
            expect(row.json, row.lenient, .lenient, location)
            expect(row.json, row.yyModel, .yyModel, location)
        }
    }

    func expect<Value: Sample>(
        _ json: String, _ cell: Cell<Value>, _ conversions: JSONConversions, _ location: SourceLocation
    ) {
        property(Required.self, json, cell, conversions, location)
        property(Defaulted.self, json, cell, conversions, location)
        property(Maybe.self, json, cell, conversions, location)
        guard conversions.profile != .yyModel else { return }
        // Elements convert as properties do.
        let options = JSONReader.Options(conversions: conversions, elements: .strict)
        let reading = readings(of: [Value].self, "[\(json)]", options: options)
        let outcome: Outcome<[Value]> =
            switch cell {
            case .gives(let value): .value([value])
            case .invalid: .failure(.invalidValue, "[0]")
            default: .failure(.typeMismatch, "[0]")
            }
        #expect(reading.outcome == outcome, "[\(json)] as \([Value].self), \(conversions.profile)", sourceLocation: location)
        #expect(reading.disagreements == [], sourceLocation: location)
        if case .null = cell {
            let optional = readings(of: [Value?].self, "[\(json)]", options: options)
            #expect(optional.outcome == .value([nil]), "[\(json)] as \([Value?].self)", sourceLocation: location)
        }
    }

    private func property<Value: Sample, Rule: Rules>(
        _ rule: Rule.Type, _ json: String, _ cell: Cell<Value>, _ conversions: JSONConversions, _ location: SourceLocation
    ) {
        typealias Model = Ruled<Value, Rule>
        let isOptional = Rule.presence == .optional
        let kept: Outcome<Model> = Rule.presence == .required ? .failure(.missingKeys, "") : .value(Model(.initial))
        let isContainer = json.hasPrefix("[") || json.hasPrefix("{")
        var dropped = 0
        let outcome: Outcome<Model>
        switch cell {
        case .gives(let value): outcome = .value(Model(value))
        case .mismatch: outcome = .failure(.typeMismatch, "v")
        case .invalid: outcome = .failure(.invalidValue, "v")
        case .null: outcome = isOptional ? .value(Model(nil)) : kept
        case .empties(let value):
            outcome = .value(Model(isOptional ? nil : value))
            dropped = isOptional && isContainer ? 1 : 0
        case .kept:
            outcome = kept
            dropped = 1
        case .niled:
            outcome = isOptional ? .value(Model(nil)) : kept
            dropped = 1
        case .counted(let value):
            outcome = .value(Model(value))
            dropped = 1
        }
        let reading = readings(of: Model.self, #"{"v": \#(json) }"#, options: .init(conversions: conversions))
        let comment: Comment = "\(json) as \(Value.self), \(Rule.self), \(conversions.profile)"
        #expect(reading.outcome == outcome, comment, sourceLocation: location)
        #expect(reading.disagreements == [], comment, sourceLocation: location)
        #expect(reading.report.droppedCount == dropped, comment, sourceLocation: location)
        if dropped == 1 {
            #expect(reading.report.issues.map(\.path) == ["v"], comment, sourceLocation: location)
            #expect(reading.report.issues.map(\.offset) == [6], comment, sourceLocation: location)
        }
    }

    func expect<Value: Sample>(
        _ json: String, _ cell: Cell<Value>, _ conversions: JSONConversions, as type: Value.Type,
        _ location: SourceLocation = #_sourceLocation
    ) {
        expect(json, cell, conversions, location)
    }
}
