// What tests of reading say most often.

package import SluiceCore

/// The error that `body` throws; nil if it throws none.
package func failure<Value>(_ body: () throws(JSONError) -> Value) -> JSONError? {
    do throws(JSONError) {
        _ = try body()
        return nil
    } catch {
        return error
    }
}

/// The error of reading `text`; nil if it is read.
package func failure<Value: JSONBindable>(
    reading type: Value.Type, _ text: String, options: JSONReader.Options = .strict
) -> JSONError? {
    failure { () throws(JSONError) in try Value(json: text, options: options) }
}

/// Reads `text` cut at every offset. Describes each cut whose error differs from that of the whole text in kind, path or position.
package func positionsEveryWay<Value: JSONBindable>(_ type: Value.Type, _ text: String) -> [String] {
    let bytes = Array(text.utf8)
    let whole = failure(reading: type, text)
    var disagreements: [String] = []
    for cut in 0...bytes.count {
        var source = CutSource(bytes, cut: cut)
        var reader = JSONReader(options: .strict)
        let other = failure { () throws(JSONError) in try reader.read(type, from: &source) }
        if other?.kind != whole?.kind || other?.path != whole?.path || other?.position != whole?.position {
            disagreements.append("cut at \(cut): \(other?.summary ?? "none"), whole: \(whole?.summary ?? "none")")
        }
    }
    return disagreements
}
