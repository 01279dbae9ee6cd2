// Fills arrays and dictionaries directly from the tape. Their own `init(from:)` would call a container for each element.

internal import Foundation
internal import SluiceCore

extension Array: TapeContainer where Element: Decodable {
    static var tapeReader: TypeReader? {
        if let model = Element.self as? any (JSONModel & Decodable).Type { return model.tapeArrayReader }
        return ArrayReader<Element>()
    }
}

extension Dictionary: TapeContainer where Value: Decodable {
    static var tapeReader: TypeReader? { Key.self == String.self ? DictionaryReader<Value>() : nil }
}

/// Reads arrays.
class ArrayReader<Element: Decodable>: TypedReader<[Element]>, @unchecked Sendable {
    override func read(_ decoder: TapeDecoder, at index: Int, _ step: CodingStep) throws -> [Element] {
        try decoder.stand(at: index, step) { try decoder.elements(at: index) }
    }
}

extension TapeDecoder {
    /// Decodes the elements of the current array.
    fileprivate func elements<Element: Decodable>(at index: Int) throws -> [Element] {
        guard entry(index).kind == .array else { throw misfit([Any].self, at: index, codingPath) }
        let count = self.count(at: index)
        // At most 4 MiB are allocated ahead, because an element may fail to decode.
        let room = min(count, max(1, (4 << 20) / max(1, MemoryLayout<Element>.stride)))
        var item = index &+ 2
        // Elements are made in place, because appending an element copies it.
        var values = try unsafe [Element](unsafeUninitializedCapacity: room) { buffer, initialized in
            while initialized < room {
                // Safe: the array has room for these elements.
                unsafe (buffer.baseAddress.unsafelyUnwrapped + initialized)
                    .initialize(to: try make(Element.self, at: item, .element(initialized)))
                initialized &+= 1
                item = self.index(after: item)
            }
        }
        for number in room..<count {
            values.append(try make(Element.self, at: item, .element(number)))
            item = self.index(after: item)
        }
        return values
    }

    /// Decodes the elements of an array of scalars.
    @inline(__always)
    fileprivate func scalars<Element>(
        at index: Int, _ step: CodingStep, plain: (TapeEntry) -> Element?,
        _ read: (Int, () -> [any CodingKey]) throws -> Element
    ) throws -> [Element] {
        guard entry(index).kind == .array else { throw misfit([Any].self, at: index, path(to: step)) }
        let count = self.count(at: index)
        return try unsafe [Element](unsafeUninitializedCapacity: count) { buffer, initialized in
            // A scalar has one entry. A container has more, but it does not fit, and the error ends the loop.
            for number in 0..<count {
                let entryIndex = index &+ 2 &+ number
                // The closure for the path retains the decoder, so it is not made for an element whose entry has the value.
                let value =
                    if let plain = plain(entry(entryIndex)) { plain } else {
                        try read(entryIndex) { path(to: step) + [PathKey(index: number)] }
                    }
                // Safe: the array has room for all elements.
                unsafe buffer.initializeElement(at: number, to: value)
                initialized = number &+ 1
            }
        }
    }
}

/// Reads `[Double]`.
final class DoublesReader: TypedReader<[Double]>, @unchecked Sendable {
    override func read(_ decoder: TapeDecoder, at index: Int, _ step: CodingStep) throws -> [Double] {
        try decoder.scalars(at: index, step, plain: \.double) { try decoder.double(at: $0, $1) }
    }
}

/// Reads `[Int]`.
final class IntegersReader: TypedReader<[Int]>, @unchecked Sendable {
    override func read(_ decoder: TapeDecoder, at index: Int, _ step: CodingStep) throws -> [Int] {
        try decoder.scalars(at: index, step, plain: \.integer) { try decoder.integer(Int.self, at: $0, $1) }
    }
}

/// Reads `[String]`.
final class StringsReader: TypedReader<[String]>, @unchecked Sendable {
    override func read(_ decoder: TapeDecoder, at index: Int, _ step: CodingStep) throws -> [String] {
        try decoder.scalars(at: index, step, plain: { _ in nil }) { try decoder.string(at: $0, $1) }
    }
}

/// Reads dictionaries whose keys are strings. Key strategies do not apply to these keys.
final class DictionaryReader<Value: Decodable>: TypedReader<[String: Value]>, @unchecked Sendable {
    override func read(_ decoder: TapeDecoder, at index: Int, _ step: CodingStep) throws -> [String: Value] {
        try decoder.stand(at: index, step) { try decoder.members(at: index) }
    }
}

