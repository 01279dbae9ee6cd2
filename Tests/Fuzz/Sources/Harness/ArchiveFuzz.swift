// Archives: any bytes, any content after a sound header, and archives of values, which come back as they were or, with a bit
// changed, not at all.

import SluiceTestSupport

@testable import Models
@testable import SluiceCore

enum ArchiveFuzz: FuzzTarget {
    static let name = "archive"

    static func text(_ knobs: Knobs, _ random: inout SplitMix64) -> [UInt8] {
        var made = GeneratedJSON(random: random)
        return Array(made.object(for: knobs.pick(ModelFuzz.shapes).made, .exact).text.utf8)
    }

    static func check(_ input: FuzzInput) {
        var random = input.knobs.random
        let shape = input.knobs.pick(ModelFuzz.shapes)
        checkModel(shape, input, &random)
    }

    private static func checkModel<Model: GeneratedModel>(_ type: Model.Type, _ input: FuzzInput, _ random: inout SplitMix64) {
        let bytes = input.bytes
        _ = try? Model(archive: bytes)
        let header = JSONArchive.bytes(ofModel: String(describing: type), fingerprint: random.next(), content: bytes)
        let read = try? Model(archive: header)
        if let read { checkValue(read, &random) }
        if let read = try? Model(json: bytes) { checkValue(read, &random) }
    }

    private static func checkValue<Model: GeneratedModel>(_ value: Model, _ random: inout SplitMix64) {
        do throws(JSONError) {
            var archive = try value.archive()
            let again = try Model(archive: archive)
            promise(again.sorted == value.sorted, "\(value) comes back as \(again)\n    \(Model.made)")
            let copy = try value.copy()
            promise(copy.sorted == value.sorted, "\(value) is copied as \(copy)\n    \(Model.made)")
            let place = random.below(archive.count)
            archive[place] ^= 1 << UInt8(random.below(8))
            promise((try? Model(archive: archive)) == nil, "an archive with byte \(place) changed was read: \(value)")
            promise((try? Model(archive: Array(archive[..<place]))) == nil, "an archive cut at \(place) was read: \(value)")
        } catch {
            promise(error.kind == .depthLimit, "\(value) cannot be archived: \(error)\n    \(Model.made)")
        }
    }
}
