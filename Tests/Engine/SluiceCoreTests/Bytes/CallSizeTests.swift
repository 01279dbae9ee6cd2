import SluiceCore
import Testing

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// Darwin refuses to read or write 2 GiB in one call.
@Suite struct CallSizeTests {
    /// Memory that no page is ever given for: nothing reads or writes it.
    private static func withMemory(_ body: (UnsafeMutableRawBufferPointer) throws -> Void) throws {
        let size = (2 << 30) + 4096
        let memory = unsafe mmap(nil, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANON | MAP_NORESERVE, -1, 0)
        try #require(unsafe memory != MAP_FAILED)
        defer { unsafe munmap(memory, size) }
        try unsafe body(UnsafeMutableRawBufferPointer(start: memory, count: size))
    }

    @Test func oneCallMovesAtMostAGibibyte() throws {
        try unsafe Self.withMemory { memory in
            unsafe #expect(CallSize.part(of: memory).count == 1 << 30)
            unsafe #expect(CallSize.part(of: UnsafeRawBufferPointer(memory)).count == 1 << 30)
            let small = unsafe UnsafeRawBufferPointer(rebasing: memory[..<7])
            unsafe #expect(CallSize.part(of: small).count == 7)
        }
    }

    @Test func moreThanTwoGibibytesAreWrittenAndReadInParts() throws {
        let null = unsafe open("/dev/null", O_RDWR)
        try #require(null >= 0)
        defer { close(null) }
        try unsafe Self.withMemory { memory in
            var sink = FileDescriptorSink(descriptor: null)
            try unsafe sink.write(UnsafeRawBufferPointer(memory))
            var source = FileDescriptorSource(descriptor: null)
            #expect(try unsafe source.read(into: memory) == 0)
        }
    }
}
