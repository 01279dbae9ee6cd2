// Readers for the types that are not decoded by their own `init(from:)`.

internal import Foundation
internal import SluiceCore

/// Decodes values of one type; always a ``TypedReader``.
class TypeReader: @unchecked Sendable {
    static let table = TypeTable<TypeReader>()

    /// Whether a whole document of this type is read directly from the text, which is faster than by way of a tape.
    var readsText: Bool { false }

    /// Reads a whole document; called only if ``readsText`` is true.
    func read(_ text: UnsafeRawBufferPointer, with reader: DocumentReader) -> JSONError? { JSONError(.invalidModel) }

    /// The reader of a type whose documents are read directly from their text.
    @inline(__always)
    static func ofDocument<T: Decodable>(_ type: T.Type) -> TypeReader? {
        guard let reader = unsafe table.record(of: type, { of(type) }).pointee.worker, reader.readsText else { return nil }
        return reader
    }

    /// The reader of a type; nil for a type whose `init(from:)` is called.
    @inline(never)
    static func of<T: Decodable>(_ type: T.Type) -> TypeReader? {
        if type == Date.self { return DateReader() }
        if type == Data.self { return DataReader() }
        if type == URL.self { return URLReader() }
        if type == Decimal.self { return DecimalReader() }
        if type == [Double].self { return DoublesReader() }
        if type == [Int].self { return IntegersReader() }
        if type == [String].self { return StringsReader() }
        if type == JSONValue.self { return ModelReader<JSONValue>() }
        if let model = type as? any (JSONModel & Decodable).Type { return model.tapeReader }
        if let container = type as? any TapeContainer.Type { return container.tapeReader }
        return nil
    }
}

/// Decodes values of one type, which is known at compile time.
class TypedReader<Value>: TypeReader, @unchecked Sendable {
    /// Decodes the value at an index.
    func read(_ decoder: TapeDecoder, at index: Int, _ step: CodingStep) throws -> Value {
        throw decoder.misfit(Value.self, at: index, decoder.path(to: step))
    }

    /// The error for a value at an index that a property table has refused.
    func refusal(_ error: JSONError, _ decoder: TapeDecoder, at index: Int, _ step: CodingStep) -> any Error {
        decoder.modelError(error, Value.self, decoder.path(to: step))
    }
}

extension JSONReadable where Self: Decodable {
    fileprivate static var tapeReader: TypeReader { ModelReader<Self>() }
    static var tapeArrayReader: TypeReader { ModelArrayReader<Self>() }
}

/// A container of decodable values for which there is a reader.
protocol TapeContainer {
    static var tapeReader: TypeReader? { get }
}
