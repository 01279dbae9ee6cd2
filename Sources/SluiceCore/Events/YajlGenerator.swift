// Values go in, JSON text comes out of yajl's generator and into a sink. Containers are calls with a closure, so a document that
// is not balanced cannot be written: yajl itself accepts `{]` and crashes after one close too many (YAJL.md, P17 and P18).

internal import CYajl

/// The owner of one yajl generator.
///
/// It counts depth itself, because yajl reads out of its own bounds past 128 levels. After a failure every later call throws the
/// same error.
package struct YajlGenerator: ~Copyable {
    /// How many levels of containers the C generator has room for. Deeper values are rendered separately and spliced in.
    package static let maximumDepth = 127

    /// The C generator, its state, and the text that it has printed.
    @safe
    final class Core {
        fileprivate let handle: yajl_gen
        // Safe: changed by yajl's callback and by the calls below, none of which runs inside another.
        @exclusivity(unchecked) fileprivate var bytes: [UInt8] = []
        fileprivate var depth = 0
        fileprivate var failure: JSONError?
        /// How many values may be written next. This is checked here, because in an object yajl itself would accept a string
        /// without a key as a key.
        fileprivate var slot = Slot.anyNumber

        fileprivate enum Slot { case none, one, anyNumber }

        fileprivate init(handle: yajl_gen) { unsafe self.handle = unsafe handle }

        deinit { unsafe yajl_gen_free(handle) }

        fileprivate func check(_ status: @autoclosure () -> yajl_gen_status) throws(JSONError) {
            if let failure { throw failure }
            let status = status()
            guard status != yajl_gen_status_ok else { return }
            let error = JSONError(.notWritable, found: Core.words(for: status))
            failure = error
            throw error
        }

        /// Notes that a value is written. A member takes one value, and an object itself none: one too many is an error.
        fileprivate func takeSlot() throws(JSONError) {
            if slot == .none { try check(yajl_gen_in_error_state) }
            if slot == .one { slot = .none }
        }

        /// Runs the body of a container. If it throws, the container stays open, so every later call throws that error.
        fileprivate func inside(_ slots: Slot, _ body: () throws(JSONError) -> Void) throws(JSONError) {
            let outer = slot
            slot = slots
            depth += 1
            defer {
                depth -= 1
                slot = outer
            }
            do throws(JSONError) {
                try body()
            } catch {
                failure = failure ?? error
                throw error
            }
        }

        private static func words(for status: yajl_gen_status) -> String {
            switch status {
            case yajl_gen_keys_must_be_strings: "a key that is not a string"
            case yajl_max_depth_exceeded: "more than \(YajlGenerator.maximumDepth) levels"
            case yajl_gen_generation_complete: "a second value in one document"
            case yajl_gen_invalid_number: "a number that is not finite"
            case yajl_gen_invalid_string: "a string that is not UTF-8"
            default: "a value where the generator does not accept one"
            }
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
        let start =
            unsafe YajlGenerator.blanks.utf8Start
            + (YajlGenerator.greatestIndent - min(max(indent, 0), YajlGenerator.greatestIndent))
        _ = unsafe cyajl_gen_indent(handle, UnsafeRawPointer(start).assumingMemoryBound(to: CChar.self))
    }

    private static let blanks: StaticString = "                                                                "
    /// The most spaces for each level.
    package static var greatestIndent: Int { blanks.utf8CodeUnitCount }

    /// The place of the top-level value. One value may be written, and one more after each ``reset(separator:)``.
    package var value: Value { Value(core: core) }

    /// Removes and returns the text written so far.
    package mutating func takeBytes() -> [UInt8] {
        let bytes = unsafe core.bytes
        unsafe core.bytes = []
        return bytes
    }

    /// How many bytes have been written and not yet taken or flushed.
    package var count: Int { unsafe core.bytes.count }

    /// Removes the line break that yajl writes behind a document that is laid out on lines.
    mutating func removeLastLineBreak() {
        if unsafe core.bytes.last == UInt8(ascii: "\n") { unsafe core.bytes.removeLast() }
    }

    /// Opens an array at the top level, whose elements are written one call after another.
    mutating func openArray() throws(JSONError) {
        try unsafe core.check(core.depth == 0 ? yajl_gen_array_open(core.handle) : yajl_gen_in_error_state)
        core.depth = 1
    }

    /// Closes that array.
    mutating func closeArray() throws(JSONError) {
        try unsafe core.check(core.depth == 1 ? yajl_gen_array_close(core.handle) : yajl_gen_in_error_state)
        core.depth = 0
    }

    /// Writes the text so far to a sink and forgets it; its memory is kept for the next text.
    package mutating func flush(into sink: inout some ByteSink) throws(JSONError) {
        var failure: JSONError?
        unsafe core.bytes.withUnsafeBytes { bytes in
            do throws(JSONError) { try unsafe sink.write(bytes) } catch { failure = error }
        }
        if let failure { throw failure }
        unsafe core.bytes.removeAll(keepingCapacity: true)
    }

    /// Allows another top-level value, which is written behind `separator`.
    package mutating func reset(separator: StaticString) throws(JSONError) {
        if let failure = core.failure { throw failure }
        // Safe: a static string ends with a NUL in memory, which is how yajl finds its end.
        unsafe yajl_gen_reset(core.handle, UnsafeRawPointer(separator.utf8Start).assumingMemoryBound(to: CChar.self))
    }

    /// A place for one value: the top level, or an element of an array. Handed into closures, never stored.
    package struct Value {
        fileprivate let core: Core

        /// Writes null.
        package func null() throws(JSONError) {
            try core.takeSlot()
            try unsafe core.check(yajl_gen_null(core.handle))
        }

        /// Writes a boolean.
        package func boolean(_ value: Bool) throws(JSONError) {
            try core.takeSlot()
            try unsafe core.check(yajl_gen_bool(core.handle, value ? 1 : 0))
        }

        /// Writes a number from its JSON text; `yajl_gen_double` writes `0.10000000000000000555` and a locale's comma (P19).
        package func number(_ number: JSONNumber) throws(JSONError) {
            try core.takeSlot()
            var text = number.lexeme
            try core.check(text.withUTF8 { unsafe YajlGenerator.print($0, core.handle) })
        }

        /// Writes a string.
        package func string(_ text: String) throws(JSONError) {
            try core.takeSlot()
            try unsafe core.check(YajlGenerator.string(text, core.handle))
        }

        /// Writes a value whose JSON text is known: yajl adds separators and keeps its state. `yajl_gen_number` prints what it
        /// is given (P21), so the bytes must be one whole JSON value.
        package func splice(_ text: UnsafeRawBufferPointer) throws(JSONError) {
            try core.takeSlot()
            try unsafe core.check(YajlGenerator.print(text.assumingMemoryBound(to: UInt8.self), core.handle))
        }

        /// Writes an array whose elements `body` writes.
        package func array(_ body: (Value) throws(JSONError) -> Void) throws(JSONError) {
            try core.takeSlot()
            try unsafe core.check(
                core.depth < YajlGenerator.maximumDepth ? yajl_gen_array_open(core.handle) : yajl_max_depth_exceeded)
            try core.inside(.anyNumber) { () throws(JSONError) in try body(self) }
            try unsafe core.check(yajl_gen_array_close(core.handle))
        }

        /// Writes an object whose members `body` writes.
        package func object(_ body: (Members) throws(JSONError) -> Void) throws(JSONError) {
            try core.takeSlot()
            try unsafe core.check(
                core.depth < YajlGenerator.maximumDepth ? yajl_gen_map_open(core.handle) : yajl_max_depth_exceeded)
            try core.inside(.none) { () throws(JSONError) in try body(Members(core: core)) }
            try unsafe core.check(yajl_gen_map_close(core.handle))
        }
    }

    /// A place for members of an object. Handed into closures, never stored.
    package struct Members {
        fileprivate let core: Core

        /// Writes a key and, through `body`, its value; if `body` writes nothing, the value is null.
        package func member(_ key: String, _ body: (Value) throws(JSONError) -> Void) throws(JSONError) {
            try unsafe core.check(YajlGenerator.string(key, core.handle))
            core.slot = .one
            try body(Value(core: core))
            if core.slot == .one { try Value(core: core).null() }
        }
    }

    private static func string(_ text: String, _ handle: yajl_gen) -> yajl_gen_status {
        var text = text
        return text.withUTF8 { unsafe yajl_gen_string(handle, $0.baseAddress ?? NoBytes.address, $0.count) }
    }

    private static func print(_ text: UnsafeBufferPointer<UInt8>, _ handle: yajl_gen) -> yajl_gen_status {
        guard let address = text.baseAddress else { return yajl_gen_invalid_number }
        return unsafe yajl_gen_number(handle, UnsafeRawPointer(address).assumingMemoryBound(to: CChar.self), text.count)
    }
}
