// The `Encoder` that writes JSON text. One encoder serves a whole document: a stack has the path to the value that is encoding itself,
// with one level for each value on the way.
//
// Usually a value is written as soon as it is encoded, and its container is closed when `encode(to:)` returns. Detached containers
// (nested containers and encoders for superclasses) may be written until then. Each has a fragment of its own, and the outer text has a
// hole where that fragment will go.
//
// What types do with containers is their own affair: they open one twice, or late, or go on after an error. The rules are those of
// Foundation's encoder. Where that one would trap, or would write what this one no longer can, the whole document fails: see ``fail(_:)``.

internal import Foundation
internal import SluiceCore

/// The encoder that is passed to `encode(to:)`.
@safe
final class FragmentEncoder {
    let fragment: JSONFragment
    private(set) var options: EncodingOptions
    private(set) var hasDefaultKeys: Bool
    let types = TypeWriter.table
    /// The coding path of the value that the encoder was made for.
    private let basePath: [any CodingKey]

    /// Whether this is the encoder of the whole document, not of a detached container.
    private let isRoot: Bool

    /// The kind of value that has been written at a level, or is being written; `empty` before that. `text` is a whole value that was
    /// written at once, and may be a container. At a level that is `closed`, nothing can be written any more.
    enum State: UInt8 { case empty, object, array, value, text, closed }

    /// What single-value containers have done at a level that has an open container: nothing; they had a value of their own, which the
    /// container replaces; or the container is their value, so that only `container(keyedBy:)` and `unkeyedContainer()` go on with it.
    enum Single: UInt8 { case none, ignored, taken }

    /// A level of the stack: a value that is encoding itself.
    struct Level {
        let step: CodingStep
        var serial: UInt32
        var state = State.empty
        var single = Single.none
        /// The number of elements written to an array.
        var count = 0
        /// The number that ``JSONFragment/beginObject()`` returned, and that closing the object needs. For a `text`, its offset.
        var object = 0
        /// The bits of all keys written to the object, see ``KeyNames/Name/bit``.
        private var keys: UInt64 = 0
        /// Whether all keys of the object are known to be different.
        var hasUniqueKeys = true

        init(step: CodingStep, serial: UInt32) {
            self.step = step
            self.serial = serial
        }

        /// Notes a key that is written to the object.
        ///
        /// - Parameter bit: A bit that no key with another name has; 0 if the key has no bit.
        @inline(__always)
        mutating func add(_ bit: UInt64) {
            if bit == 0 || keys & bit != 0 { hasUniqueKeys = false }
            keys |= bit
        }

        /// Whether no key with this bit has been written; false if that is not certain.
        func lacks(_ bit: UInt64) -> Bool { bit != 0 && hasUniqueKeys && keys & bit == 0 }
    }

    // Only this class uses it, one access after the other. Checked, each member would pay for a call of the runtime, because `grow`
    // changes the pointer in another module.
    @exclusivity(unchecked) private var levels: UnsafeMutablePointer<Level>
    private var capacity = 8
    private var depth = 1
    private var serial: UInt32 = 0
    /// The encoders of the detached containers of all levels, those of the innermost level last.
    private var parts: [FragmentEncoder] = []
    /// The indices of keys in objects with many members, by the number of the object's level.
    private var keyIndices: [UInt32: JSONFragment.KeyIndices] = [:]
    /// Whether there are parts or indices, which are removed together with their level.
    private var hasBelongings = false
    /// For a detached container: the encoder that has the hole for it, and the depth of the container's level in that encoder.
    private let owner: FragmentEncoder?
    private let ownerDepth: Int
    /// In the root: the error with which the document fails, even if types have caught it.
    private(set) var fault: (any Error)?
    /// The keys that the key strategy has converted, by the original key.
    private var converted: [String: String] = [:]
    /// Containers kept for reuse; nil in the encoder of a detached container.
    private var containers: ContainerPool<EncodingState>?

    init(
        _ fragment: JSONFragment, _ options: EncodingOptions, path: [any CodingKey], isRoot: Bool = false,
        owner: FragmentEncoder? = nil
    ) {
        self.fragment = fragment
        self.owner = owner
        ownerDepth = owner?.depth ?? 0
        self.options = options
        hasDefaultKeys = options.hasDefaultKeys
        basePath = path
        self.isRoot = isRoot
        start = fragment.mark
        writing = options.writing
        containers = isRoot && FragmentEncoder.keepsContainers ? ContainerPool() : nil
        unsafe levels = .allocate(capacity: capacity)
        unsafe levels.initialize(to: Level(step: .none, serial: 0))
    }

