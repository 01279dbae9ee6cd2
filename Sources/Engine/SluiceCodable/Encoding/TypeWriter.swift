// Writers for the types that are not encoded by their own `encode(to:)`.

internal import Foundation
internal import SluiceCore

/// Encodes values of one type.
class TypeWriter: @unchecked Sendable {
    static let table = TypeTable<TypeWriter>()

    /// Writes the value at an address.
    func write(_ encoder: FragmentEncoder, _ value: UnsafeRawPointer, _ step: CodingStep) throws {}

    /// The writer of a type; nil for a type whose `encode(to:)` is called.
    @inline(never)
    static func of<T: Encodable>(_ type: T.Type) -> TypeWriter? {
        if type == Date.self { return DateWriter() }
        if type == Data.self { return DataWriter() }
        if type == URL.self { return URLWriter() }
        if type == Decimal.self { return DecimalWriter() }
        if type == [Double].self { return DoublesWriter() }
        if type == [Int].self { return IntegersWriter() }
        if type == [String].self { return StringsWriter() }
        if type == JSONValue.self { return ModelWriter<JSONValue>() }
        if let model = type as? any (JSONModel & Encodable).Type { return model.fragmentWriter }
        if let container = type as? any FragmentContainer.Type { return container.fragmentWriter }
        return nil
    }
}

extension JSONWritable where Self: Encodable {
    fileprivate static var fragmentWriter: TypeWriter { ModelWriter<Self>() }
}

/// A container of encodable values for which there is a writer.
protocol FragmentContainer {
    static var fragmentWriter: TypeWriter? { get }
}

extension Array: FragmentContainer where Element: Encodable {
    static var fragmentWriter: TypeWriter? { ArrayWriter<Element>() }
}

extension Dictionary: FragmentContainer where Value: Encodable {
    static var fragmentWriter: TypeWriter? { Key.self == String.self ? DictionaryWriter<Value>() : nil }
}

/// Writes arrays.
final class ArrayWriter<Element: Encodable>: TypeWriter, @unchecked Sendable {
    override func write(_ encoder: FragmentEncoder, _ value: UnsafeRawPointer, _ step: CodingStep) throws {
        let values = unsafe value.assumingMemoryBound(to: [Element].self).pointee
        try encoder.fill(step) {
            let mark = encoder.open(.array)
            guard encoder.isCurrent(mark) else { throw encoder.refusal(mark) }
            let first = encoder.level.count
            var written = 0
            let start = encoder.fragment.mark
            var before = start.count
            // After an error, the elements before it stay: the array may be the value of a single-value container, to which more
            // may be written.
            defer { encoder.level.count = first &+ written }
            do {
                try unsafe values.withUnsafeBufferPointer { values in
                    // Safe: each index is that of an element.
                    while written < values.count {
                        try unsafe encoder.write(
                            at: values.baseAddress.unsafelyUnwrapped + written, .element(first &+ written))
                        encoder.fragment.endElement()
                        written &+= 1
                        before = encoder.fragment.count
                    }
                }
            } catch {
                encoder.fragment.goBack(to: before, in: start)
                throw error
            }
        }
    }
}

/// Writes dictionaries whose keys are strings. Key strategies do not apply to these keys.
final class DictionaryWriter<Value: Encodable>: TypeWriter, @unchecked Sendable {
    override func write(_ encoder: FragmentEncoder, _ value: UnsafeRawPointer, _ step: CodingStep) throws {
        let values = unsafe value.assumingMemoryBound(to: [String: Value].self).pointee
        // With a key strategy, Foundation encodes the dictionary into one value first. That value cannot replace a container, and
        // an error leaves nothing of it.
        if step.isNone, !encoder.options.hasDefaultKeys {
            return try encoder.whole(step) { try encoder.separately { try members(values, encoder) } }
        }
        try encoder.fill(step) { try members(values, encoder) }
    }

    private func members(_ values: [String: Value], _ encoder: FragmentEncoder) throws {
        let mark = encoder.open(.object)
        guard encoder.isCurrent(mark) else { throw encoder.refusal(mark) }
        let start = encoder.fragment.mark
        var (before, written) = (start.count, 0)
        do {
            for (key, value) in values {
                encoder.fragment.key(key)
                // Without a key strategy, a key that is a number has it as its `intValue`. With one, Foundation leaves that out.
                let step = encoder.options.hasDefaultKeys ? PathKey(member: key) : PathKey(stringValue: key)
                try CodingStep.to(step) { try encoder.write(value, $0) }
                encoder.fragment.endElement()
                before = encoder.fragment.count
                written &+= 1
            }
        } catch {
            encoder.fragment.goBack(to: before, in: start, members: written)
            throw error
        }
    }
}

/// Writes `[Double]`.
final class DoublesWriter: TypeWriter, @unchecked Sendable {
    override func write(_ encoder: FragmentEncoder, _ value: UnsafeRawPointer, _ step: CodingStep) throws {
        let values = unsafe value.assumingMemoryBound(to: [Double].self).pointee
        guard values.allSatisfy(\.isFinite), encoder.takesWhole(step) else { return try encoder.encode(values, step) }
        try encoder.whole(step) { try encoder.fragment.doubles(values) }
    }
}

/// Writes `[Int]`.
final class IntegersWriter: TypeWriter, @unchecked Sendable {
    override func write(_ encoder: FragmentEncoder, _ value: UnsafeRawPointer, _ step: CodingStep) throws {
        let values = unsafe value.assumingMemoryBound(to: [Int].self).pointee
        guard encoder.takesWhole(step) else { return try encoder.encode(values, step) }
        try encoder.whole(step) { try encoder.fragment.integers(values) }
    }
}

