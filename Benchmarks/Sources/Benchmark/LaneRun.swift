// All subjects, round after round: the samples of a lane are spread over the whole run, so no bad minute falls on one lane alone.

internal import Foundation

/// What was measured of one subject.
struct SubjectResult: Codable {
    let name: String
    let direction: Direction
    let size: Int
    let lanes: [LaneResult]
    /// Peers whose ratios were too far apart.
    let leftOut: [LaneResult]

    func lane(_ kind: LaneKind) -> LaneResult? { lanes.first { $0.kind == kind } }
}

/// What was measured of one lane.
struct LaneResult: Codable {
    let kind: LaneKind
    let samples: [Sample]
    /// Megabytes a second: the median of the rounds.
    let speed: Double
    /// The ratio to the baseline: the median of the rounds.
    let ratio: Double
    /// Half the distance between the quartiles of the ratio, as a part of it.
    let spread: Double
    /// Rounds in which the machine would not be quiet.
    let noisyRounds: Int
    var allocations: Int?
    /// What the work needed, at most, beyond what was there before; in bytes.
    var memory: Int?
    /// What is wrong with the result, if anything.
    var problem: String?

    /// Whether half of the ratios lie further apart than a peer's may.
    var isNoisy: Bool { spread > 0.03 }

    init(_ kind: LaneKind, _ samples: [Sample]) {
        self.kind = kind
        self.samples = samples
        let quiet = samples.filter(\.isQuiet)
        // Better a number with a warning than none.
        let counted = quiet.count * 2 >= samples.count ? quiet : samples
        speed = counted.map(\.speed).median
        ratio = counted.map(\.ratio).median
        spread = counted.map(\.ratio).spread
        noisyRounds = samples.count - quiet.count
    }

    /// The baseline itself.
    init(baseline kind: LaneKind, speeds: [Double]) {
        self.kind = kind
        samples = []
        speed = speeds.median
        ratio = 1
        spread = speeds.spread
        noisyRounds = 0
    }
}

/// Measures the lanes of all chosen subjects.
struct LaneRun {
    private let arguments: Arguments
    private let data: GeneratedData
    private let peers: Peers

    init(_ arguments: Arguments, _ data: GeneratedData, _ peers: Peers) {
        self.arguments = arguments
        self.data = data
        self.peers = peers
    }

    func run() throws -> [SubjectResult] {
        var interleavers: [Interleaver] = []
        for entry in Catalog(data: data, peers: peers).entries
        where arguments.filter.isEmpty || entry.key.contains(arguments.filter) {
            guard let subject = try entry.make() else {
                Terminal.tell("skipped: \(entry.key): its document is absent (Scripts/fetch-corpus)")
                continue
            }
            interleavers.append(
                try Interleaver(subject, nanoseconds: arguments.nanoseconds, attempts: arguments.attempts))
        }
        for round in 1...arguments.chosenRounds {
            let start = Clock.now
            for interleaver in interleavers { try interleaver.runRound() }
            Terminal.tell("round \(round) of \(arguments.chosenRounds): \((Double(Clock.now - start) / 1e9).fixed(1)) s")
        }
        if arguments.mode != .quick { try measureNoisyPeersAgain(interleavers) }
        return try interleavers.map(result)
    }

    /// Runs noisy peers as often again, until they are quiet.
    private func measureNoisyPeersAgain(_ interleavers: [Interleaver]) throws {
        for _ in 0..<arguments.chosenRounds {
            let noisy = interleavers.filter { !$0.noisyPeers.isEmpty }
            if noisy.isEmpty { return }
            for interleaver in noisy { try interleaver.runRound(only: interleaver.noisyPeers) }
        }
    }

    private func result(_ interleaver: Interleaver) throws -> SubjectResult {
        let subject = interleaver.subject
        var lanes = [LaneResult(baseline: subject.baseline.kind, speeds: interleaver.baselineSpeeds)]
        lanes += subject.lanes.map { LaneResult($0.kind, interleaver.samples[$0.kind] ?? []) }
        let leftOut = lanes.filter { $0.isNoisy && $0.kind.isPeer && arguments.mode != .quick }
        lanes.removeAll { lane in leftOut.contains { $0.kind == lane.kind } }
        for index in lanes.indices {
            guard let lane = subject.lane(lanes[index].kind) else { continue }
            lanes[index].allocations = try lane.countAllocations()
            lanes[index].problem = try lane.check()
            if let problem = lanes[index].problem {
                Terminal.tell("WRONG: \(subject.name) \(subject.direction.rawValue), \(lane.kind.rawValue): \(problem)")
            }
            if arguments.parts.contains(.memory), lane.isInProcess {
                lanes[index].memory = MemoryProbe.growth(of: lane.kind, subject, data)
            }
        }
        return SubjectResult(
            name: subject.name, direction: subject.direction, size: subject.size, lanes: lanes, leftOut: leftOut)
    }
}