extension TapeDecoder {
    /// Decodes the members of the current object.
    fileprivate func members<Value: Decodable>(at index: Int) throws -> [String: Value] {
        guard entry(index).kind == .object else { throw misfit([String: Any].self, at: index, codingPath) }
        if options.hasDefaultKeys, case .damaged(let key) = tape.prepare(index) { throw damage(at: key, codingPath) }
        // If several keys are equal, the first one counts. With a key strategy, Foundation decodes the values of the others too.
        let areUnique = options.hasDefaultKeys && entry(index + 1).flags & TapeEntry.isIndexed == 0
        let count = self.count(at: index)
        var values: [String: Value] = [:]
        values.reserveCapacity(count)
        var item = index &+ 2
        for _ in 0..<count {
            guard let key = tape.string(at: item) else { throw damage(at: item, codingPath) }
            if areUnique {
                // Keys with other bytes may look alike, and are then equal.
                let value = try make(Value.self, at: item &+ 1, .member(item))
                if let first = values.updateValue(value, forKey: key) { values.updateValue(first, forKey: key) }
            } else if !options.hasDefaultKeys || values.index(forKey: key) == nil {
                let value = try make(Value.self, at: item &+ 1, .member(item))
                if values.index(forKey: key) == nil { values.updateValue(value, forKey: key) }
            }
            item = self.index(after: item &+ 1)
        }
        return values
    }
}

/// Reads a type through its property table, or, if the options do not allow that, through its `init(from:)`.
final class ModelReader<Model: JSONReadable & Decodable>: TypedReader<Model>, @unchecked Sendable {
    /// Whether errors after the model must not show its text.
    private let isSensitive = Model.holdsSensitive

    override func read(_ decoder: TapeDecoder, at index: Int, _ step: CodingStep) throws -> Model {
        guard let options = decoder.options.models else { return try decoder.initialize(Model.self, at: index, step) }
        do throws(JSONError) {
            return try decoder.model(Model.self, at: index, options, isSensitive: isSensitive)
        } catch {
            throw refusal(error, decoder, at: index, step)
        }
    }

    override func refusal(_ error: JSONError, _ decoder: TapeDecoder, at index: Int, _ step: CodingStep) -> any Error {
        let own = super.refusal(error, decoder, at: index, step)
        return decoder.refusal(own, of: Model.self, at: index, step)
    }

    override var readsText: Bool { true }

    private let none = NilBits<Model>()

    override func read(_ text: UnsafeRawBufferPointer, with reader: DocumentReader) -> JSONError? {
        unsafe reader.read(Model.self, text, none: none)
    }
}

/// Reads arrays of models, as ``ModelReader`` reads a model.
final class ModelArrayReader<Model: JSONReadable & Decodable>: ArrayReader<Model>, @unchecked Sendable {
    private let isSensitive = Model.holdsSensitive

    override func read(_ decoder: TapeDecoder, at index: Int, _ step: CodingStep) throws -> [Model] {
        guard let options = decoder.options.models else { return try super.read(decoder, at: index, step) }
        do throws(JSONError) {
            return try decoder.model([Model].self, at: index, options, isSensitive: isSensitive)
        } catch {
            throw refusal(error, decoder, at: index, step)
        }
    }

    override func refusal(_ error: JSONError, _ decoder: TapeDecoder, at index: Int, _ step: CodingStep) -> any Error {
        guard decoder.entry(index).kind == .array else {
            return decoder.misfit([Any].self, at: index, decoder.path(to: step))
        }
        let own = super.refusal(error, decoder, at: index, step)
        guard let number = error.elementIndex, number < decoder.count(at: index) else { return own }
        var item = index + 2
        for _ in 0..<number { item = decoder.index(after: item) }
        return decoder.stand(at: index, step) { decoder.refusal(own, of: Model.self, at: item, .element(number)) }
    }

    override var readsText: Bool { true }

    private let none = NilBits<[Model]>()

    override func read(_ text: UnsafeRawBufferPointer, with reader: DocumentReader) -> JSONError? {
        unsafe reader.read([Model].self, text, none: none)
    }
}

extension TapeDecoder {
    fileprivate func model<Model: JSONReadable>(
        _ type: Model.Type, at index: Int, _ options: JSONReader.Options, isSensitive: Bool
    ) throws(JSONError) -> Model {
        // An error found after the model must not show its text.
        if isSensitive { tape.holdsSensitive = true }
        return try tape.read(type, at: index, options: options)
    }
}
