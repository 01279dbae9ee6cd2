// Upstream yajl 2.1.0 swallows a byte after a lone high surrogate and can read past its buffer (CVE-2017-16516). Distributions
// fixed that without a new version number, so only its behaviour tells: this test runs once, before the first parse.

internal import CYajl

/// Whether the loaded yajl library can safely be given untrusted bytes.
enum YajlSelfTest {
    /// Nil when the library is safe, else the error that every reader throws.
    static let failure: JSONError? = run()

    private static func run() -> JSONError? {
        judge(decoded: decode(#"["\ud800abc"]"#))
    }

    /// A fixed library decodes `\ud800abc` to `?abc`; a vulnerable one loses the `a`.
    static func judge(decoded: [UInt8]?) -> JSONError? {
        guard decoded != Array("?abc".utf8) else { return nil }
        return JSONError(
            .incompatibleParser, expected: "a yajl with the fix for CVE-2017-16516",
            found: "one without it",
            hint: "SECURITY.md lists packages that have it, such as libyajl2 2.1.0-3+deb12u2 of Debian 12")
    }

    private static func decode(_ text: String) -> [UInt8]? {
        var result: [UInt8]?
        var callbacks = yajl_callbacks()
        unsafe callbacks.yajl_string = { context, bytes, count in
            guard let context = unsafe context, let bytes = unsafe bytes else { return 0 }
            // Safe: the context is `result` below, alive and of this type for the whole call.
            unsafe context.assumingMemoryBound(to: [UInt8]?.self).pointee = unsafe Array(
                UnsafeBufferPointer(start: bytes, count: count))
            return 1
        }
        unsafe withUnsafeMutablePointer(to: &result) { context in
            unsafe withUnsafePointer(to: callbacks) { callbacks in
                guard let handle = unsafe yajl_alloc(callbacks, YajlAllocation.functions, context) else { return }
                defer { unsafe yajl_free(handle) }
                let bytes = Array(text.utf8)
                _ = unsafe yajl_parse(handle, bytes, bytes.count)
            }
        }
        return result
    }
}
