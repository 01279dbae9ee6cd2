// Counts the keys of records that no column reads.

#if CommandLine
internal import SluiceCore

/// A key that no column read, as reports name it.
struct UnknownKey: Hashable {
    /// The path of the key, as `--column` takes it.
    let path: String
    var count = 0
    /// Where it was found first.
    let place: String
}

/// Keys that no column read, in the order in which they were found, with the number of their values.
struct UnknownKeys {
    /// How many keys are kept by name; further ones are only counted.
    private let keptKeys: Int

    private(set) var keys: [UnknownKey] = []
    private(set) var total = 0
    private var index: [[UInt8]: Int] = [:]

    init(keptKeys: Int = 100) { self.keptKeys = keptKeys }

    /// Counts values whose keys are not known by name.
    mutating func noteUnnamed(_ count: Int) { total += count }

    mutating func note(_ path: String, count: Int = 1, at place: @autoclosure () -> String) {
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
    static func reading(_ columns: [Column], countsKeys: Bool) -> ColumnReader {
        var options = JSONReader.Options.strict
        if countsKeys { options.unknownKeys = .report }
        return ColumnReader(columns: columns, options: options)
    }
}
#endif
