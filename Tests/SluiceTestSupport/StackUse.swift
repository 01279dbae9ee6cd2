// How much of a thread's stack a piece of work takes: the thread gets memory full of a pattern, and what is still there in the end was
// not used.

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

private final class Work {
    let body: () -> Void
    init(_ body: @escaping () -> Void) { self.body = body }
}

#if canImport(Darwin)
private typealias Argument = UnsafeMutableRawPointer
#else
private typealias Argument = UnsafeMutableRawPointer?
#endif

private func run(_ argument: Argument) -> UnsafeMutableRawPointer? {
    let pointer: UnsafeMutableRawPointer? = unsafe argument
    // Safe: `stackUse` retains the work and passes its address.
    unsafe pointer.map { unsafe Unmanaged<Work>.fromOpaque($0).takeRetainedValue().body() }
    return nil
}

/// Runs work on a thread of its own; the bytes of stack that it took, what every thread needs included. Nil if there is no such thread.
package func stackUse(of body: @escaping () -> Void) -> Int? {
    let size = 16 << 20
    let pattern: UInt64 = 0xA5C3_96E1_5A3C_691E
    let stack = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 1 << 16)
    defer { unsafe stack.deallocate() }
    let words = unsafe stack.bindMemory(to: UInt64.self, capacity: size / 8)
    unsafe words.initialize(repeating: pattern, count: size / 8)

    let attributes = UnsafeMutablePointer<pthread_attr_t>.allocate(capacity: 1)
    defer { unsafe attributes.deallocate() }
    guard unsafe pthread_attr_init(attributes) == 0 else { return nil }
    defer { unsafe pthread_attr_destroy(attributes) }
    guard unsafe pthread_attr_setstack(attributes, stack, size) == 0 else { return nil }
    #if canImport(Darwin)
    var thread: pthread_t?
    #else
    var thread: pthread_t = 0
    #endif
    let work = unsafe Unmanaged.passRetained(Work(body))
    guard unsafe pthread_create(&thread, attributes, run, work.toOpaque()) == 0 else {
        unsafe work.release()
        return nil
    }
    #if canImport(Darwin)
    guard let thread = unsafe thread else { return nil }
    unsafe pthread_join(thread, nil)
    #else
    pthread_join(thread, nil)
    #endif
    // Stacks grow downwards on every platform that Swift runs on.
    let untouched = unsafe UnsafeBufferPointer(start: words, count: size / 8).firstIndex { $0 != pattern } ?? size / 8
    return size - untouched * 8
}
