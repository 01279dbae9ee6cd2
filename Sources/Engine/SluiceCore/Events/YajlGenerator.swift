// Whole values go in, and the text of a document or of many comes out of yajl's generator and into a sink. It opens no container but one
// array at the top level, because yajl accepts `{]` and crashes after one close too many (YAJL.md, P17 and P18).

internal import CYajl

/// The owner of one yajl generator. After a failure every later call throws the same error.
package struct YajlGenerator: ~Copyable {
    /// The C generator, its state, and the text that it has printed.
    @safe
    private final class Core {
        let handle: yajl_gen
        // Safe: changed by yajl's callback and by the calls below, none of which runs inside another.
        @exclusivity(unchecked) var bytes: [UInt8] = []
        var isArrayOpen = false
        var failure: JSONError?

        init(handle: yajl_gen) { unsafe self.handle = unsafe handle }

        deinit { unsafe yajl_gen_free(handle) }

        func check(_ status: @autoclosure () -> yajl_gen_status) throws(JSONError) {
            if let failure { throw failure }
            let status = status()
            guard status != yajl_gen_status_ok else { return }
            let isSecond = status == yajl_gen_generation_complete
            let error = JSONError(
                .notWritable,
                found: isSecond ? "a second value in one document" : "a value where the generator does not accept one")
            failure = error
            throw error
        }
    }

    private let core: Core

    /// - Parameters:
    ///   - isPretty: whether text is laid out on lines, as yajl does it: with a line break at the end.
    ///   - indent: spaces for each level, 0 to 64.
    package init(isPretty: Bool = false, indent: Int = 4) throws(JSONError) {
        guard let handle = unsafe yajl_gen_alloc(YajlAllocation.functions) else { YajlAllocation.endProcess() }
        core = unsafe Core(handle: handle)
        // Set exactly once: each later call would free the context as a buffer of yajl's own (P25). The core outlives its
        // handle, so it need not be retained.
        _ = unsafe cyajl_gen_print_callback(
            handle,
            { context, text, count in
                guard let context = unsafe context, let text = unsafe text else { return }
                // Safe: the context is the core below, alive as long as its handle.
                unsafe Unmanaged<Core>.fromOpaque(context).takeUnretainedValue().bytes
                    .append(contentsOf: UnsafeRawBufferPointer(start: text, count: count))
            }, unsafe Unmanaged.passUnretained(core).toOpaque())
        guard isPretty else { return }
        _ = unsafe cyajl_gen_beautify(handle, 1)
        // Safe: the end of a static string, which ends with a NUL in memory and lives as long as the process.
        let blanks: StaticString = "                                                                "
        let start = unsafe blanks.utf8Start + (blanks.utf8CodeUnitCount - min(max(indent, 0), blanks.utf8CodeUnitCount))
        _ = unsafe cyajl_gen_indent(handle, UnsafeRawPointer(start).assumingMemoryBound(to: CChar.self))
    }

    /// How many bytes have been written and not yet flushed.
    package var count: Int { unsafe core.bytes.count }

    /// Removes the line break that yajl writes after a document that is laid out on lines.
    mutating func removeLastLineBreak() {
        if unsafe core.bytes.last == UInt8(ascii: "\n") { unsafe core.bytes.removeLast() }
    }

    /// Opens an array at the top level, whose elements are written one call after another.
    mutating func openArray() throws(JSONError) {
        try unsafe core.check(core.isArrayOpen ? yajl_gen_in_error_state : yajl_gen_array_open(core.handle))
        core.isArrayOpen = true
    }

    /// Closes that array.
    mutating func closeArray() throws(JSONError) {
        try unsafe core.check(core.isArrayOpen ? yajl_gen_array_close(core.handle) : yajl_gen_in_error_state)
        core.isArrayOpen = false
    }

    /// Writes a value whose JSON text is known: an element of the array, or the top-level value. There is one of these, and one more after
    /// each ``reset(separator:)``.
    ///
    /// yajl adds separators and keeps its state. `yajl_gen_number` prints what it is given (P21), so the bytes must be one whole JSON value.
    package func splice(_ text: UnsafeRawBufferPointer) throws(JSONError) {
        guard let address = text.baseAddress else { return try core.check(yajl_gen_invalid_number) }
        try unsafe core.check(yajl_gen_number(core.handle, address.assumingMemoryBound(to: CChar.self), text.count))
    }

    /// Writes the text so far to a sink and forgets it; its memory is kept for the next text.
    package mutating func flush(into sink: inout some ByteSink) throws(JSONError) {
        try unsafe sink.put(core.bytes)
        unsafe core.bytes.removeAll(keepingCapacity: true)
    }

    /// Allows another top-level value, which is written after `separator`.
    package mutating func reset(separator: StaticString) throws(JSONError) {
        if let failure = core.failure { throw failure }
        // Safe: a static string ends with a NUL in memory, which is how yajl finds its end.
        unsafe yajl_gen_reset(core.handle, UnsafeRawPointer(separator.utf8Start).assumingMemoryBound(to: CChar.self))
    }
}
