// The one program of the package: libFuzzer with one of several targets.
//
//     fuzz TARGET [libFuzzer's arguments]     fuzzes, or runs the inputs that are named
//     fuzz TARGET --seeds FOLDER COUNT        makes inputs to begin with
//     fuzz --list                             says which targets there are

import CFuzz
import Glibc
import SluiceCore
import SluiceTestSupport

/// One promise of the library, as a check that any input may be put to.
protocol FuzzTarget {
    /// What the target is called on the command line.
    static var name: String { get }

    /// Reports a finding if the input breaks a promise.
    static func check(_ input: FuzzInput)

    /// Text that the target understands, made by a grammar; `knobs` are those of the input that it will stand in.
    static func text(_ knobs: Knobs, _ random: inout SplitMix64) -> [UInt8]
}

@main enum FuzzCommand {
    private static var targets: [any FuzzTarget.Type] {
        [
            ValueFuzz.self, ModelFuzz.self, WriteFuzz.self, FeedFuzz.self, ArchiveFuzz.self, DateFuzz.self,
            NumberFuzz.self, ColumnFuzz.self,
        ]
    }

    /// Set once, before libFuzzer starts; C function pointers have no context of their own.
    nonisolated(unsafe) static var target: any FuzzTarget.Type = ValueFuzz.self

    /// With FUZZ_PARSER=yajl, yajl reads every byte also where the scanner would.
    static let parser: JSONReader.Options.Parser =
        getenv("FUZZ_PARSER").map { String(cString: $0) } == "yajl" ? .yajl : .automatic

    static func main() {
        let arguments = CommandLine.arguments
        guard arguments.count > 1, arguments[1] != "--list" else {
            for target in targets { print(target.name) }
            return
        }
        guard let chosen = targets.first(where: { $0.name == arguments[1] }) else {
            fail("fuzz: there is no target '\(arguments[1])'; --list shows which there are")
        }
        target = chosen
        if arguments.count == 5, arguments[2] == "--seeds", let count = Int(arguments[4]) {
            makeSeeds(arguments[3], count)
        } else {
            runLibFuzzer()
        }
    }

    /// Hands libFuzzer the arguments without the target's name.
    private static func runLibFuzzer() {
        var count = CommandLine.argc - 1
        let own = UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>.allocate(capacity: Int(count) + 1)
        own[0] = CommandLine.unsafeArgv[0]
        for index in 1...Int(count) { own[index] = CommandLine.unsafeArgv[index + 1] }
        var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = own
        let status = LLVMFuzzerRunDriver(&count, &arguments) { start, count in
            FuzzCommand.target.check(FuzzInput(UnsafeRawBufferPointer(start: start, count: count)))
            return 0
        }
        exit(status)
    }

    private static func makeSeeds(_ folder: String, _ count: Int) {
        for number in 0..<count {
            var random = SplitMix64(seed: UInt64(number))
            let bytes = FuzzInput.random(&random)
            guard let file = fopen("\(folder)/seed-\(number)", "w") else { fail("fuzz: cannot write into \(folder)") }
            bytes.withUnsafeBytes { _ = fwrite($0.baseAddress, 1, $0.count, file) }
            fclose(file)
        }
    }

    private static func fail(_ message: String) -> Never {
        complain(message)
        exit(2)
    }
}

/// Writes a line to standard error.
func complain(_ message: String) {
    Array((message + "\n").utf8).withUnsafeBytes { _ = write(2, $0.baseAddress, $0.count) }
}

/// Says what was found and ends the process, for libFuzzer to keep the input.
func finding(_ message: String) -> Never {
    complain("\nFINDING by \(FuzzCommand.target.name): \(message)\n")
    abort()
}

/// Reports a finding if a promise is broken.
@inline(__always)
func promise(_ isKept: Bool, _ message: @autoclosure () -> String) {
    if !isKept { finding(message()) }
}
