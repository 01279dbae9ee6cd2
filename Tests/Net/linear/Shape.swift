// A shape of input at a size: made first, then read while instructions are counted.

import SluiceCore
import SluiceFeed

/// A kind of input whose reading must take time in proportion to its size.
struct Shape: Sendable {
    let name: String
    /// The smallest of three sizes; the others are twice and four times that.
    let size: Int
    /// Makes the input of a size; what it returns is counted. Its result is compared with the size's.
    let prepare: @Sendable (Int) -> () throws -> Int
    /// What the result must be at a size.
    let expected: @Sendable (Int) -> Int

    init(
        _ name: String, _ size: Int, expected: @escaping @Sendable (Int) -> Int = { $0 },
        _ prepare: @escaping @Sendable (Int) -> () throws -> Int
    ) {
        self.name = name
        self.size = size
        self.expected = expected
        self.prepare = prepare
    }
}

/// `count` texts with a comma between them.
func joined(_ count: Int, _ element: (Int) -> String) -> String { (0..<count).map(element).joined(separator: ",") }

/// Reads bytes, whole or in pieces of some size, of which each is parsed as it comes.
func read<Value: JSONBindable>(
    _ type: Value.Type, _ text: String, pieces: Int? = nil, _ options: JSONReader.Options = .init()
) -> () throws -> Value {
    let bytes = Array(text.utf8)
    var options = options
    if pieces != nil { options.gathersUpTo = 0 }
    return { [options] in
        var reader = JSONReader(options: options)
        guard let pieces else { return try reader.read(type, from: bytes) }
        var source = BytesSource(bytes, chunkSize: pieces)
        return try reader.read(type, from: &source)
    }
}

/// The offset of the error of a reading.
func offset<Value>(_ read: () throws -> Value) -> Int {
    do {
        _ = try read()
        return -1
    } catch {
        return (error as? JSONError)?.offset ?? -2
    }
}

/// The records that a feed gives and those that it rejects.
func records(
    _ text: String, _ format: JSONFeedFormat, pieces: Int = 4096, _ options: JSONFeed<Item>.Options = .init(invalidRecords: .skip)
) -> () throws -> (accepted: Int, rejected: Int) {
    let bytes = Array(text.utf8)
    var options = options
    options.format = format
    return {
        let feed = JSONFeed<Item>(source: BytesSource(bytes, chunkSize: pieces), options: options)
        while try feed.next() != nil {}
        return (feed.acceptedCount, feed.rejectedCount)
    }
}
