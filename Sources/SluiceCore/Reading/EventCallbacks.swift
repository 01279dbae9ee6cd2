// yajl calls these; each forwards to the binder in one line. There are two tables: the plain one, and one that also notes where
// each token ends, for input whose chunks may end inside a token.

internal import CYajl

/// The callback tables. yajl keeps their addresses, so they are made once and never freed.
enum EventCallbacks {
    /// For input that arrives whole.
    nonisolated(unsafe) static let plain = unsafe immortal(
        yajl_callbacks(
            yajl_null: { unsafe state($0).pointee.null() ? 1 : 0 },
            yajl_boolean: { unsafe state($0).pointee.boolean($1 != 0) ? 1 : 0 },
            yajl_integer: nil,
            yajl_double: nil,
            yajl_number: { unsafe state($0).pointee.number(bytes($1), $2) ? 1 : 0 },
            yajl_string: { unsafe state($0).pointee.string(text($1), $2) ? 1 : 0 },
            yajl_start_map: { unsafe state($0).pointee.openObject() ? 1 : 0 },
            yajl_map_key: { unsafe state($0).pointee.key(text($1), $2) ? 1 : 0 },
            yajl_end_map: { unsafe state($0).pointee.closeObject() ? 1 : 0 },
            yajl_start_array: { unsafe state($0).pointee.openArray() ? 1 : 0 },
            yajl_end_array: { unsafe state($0).pointee.closeArray() ? 1 : 0 }))

    /// For input in chunks.
    nonisolated(unsafe) static let tracking = unsafe immortal(
        yajl_callbacks(
            yajl_null: { unsafe tracked($0, .value, state($0).pointee.null()) },
            yajl_boolean: { unsafe tracked($0, .value, state($0).pointee.boolean($1 != 0)) },
            yajl_integer: nil,
            yajl_double: nil,
            yajl_number: { unsafe tracked($0, .value, state($0).pointee.number(bytes($1), $2)) },
            yajl_string: { unsafe tracked($0, .value, state($0).pointee.string(text($1), $2)) },
            yajl_start_map: { unsafe tracked($0, .opening, state($0).pointee.openObject()) },
            yajl_map_key: { unsafe tracked($0, .key, state($0).pointee.key(text($1), $2)) },
            yajl_end_map: { unsafe tracked($0, .value, state($0).pointee.closeObject()) },
            yajl_start_array: { unsafe tracked($0, .opening, state($0).pointee.openArray()) },
            yajl_end_array: { unsafe tracked($0, .value, state($0).pointee.closeArray()) }))

    private static func immortal(_ callbacks: yajl_callbacks) -> UnsafePointer<yajl_callbacks> {
        let pointer = UnsafeMutablePointer<yajl_callbacks>.allocate(capacity: 1)
        unsafe pointer.initialize(to: callbacks)
        return unsafe UnsafePointer(pointer)
    }

    /// The binder behind the context.
    @inline(__always)
    private static func state(_ context: UnsafeMutableRawPointer?) -> UnsafeMutablePointer<ReaderState> {
        // Safe: every parser with these tables is made with a reader state as its context, and lives no longer than it.
        unsafe context.unsafelyUnwrapped.assumingMemoryBound(to: ReaderState.self)
    }

    @inline(__always)
    private static func text(_ bytes: UnsafePointer<UInt8>?) -> UnsafePointer<UInt8> {
        // Safe: yajl may pass no address for an empty string; `noKey` is never read at length 0.
        unsafe bytes ?? PropertyRow.noKey
    }

    @inline(__always)
    private static func bytes(_ characters: UnsafePointer<CChar>?) -> UnsafePointer<UInt8> {
        // Safe: a number has at least one character; `CChar` and `UInt8` have one layout.
        unsafe UnsafeRawPointer(characters.unsafelyUnwrapped).assumingMemoryBound(to: UInt8.self)
    }

    @inline(__always)
    private static func tracked(
        _ context: UnsafeMutableRawPointer?, _ event: SyntaxPlace.Event, _ goesOn: Bool
    ) -> Int32 {
        let state = unsafe state(context)
        unsafe state.pointee.lastEnd = unsafe state.pointee.tokenEnd
        unsafe state.pointee.lastEvent = event
        unsafe state.pointee.hasSeparator = false
        if unsafe !state.pointee.tokenHead.isEmpty { unsafe state.pointee.tokenHead.removeAll(keepingCapacity: true) }
        return goesOn ? 1 : 0
    }
}
