// Reading the same text in every way: whole, by yajl alone, and in chunks of any size. All must give the same value, error, place and report.

import SluiceCore
import SluiceTestSupport

/// What one way of reading gave.
struct Read<Value> {
    let value: Value?
    let error: JSONError?
    let report: JSONReadReport

    init(_ reader: inout JSONReader, _ body: (inout JSONReader) throws(JSONError) -> Value) {
        do throws(JSONError) {
            value = try body(&reader)
            error = nil
        } catch {
            value = nil
            self.error = error
        }
        report = reader.report
    }

    var words: String {
        let outcome = error.map { "\($0.kind) at '\($0.path)', byte \($0.offset): \($0.summary)" } ?? "\(value!)"
        return "\(outcome); \(report.droppedCount) left out"
    }
}

extension FuzzInput {
    /// Reads the text whole, by yajl alone, and in chunks of some sizes; what the whole gave.
    @discardableResult
    func readEveryWay<Value: JSONBindable & Equatable>(
        _ type: Value.Type, _ options: JSONReader.Options, _ random: inout SplitMix64
    ) -> Read<Value> {
        var reader = JSONReader(options: options)
        let whole = Read<Value>(&reader) { reader throws(JSONError) in try reader.read(type, from: text) }
        checkPlace(whole)
        var judge = options
        judge.parser = .yajl
        var yajl = JSONReader(options: judge)
        let judged = Read<Value>(&yajl) { reader throws(JSONError) in try reader.read(type, from: text) }
        compare(whole, judged, type, "by yajl alone", options)
        // Pieces are read as they come: gathered, they would be read like the whole.
        var piecemeal = options
        piecemeal.gathersUpTo = 0
        reader = JSONReader(options: piecemeal)
        let bytes = self.bytes
        for size in [random.below(3) + 1, random.below(16) + 1, random.below(max(bytes.count, 1)) + 1] {
            var source = BytesSource(bytes, chunkSize: size)
            let pieces = Read<Value>(&reader) { reader throws(JSONError) in try reader.read(type, from: &source) }
            compare(whole, pieces, type, "in chunks of \(size)", options)
        }
        return whole
    }

    private func compare<Value: Equatable>(
        _ whole: Read<Value>, _ other: Read<Value>, _ type: Value.Type, _ way: String, _ options: JSONReader.Options
    ) {
        // What no property binds is checked less in memory: see `Options.Validation.bound`.
        let isUnseen = whole.error == nil && (other.error?.kind == .syntax || other.error?.kind == .depthLimit)
        if isUnseen, options.validation == .bound { return }
        let isSame =
            other.value == whole.value && other.error?.kind == whole.error?.kind
            && other.error?.path == whole.error?.path && other.error?.position == whole.error?.position
            && other.report == whole.report
        promise(isSame, "\(type), whole: \(whole.words)\n    \(way): \(other.words)\n    \(options)")
    }

    /// A place lies in the text.
    func checkPlace<Value>(_ read: Read<Value>) {
        guard let error = read.error else { return }
        promise(
            error.offset >= 0 && error.offset <= text.count && error.line >= 1 && error.column >= 1,
            "an error's place is outside the text of \(text.count) bytes: \(read.words)")
    }
}

extension JSONReader.Options {
    /// Any options.
    static func random(_ random: inout SplitMix64) -> JSONReader.Options {
        let conversions = JSONConversions(
            random.pick([.strict, .lenient, .lenient, .yyModel]), overflow: random.pick([.mismatch, .clamp, .wrap]),
            truncatesFractions: random.pick([false, true]), emptyStringIsNull: random.pick([false, true]),
            extendedBooleans: random.pick([false, true]), detectsEpochs: random.pick([false, true]))
        return JSONReader.Options(
            maximumDepth: random.pick([512, 512, 512, 5]), validation: random.pick([.bound, .full]),
            duplicateKeys: random.pick([.last, .first, .error]), conversions: conversions,
            nulls: random.pick([nil, nil, .asNil, .keep, .empty, .default, .error]),
            mismatch: random.pick([nil, nil, .throw, .default, .keep, .nil]),
            elements: random.pick([nil, .strict, .skipMistyped, .skipInvalid, .skipNull]), reportLimit: random.pick([0, 1, 100]),
            parser: FuzzCommand.parser)
    }
}
