// What reads the types that do not read themselves, and which those are.

internal import Foundation
internal import SluiceCore

/// Decodes values of one type.
class TypeReader: @unchecked Sendable {
    static let table = TypeTable<TypeReader>()

    /// Puts the value at an index into memory for one value of the type, unless it throws.
    func read(
        _ decoder: TapeDecoder, at index: Int, _ step: PathStep, to memory: UnsafeMutableRawPointer
    ) throws {}

    /// What reads a type; nil for one whose `init(from:)` is called.
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

extension JSONReadable where Self: Decodable {
    fileprivate static var tapeReader: TypeReader { ModelReader<Self>() }
    static var tapeArrayReader: TypeReader { ModelArrayReader<Self>() }
}

/// A container of decodable values for which there is a reader.
protocol TapeContainer {
    static var tapeReader: TypeReader? { get }
}
