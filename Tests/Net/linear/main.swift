// Runs shapes of input at three sizes, each after one function that Scripts/net linear counts the instructions of. Prints a line
// "shape, tab, size" for each run, in order.

import SluiceCore

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// What is counted: Scripts/net linear knows the function by its name.
@inline(never)
func countedStep() {
    unsafe body()
    // Something follows the call: a jump to the body would end the counting before it has begun.
    unsafe stepCount += 1
}

private nonisolated(unsafe) var stepCount = 0
private nonisolated(unsafe) var body: () -> Void = {}

let shapes = readingShapes + feedShapes + otherShapes + toolShapes + postgresShapes
let names = CommandLine.arguments.dropFirst()
let every = names.first.flatMap(Int.init) ?? 1
let chosen = shapes.enumerated().filter { index, shape in
    names.isEmpty || names.contains(shape.name) || (names.count == 1 && names.first == "\(every)" && index % every == 0)
}.map(\.element)
if chosen.isEmpty {
    print("no such shape; there are:", shapes.map(\.name).joined(separator: "\n"), separator: "\n")
    exit(2)
}

var failures = 0
for shape in chosen {
    // Tables and buffers are made before anything is counted.
    _ = try? shape.prepare(max(shape.size / 16, 2))()
    var last = clock()
    for size in [shape.size, shape.size * 2, shape.size * 4] {
        let run = shape.prepare(size)
        var result: Result<Int, any Error> = .success(-1)
        unsafe body = { result = Result { try run() } }
        let start = clock()
        countedStep()
        let elapsed = clock() - start
        guard case .success(shape.expected(size)) = result else {
            print("\(shape.name) of \(size) gave \(result), not \(shape.expected(size))")
            failures += 1
            break
        }
        print("\(shape.name)\t\(size)")
        fflush(nil)
        // What is worse than quadratic might not end; two sizes show it as well.
        if size > shape.size, elapsed > last * 8, elapsed > CLOCKS_PER_SEC / 20 { break }
        last = elapsed
    }
}
if failures > 0 { exit(1) }
