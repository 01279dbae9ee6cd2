// The lanes of other languages' libraries: C++ in this process where a package was there at build time, the others as processes.

internal import CPeers
internal import Foundation

final class Peers {
    /// Each is a process that lives as long as this.
    private let processes: [PeerProcess]

    init(_ processes: [PeerProcess]) { self.processes = processes }

    /// The peers that read this document. `expected` is the fingerprint of what Foundation reads.
    func reading(_ name: String, _ document: Document, expected: @escaping () throws -> [Double]) -> [Lane] {
        Peers.cxx(name, document, expected) + processes.flatMap { $0.lanes(name, .reading, document, expected) }
    }

    /// The peers that write what they read of this document.
    func writing(_ name: String, _ document: Document) -> [Lane] {
        processes.flatMap { $0.lanes(name, .writing, document) { [] } }
    }

    /// What is not measured, and why.
    var skipped: [String] {
        var skipped: [String] = []
        if !peers_have_simdjson() { skipped.append("simdjson: not there at build time (apt-get install libsimdjson-dev)") }
        if !peers_have_rapidjson() { skipped.append("RapidJSON: not there at build time (apt-get install rapidjson-dev)") }
        if !peers_have_yyjson() { skipped.append("yyjson: not there at build time (Debian 12 has no package of it)") }
        return skipped + processes.flatMap(\.skipped)
    }

    /// The versions of what is measured.
    var versions: [String] {
        var versions: [String] = []
        if peers_have_simdjson(), let version = unsafe peers_simdjson_version() {
            versions.append(unsafe "simdjson \(String(cString: version))")
        }
        if peers_have_rapidjson(), let version = unsafe peers_rapidjson_version() {
            versions.append(unsafe "RapidJSON \(String(cString: version))")
        }
        return versions + processes.flatMap(\.versions)
    }

    // MARK: C++

    private static func cxx(_ name: String, _ document: Document, _ expected: @escaping () throws -> [Double]) -> [Lane] {
        var lanes: [Lane] = []
        if let work = unsafe simdjson(name) { unsafe lanes.append(lane(.simdjson, document, work, expected)) }
        if peers_have_rapidjson(), !name.contains("ndjson") {
            unsafe lanes.append(lane(.rapidjson, document, peers_rapidjson, nil))
        }
        if peers_have_yyjson(), !name.contains("ndjson") {
            unsafe lanes.append(lane(.yyjson, document, peers_yyjson, nil))
        }
        return lanes
    }

    private typealias Work = (UnsafePointer<UInt8>?, Int, Int, UnsafeMutablePointer<Double>?) -> Bool

    private static func simdjson(_ name: String) -> Work? {
        guard peers_have_simdjson() else { return nil }
        return switch name {
        case "twitter.json": unsafe peers_simdjson_twitter
        case "canada.json": unsafe peers_simdjson_canada
        case "github_user.json": unsafe peers_simdjson_user
        case "github_events.ndjson, five keys": unsafe peers_simdjson_five
        default: nil
        }
    }

    private static func lane(
        _ kind: LaneKind, _ document: Document, _ work: @escaping Work, _ expected: (() throws -> [Double])?
    ) -> Lane {
        let fingerprint = FingerprintBox()
        return .inProcess(kind) { count in
            // Safe: a document is never empty, and has 64 bytes after its end.
            let start = unsafe document.bytes.baseAddress.unsafelyUnwrapped.assumingMemoryBound(to: UInt8.self)
            let isRead = unsafe fingerprint.numbers.withUnsafeMutableBufferPointer {
                unsafe work(start, document.count, count, $0.baseAddress)
            }
            guard isRead else { throw BenchmarkError("\(kind.rawValue) rejects the text") }
        } check: {
            guard let expected = try expected?() else { return nil }
            let found = Array(fingerprint.numbers.prefix(expected.count))
            return found == expected ? nil : "\(found) instead of \(expected)"
        }
    }
}

/// What a C function reports of its result.
private final class FingerprintBox {
    var numbers = [Double](repeating: 0, count: 8)
}
