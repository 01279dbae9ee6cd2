// The encoder that replaces Foundation's: values encode themselves directly as text, without a tree in between.

public import Foundation
internal import SluiceCore
internal import Synchronization

/// Foundation's `JSONEncoder`, several times as fast.
///
/// It is a subclass with the same options, so it can be passed to everything that takes a `JSONEncoder`:
///
/// ```swift
/// let encoder = SluiceJSONEncoder()
/// encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
/// let data = try encoder.encode(order)
/// ```
///
/// If `outputFormatting` contains `sortedKeys`, the text is the same as Foundation's, byte for byte. Otherwise members are written in the
/// order in which they are encoded; Foundation's order differs from run to run.
///
/// A type that is also a `JSONModel` is written through its property table, as `jsonBytes()` writes it, wherever it occurs in the
/// document. Its doubles are in the form of RFC 8785, and its dates in ISO 8601 unless the strategy is seconds or milliseconds since
/// 1970. Tables do not support key strategies, custom or formatted dates, data that is not Base64, or text for infinities. If one of
/// these options is set, the type's `encode(to:)` is called as for every other type.
open class SluiceJSONEncoder: JSONEncoder, @unchecked Sendable {
    private let snapshot = Mutex<EncodingOptions?>(nil)

    /// An encoder with Foundation's defaults.
    public override init() { super.init() }

    private var current: EncodingOptions {
        snapshot.withLock { snapshot in
            if let options = snapshot { return options }
            let options = EncodingOptions(self)
            snapshot = options
            return options
        }
    }

    private func forgetOptions() { snapshot.withLock { $0 = nil } }

    open override var outputFormatting: OutputFormatting { didSet { forgetOptions() } }
    open override var dateEncodingStrategy: DateEncodingStrategy { didSet { forgetOptions() } }
    open override var dataEncodingStrategy: DataEncodingStrategy { didSet { forgetOptions() } }
    open override var nonConformingFloatEncodingStrategy: NonConformingFloatEncodingStrategy { didSet { forgetOptions() } }
    open override var keyEncodingStrategy: KeyEncodingStrategy { didSet { forgetOptions() } }
    open override var userInfo: [CodingUserInfoKey: any Sendable] { didSet { forgetOptions() } }

    /// Encodes a value as JSON.
    ///
    /// - Throws: `EncodingError`, or any error that a type's own `encode(to:)` throws.
    open override func encode<T: Encodable>(_ value: T) throws -> Data {
        try unsafe text(of: value) {
            try $0.encodeHere(value)
        } use: {
            unsafe Data($0)
        }
    }

    /// Appends a value as JSON to data. If the data is kept for the next value, no memory is allocated for it:
    ///
    /// ```swift
    /// var data = Data()
    /// for order in orders {
    ///     data.removeAll(keepingCapacity: true)
    ///     try encoder.encode(order, into: &data)
    ///     send(data)
    /// }
    /// ```
    ///
    /// After an error, the data is as it was.
    ///
    /// - Throws: as ``encode(_:)`` does.
    public func encode<T: Encodable>(_ value: T, into data: inout Data) throws {
        try unsafe text(of: value) {
            try $0.encodeHere(value)
        } use: {
            unsafe data.append(contentsOf: $0)
        }
    }

    /// Encodes a value that needs a configuration.
    ///
    /// - Throws: as ``encode(_:)`` does.
    open override func encode<T: EncodableWithConfiguration>(
        _ value: T, configuration: T.EncodingConfiguration
    ) throws -> Data {
        try unsafe text(of: value) {
            try value.encode(to: $0, configuration: configuration)
        } use: {
            unsafe Data($0)
        }
    }

    /// Encodes a value that needs a configuration, which another type provides.
    ///
    /// - Throws: as ``encode(_:)`` does.
    open override func encode<T, C>(
        _ value: T, configuration: C.Type
    ) throws -> Data
    where T: EncodableWithConfiguration, C: EncodingConfigurationProviding, T.EncodingConfiguration == C.EncodingConfiguration {
        try encode(value, configuration: C.encodingConfiguration)
    }

    /// Calls a closure with the text that another one makes of a value.
    private func text<T, Result>(
        of value: T, _ write: (FragmentEncoder) throws -> Void, use: (UnsafeRawBufferPointer) -> Result
    ) throws -> Result {
        let options = current
        return try FragmentEncoder.with(options) { encoder in
            let isWritten: Bool
            do {
                isWritten = try encoder.writeDocument { try write(encoder) }
            } catch let error as JSONError where error.kind == .depthLimit {
                throw EncodingError.invalidValue(
                    value,
                    EncodingError.Context(
                        codingPath: [], debugDescription: "Unable to encode the given top-level value to JSON. \(error)",
                        underlyingError: error))
            }
            if !isWritten {
                throw EncodingError.invalidValue(
                    value,
                    EncodingError.Context(codingPath: [], debugDescription: "Top-level \(T.self) did not encode any values."))
            }
            return unsafe encoder.finish(use)
        }
    }
}
