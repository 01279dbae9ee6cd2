// Readers for Foundation's types that have a strategy (`Date`, `Data`) or a form of their own in JSON (`URL`, `Decimal`).

internal import Foundation
internal import SluiceCore

/// Reads `Date` in the form of the date strategy.
final class DateReader: TypedReader<Date>, @unchecked Sendable {
    override func read(_ decoder: TapeDecoder, at index: Int, _ step: CodingStep) throws -> Date {
        try decoder.date(at: index, step)
    }
}

/// Reads `Data` in the form of the data strategy.
final class DataReader: TypedReader<Data>, @unchecked Sendable {
    override func read(_ decoder: TapeDecoder, at index: Int, _ step: CodingStep) throws -> Data {
        try decoder.data(at: index, step)
    }
}

/// Reads `URL` from a string.
final class URLReader: TypedReader<URL>, @unchecked Sendable {
    override func read(_ decoder: TapeDecoder, at index: Int, _ step: CodingStep) throws -> URL {
        if decoder.entry(index).kind == .null { throw decoder.misfit(URL.self, at: index, decoder.path(to: step)) }
        let text = try decoder.string(at: index) { decoder.path(to: step) }
        guard let url = URL(string: text) else {
            throw decoder.corruption("Invalid URL string.", at: index, decoder.path(to: step), expected: "a URL")
        }
        return url
    }
}

/// Reads `Decimal` from the text of a number, without going through a double.
final class DecimalReader: TypedReader<Decimal>, @unchecked Sendable {
    override func read(_ decoder: TapeDecoder, at index: Int, _ step: CodingStep) throws -> Decimal {
        let entry = decoder.entry(index)
        guard entry.isNumber else { throw decoder.misfit(Decimal.self, at: index, decoder.path(to: step)) }
        let text = unsafe decoder.tape.text(at: index)
        // `1234567890.000000001` also has an integer entry, because the nearest double is an integer. So numbers with a point are read
        // from their text.
        if entry.kind == .integer, unsafe !text.contains(UInt8(ascii: ".")) {
            return Decimal(Int64(bitPattern: entry.bits))
        }
        guard decoder.tape.isNumber(at: index) else { throw decoder.damage(at: index, decoder.path(to: step)) }
        guard let value = Decimal(string: unsafe String(decoding: text, as: UTF8.self)) else {
            throw decoder.unfit(Decimal.self, at: index, decoder.path(to: step))
        }
        return value
    }
}

extension TapeDecoder {
    fileprivate func date(at index: Int, _ step: CodingStep) throws -> Date {
        if entry(index).kind == .null { throw misfit(Date.self, at: index, path(to: step)) }
        switch options.dates {
        case .deferredToDate:
            return Date(timeIntervalSinceReferenceDate: try double(at: index) { path(to: step) })
        case .secondsSince1970:
            return Date(timeIntervalSince1970: try double(at: index) { path(to: step) })
        case .millisecondsSince1970:
            return Date(timeIntervalSince1970: try double(at: index) { path(to: step) } / 1000)
        case .iso8601:
            // The fast path, for the usual form of an ISO 8601 date.
            if entry(index).kind == .string, let seconds = unsafe JSONTimestamp.plainSeconds(of: tape.text(at: index)) {
                return Date(timeIntervalSince1970: Double(seconds))
            }
            let text = try string(at: index) { path(to: step) }
            if let date = try? Date.ISO8601FormatStyle().parse(text) { return date }
            // Foundation's error has the path of the container here, not of the value.
            throw corruption(
                "Expected date string to be ISO8601-formatted.", at: index, codingPath, expected: "an ISO 8601 date")
        #if canImport(Darwin)
        case .formatted(let formatter):
            let text = try string(at: index) { path(to: step) }
            if let date = formatter.date(from: text) { return date }
            throw corruption(
                "Date string does not match format expected by formatter.", at: index, path(to: step),
                expected: "a date in the formatter's format")
        #endif
        case .custom(let make):
            return try stand(at: index, step) { try make(self) }
        @unknown default:
            return try initialize(Date.self, at: index, step)
        }
    }

    fileprivate func data(at index: Int, _ step: CodingStep) throws -> Data {
        if entry(index).kind == .null { throw misfit(Data.self, at: index, path(to: step)) }
        switch options.data {
        case .deferredToData:
            return try initialize(Data.self, at: index, step)
        case .base64:
            let text = try string(at: index) { path(to: step) }
            if let data = Data(base64Encoded: text) { return data }
            throw corruption(
                "Encountered Data is not valid Base64.", at: index, path(to: step), expected: "Base64")
        case .custom(let make):
            return try stand(at: index, step) { try make(self) }
        @unknown default:
            return try initialize(Data.self, at: index, step)
        }
    }
}
