// Where a reader's binder lies. The sources of events and captured values reach it through this handle, which states once why that is safe.

/// The address of a binder.
///
/// Safe: a binder stays where it is until its reader ends. The sources of events belong to the reader, and end with it; a captured value is
/// passed on for one call only.
@safe
struct BinderHandle {
    private let address: UnsafeMutablePointer<Binder>

    /// A handle of a binder that stays at an address while the handle is used.
    init(_ address: UnsafeMutablePointer<Binder>) { unsafe self.address = unsafe address }

    /// A handle of a new binder.
    init(options: JSONReader.Options) {
        unsafe address = .allocate(capacity: 1)
        unsafe address.initialize(to: Binder(options: options))
    }

    /// The handle of the binder that a captured value names.
    init(of captured: _CapturedValue) { unsafe address = captured.reader.assumingMemoryBound(to: Binder.self) }

    /// What a captured value needs to name the binder.
    var raw: UnsafeMutableRawPointer { unsafe UnsafeMutableRawPointer(address) }

    /// Frees the binder.
    func free() {
        state.deallocate()
        unsafe address.deinitialize(count: 1)
        unsafe address.deallocate()
    }

    /// The binder in its place. An address, so that nothing of it is copied.
    var state: Binder {
        @inline(__always) unsafeAddress { unsafe UnsafePointer(address) }
        @inline(__always) nonmutating unsafeMutableAddress { unsafe address }
    }
}

extension Binder {
    /// Passes `body` the binder's own handle, for as long as the call takes.
    @inline(__always)
    mutating func withHandle<Result>(_ body: (BinderHandle) -> Result) -> Result {
        unsafe withUnsafeMutablePointer(to: &self) { body(unsafe BinderHandle($0)) }
    }
}
