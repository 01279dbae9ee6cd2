// Logs that are rotated or followed: options of `ingest`.

#if CommandLine
internal import ArgumentParser
internal import SluiceIngest

/// Options about files that grow.
struct RotationOptions: ParsableArguments {
    @Flag(help: "The inputs are logs that are rotated: their files are known by their text, and each line is read once.")
    var rotated = false

    @Option(
        help: ArgumentHelp("A folder to which rotation moves files; implies --rotated. May be repeated.", valueName: "folder"))
    var rotatedTo: [String] = []

    @Option(
        help: ArgumentHelp(
            "How long an older file must not have changed, until its last line counts without a line break: 30s, 5m, 2h.",
            valueName: "time"))
    var settle = Seconds(30)

    @Flag(help: "Go on as the inputs grow, appear and are rotated, until SIGINT or SIGTERM; implies --rotated.")
    var follow = false

    @Option(help: ArgumentHelp("With --follow: what comes within this time is stored together.", valueName: "time"))
    var every = Seconds(1)

    @Option(
        help: ArgumentHelp(
            "With --follow: look at the files this often, where the system tells of no changes, as on a network file system.",
            valueName: "time"))
    var poll: Seconds?

    func validate() throws {
        try require(follow || poll == nil, "--poll belongs to --follow.")
        try require((0.01...86_400).contains(every.count), "--every must be between 0.01s and 24h.")
        try require((0.01...86_400).contains(poll?.count ?? 1), "--poll must be between 0.01s and 24h.")
    }

    /// How the files are found; nil if they are the inputs themselves.
    var rotation: Rotation? {
        guard rotated || follow || !rotatedTo.isEmpty else { return nil }
        var rotation = Rotation()
        (rotation.folders, rotation.settle) = (rotatedTo, settle.count)
        return rotation
    }

    var following: Following? {
        guard follow else { return nil }
        var following = Following()
        (following.interval, following.poll) = (every.count, poll?.count)
        return following
    }
}

/// A time on the command line: `0.5s`, `30s`, `5m`, `2h`, or a number of seconds.
struct Seconds: ExpressibleByArgument, CustomStringConvertible {
    let count: Double

    init(_ count: Double) { self.count = count }

    init?(argument: String) {
        let units: [Character: Double] = ["s": 1, "m": 60, "h": 3_600]
        let unit = argument.last.flatMap { units[$0] }
        guard let number = Double(unit == nil ? argument : String(argument.dropLast())), number.isFinite, number >= 0 else {
            return nil
        }
        count = number * (unit ?? 1)
    }

    var description: String { count == count.rounded() ? "\(Int(count))s" : "\(count)s" }
}
#endif
