// The widths and heights of weibo.json are numbers in some pictures and strings in others.

#if Macros
import Sluice

/// A number of pixels, and whether it was written as a string: it is written back the same way.
struct WeiboPixels: Hashable, Sendable {
    var count: Int
    var isText = false
}

extension WeiboPixels: JSONScalarBindable {
    init?(jsonScalar scalar: JSONScalar) {
        if let count = scalar.integer(as: Int.self) {
            self.init(count: count)
        } else if let count = scalar.string.flatMap(Int.init) {
            self.init(count: count, isText: true)
        } else {
            return nil
        }
    }

    func write(to writer: inout JSONWriter) throws(JSONError) {
        if isText {
            writer.write(String(count))
        } else {
            writer.write(Int64(count))
        }
    }

    static var jsonExpectation: String { "a number of pixels" }
}

extension WeiboPixels: Codable {
    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let count = try? container.decode(Int.self) {
            self.init(count: count)
            return
        }
        let text = try container.decode(String.self)
        guard let count = Int(text) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "\(text) is no number")
        }
        self.init(count: count, isText: true)
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        if isText {
            try container.encode(String(count))
        } else {
            try container.encode(count)
        }
    }
}
#endif
