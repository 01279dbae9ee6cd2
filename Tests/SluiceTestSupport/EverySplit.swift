// A streaming parser has no favourite chunk size: whatever a test reads whole, it also reads in pieces.

package import SluiceCore

/// Gives bytes with one cut, at a chosen offset.
package struct CutSource: BufferSource {
    private let bytes: [UInt8]
    private let cut: Int
    private var offset = 0

    package init(_ bytes: [UInt8], cut: Int) {
        self.bytes = bytes
        self.cut = cut
    }

    package mutating func fill(_ buffer: UnsafeMutableRawBufferPointer) -> Int {
        let end = offset < cut ? cut : bytes.count
        let count = min(end - offset, buffer.count)
        unsafe bytes.withUnsafeBytes {
            unsafe buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[offset..<(offset + count)]))
        }
        offset += count
        return count
    }
}

/// What reading gave: a value, or the error's kind and path.
package enum Outcome<Value: Equatable>: Equatable, CustomStringConvertible {
    case value(Value)
    case failure(JSONError.Kind, String)

    package init(_ body: () throws(JSONError) -> Value) {
        do throws(JSONError) {
            self = .value(try body())
        } catch {
            self = .failure(error.kind, error.path)
        }
    }

    package var description: String {
        switch self {
        case .value(let value): "value \(value)"
        case .failure(let kind, let path): "\(kind) at '\(path)'"
        }
    }
}

extension JSONReader.Options {
    /// The same, but each piece that a source gives is parsed as it comes.
    package var inPieces: Self {
        var options = self
        options.gathersUpTo = 0
        return options
    }

    /// The same, but yajl reads every byte.
    package var throughYajl: Self {
        var options = self
        options.parser = .yajl
        return options
    }
}

/// The chunk sizes for long input: 1 byte, primes, and the read size's neighbours.
package let primeChunkSizes = [1, 2, 3, 5, 7, 11, 13, 17, 31, 61, 127, 251, 509, 1021, 4093, 65521]

/// All that a reading gives.
package struct Reading<Value: Equatable>: Equatable {
    /// The value, or the kind and path of the error.
    package let outcome: Outcome<Value>
    /// The whole error.
    package let error: JSONError?
    /// What was left out.
    package let report: JSONReadReport
    /// The ways of reading that gave something else.
    package fileprivate(set) var disagreements: [String] = []

    fileprivate init(_ reader: inout JSONReader, _ body: (inout JSONReader) throws(JSONError) -> Value) {
        do throws(JSONError) {
            outcome = .value(try body(&reader))
            error = nil
        } catch {
            outcome = .failure(error.kind, error.path)
            self.error = error
        }
        report = reader.report
    }

    package init(outcome: Outcome<Value>, error: JSONError? = nil, report: JSONReadReport = JSONReadReport()) {
        self.outcome = outcome
        self.error = error
        self.report = report
    }

    /// The value; nil after an error.
    package var value: Value? { if case .value(let value) = outcome { value } else { nil } }

    fileprivate var words: String {
        "\(outcome) \(error?.summary ?? ""), \(report.droppedCount) left out: \(report.issues.map(\.summary))"
    }
}

/// Reads `bytes` whole, through yajl alone, and cut at every offset (or, when long, in chunks of prime sizes); what the whole gave,
/// and the descriptions of all ways that gave another value, error, position or report.
package func readings<Value: JSONReadable & Equatable>(
    of type: Value.Type, _ bytes: [UInt8], options: JSONReader.Options
) -> Reading<Value> {
    var scanning = JSONReader(options: options)
    var whole = Reading<Value>(&scanning) { reader throws(JSONError) in try reader.read(type, from: bytes) }
    let first = whole
    var yajl = JSONReader(options: options.throughYajl)
    let other = Reading<Value>(&yajl) { reader throws(JSONError) in try reader.read(type, from: bytes) }
    if other != first { whole.disagreements.append("through yajl: \(other.words), whole: \(first.words)") }
    var reader = JSONReader(options: options.inPieces)
    if bytes.count <= 1500 {
        for cut in 0...bytes.count {
            var source = CutSource(bytes, cut: cut)
            let other = Reading<Value>(&reader) { reader throws(JSONError) in try reader.read(type, from: &source) }
            if other != first { whole.disagreements.append("cut at \(cut): \(other.words), whole: \(first.words)") }
        }
    }
    for size in primeChunkSizes where size <= bytes.count && (bytes.count < 100_000 || size >= 61) {
        var source = BytesSource(bytes, chunkSize: size)
        let other = Reading<Value>(&reader) { reader throws(JSONError) in try reader.read(type, from: &source) }
        if other != first { whole.disagreements.append("chunks of \(size): \(other.words), whole: \(first.words)") }
    }
    return whole
}

/// The same for text.
package func readings<Value: JSONBindable & Equatable>(
    of type: Value.Type, _ text: String, options: JSONReader.Options
) -> Reading<Value> {
    readings(of: type, Array(text.utf8), options: options)
}

/// The same; returns the outcome of the whole without its report, and the disagreements.
package func readEveryWay<Value: JSONBindable & Equatable>(
    _ type: Value.Type, _ bytes: [UInt8], options: JSONReader.Options = .strict
) -> (outcome: Outcome<Value>, disagreements: [String]) {
    let reading = readings(of: type, bytes, options: options)
    return (reading.outcome, reading.disagreements)
}

/// The same for text.
package func readEveryWay<Value: JSONBindable & Equatable>(
    _ type: Value.Type, _ text: String, options: JSONReader.Options = .strict
) -> (outcome: Outcome<Value>, disagreements: [String]) {
    readEveryWay(type, Array(text.utf8), options: options)
}
