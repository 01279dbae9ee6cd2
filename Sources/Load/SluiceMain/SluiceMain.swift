// The executable `sluice`: only its entry point, because tests cannot import the module of an executable on every platform.

internal import SluiceTool

/// The entry point of the process.
@main
enum SluiceMain {
    static func main() { runSluice() }
}
