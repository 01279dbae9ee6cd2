// The decoder that replaces Foundation's: models are read from the text, and other types decode themselves from a tape of it.

public import Foundation
internal import SluiceCore
internal import Synchronization

/// Foundation's `JSONDecoder`, several times as fast, with errors that give their position in the text.
///
/// It is a subclass with the same options, so it can be passed to everything that takes a `JSONDecoder`:
///
/// ```swift
/// let decoder = SluiceJSONDecoder()
/// decoder.dateDecodingStrategy = .iso8601
/// let order = try decoder.decode(Order.self, from: data)
/// ```
///
/// Values, errors and coding paths are Foundation's. The `debugDescription` of an error that leaves `decode` also has the byte offset, line,
/// column and an excerpt of the text. Its `underlyingError` is a `JSONError` with the same facts. Offsets count bytes of UTF-8: an input in
/// UTF-16 or UTF-32 is converted first. An error that a type catches inside has Foundation's words alone: then it costs little.
///
/// A type that is also a `JSONModel` is read through its property table, wherever it occurs: as a property, as an element, or as the
/// whole document. A value of the wrong JSON type is not converted, and the first of equal keys counts. The attributes of the model's own
/// properties apply, as in `Book(json:)`. Tables do not support `keyDecodingStrategy`, `assumesTopLevelDictionary`, custom or formatted
/// dates, data that is not Base64, or text for infinities. If one of these options is set, the type's `init(from:)` is called as for every
/// other type.
///
/// If `allowsJSON5` is set, or a document has 4 GiB or more, Foundation itself decodes. The module's page lists all other differences.
open class SluiceJSONDecoder: JSONDecoder, @unchecked Sendable {
    private let snapshot = Mutex<DecodingOptions?>(nil)

    /// A decoder with Foundation's defaults.
    public override init() { super.init() }

    private var current: DecodingOptions {
        snapshot.withLock { snapshot in
            if let options = snapshot { return options }
            let options = DecodingOptions(self)
            snapshot = options
            return options
        }
    }

    private func forgetOptions() { snapshot.withLock { $0 = nil } }

    open override var dateDecodingStrategy: DateDecodingStrategy { didSet { forgetOptions() } }
    open override var dataDecodingStrategy: DataDecodingStrategy { didSet { forgetOptions() } }
    open override var nonConformingFloatDecodingStrategy: NonConformingFloatDecodingStrategy { didSet { forgetOptions() } }
    open override var keyDecodingStrategy: KeyDecodingStrategy { didSet { forgetOptions() } }
    open override var userInfo: [CodingUserInfoKey: any Sendable] { didSet { forgetOptions() } }
    open override var allowsJSON5: Bool { didSet { forgetOptions() } }
    open override var assumesTopLevelDictionary: Bool { didSet { forgetOptions() } }

    /// Whether errors must not show the text of documents, because it may hold sensitive values.
    ///
    /// ```swift
    /// let decoder = SluiceJSONDecoder()
    /// decoder.hidesText = true
    /// let session = try decoder.decode(Session.self, from: data)   // errors give kinds, keys and positions, and quote nothing
    /// ```
    ///
    /// A document that is a `JSONModel` with a `@JSONSensitive` property needs no such option. What a type
    /// that is only `Codable` holds is unknown before it is decoded: if it fails before it reaches such a model, only this option hides
    /// the text.
    public var hidesText = false { didSet { forgetOptions() } }

    // MARK: Decoding

    /// Decodes a value from JSON.
    ///
    /// - Throws: `DecodingError`, or any error that a type's own `init(from:)` throws.
    open override func decode<T: Decodable>(_ type: T.Type, from data: Data) throws -> T {
        let options = current
        if options.allowsJSON5 || data.count >= JSONTape.sizeLimit { return try super.decode(type, from: data) }
        if let worker = TypeReader.ofDocument(type), unsafe data.withUnsafeBytes({ unsafe InputEncoding.isSurelyUTF8($0) }),
            let reader = DocumentReader.take(options)
        {
            guard let error = unsafe data.withUnsafeBytes({ unsafe worker.read($0, with: reader) }) else {
                // Safe: the record of a type has the reader of that type, and an optional begins with the bits of its value.
                let value = unsafe reader.memory.assumingMemoryBound(to: type).move()
                let isChecked = !reader.hasUncheckedText
                reader.giveBack()
                if !isChecked { try check(data, as: type, options) }
                return value
            }
            reader.giveBack()
            try refuse(data, as: type, worker, error, options)
        }
        return try unsafe withDecoder(for: data, options) { decoder, text, origin in
            try unsafe decoder.decode(type, text, origin)
        }
    }

    /// Decodes a value that needs a configuration.
    ///
    /// - Throws: as ``decode(_:from:)`` does.
    open override func decode<T: DecodableWithConfiguration>(
        _ type: T.Type, from data: Data, configuration: T.DecodingConfiguration
    ) throws -> T {
        let options = current
        if options.allowsJSON5 || data.count >= JSONTape.sizeLimit {
            return try super.decode(type, from: data, configuration: configuration)
        }
        return try unsafe withDecoder(for: data, options) { decoder, text, origin in
            try unsafe decoder.scan(text, origin)
            return try type.init(from: decoder, configuration: configuration)
        }
    }

    /// Decodes a value that needs a configuration, which another type provides.
    ///
    /// - Throws: as ``decode(_:from:)`` does.
    open override func decode<T, C>(
        _ type: T.Type, from data: Data, configuration: C.Type
    ) throws -> T
    where T: DecodableWithConfiguration, C: DecodingConfigurationProviding, T.DecodingConfiguration == C.DecodingConfiguration {
        try decode(type, from: data, configuration: C.decodingConfiguration)
    }

    // MARK: The text

    /// Checks all text of a document whose value has been read: Foundation also refuses damaged text in values that no property binds.
    @inline(never)
    private func check<T: Decodable>(_ data: Data, as type: T.Type, _ options: DecodingOptions) throws {
        try unsafe withDecoder(for: data, options) { decoder, text, origin in
            decoder.tape.root = type
            try unsafe decoder.scan(text, origin)
        }
    }

    /// Throws the error for a document that a table has refused.
    @inline(never)
    private func refuse<T: Decodable>(
        _ data: Data, as type: T.Type, _ worker: TypeReader, _ failure: JSONError, _ options: DecodingOptions
    ) throws {
        try unsafe withDecoder(for: data, options) { decoder, text, origin in
            throw try unsafe decoder.refusal(type, worker, failure, text, origin)
        }
    }

    private func withDecoder<Value>(
        for data: Data, _ options: DecodingOptions,
        _ body: (TapeDecoder, _ text: UnsafeRawBufferPointer, _ origin: SourcePosition) throws -> Value
    ) throws -> Value {
        switch InputEncoding(data) {
        case .utf8(let markSize):
            return try unsafe data.withUnsafeBytes { bytes in
                try TapeDecoder.with(options) { decoder in
                    try unsafe body(
                        decoder, UnsafeRawBufferPointer(rebasing: bytes[markSize...]),
                        SourcePosition(offset: markSize, line: 1, column: markSize + 1))
                }
            }
        case .other(let encoding, let markSize):
            guard var text = String(data: data.dropFirst(markSize), encoding: encoding) else {
                throw TapeDecoder.syntaxError(.unconvertible)
            }
            return try text.withUTF8 { bytes in
                try TapeDecoder.with(options) { decoder in try unsafe body(decoder, UnsafeRawBufferPointer(bytes), .start) }
            }
        }
    }
}
