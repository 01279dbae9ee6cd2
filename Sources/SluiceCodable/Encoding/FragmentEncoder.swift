// The `Encoder` that writes JSON text. One encoder serves a whole document: a stack has the path to the value that is encoding itself,
// with one level for each value on the way.
//
// Usually a value is written as soon as it is encoded, and its container is closed when `encode(to:)` returns. Detached containers
// (nested containers and encoders for superclasses) may be written later. Each has a fragment of its own, and the outer text has a hole
// where that fragment will go.

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

    /// The kind of value that has been written at a level, or is being written; `empty` before that.
    enum State: UInt8 { case empty, object, array, value }

    /// A level of the stack: a value that is encoding itself.
    struct Level {
        let step: PathStep
        let serial: UInt32
        var state = State.empty
        /// The number of elements written to an array.
        var count = 0
        /// The number that ``JSONFragment/beginObject()`` returned, and that closing the object needs.
        var object = 0
        /// The bits of all keys written to the object, see ``KeyNames/Name/bit``.
        private var keys: UInt64 = 0
        /// Whether all keys of the object are known to be different.
        var hasUniqueKeys = true

        init(step: PathStep, serial: UInt32) {
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
    }

    private var levels: UnsafeMutablePointer<Level>
    private var capacity = 8
    private var depth = 1
    private var serial: UInt32 = 0
    /// The encoders of nested containers, by the outer container's level and the key.
    private var nested: [NestedKey: FragmentEncoder] = [:]
    /// The encoders of detached containers whose text goes into this encoder's.
    private var parts: [FragmentEncoder] = []
    /// The keys that the key strategy has converted, by the original key.
    private var converted: [String: String] = [:]
    /// Containers kept for reuse; nil in the encoder of a detached container.
    private var containers: KeptContainers<EncodingState>?

    struct NestedKey: Hashable {
        let serial: UInt32
        let key: String
    }

    init(_ fragment: JSONFragment, _ options: EncodingOptions, path: [any CodingKey], isRoot: Bool = false) {
        self.fragment = fragment
        self.options = options
        hasDefaultKeys = options.hasDefaultKeys
        basePath = path
        self.isRoot = isRoot
        start = fragment.mark
        writing = options.writing
        containers = isRoot && FragmentEncoder.keepsContainers ? KeptContainers() : nil
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
        return KeptContainers.isBox(KeyedEncodingContainer(KeyedFragment<PathKey>(handle)), of: handle)
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

    /// The text of the document.
    func finishedText() -> Data {
        closeParts()
        let isPretty = options.formatting.contains(.prettyPrinted)
        let text = unsafe fragment.withText(isPretty: isPretty) { unsafe Data($0) }
        writtenSize = text.count
        return text
    }

    /// Keeps the encoder for the next document, unless somebody still refers to it or to one of its containers.
    private static func finish(_ encoder: inout FragmentEncoder?) {
        if let encoder { encoder.containers?.settle(encoder) }
        let isAlone = isKnownUniquelyReferenced(&encoder)
        guard let encoder else { return }
        // The holder may ask for containers; a kept container and its encoder would then retain each other.
        guard isAlone, encoder.writtenSize <= greatestKept else { return encoder.containers = nil }
        if !encoder.parts.isEmpty { encoder.parts = [] }
        if !encoder.nested.isEmpty { encoder.nested = [:] }
        if !encoder.converted.isEmpty { encoder.converted = [:] }
        encoder.depth = 1
        encoder.serial = 0
        unsafe encoder.levels.initialize(to: Level(step: .none, serial: 0))
        encoder.options = .standard
        encoder.fragment.goBack(to: encoder.start)
        kept.keep(encoder)
    }

    // MARK: The stack

    /// Whether the innermost level is the document's value.
    var isTop: Bool { depth == 2 && isRoot }

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
    }

    var mark: Mark { Mark(depth: Int32(truncatingIfNeeded: depth), serial: level.serial) }

    /// Whether a container may write: its level is the innermost.
    @inline(__always)
    func isCurrent(_ mark: Mark) -> Bool { Int(mark.depth) == depth && level.serial == mark.serial }

    /// Adds a level for a value that encodes itself.
    @inline(__always)
    func push(_ step: PathStep) {
        if depth == capacity { growLevels() }
        serial &+= 1
        // Safe: the check above makes room for one more level.
        unsafe (levels + depth).initialize(to: Level(step: step, serial: serial))
        depth &+= 1
    }

    /// Removes the level of a value that has encoded itself.
    @inline(__always)
    func pop() { depth &-= 1 }

    /// Closes the detached containers.
    func closeParts() {
        if parts.isEmpty { return }
        for part in parts {
            part.closeParts()
            part.close()
        }
        parts = []
    }

    /// Closes the container of the innermost level.
    @inline(__always)
    func close() {
        switch level.state {
        case .object: fragment.endObject(level.object, isUnique: level.hasUniqueKeys)
        case .array: fragment.endArray()
        case .value, .empty: break
        }
    }

    @inline(never)
    private func growLevels() {
        let grown = UnsafeMutablePointer<Level>.allocate(capacity: capacity * 2)
        unsafe grown.update(from: levels, count: depth)
        unsafe levels.deallocate()
        unsafe levels = unsafe grown
        capacity *= 2
    }

    var codingPath: [any CodingKey] { path(ofLevels: depth) }

    private func path(ofLevels count: Int) -> [any CodingKey] {
        var path = basePath
        // Safe: callers pass at most `depth`, so these levels are in use.
        for index in 0..<count { if let key = unsafe levels[index].step.codingKey { path.append(key) } }
        return path
    }

    func path(to step: PathStep) -> [any CodingKey] {
        var path = codingPath
        if let key = step.codingKey { path.append(key) }
        return path
    }

    /// The path of a container, or, if the container could not be opened, the path of the value that is being encoded.
    func path(at mark: Mark) -> [any CodingKey] { path(ofLevels: mark.depth > 0 ? min(Int(mark.depth), depth) : depth) }

    // MARK: Containers inside

    /// Makes the encoder of a detached container, and leaves a hole in the text where the container goes.
    func part(path: [any CodingKey]) -> FragmentEncoder {
        let part = FragmentEncoder(JSONFragment(options: options.writing, within: fragment), options, path: path)
        fragment.leave(part.fragment)
        parts.append(part)
        return part
    }

    /// An encoder whose text is discarded: for a container whose outer container can no longer be written.
    func loosePart() -> FragmentEncoder { FragmentEncoder(JSONFragment(options: options.writing), options, path: codingPath) }

    /// The encoder of the nested container that the innermost level already has for a key, or nil.
    func nested(_ key: String) -> FragmentEncoder? {
        nested.isEmpty ? nil : nested[NestedKey(serial: level.serial, key: key)]
    }

    func keep(_ encoder: FragmentEncoder, _ key: String) { nested[NestedKey(serial: level.serial, key: key)] = encoder }

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
        if let (copier, state) = unsafe containers?.take(type) {
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
        let place = containers?.place(for: type)
        let state = UnsafeMutablePointer<EncodingState>.allocate(capacity: 1)
        unsafe state.initialize(to: EncodingState(self, mark, names: .of(type)))
        let owner = unsafe place == nil ? StateOwner(state, self) : nil
        let container = unsafe KeyedEncodingContainer(KeyedFragment<Key>(ContainerHandle(state, owner: owner)))
        if let place { unsafe containers?.keep(container, state, type, at: place) }
        return container
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer { UnkeyedFragment(encoder: self, mark: open(.array), path: nil) }

    func singleValueContainer() -> any SingleValueEncodingContainer { self }

    /// Opens a container at the innermost level, unless it is open already. If the level has another value, or the depth limit is
    /// reached, the mark returned is invalid, so nothing can be written.
    @inline(__always)
    func open(_ state: State) -> Mark {
        if level.state == .empty {
            do throws(JSONError) {
                if state == .object { level.object = try fragment.beginObject() } else { try fragment.beginArray() }
            } catch {
                return Mark(depth: -1, serial: 0)
            }
            level.state = state
        } else {
            // The level may already have members whose keys are of another type, and bits of different types cannot be compared.
            level.hasUniqueKeys = false
        }
        return level.state == state ? mark : Mark(depth: 0, serial: 0)
    }

    /// The error for a container that cannot write.
    func refusal(_ mark: Mark) -> any Error {
        if mark.depth == -1 {
            return JSONError(.depthLimit, expected: "at most \(EncodingOptions.greatestDepth) levels", found: "more")
        }
        return EncodingError.invalidValue(
            self,
            EncodingError.Context(
                codingPath: path(at: mark),
                debugDescription:
                    "The container is not the one that is being written: its value has been encoded, or one inside is."))
    }
}
