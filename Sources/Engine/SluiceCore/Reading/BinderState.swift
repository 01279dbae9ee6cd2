// The parts of a binder's state that outlive a document: what the options ask for, and memory that is used again.

extension Binder {
    /// What the reader's options ask for. It is fixed while a document is read.
    @safe
    struct Policy {
        let options: JSONReader.Options
        /// The caller's rule for duplicate keys; ``options`` may have a narrower one.
        let duplicateKeys: JSONReader.Options.DuplicateKeys
        let maximumDepth: Int
        /// Whether values that no property binds are checked in full, with the Unicode of their strings.
        let validatesEverything: Bool
        /// Whether unknown keys are counted or rejected.
        let countsUnknownKeys: Bool
        /// Whether ``ReadFindings/propertyCounts`` are kept.
        let countsProperties: Bool
        /// Whether null means nil, unless a property has a policy of its own.
        let leavesNulls: Bool
        /// Whether short ASCII strings are built without a call of the standard library: see ``SmallString/isKnown``.
        let makesSmallStrings = SmallString.isKnown
        /// Copies of the rows in ``ReaderRows`` and of ``KeyLevelHandle/empty``: each access to those checks whether they are initialised.
        let noRow = ReaderRows.none
        let ignoredRow = ReaderRows.ignored
        let leftOutRow = ReaderRows.leftOut
        let noLevel = KeyLevelHandle.empty
        /// Whether the document itself is a sensitive value, or lies in one.
        var isWithinSensitive = false
        /// The policies that fill the gaps of a property's own policy: first the reader's, then the one for attempts.
        private let rules: UnsafeMutablePointer<JSONPropertyPolicy>

        init(_ options: JSONReader.Options) {
            duplicateKeys = options.duplicateKeys
            maximumDepth = options.maximumDepth
            validatesEverything = options.validation == .full
            countsUnknownKeys = options.validation == .full || options.unknownKeys != .ignore
            countsProperties = options.countsProperties
            var own = options
            // ``BudgetScanner`` finds the duplicates among all other keys.
            if options.duplicateKeys == .errorEverywhere { own.duplicateKeys = .error }
            self.options = own
            leavesNulls = own.policy.nulls == nil || own.policy.nulls == .asNil
            unsafe rules = .allocate(capacity: 2)
            unsafe rules.initialize(to: own.policy)
            unsafe (rules + 1).initialize(to: Policy.ofAttempt(own).policy)
        }

        func deallocate() {
            unsafe rules.deinitialize(count: 2)
            unsafe rules.deallocate()
        }

        /// The policy that fills the gaps of a property's own policy.
        @inline(__always)
        func rules(inAttempt: Bool) -> UnsafePointer<JSONPropertyPolicy> {
            // Safe: there are two, and they live as long as the binder.
            unsafe UnsafePointer(inAttempt ? rules + 1 : rules)
        }

        /// The options for an attempt. It allows no conversions, because with them a value would fit nearly every type.
        static func ofAttempt(_ options: JSONReader.Options) -> JSONReader.Options {
            var strict = options
            strict.conversions = .strict
            strict.mismatch = nil
            strict.elements = nil
            return strict
        }
    }

    /// The memory of open containers.
    @safe
    struct Frames {
        /// The frames below the innermost one.
        private(set) var stack: UnsafeMutablePointer<Frame>
        private(set) var capacity = 16
        var arena = Arena()
        /// Blocks of elements of open large arrays: see ``Binder/layAside()``.
        var laidAside: [_ElementBlock] = []
        /// Values of alternative keys that did not fit, while a better alternative may still come.
        var misfits: [DeferredMismatch] = []
        /// The alternative keys of required properties that were null, the last one of each property and level.
        var nulls: [NullAlternative] = []
        /// The values that constrained properties had before the current ones.
        var held: [HeldValue] = []
        /// The keys that lead from a captured value to the part of it that is read in the nested frame of a level.
        var parts: [(level: Int, keys: [String])] = []
        /// The keys of open objects in which a key may come again, outermost first.
        var notedKeys: [NotedKeys] = []
        /// The unknown keys of open objects, for the hint of an error about missing keys; noted only while yajl makes the events.
        var unknownKeys = UnknownKeyNotes()

        init() { unsafe stack = .allocate(capacity: capacity) }

        func deallocate() {
            arena.deallocate()
            unknownKeys.deallocate()
            unsafe stack.deallocate()
        }

        @inline(never)
        mutating func growStack() {
            unsafe stack.grow(to: capacity * 2, keeping: capacity)
            capacity *= 2
        }

        /// Forgets what was noted about frames above a level.
        @inline(__always)
        mutating func forgetNotes(above level: Int) {
            if !misfits.isEmpty || !nulls.isEmpty || !held.isEmpty { forgetSomeNotes(above: level) }
        }

        @inline(never)
        private mutating func forgetSomeNotes(above level: Int) {
            misfits.removeAll { $0.level > level }
            nulls.removeAll { $0.level > level }
            held.removeAll { $0.level > level }
        }
    }

    /// What is remembered while a value is tried as one type after the other.
    struct Attempts {
        /// The outcome of each text with a table of variants, while some attempt is under way.
        var outcomes: [AttemptKey: AttemptOutcome] = [:]
        /// The tables that the current scalar is being tried with.
        var scalarTables: [ObjectIdentifier] = []
        /// Above 0 while one text is read for several properties. Each property needs a value of its own, so no outcome is used
        /// twice.
        var sharing = 0
        /// Stores the value of the last attempt at another position.
        var stored: ((_Destination) -> Void)?
        /// What the last attempt noted in addition to its value.
        var findings = ReadFindings()

        /// Forgets the outcomes when the outermost attempt is done: the texts may be gone when the next one begins.
        mutating func forget() {
            stored = nil
            guard !outcomes.isEmpty else { return }
            // Memory that one large value needed would have to be cleared again for each small value after it.
            outcomes.removeAll(keepingCapacity: outcomes.count < 64)
        }
    }

    /// What a document updates.
    struct Update {
        /// The class instances that the document updates: they take their new values when all of it has been read. Nil if the document
        /// updates nothing.
        var objects: ObjectUpdates?
        /// The properties that the update has given a value.
        var assigned: [AssignedProperty] = []

        /// Whether the document updates the value that the root already holds.
        @inline(__always)
        var isActive: Bool { objects != nil }
    }

    /// What the cells of a record point to.
    @safe
    struct CellBytes {
        /// The record; its reader sets it.
        var input = unsafe UnsafeRawBufferPointer(start: nil, count: 0)
        /// Text that does not lie in the input.
        var text: [UInt8] = []
        /// The cells of lists' elements, as bytes.
        var elements: [UInt8] = []
        /// What the record has lost.
        var losses = CellLosses()

        /// Begins a record, or another attempt to read it; the memory is kept.
        @inline(__always)
        mutating func removeAll() {
            losses = CellLosses()
            if !text.isEmpty || !elements.isEmpty { removeSome() }
        }

        @inline(never)
        private mutating func removeSome() {
            text.removeAll(keepingCapacity: true)
            elements.removeAll(keepingCapacity: true)
        }
    }
}
