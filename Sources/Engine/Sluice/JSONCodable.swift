// For a property whose type is only Codable: Foundation's coders read and write its value, in place.
//
// These are not SluiceCodable's coders, because `Sluice` links Foundation already, and SluiceCodable would be one more module for every
// user. A program with mostly Codable types swaps the decoder instead (SluiceCodable), which reads models by their tables.

internal import Foundation
public import SluiceCore

/// Binds a value by its `Codable` conformance, for generated code: see `@JSONCodable`.
public enum _JSONCodable<Value: Codable>: _JSONAdapter {
    public static func _bind(_ compiler: inout _BindingCompiler) -> _Binding {
        compiler.decodable(self, of: Value.self, expectation: "what \(Value.self).init(from:) reads")
    }

    public static func _bind(_ captured: _CapturedValue, at destination: _Destination) throws(JSONError) -> _CapturedValue.Outcome
    {
        let text = try captured.raw().text
        do {
            destination.store(try CodableCoders.decoder(dates: captured.options.dates).decode(Value.self, from: Data(text.utf8)))
        } catch let error as JSONError {
            throw error
        } catch {
            throw CodableCoders.error(error, reading: Value.self)
        }
        return .bound
    }

    public static func _write(_ value: Value, to writer: inout JSONWriter) throws(JSONError) {
        let data: Data
        do {
            let encoder = CodableCoders.encoder(dates: writer.dateFormat, isSorted: writer.options.sortedKeys)
            if writer.isDescribing, let key = CodingUserInfoKey.isDescribing { encoder.userInfo[key] = true }
            data = try encoder.encode(value)
        } catch let error as JSONError {
            throw error
        } catch {
            throw JSONError.notWritable("what \(Value.self).encode(to:) writes", found: String(describing: error))
        }
        // Written as a tree, so that it is indented and escaped like the rest.
        try JSONValue(json: data)._write(to: &writer)
    }
}

/// Makes Foundation's coders, which read and write dates in the same format as the model.
private enum CodableCoders {
    static func decoder(dates: JSONDateFormat?) -> JSONDecoder {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .custom { decoder in
            let value = try JSONValue(from: decoder)
            return try Date(json: value.jsonBytes(), options: .init(dates: dates))
        }
        return decoder
    }

    static func encoder(dates: JSONDateFormat, isSorted: Bool) -> JSONEncoder {
        let encoder = JSONEncoder()
        encoder.outputFormatting = isSorted ? [.sortedKeys, .withoutEscapingSlashes] : .withoutEscapingSlashes
        encoder.dateEncodingStrategy = .custom { date, encoder in
            try JSONValue(json: date.jsonBytes(options: .init(dates: dates))).encode(to: encoder)
        }
        return encoder
    }

    /// Turns a coder's error into a `JSONError`, with the path inside the value.
    static func error(_ error: any Error, reading type: Any.Type) -> JSONError {
        guard let error = error as? DecodingError else {
            return JSONError(.invalidValue, expected: "what \(type).init(from:) reads", found: String(describing: error))
        }
        let (kind, context): (JSONError.Kind, DecodingError.Context) =
            switch error {
            case .typeMismatch(_, let context): (.typeMismatch, context)
            case .valueNotFound(_, let context): (.typeMismatch, context)
            case .keyNotFound(_, let context): (.missingKeys, context)
            case .dataCorrupted(let context): (.invalidValue, context)
            @unknown default: (.invalidValue, .init(codingPath: [], debugDescription: ""))
            }
        var keys: [String] = []
        if case .keyNotFound(let key, _) = error { keys = [key.stringValue] }
        var path = ""
        for key in context.codingPath {
            // The key of an array's element is spelled "Index 3". The number of a dictionary is spelled as itself.
            if let index = key.intValue, key.stringValue != String(index) {
                path += "[\(index)]"
            } else {
                PathSyntax.append(key.stringValue, to: &path)
            }
        }
        return JSONError(
            kind, path: path, expected: "what \(type).init(from:) reads", found: context.debugDescription, keys: keys)
    }
}