/// Writes `[String]`.
final class StringsWriter: TypeWriter, @unchecked Sendable {
    override func write(_ encoder: FragmentEncoder, _ value: UnsafeRawPointer, _ step: CodingStep) throws {
        let values = unsafe value.assumingMemoryBound(to: [String].self).pointee
        guard encoder.takesWhole(step) else { return try encoder.encode(values, step) }
        try encoder.whole(step) { try encoder.fragment.strings(values) }
    }
}

/// Writes a type through its property table, or, if the options do not allow that, through its `encode(to:)`.
final class ModelWriter<Model: JSONWritable & Encodable>: TypeWriter, @unchecked Sendable {
    override func write(_ encoder: FragmentEncoder, _ value: UnsafeRawPointer, _ step: CodingStep) throws {
        let value = unsafe value.assumingMemoryBound(to: Model.self).pointee
        guard encoder.options.writesModels, encoder.takesWhole(step) else { return try encoder.encode(value, step) }
        try encoder.whole(step) { try table(value, encoder, step) }
    }

    private func table(_ value: Model, _ encoder: FragmentEncoder, _ step: CodingStep) throws {
        let before = encoder.fragment.mark
        do throws(JSONError) {
            try encoder.fragment.value(value)
        } catch {
            encoder.fragment.goBack(to: before)
            if error.kind == .depthLimit { throw error }
            throw EncodingError.invalidValue(
                value,
                EncodingError.Context(codingPath: encoder.path(to: step), debugDescription: "\(error)", underlyingError: error))
        }
    }
}

/// Writes `Date` in the form of the date strategy.
final class DateWriter: TypeWriter, @unchecked Sendable {
    override func write(_ encoder: FragmentEncoder, _ value: UnsafeRawPointer, _ step: CodingStep) throws {
        let date = unsafe value.assumingMemoryBound(to: Date.self).pointee
        if case .custom(let encode) = encoder.options.dates {
            return try encoder.fill(step) {
                try encode(date, encoder)
                try encoder.openIfEmpty()
            }
        }
        try encoder.whole(step) { try text(of: date, encoder, step) }
    }

    private func text(of date: Date, _ encoder: FragmentEncoder, _ step: CodingStep) throws {
        switch encoder.options.dates {
        case .deferredToDate: try encoder.double(date.timeIntervalSinceReferenceDate) { encoder.path(to: step) }
        case .secondsSince1970: try encoder.finiteDouble(date.timeIntervalSince1970) { encoder.path(to: step) }
        case .millisecondsSince1970: try encoder.finiteDouble(1000 * date.timeIntervalSince1970) { encoder.path(to: step) }
        case .iso8601:
            if let moment = Moment(date) {
                try encoder.fragment.value(moment)
            } else {
                encoder.fragment.text(date.formatted(.iso8601))
            }
        #if canImport(Darwin)
        case .formatted(let formatter): encoder.fragment.text(formatter.string(from: date))
        #endif
        case .custom: break
        @unknown default: try encoder.separately { try date.encode(to: encoder) }
        }
    }
}

/// A date on a whole second in the years 1583 to 9999. For these, the library's ISO 8601 form is also Foundation's.
private struct Moment: JSONWritable {
    let timestamp: JSONTimestamp

    init?(_ date: Date) {
        // Not since 1970: that interval is a sum, which may be rounded to a whole second.
        let seconds = date.timeIntervalSinceReferenceDate
        guard seconds >= -13_190_860_800, seconds < 252_423_993_600, seconds.rounded(.down) == seconds else { return nil }
        timestamp = JSONTimestamp(seconds: Int64(seconds) + 978_307_200, nanoseconds: 0)
    }

    func _write(to writer: inout JSONWriter) throws(JSONError) { try writer.write(timestamp) }
}

/// Writes `Data` in the form of the data strategy.
final class DataWriter: TypeWriter, @unchecked Sendable {
    override func write(_ encoder: FragmentEncoder, _ value: UnsafeRawPointer, _ step: CodingStep) throws {
        let data = unsafe value.assumingMemoryBound(to: Data.self).pointee
        switch encoder.options.data {
        case .base64: try encoder.whole(step) { encoder.fragment.text(data.base64EncodedString()) }
        case .custom(let encode):
            try encoder.fill(step) {
                try encode(data, encoder)
                try encoder.openIfEmpty()
            }
        case .deferredToData: try encoder.encode(data, step)
        @unknown default: try encoder.encode(data, step)
        }
    }
}

/// Writes `URL` as a string.
final class URLWriter: TypeWriter, @unchecked Sendable {
    override func write(_ encoder: FragmentEncoder, _ value: UnsafeRawPointer, _ step: CodingStep) throws {
        try encoder.whole(step) { encoder.fragment.text(unsafe value.assumingMemoryBound(to: URL.self).pointee.absoluteString) }
    }
}

/// Writes `Decimal` as a number with all its digits.
final class DecimalWriter: TypeWriter, @unchecked Sendable {
    override func write(_ encoder: FragmentEncoder, _ value: UnsafeRawPointer, _ step: CodingStep) throws {
        let decimal = unsafe value.assumingMemoryBound(to: Decimal.self).pointee
        if decimal.isNaN { throw encoder.invalid(decimal, encoder.path(to: step), "Unable to encode Decimal.nan in JSON.") }
        try encoder.whole(step) { encoder.fragment.number(decimal.description) }
    }
}
