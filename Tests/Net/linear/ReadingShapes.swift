// Documents.

import SluiceCore

private let strict = JSONReader.Options.strict
/// Leaves out what does not fit.
private let tolerant = JSONReader.Options(mismatch: .keep, elements: .skipInvalid)
/// The same, and describes all of it.
private let describing = JSONReader.Options(mismatch: .keep, elements: .skipInvalid, reportLimit: .max)
private let everywhere = JSONReader.Options(validation: .full, duplicateKeys: .errorEverywhere)

let readingShapes: [Shape] = [
    // MARK: Keys
    Shape("unknown keys", 1000) { size in
        let read = read(Item.self, "{" + joined(size) { "\"x\($0)\":[\($0),{\"y\":\"z\"}]" } + ",\"id\":\(size)}")
        return { try read().id }
    },
    Shape("unknown keys, checked", 1000) { size in
        let read = read(Item.self, "{" + joined(size) { "\"x\($0)\":[\($0),{\"y\":\"z\"}]" } + ",\"id\":\(size)}", everywhere)
        return { try read().id }
    },
    Shape("duplicate keys", 2000) { size in
        let read = read(Item.self, "{" + joined(size) { "\"id\":\($0 + 1),\"name\":\"n\($0)\"" } + "}")
        return { try read().id }
    },
    Shape("duplicate keys of models", 1000, expected: { _ in 1 }) { size in
        let read = read(Item.self, "{" + joined(size) { "\"tags\":[\($0)]" } + "}", .init(duplicateKeys: .first))
        return { try read().tags?.count ?? 0 }
    },
    Shape("dictionaries", 1000) { size in
        let read = read([String: Int].self, "{" + joined(size) { "\"key \($0)\":\($0)" } + "}")
        return { try read().count }
    },
    Shape("dictionaries, no key twice", 1000) { size in
        let read = read([String: Int].self, "{" + joined(size) { "\"\\u006bey \($0)\":\($0)" } + "}", everywhere)
        return { try read().count }
    },
    Shape("objects as trees", 1000) { size in
        let read = read(JSONValue.self, "{" + joined(size) { "\"key \($0)\":{\"a\":\($0)}" } + "}")
        return { try read().object?.count ?? 0 }
    },
    Shape("shared keys", 1000) { size in
        let read = read(Shared.self, "{\"k\":[" + joined(size) { "\($0)" } + "]}")
        return { try read().list?.count ?? 0 }
    },
    Shape("shared keys in pieces", 1000) { size in
        let read = read(Shared.self, "{\"k\":[" + joined(size) { "\($0)" } + "]}", pieces: 100)
        return { try read().list?.count ?? 0 }
    },
    Shape("many objects with shared keys", 500) { size in
        let read = read([Shared].self, "[" + joined(size) { "{\"k\":[\($0)]}" } + "]")
        return { try read().count }
    },
    Shape("paths", 1000, expected: { $0 - 1 }) { size in
        let read = read(
            Placed.self,
            "{\"a\":{\"b\":{" + joined(size) { "\"c\":\($0)" } + "}},\"list\":[" + joined(size) { "{\"id\":\($0)}" } + "]}")
        return { try read().deep ?? 0 }
    },
    // MARK: Tokens
    Shape("escapes", 2000, expected: { $0 * 5 }) { size in
        let read = read(String.self, "\"" + String(repeating: #"\n\u00e9\ud83d\ude00\"a"#, count: size) + "\"")
        return { try read().unicodeScalars.count }
    },
    Shape("escapes in pieces", 1000, expected: { $0 * 5 }) { size in
        let read = read(String.self, "\"" + String(repeating: #"\n\u00e9\ud83d\ude00\"a"#, count: size) + "\"", pieces: 1024)
        return { try read().unicodeScalars.count }
    },
    Shape("half surrogate pairs that nothing binds", 2000, expected: { _ in 7 }) { size in
        let read = read(
            Item.self, "{\"x\":\"" + String(repeating: #"\ud800\\x"#, count: size) + "\",\"id\":7}", .init(parser: .yajl))
        return { try read().id }
    },
    Shape("half surrogate pairs that nothing binds, in small pieces", 20_000, expected: { _ in 7 }) { size in
        let read = read(Item.self, "{\"x\":\"" + String(repeating: #"\ud800\\x"#, count: size) + "\",\"id\":7}", pieces: 1024)
        return { try read().id }
    },
    Shape("keys of half surrogate pairs that nothing binds", 1000, expected: { _ in 7 }) { size in
        let read = read(
            Item.self, "{\"x\":{" + joined(size) { "\"\\ud800\\\\\($0)\":\($0)" } + "},\"id\":7}", .init(parser: .yajl))
        return { try read().id }
    },
    Shape("long strings in small pieces", 200_000) { size in
        let read = read(String.self, "\"" + String(repeating: "x", count: size) + "\"", pieces: 1024)
        return { try read().utf8.count }
    },
    Shape("long strings that nothing binds, in small pieces", 200_000, expected: { _ in 7 }) { size in
        let read = read(Item.self, "{\"x\":\"" + String(repeating: "é", count: size / 2) + "\",\"id\":7}", pieces: 1024)
        return { try read().id }
    },
    Shape("a long document that is gathered", 200_000) { size in
        let bytes = Array(("[" + joined(size) { "\($0 % 10)" } + "]").utf8)
        return {
            var reader = JSONReader()
            var source = BytesSource(bytes, chunkSize: 1024)
            return try reader.read([Int].self, from: &source).count
        }
    },
    Shape("long numbers", 20_000, expected: { $0 + 3 }) { size in
        let read = read(JSONValue.self, "0.1" + String(repeating: "1234567890", count: size / 10))
        return { try read().number?.lexeme.utf8.count ?? 0 }
    },
    Shape("long numbers as doubles", 20_000, expected: { _ in 0 }) { size in
        let read = read(Double.self, "0." + String(repeating: "1234567890", count: size / 10))
        return { Int(try read()) }
    },
    Shape("long numbers as integers", 20_000, expected: { _ in 0 }) { size in
        let read = read(Int.self, "1" + String(repeating: "0", count: size) + "e-\(size)")
        return { offset(read) < 0 ? 0 : offset(read) }
    },
    Shape("long numbers in small pieces", 50_000, expected: { $0 + 3 }) { size in
        let read = read(JSONValue.self, "0.1" + String(repeating: "1234567890", count: size / 10), pieces: 1024)
        return { try read().number?.lexeme.utf8.count ?? 0 }
    },
    Shape("blanks", 10_000, expected: { _ in 3 }) { size in
        let blanks = String(repeating: " \n\t ", count: size)
        let read = read([Int].self, "\(blanks)[1,\(blanks)2\(blanks),3]\(blanks)")
        return { try read().count }
    },
    Shape("blanks in pieces", 10_000, expected: { _ in 3 }) { size in
        let blanks = String(repeating: " \n\t ", count: size)
        let read = read([RawJSON].self, "\(blanks)[1,\(blanks)2\(blanks),3]\(blanks)", pieces: 1024)
        return { try read().count }
    },
    Shape("bytes one by one", 1000) { size in
        let read = read([Item].self, "[" + joined(size) { "{\"id\":\($0)}" } + "]", pieces: 1)
        return { try read().count }
    },
    Shape("dates", 500, expected: { $0 * 4 }) { size in
        let forms = [
            "\"2014-01-20T12:24:48.5+01:00\"", "\"Mon, 20 Jan 2014 12:24:48 GMT\"", "\"2014-01-20 12:24:48\"", "\"2014-01-20\"",
        ]
        let read = read([Moment].self, "[" + joined(size * 4) { forms[$0 % 4] } + "]")
        return { try read().count }
    },
    Shape("a long date", 20_000, expected: { _ in 0 }) { size in
        let read = read(Moment.self, "\"2014-01-20T12:24:48." + String(repeating: "1", count: size) + "Z\"")
        return {
            _ = offset(read); return 0
        }
    },
    // MARK: Containers
    Shape("deep arrays", 120, expected: { _ in 1 }) { size in
        let text = String(repeating: "[", count: size) + String(repeating: "]", count: size)
        let read = read(JSONValue.self, text, .init(maximumDepth: size))
        return { try read().array?.count ?? 0 }
    },
    Shape("deep arrays that nothing binds", 120, expected: { _ in 7 }) { size in
        let text = String(repeating: "[", count: size) + String(repeating: "]", count: size)
        let read = read(Item.self, "{\"x\":\(text),\"id\":7}", .init(maximumDepth: size + 1, validation: .full))
        return { try read().id }
    },
    Shape("many small arrays", 2000) { size in
        let read = read([[Int]].self, "[" + joined(size) { "[\($0),1]" } + "]")
        return { try read().count }
    },
    Shape("raw values in pieces", 500) { size in
        let read = read([RawJSON].self, "[" + joined(size) { "{\"a\":[\($0)]}" } + "]", pieces: 64)
        return { try read().count }
    },
    Shape("a long raw value in small pieces", 4000) { size in
        let read = read([RawJSON].self, "[[" + joined(size) { "\($0)" } + "]]", pieces: 100)
        return { try read()[0].text.utf8.count { $0 == UInt8(ascii: ",") } + 1 }
    },
    // MARK: What does not fit
    Shape("left-out elements", 2000, expected: { _ in 1 }) { size in
        let read = read([Int].self, "[" + joined(size) { _ in "\"\\n\"" } + ",1]", tolerant)
        return { try read().count }
    },
    Shape("left-out elements, described", 2000, expected: { _ in 1 }) { size in
        let read = read([Int].self, "[" + joined(size) { _ in "\"\\n\"" } + ",1]", describing)
        return { try read().count }
    },
    Shape("left-out elements in pieces", 2000, expected: { _ in 1 }) { size in
        let read = read([Int].self, "[" + joined(size) { _ in "{\"a\":[]}" } + ",1]", pieces: 1000, tolerant)
        return { try read().count }
    },
    Shape("left-out members", 1000, expected: { _ in 0 }) { size in
        let read = read([String: Int].self, "{" + joined(size) { "\"k\($0)\":{\"a\":[\($0)]}" } + "}", tolerant)
        return { try read().count }
    },
    Shape("converted elements", 2000) { size in
        let read = read([Int].self, "[" + joined(size) { "\" \($0)\\n\"" } + "]")
        return { try read().count }
    },
    Shape("errors at the end of long lines", 20_000, expected: { $0 * 2 + 1 }) { size in
        let read = read([Int].self, "[" + String(repeating: "1,", count: size) + "x]")
        return { offset(read) }
    },
    Shape("misfits at the end of long lines", 20_000, expected: { $0 * 2 + 1 }) { size in
        let read = read([Int].self, "[" + String(repeating: "1,", count: size) + "{}]", strict)
        return { offset(read) }
    },
    Shape("many missing keys", 500, expected: { _ in 0 }) { size in
        let read = read([Hooked].self, "[" + joined(size) { "{\"x\":\($0)}" } + "]", tolerant)
        return { try read().count }
    },
    // MARK: Features
    Shape("variants by a key", 500) { size in
        let read = read([Tagged].self, "[" + joined(size) { "{\"id\":\($0),\"type\":\"item\"}" } + "]")
        return { try read().count }
    },
    Shape("a variant of many members", 2000) { size in
        let read = read(Tagged.self, "{" + joined(size) { "\"x\($0)\":\($0)" } + ",\"id\":\(size),\"type\":\"item\"}")
        return { if case .item(let item) = try read() { item.id } else { -1 } }
    },
    Shape("variants by presence", 500) { size in
        let read = read([Present].self, "[" + joined(size) { "{\"id\":\($0),\"name\":\"a\"}" } + "]")
        return { try read().count }
    },
    Shape("untagged enums", 300) { size in
        let read = read([Nested].self, "[" + joined(size) { "[\($0),\"a\"]" } + "]")
        return { try read().count }
    },
    Shape("untagged nested enums", 5, expected: { _ in 1 }) { size in
        let text = String(repeating: "[", count: size) + "\"x\"" + String(repeating: "]", count: size)
        let read = read(Nested.self, text)
        return { if case .few(let list) = try read() { list.count } else { -1 } }
    },
    Shape("untagged nested enums that do not fit", 3, expected: { _ in 0 }) { size in
        let read = read(Nested.self, String(repeating: "[", count: size) + "true" + String(repeating: "]", count: size))
        return { offset(read) < 0 ? -1 : 0 }
    },
    Shape("hooks", 500) { size in
        let read = read([Hooked].self, "[" + joined(size) { "{\"id\":\($0)}" } + "]")
        return { try read().count }
    },
    Shape("a hook of many members", 1000) { size in
        let read = read(Hooked.self, "{" + joined(size) { "\"x\($0)\":\($0)" } + ",\"id\":\(size)}")
        return { try read().id }
    },
    Shape("updates that append", 2000, expected: { $0 + 1 }) { size in
        let text = "{\"tags\":[" + joined(size) { "\($0)" } + "]}"
        return {
            var item = Item(id: 1)
            item.tags = [0]
            _ = try item.update(json: text)
            return item.tags?.count ?? 0
        }
    },
]
