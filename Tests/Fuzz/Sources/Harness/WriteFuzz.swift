// What is written reads back: generated models and values, with any options of the writer.

import SluiceTestSupport

@testable import Models
@testable import SluiceCore

enum WriteFuzz: FuzzTarget {
    static let name = "write"

    static func text(_ knobs: Knobs, _ random: inout SplitMix64) -> [UInt8] {
        var made = GeneratedJSON(random: random)
        return Array(made.object(for: shape(knobs).made, .exact).text(&random).utf8)
    }

    /// The plain ones come twice as often: only they promise to read back.
    private static func shape(_ knobs: Knobs) -> any GeneratedModel.Type {
        ModelFuzz.shapes[Int(knobs.choice) % 36 % ModelFuzz.shapes.count]
    }

    static func check(_ input: FuzzInput) {
        var random = input.knobs.random
        check(shape(input.knobs), input, &random)
    }

    private static func check<Model: GeneratedModel>(_ type: Model.Type, _ input: FuzzInput, _ random: inout SplitMix64) {
        var reader = JSONReader()
        let read = Read<Model>(&reader) { reader throws(JSONError) in try reader.read(type, from: input.text) }
        guard let value = read.value else { return }
        let options = JSONWriter.Options.random(&random)
        func words(_ what: String) -> String { "\(what)\n    \(type.made)\n    \(value)\n    \(options)" }
        do throws(JSONError) {
            let text = try value.jsonBytes(options: options)
            text.withUnsafeBytes { promise(PlainGrammar($0).isJSON, words(written(text, "is not JSON"))) }
            var other = options
            (other.isPretty, other.escapesSlashes, other.escapesNonASCII) = (false, false, false)
            let plain = try value.jsonBytes(options: other)
            promise(try JSONValue(json: plain) == JSONValue(json: text), words(written(text, "differs by its layout")))
            guard type.made.isPlain, options.paths == .nested, !losesNils(of: value, options.nils) else { return }
            let again = try reader.read(type, from: text)
            promise(again.sorted == value.sorted, words(written(text, "is read as \(again)")))
        } catch {
            // Depth is the one thing that may forbid to write what was read, or to read what was written.
            promise(error.kind == .notWritable || error.kind == .depthLimit, words("\(error)"))
        }
    }

    private static func written(_ text: [UInt8], _ what: String) -> String {
        "\(String(decoding: text, as: UTF8.self)) \(what)"
    }

    /// Whether a nil, in the form that it is written in, becomes something else or an error.
    private static func losesNils<Model: GeneratedModel>(of value: Model, _ nils: JSONWriter.Options.Nils) -> Bool {
        let children = (value as? any HasChildren)?.anyChildren as? [Model] ?? []
        if children.contains(where: { losesNils(of: $0, nils) }) { return true }
        return Model.made.properties.contains { property in
            guard value.isNil(property) else { return false }
            guard nils == .null else { return property.hasInitial }
            return switch Model.made.nulls(of: property) {
            case nil, .asNil: false
            case .keep, .default: property.hasInitial
            case .empty: ![.color, .level, .moment, .leaf, .figure].contains(property.field)
            case .error: true
            }
        }
    }
}

private protocol HasChildren { var anyChildren: [Any] { get } }
extension Shape: HasChildren { var anyChildren: [Any] { fields.children ?? [] } }

extension JSONWriter.Options {
    /// Any options but those of dates: a date that loses its time of day does not read back.
    fileprivate static func random(_ random: inout SplitMix64) -> JSONWriter.Options {
        JSONWriter.Options(
            nils: random.pick([.omit, .null]), sortedKeys: random.pick([false, true]), isPretty: random.pick([false, true]),
            maximumDepth: random.pick([512, 512, 512, 3]), indent: random.pick([0, 1, 2, 3, 64]),
            paths: random.pick([.nested, .nested, .flat]), nonFinite: random.pick([.throw, .null, .omit, .strings]),
            escapesSlashes: random.pick([false, true]), escapesNonASCII: random.pick([false, true]))
    }
}