    deinit { unsafe levels.deallocate() }

    // MARK: Whole documents

    private static let kept = KeptObject<FragmentEncoder>()
    private static let keepsContainers: Bool = {
        let state = UnsafeMutablePointer<EncodingState>.allocate(capacity: 1)
        defer { unsafe state.deallocate() }
        let handle = unsafe ContainerHandle(state, owner: nil)
        return ContainerPool.isBox(KeyedEncodingContainer(KeyedFragment<PathKey>(handle)), of: handle)
    }()
    /// The size in bytes of the longest text after which an encoder is kept.
    private static let greatestKept = 4 << 20
    /// The size in bytes of the last document's text.
    private var writtenSize = 0
    /// The mark of the empty fragment, to which the encoder returns after each document.
    private let start: JSONFragment.Mark
    private let writing: JSONWriter.Options

    /// Calls a closure with an encoder for a document.
    static func with<Result>(_ options: EncodingOptions, _ body: (FragmentEncoder) throws -> Result) rethrows -> Result {
        var encoder: FragmentEncoder?
        if let kept = kept.take(), kept.writing == options.writing {
            kept.options = options
            kept.hasDefaultKeys = options.hasDefaultKeys
            encoder = kept
        } else {
            encoder = FragmentEncoder(JSONFragment(options: options.writing), options, path: [], isRoot: true)
        }
        defer { FragmentEncoder.finish(&encoder) }
        return try unsafe body(encoder.unsafelyUnwrapped)
    }

