// Models of every feature: generated ones with all kinds of properties, keys and policies, and hand-written ones with variants,
// hooks, shared keys, classes and cycles of types. Reading, and updating what was read.

import SluiceTestSupport

@testable import Models
@testable import SluiceCore

enum ModelFuzz: FuzzTarget {
    static let name = "model"

    /// All generated models; those below 12 are plain.
    static let shapes: [any GeneratedModel.Type] = [
        Shape<0>.self, Shape<1>.self, Shape<2>.self, Shape<3>.self, Shape<4>.self, Shape<5>.self, Shape<6>.self, Shape<7>.self,
        Shape<8>.self, Shape<9>.self, Shape<10>.self, Shape<11>.self, Shape<12>.self, Shape<13>.self, Shape<14>.self,
        Shape<15>.self, Shape<16>.self, Shape<17>.self, Shape<18>.self, Shape<19>.self, Shape<20>.self, Shape<21>.self,
        Shape<22>.self, Shape<23>.self,
    ]

    private typealias Check = (FuzzInput, JSONReader.Options, inout SplitMix64) -> Void

    /// The checks of the other types.
    private static var others: [Check] {
        func of<Value: JSONBindable & Equatable>(_ type: Value.Type) -> Check {
            { input, options, random in checkReading(type, input, options, &random) }
        }
        return [
            of([Letter].self), of(Letter.self), of(Place.self), of([Models.Piece].self), of(Tree.self), of(Link.self),
            of([String: Person].self), of(Trio<Percent>.self), of(Trio<[String: Int?]>.self), of(Trio<Set<Int>>.self),
            of([Trio<Color>?].self), of(Membership.self), of(Crowd.self), of(CYZStatus.self), of(Trio<Int128>.self),
            of(Trio<Float>.self), of([Color: Int].self), of([Figure].self), of(Trio<UInt8>.self), of(Station.self),
            of(Pair.self),
        ]
    }

    private static let keys = [
        "stamp", "body", "text", "pieces", "time", "radius", "width", "type", "name", "children", "value", "next", "user_id",
        "profile", "friends", "sites", "url", "port", "required", "defaulted", "optional", "user", "id", "pw", "cache", "extra",
        "red", "deep blue", "p0", "p249", "nm", "links", "lines", "weights", "string", "string2", "host",
    ]

    /// Every second input is for a generated model.
    static func shape(_ knobs: Knobs) -> (any GeneratedModel.Type)? {
        knobs.choice % 2 == 0 ? shapes[Int(knobs.choice / 2) % shapes.count] : nil
    }

    static func text(_ knobs: Knobs, _ random: inout SplitMix64) -> [UInt8] {
        guard let shape = shape(knobs) else {
            return Array(SampleJSON.random(&random, depth: 1 + random.below(5), keys: keys).text(&random).utf8)
        }
        var made = GeneratedJSON(random: random)
        let json = made.object(for: shape.made, random.below(2) == 0 ? .exact : .loose)
        return Array(json.text(&random).utf8)
    }

    static func check(_ input: FuzzInput) {
        var random = input.knobs.random
        let options = JSONReader.Options.random(&random)
        if let shape = shape(input.knobs) {
            checkShape(shape, input, options, &random)
        } else {
            others[Int(input.knobs.choice / 2) % others.count](input, options, &random)
        }
    }

    private static func checkReading<Value: JSONBindable & Equatable>(
        _ type: Value.Type, _ input: FuzzInput, _ options: JSONReader.Options, _ random: inout SplitMix64
    ) {
        let whole = input.readEveryWay(type, options, &random)
        if whole.value != nil, options.validation == .full {
            promise(PlainGrammar(input.text).isJSON, "\(type) was read from text that is not JSON: \(whole.words)")
        }
        checkConversions(type, input, options)
    }

    /// Lenient takes all that strict takes without leaving anything out, and gives the same.
    private static func checkConversions<Value: JSONBindable & Equatable>(
        _ type: Value.Type, _ input: FuzzInput, _ options: JSONReader.Options
    ) {
        var options = options
        options.conversions = .strict
        var reader = JSONReader(options: options)
        let strict = Read<Value>(&reader) { reader throws(JSONError) in try reader.read(type, from: input.text) }
        guard strict.value != nil, strict.report.isEmpty else { return }
        options.conversions = .lenient
        reader = JSONReader(options: options)
        let lenient = Read<Value>(&reader) { reader throws(JSONError) in try reader.read(type, from: input.text) }
        promise(
            lenient.value == strict.value && lenient.report.isEmpty,
            "\(type), strict: \(strict.words)\n    lenient: \(lenient.words)\n    \(options)")
    }

    private static func checkShape<Model: GeneratedModel>(
        _ type: Model.Type, _ input: FuzzInput, _ options: JSONReader.Options, _ random: inout SplitMix64
    ) {
        checkReading(type, input, options, &random)
        checkUpdate(type, input, options, &random)
    }

    /// An update that fails changes nothing.
    private static func checkUpdate<Model: GeneratedModel>(
        _ type: Model.Type, _ input: FuzzInput, _ options: JSONReader.Options, _ random: inout SplitMix64
    ) {
        var made = GeneratedJSON(random: random)
        let base = made.object(for: type.made, .exact).text
        guard let value = try? Model(json: base) else { return }
        var updated = value
        do throws(JSONError) {
            try updated.update(json: input.bytes, options: options)
        } catch {
            promise(updated == value, "\(type.made)\n    \(base) was changed by an update that failed: \(error)")
        }
    }
}
