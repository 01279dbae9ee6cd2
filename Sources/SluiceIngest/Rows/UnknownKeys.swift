// Counts the keys of records that no column reads.

package import SluiceCore

/// A key that no column read, as reports name it.
public struct UnknownKey: Hashable, Sendable, Codable {
    /// The path of the key, as `--column` takes it.
    public let path: String
    public package(set) var count = 0
    /// Where it was found first.
    public let place: String

    package init(path: String, count: Int = 0, place: String) { (self.path, self.count, self.place) = (path, count, place) }
}

/// Keys that no column read, in the order in which they were found, with the number of their values.
package struct UnknownKeys {
    /// How many keys are kept by name; further ones are only counted.
    private let keptKeys: Int

    package private(set) var keys: [UnknownKey] = []
    package private(set) var total = 0
    private var index: [[UInt8]: Int] = [:]

    package init(keptKeys: Int = 10_000) { self.keptKeys = keptKeys }

    /// Counts values whose keys are not known by name.
    package mutating func noteUnnamed(_ count: Int) { total += count }

    package mutating func note(_ path: String, count: Int = 1, at place: @autoclosure () -> String) {
        total += count
        if let known = index[Array(path.utf8)] {
            keys[known].count += count
        } else if keys.count < keptKeys {
            index[Array(path.utf8)] = keys.count
            keys.append(UnknownKey(path: path, count: count, place: place()))
        }
    }
}

extension ColumnReader {
    /// A reader of columns. If the values of other keys are only to be left out, the reader counts those keys itself.
    ///
    /// - Parameters:
    ///   - plan: The plan of the columns; nil to make one.
    ///   - model: The model whose columns these are, or nil.
    package static func reading(_ columns: [JSONColumn], _ plan: RowPlan?, countsKeys: Bool, _ model: ModelReading? = nil)
        -> ColumnReader
    {
        if let model { return model.makeReader() }
        var options = JSONReader.Options.strict
        if countsKeys { options.unknownKeys = .report }
        return ColumnReader(columns: columns, plan ?? RowPlan(columns), options: options)
    }
}
