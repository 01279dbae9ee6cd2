// Lanes go in, samples come out. A machine may change its speed by half within seconds, so a speed alone says little. So every run of
// a lane comes between two short runs of the baseline on the same data, and is compared with them. It counts only if both reach
// 90 % of what that baseline does at its best.

internal import Foundation

/// One timed run of a lane.
struct Sample: Codable {
    /// Megabytes (of 10⁶ bytes) a second.
    let speed: Double
    /// The speed, in units of the mean speed of the baseline before and after it.
    let ratio: Double
    /// Whether the baseline was at its best before and after.
    let isQuiet: Bool
}

/// The baseline of one subject: its speed now, and at its best.
struct Yardstick {
    /// The part of the plateau that a neighbour must reach.
    static let threshold = 0.9
    private let subject: Subject
    private var repetitions = 1
    private var recent: [Double] = []
    /// Speeds of the runs that were at their best.
    private(set) var speeds: [Double] = []

    init(_ subject: Subject, nanoseconds: Double) throws {
        self.subject = subject
        _ = try subject.baseline.run(1)
        let once = Double(try subject.baseline.run(1))
        repetitions = max(1, Int(nanoseconds / once))
        for _ in 0..<3 { _ = try run() }
    }

    /// The second best of the last runs: one run that was faster than the machine really is would spoil all others.
    var plateau: Double { recent.count < 2 ? recent[0] : recent.sorted(by: >)[1] }

    /// Runs the baseline once; its speed.
    mutating func run() throws -> Double {
        let speed = Double(subject.size * repetitions) * 1e3 / Double(try subject.baseline.run(repetitions))
        recent.append(speed)
        if recent.count > 60 { recent.removeFirst() }
        if speed >= plateau * Yardstick.threshold { speeds.append(speed) }
        return speed
    }

    /// Whether a speed is near the best.
    func accepts(_ speed: Double) -> Bool { speed >= plateau * Yardstick.threshold }
}

/// Runs the lanes of one subject, round after round.
final class Interleaver {
    let subject: Subject
    private(set) var samples: [LaneKind: [Sample]] = [:]
    private var yardstick: Yardstick
    private var repetitions: [LaneKind: Int] = [:]
    private let attempts: Int
    private var round = 0

    /// - Parameter nanoseconds: how long a lane runs at a time; each run of the baseline takes a third of that.
    init(_ subject: Subject, nanoseconds: Double, attempts: Int) throws {
        self.subject = subject
        self.attempts = attempts
        yardstick = try Yardstick(subject, nanoseconds: nanoseconds / 3)
        for lane in subject.lanes {
            _ = try lane.run(1)
            repetitions[lane.kind] = max(1, Int(nanoseconds / Double(try lane.run(1))))
        }
    }

    /// The speeds of the baseline itself.
    var baselineSpeeds: [Double] { yardstick.speeds }

    /// Runs every lane once, or those of some kinds, beginning with another one each time.
    func runRound(only kinds: Set<LaneKind>? = nil) throws {
        let lanes = subject.lanes.filter { kinds?.contains($0.kind) ?? true }
        guard !lanes.isEmpty else { return }
        var before = try yardstick.run()
        for offset in lanes.indices { before = try run(lanes[(round + offset) % lanes.count], before) }
        round += 1
    }

    /// The peers whose ratios are too far apart to be published.
    var noisyPeers: Set<LaneKind> {
        Set(samples.filter { $0.key.isPeer && LaneResult($0.key, $0.value).isNoisy }.keys)
    }

    /// Runs a lane until its neighbours are good, or patience ends; the speed of the baseline after it.
    private func run(_ lane: Lane, _ before: Double) throws -> Double {
        var before = before
        var best: (sample: Sample, neighbour: Double)?
        let count = repetitions[lane.kind] ?? 1
        for _ in 0..<attempts {
            let speed = Double(subject.size * count) * 1e3 / Double(try lane.run(count))
            let after = try yardstick.run()
            let neighbour = min(before, after)
            let sample = Sample(speed: speed, ratio: speed / ((before + after) / 2), isQuiet: yardstick.accepts(neighbour))
            before = after
            if sample.isQuiet || neighbour > best?.neighbour ?? 0 { best = (sample, neighbour) }
            if sample.isQuiet { break }
        }
        if let best { samples[lane.kind, default: []].append(best.sample) }
        return before
    }
}