    /// Calls a closure with the text of the document.
    func finish<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        unsafe fragment.withText(isPretty: options.formatting.contains(.prettyPrinted)) { text in
            writtenSize = text.count
            return unsafe body(text)
        }
    }

    /// Keeps the encoder for the next document, unless something still refers to it or to one of its containers.
    private static func finish(_ encoder: inout FragmentEncoder?) {
        if let encoder {
            encoder.containers?.settle(encoder)
            // An error may refer to the encoder.
            encoder.fault = nil
        }
        let isAlone = isKnownUniquelyReferenced(&encoder)
        guard let encoder else { return }
        guard isAlone, encoder.writtenSize <= greatestKept else {
            // The holder may ask for containers; a kept container and its encoder would then retain each other.
            encoder.containers = nil
            return encoder.level.state = .closed
        }
        if !encoder.converted.isEmpty { encoder.converted = [:] }
        encoder.depth = 1
        encoder.serial = 0
        unsafe encoder.levels.initialize(to: Level(step: .none, serial: 0))
        encoder.options = .standard
        encoder.fragment.goBack(to: encoder.start)
        kept.keep(encoder)
    }

    // MARK: The stack

    /// The innermost level.
    @inline(__always)
    var level: Level {
        // Safe: there is always a level, and the depth counts those in use.
        get { unsafe levels[depth &- 1] }
        _modify { yield unsafe &levels[depth &- 1] }
    }

    /// Identifies the level of a container, so that the container can tell whether that level still exists.
    struct Mark {
        let depth: Int32
        let serial: UInt32

        /// The marks of containers that could not be opened: beyond the depth limit, in place of another value, and when the level's value
        /// had been encoded.
        static var tooDeep: Mark { Mark(depth: -1, serial: 0) }
        static var clash: Mark { Mark(depth: 0, serial: 0) }
        static var closed: Mark { Mark(depth: -2, serial: 0) }
    }

    var mark: Mark { Mark(depth: Int32(truncatingIfNeeded: depth), serial: level.serial) }

    /// Whether a container may write: its level is the innermost.
    @inline(__always)
    func isCurrent(_ mark: Mark) -> Bool { Int(mark.depth) == depth && level.serial == mark.serial }

    /// Makes the value of a single-value container the innermost level's. As in Foundation, the containers that were made before are no
    /// longer its own, and are refused from now on.
    func take() {
        level.single = .taken
        serial &+= 1
        level.serial = serial
        if hasBelongings { removeBelongings(keeping: depth - 1) }
    }

    /// Adds a level for a value that encodes itself.
    @inline(__always)
    func push(_ step: CodingStep) {
        if depth == capacity { growLevels() }
        serial &+= 1
        // Safe: the check above makes room for one more level.
        unsafe (levels + depth).initialize(to: Level(step: step, serial: serial))
        depth &+= 1
    }

    /// Removes the level of a value that has encoded itself.
    @inline(__always)
    func pop() {
        depth &-= 1
        if hasBelongings { removeBelongings(keeping: depth) }
    }

    /// Removes what belongs to levels that no longer exist. Their detached containers are closed.
    ///
    /// - Parameter count: The number of levels whose containers stay.
    @inline(never)
    private func removeBelongings(keeping count: Int) {
        while let part = parts.last, part.ownerDepth > count {
            parts.removeLast()
            part.end()
        }
        if !keyIndices.isEmpty {
            let serials = (0..<depth).map { unsafe levels[$0].serial }
            keyIndices = keyIndices.filter { serials.contains($0.key) }
        }
        hasBelongings = !parts.isEmpty || !keyIndices.isEmpty
    }

    /// Closes a detached container; it cannot be opened again.
    private func end() {
        if hasBelongings { removeBelongings(keeping: 0) }
        close()
        level.state = .closed
        // No container has this number, so a container that the caller still has is refused.
        level.serial = .max
    }

    /// Closes the container of the innermost level.
    @inline(__always)
    func close() {
        switch level.state {
        case .object: fragment.endObject(level.object, isUnique: level.hasUniqueKeys)
        case .array: fragment.endArray()
        case .value, .text, .empty, .closed: break
        }
    }

    @inline(never)
    private func growLevels() {
        unsafe levels.grow(to: capacity * 2, keeping: depth)
        capacity *= 2
    }

    var codingPath: [any CodingKey] { path(ofLevels: depth) }

    private func path(ofLevels count: Int) -> [any CodingKey] {
        var path = basePath
        // Safe: callers pass at most `depth`, so these levels are in use.
        for index in 0..<count { if let key = unsafe levels[index].step.codingKey { path.append(key) } }
        return path
    }

    func path(to step: CodingStep) -> [any CodingKey] {
        var path = codingPath
        if let key = step.codingKey { path.append(key) }
        return path
    }

    /// The path of a container, or, if the container could not be opened, the path of the value that is being encoded.
    func path(at mark: Mark) -> [any CodingKey] { path(ofLevels: mark.depth > 0 ? min(Int(mark.depth), depth) : depth) }

    // MARK: Containers inside

    /// Makes the encoder of a detached container, and leaves a hole in the text where the container goes.
    func part(path: [any CodingKey]) -> FragmentEncoder {
        part(path: path, JSONFragment(options: options.writing, within: fragment))
    }

    private func part(path: [any CodingKey], _ text: JSONFragment) -> FragmentEncoder {
        let part = FragmentEncoder(text, options, path: path, owner: self)
        fragment.leave(text)
        text.number = parts.count
        parts.append(part)
        hasBelongings = true
        return part
    }

    /// An encoder to which nothing can be written: for a container whose outer container cannot be written.
    func closedPart() -> FragmentEncoder {
        let part = FragmentEncoder(JSONFragment(options: options.writing), options, path: codingPath)
        part.level.state = .closed
        return part
    }

    /// The encoder of the nested container for a key of the innermost level's object. If the key has a container already, that one goes
    /// on; any other value is an error.
    ///
    /// - Parameter bit: The key's bit, see ``Level/add(_:)``.
    func nested(_ name: String, _ bit: UInt64, path: [any CodingKey]) -> FragmentEncoder {
        let isNew = level.lacks(bit)
        let before = fragment.mark
        fragment.key(name)
        guard let value = isNew ? nil : fragment.earlierValue(of: level.object, &keyIndices[level.serial]) else {
            level.add(bit)
            let part = part(path: path)
            fragment.endElement()
            return part
        }
        if let text = value.hole, text.number < parts.count, parts[text.number].fragment === text {
            fragment.goBack(to: before)
            let known = parts[text.number]
            // A superclass that has encoded nothing is an empty object. Nested containers are open.
            if known.level.state == .empty { _ = known.open(.object) }
            return known
        }
        // The value is complete. Its copy replaces it, as does every value whose key has been written before.
        let part = part(path: path, fragment.copy(of: value))
        part.level.state = .text
        fragment.endElement()
        level.add(0)
        return part
    }

    // MARK: Errors

    /// Makes the whole document fail, although types may catch the error: Foundation's encoder would have trapped, or it would have
    /// written something that this encoder cannot write.
    ///
    /// - Returns: The same error.
    @discardableResult
    func fail(_ error: any Error) -> any Error {
        var root = self
        while let owner = root.owner { root = owner }
        if root.fault == nil { root.fault = error }
        return error
    }

    /// Whether the document has failed.
    var hasFailed: Bool { owner?.hasFailed ?? (fault != nil) }

    /// Whether a container's value is still being encoded, by this level or by one inside.
    private func isAlive(_ mark: Mark) -> Bool {
        guard mark.depth > 0, Int(mark.depth) <= depth else { return false }
        // Safe: the depth is that of a level in use.
        return unsafe levels[Int(mark.depth) - 1].serial == mark.serial
    }

    /// The error for a container that cannot write.
    func refusal(_ mark: Mark) -> any Error {
        if mark.depth == Mark.tooDeep.depth { return EncodingOptions.tooDeep }
        if mark.depth == Mark.clash.depth { return clash() }
        if isAlive(mark) {
            return fail(unwritable("The container cannot be written now: a value inside is encoding itself.", path(at: mark)))
        }
        return unwritable("The container cannot be written any more: its value has been encoded.", path(at: mark))
    }

    /// The error for a second value at a level; the document fails.
    func clash() -> any Error {
        fail(unwritable("The value cannot be written: another one has been encoded in its place.", codingPath))
    }

    private func unwritable(_ words: String, _ path: [any CodingKey]) -> EncodingError {
        // The value is not known here. It is not the encoder, which keeps the error.
        .invalidValue(
            path.map(\.stringValue).joined(separator: "."),
            EncodingError.Context(
                codingPath: path, debugDescription: words,
                underlyingError: JSONError(.notWritable, expected: "one value in each place", found: "another one")))
    }

    // MARK: Keys

    /// The text of a key after the key strategy is applied.
    @inline(__always)
    func name(_ key: some CodingKey, _ path: () -> [any CodingKey]) -> String {
        hasDefaultKeys ? key.stringValue : convertedName(key, path())
    }

    @inline(never)
    private func convertedName(_ key: some CodingKey, _ path: [any CodingKey]) -> String {
        switch options.keys {
        case .convertToSnakeCase:
            let name = key.stringValue
            if let known = converted[name] { return known }
            let made = SnakeCase.snakeCase(name)
            // Strings outside ASCII can be equal although their bytes differ, so only ASCII keys are remembered.
            if name.utf8.allSatisfy({ $0 < 0x80 }) { converted[name] = made }
            return made
        case .custom(let convert): return convert(path + [key]).stringValue
        default: return key.stringValue
        }
    }
}

