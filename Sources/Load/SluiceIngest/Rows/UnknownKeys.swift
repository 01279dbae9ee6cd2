// Counts the keys of records that no column reads.

package import SluiceCore
package import SluiceSchema

/// A key that no column read, as reports name it.
public struct UnknownKey: Hashable, Sendable, Codable {
    /// The path of the key, as `--column` takes it.
    public let path: String
    public package(set) var count = 0
    /// Where it was found first.
    public let position: String

    package init(path: String, count: Int = 0, position: String) {
        (self.path, self.count, self.position) = (path, count, position)
    }
}

/// Keys that no column read, in the order in which they were found, with the number of their values. All readers of a run count in one.
package final class UnknownKeys {
    /// How many keys are kept by name; further ones are only counted.
    private let keptKeys: Int

    package private(set) var keys: [UnknownKey] = []
    package private(set) var total = 0
    private var index: [[UInt8]: Int] = [:]
    /// For each value of the open batch that was left out: the index of its key, or nil if the key is not kept by name.
    private var ofBatch: [Int?] = []

    package init(keptKeys: Int = 10_000) { self.keptKeys = keptKeys }

    /// Adds the keys that a reader has counted.
    ///
    /// - Parameters:
    ///   - shown: Makes of a path what reports show.
    ///   - words: A position in words.
    package func add(_ found: CountedKeys, shown: (String) -> String, words: (SourcePosition) -> String) {
        for key in found.named { _ = count(key.count, of: shown(key.path), at: words(key.position)) }
        // The reader has counted the other keys without their names.
        total += found.count - found.named.reduce(0) { $0 + $1.count }
    }

    /// Counts a value of the open batch that is left out.
    func leaveOut(_ path: String, at words: String) { ofBatch.append(count(1, of: path, at: words)) }

    private func count(_ count: Int, of path: String, at words: @autoclosure () -> String) -> Int? {
        total += count
        if let known = index[Array(path.utf8)] {
            keys[known].count += count
            return known
        }
        guard keys.count < keptKeys else { return nil }
        index[Array(path.utf8)] = keys.count
        keys.append(UnknownKey(path: path, count: count, position: words()))
        return keys.count - 1
    }

    // MARK: The open batch

    /// How many values of the open batch were left out so far.
    var countOfBatch: Int { ofBatch.count }

    /// Takes back those that were left out after so many.
    func goBack(to count: Int) {
        for key in ofBatch[count...] {
            total -= 1
            if let key { keys[key].count -= 1 }
        }
        ofBatch.removeSubrange(count...)
        while let last = keys.last, last.count == 0 { index[Array(keys.removeLast().path.utf8)] = nil }
    }

    /// Notes that the batch is stored.
    func endBatch() { if !ofBatch.isEmpty { ofBatch.removeAll(keepingCapacity: true) } }
}

extension ColumnReader {
    /// A reader of columns. If the values of other keys are only to be left out, the reader counts those keys itself.
    ///
    /// - Parameters:
    ///   - plan: The plan of the columns; nil to make one.
    ///   - model: The model whose columns these are, or nil.
    ///   - schema: What each record must fit; nil for the elements of arrays, and without a schema.
    package static func reading(
        _ columns: [JSONColumn], _ plan: RowPlan?, countsKeys: Bool, _ model: ModelReading? = nil, schema: JSONSchema? = nil
    ) -> ColumnReader {
        if let model { return model.makeReader(schema) }
        var options = JSONReader.Options.strict
        options.schema = schema
        if countsKeys { options.unknownKeys = .report }
        return ColumnReader(columns: columns, plan ?? RowPlan(columns), options: options)
    }
}
