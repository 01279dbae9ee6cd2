// A lane is one way of doing the same work. It is run many times, and judged afterwards.

internal import CAllocationCounter
internal import Foundation

/// Who does the work, and how.
enum LaneKind: String, CaseIterable, Codable {
    case yajl = "bare yajl"
    case yajlGen = "bare yajl_gen"
    case sluice = "Sluice"
    case sluiceKept = "Sluice, memory kept"
    case sluiceFull = "Sluice, full validation"
    case sluiceBytes = "Sluice, [UInt8]"
    case sluiceOnce = "Sluice, no reader kept"
    case sluiceChunks = "Sluice, chunks of 64 KiB"
    case sluiceYajl = "Sluice, yajl alone"
    case sluiceYajlChunks = "Sluice, yajl alone, chunks of 64 KiB"
    case sluiceFeed = "Sluice feed, bytes"
    case sluiceFeedFile = "Sluice feed, file"
    case sluiceColumns = "Sluice, columns"
    case sluiceSubstrings = "Sluice, Substring"
    case sluiceSubstringFeed = "Sluice feed, Substring"
    case sluiceValue = "Sluice JSONValue"
    case sluiceCodable = "SluiceCodable"
    case sluiceCodableModel = "SluiceCodable, @JSONModel"
    case foundation = "Foundation Codable"
    case serialization = "JSONSerialization, tree"
    case serializationByHand = "JSONSerialization + assignment"
    case glaze
    case glazeKept = "glaze, memory kept"
    case simdjson
    case simdjsonKept = "simdjson, memory kept"
    case yyjson
    case yyjsonKept = "yyjson, memory kept"
    case serde = "serde_json"
    case msgspec = "msgspec"
    case orjson = "orjson, tree"

    /// For the command line.
    var key: String { String(describing: self) }

    var isOurs: Bool { rawValue.hasPrefix("Sluice") }
    var isBaseline: Bool { self == .yajl || self == .yajlGen }
    /// Whether this is another project's library.
    var isPeer: Bool {
        [.glaze, .glazeKept, .simdjson, .simdjsonKept, .yyjson, .yyjsonKept, .serde, .msgspec, .orjson].contains(self)
    }
}

/// One way of doing a subject's work.
struct Lane {
    let kind: LaneKind
    /// Does the work so often; nanoseconds.
    let run: (Int) throws -> UInt64
    /// Says what is wrong with the result, if anything. Called when all timing is over.
    let check: () throws -> String?
    /// Whether the work is done in this process, so that its allocations can be counted here.
    var isInProcess = true

    /// A lane of this process.
    static func inProcess(
        _ kind: LaneKind, _ work: @escaping (Int) throws -> Void, check: @escaping () throws -> String? = { nil }
    ) -> Lane {
        Lane(kind: kind, run: { count in try Clock.measure { try work(count) } }, check: check)
    }

    /// Allocations of one piece of work, once everything is warm.
    func countAllocations() throws -> Int? {
        guard isInProcess, allocation_counter_is_available() else { return nil }
        _ = try run(1)
        let before = allocation_counter_value()
        _ = try run(1)
        return Int(allocation_counter_value() - before)
    }
}

/// What goes wrong while measuring.
struct BenchmarkError: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}