extension FragmentEncoder: Encoder {
    var userInfo: [CodingUserInfoKey: Any] { options.userInfo }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        let mark = open(.object)
        if let (copier, state, _) = unsafe containers?.take(type) {
            unsafe state.pointee.mark = mark
            // Safe: the copier was kept for this key type.
            return unsafe copier._withUnsafeGuaranteedRef {
                unsafe unsafeDowncast($0, to: ContainerCopier<KeyedEncodingContainer<Key>>.self).copy()
            }
        }
        return makeContainer(type, mark)
    }

    @inline(never)
    private func makeContainer<Key: CodingKey>(_ type: Key.Type, _ mark: Mark) -> KeyedEncodingContainer<Key> {
        let slot = containers?.slot(for: type)
        let state = UnsafeMutablePointer<EncodingState>.allocate(capacity: 1)
        unsafe state.initialize(to: EncodingState(self, mark, names: .of(type)))
        let owner = unsafe slot == nil ? StateOwner(state, self) : nil
        let container = unsafe KeyedEncodingContainer(KeyedFragment<Key>(ContainerHandle(state, owner: owner)))
        if let slot { unsafe containers?.keep(container, state, type, at: slot) }
        return container
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer { UnkeyedFragment(encoder: self, mark: open(.array), path: nil) }

    func singleValueContainer() -> any SingleValueEncodingContainer { self }

    /// Opens a container at the innermost level, unless it is open already. If the level has another value, or the depth limit is
    /// reached, the mark returned is invalid, so nothing can be written.
    @inline(__always)
    func open(_ state: State) -> Mark {
        guard level.state == .empty else { return openAgain(state) }
        do throws(JSONError) {
            if state == .object { level.object = try fragment.beginObject() } else { try fragment.beginArray() }
        } catch {
            fail(error)
            return .tooDeep
        }
        level.state = state
        return mark
    }

    @inline(never)
    private func openAgain(_ state: State) -> Mark {
        if level.state == .closed { return .closed }
        if level.state == .text, let open = fragment.reopen(at: level.object) {
            level.state = open.isObject ? .object : .array
            level.object = open.first
            level.count = open.count
            level.single = .taken
        }
        guard level.state == state else {
            _ = clash()
            return .clash
        }
        if level.single == .taken { level.single = .none }
        // The level may already have members whose keys are of another type, and bits of different types cannot be compared.
        level.hasUniqueKeys = false
        return mark
    }
}
