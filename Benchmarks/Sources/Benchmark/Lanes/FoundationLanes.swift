// The lanes of Foundation, with the same models, or the same without tables where SluiceCodable has them. Decoder and encoder are made once; the text is wrapped in `Data` beforehand.

internal import Foundation

enum FoundationLanes {
    /// Reads the whole text into a value.
    static func reading<Value: Decodable>(_ document: Document, _ type: Value.Type, _ decoder: JSONDecoder) -> Lane {
        .inProcess(.foundation) { count in
            for _ in 0..<count { _ = try decoder.decode(type, from: document.data) }
        }
    }

    /// Reads each line into a record.
    static func readingLines<Record: Decodable>(_ document: Document, _ type: Record.Type, _ decoder: JSONDecoder) -> Lane {
        .inProcess(.foundation) { count in
            for _ in 0..<count {
                for index in unsafe 0..<document.lines.count {
                    let line = unsafe document.lines[index]
                    // Safe: the document outlives the data, and its lines have an address.
                    let data = unsafe Data(
                        bytesNoCopy: UnsafeMutableRawPointer(mutating: line.baseAddress.unsafelyUnwrapped), count: line.count,
                        deallocator: .none)
                    _ = try decoder.decode(type, from: data)
                }
            }
        }
    }

    /// Reads the text into dictionaries and arrays.
    static func tree(_ document: Document) -> Lane {
        .inProcess(.serialization) { count in
            for _ in 0..<count { _ = try JSONSerialization.jsonObject(with: document.data) }
        }
    }

    /// Writes dictionaries and arrays.
    static func writingTree(_ document: Document) throws -> Lane {
        let tree = try JSONSerialization.jsonObject(with: document.data)
        return .inProcess(.serialization) { count in
            for _ in 0..<count { _ = try JSONSerialization.data(withJSONObject: tree) }
        }
    }

    /// Reads the text into dictionaries and arrays, and those into a value, by hand.
    static func assigning<Value: Equatable>(
        _ document: Document, expected: @escaping () throws -> Value?, _ make: @escaping ([String: Any]) throws -> Value
    ) -> Lane {
        func read() throws -> Value {
            guard let object = try JSONSerialization.jsonObject(with: document.data) as? [String: Any] else {
                throw BenchmarkError("no object")
            }
            return try make(object)
        }
        return .inProcess(.serializationByHand) { count in
            for _ in 0..<count { _ = try read() }
        } check: {
            guard let other = try expected() else { return nil }
            return try read() == other ? nil : "another value than the other lanes'"
        }
    }

    /// Writes a value.
    static func writing<Value: Codable & Equatable>(_ value: Value, _ encoder: JSONEncoder, _ decoder: JSONDecoder) -> Lane {
        .inProcess(.foundation) { count in
            for _ in 0..<count { _ = try encoder.encode(value) }
        } check: {
            try decoder.decode(Value.self, from: try encoder.encode(value)) == value
                ? nil : "what it writes reads back as another value"
        }
    }
}

/// How dates are read and written.
enum DateStyle {
    case iso8601, twitter

    var decoder: JSONDecoder { applied(to: JSONDecoder()) }
    var encoder: JSONEncoder { applied(to: JSONEncoder()) }

    /// The decoder, which then reads dates so.
    func applied(to decoder: JSONDecoder) -> JSONDecoder {
        switch self {
        case .iso8601: decoder.dateDecodingStrategy = .iso8601
        case .twitter: decoder.dateDecodingStrategy = .formatted(DateStyle.twitterFormatter)
        }
        return decoder
    }

    /// The encoder, which then writes dates so.
    func applied(to encoder: JSONEncoder) -> JSONEncoder {
        switch self {
        case .iso8601: encoder.dateEncodingStrategy = .iso8601
        case .twitter: encoder.dateEncodingStrategy = .formatted(DateStyle.twitterFormatter)
        }
        return encoder
    }

    /// Twitter's dates, and Weibo's: `Sun Aug 31 00:29:15 +0000 2014`.
    private static var twitterFormatter: DateFormatter {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.dateFormat = "EEE MMM dd HH:mm:ss Z yyyy"
        return formatter
    }
}
