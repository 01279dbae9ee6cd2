// yajl does not check what malloc and realloc return before it writes there (YAJL.md, P15). So it gets its memory from here: a request
// that fails ends the process with a message, before anything is written to a null pointer.

internal import CYajl

internal import SluiceSystem

/// The memory functions of every parser and generator.
enum YajlAllocation {
    /// The table of functions; yajl copies it.
    // Safe: filled once, before the first use, and never changed.
    nonisolated(unsafe) static let functions: UnsafeMutablePointer<yajl_alloc_funcs> = {
        let functions = UnsafeMutablePointer<yajl_alloc_funcs>.allocate(capacity: 1)
        unsafe functions.initialize(
            to: yajl_alloc_funcs(
                malloc: { _, count in unsafe YajlAllocation.checked(malloc(max(count, 1))) },
                realloc: { _, memory, count in unsafe YajlAllocation.checked(realloc(memory, max(count, 1))) },
                free: { _, memory in unsafe free(memory) },
                ctx: nil))
        return unsafe functions
    }()

    private static func checked(_ memory: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
        if unsafe memory == nil { endProcess() }
        return unsafe memory
    }

    /// Writes the reason to standard error without allocating memory, and ends the process.
    static func endProcess() -> Never {
        let sentence: StaticString = "Sluice: there is no memory left for yajl; the process ends here.\n"
        // Safe: a static string lives as long as the process.
        _ = unsafe write(STDERR_FILENO, sentence.utf8Start, sentence.utf8CodeUnitCount)
        abort()
    }
}
