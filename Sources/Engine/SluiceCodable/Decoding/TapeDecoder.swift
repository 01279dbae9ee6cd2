// The `Decoder` that reads from the tape. One decoder serves a whole document: `value` is the entry of the value that is decoding
// itself, and a stack has the coding path to it.

internal import Foundation
internal import SluiceCore

/// The decoder that is passed to `init(from:)`.
@safe
final class TapeDecoder {
    let tape: JSONTape
    /// The entries of the tape, which no longer move or grow once the document is scanned.
    private(set) var entries: UnsafeMutablePointer<TapeEntry>
    private(set) var options: DecodingOptions
    /// Whether keys are used as they are written: no key strategy is set.
    private(set) var hasDefaultKeys: Bool
    /// If a key strategy is set: the members of each object. The outer key is the object's entry, the inner one the converted key, and
    /// the inner value the index of the member's value on the tape.
    private(set) var members: [Int: [String: Int]] = [:]
    let types = TypeReader.table
    /// The coding path of the value that the decoder was made for.
    private let basePath: [any CodingKey]
    let failures: Failures
    /// The path made last, and the depth and the number of its innermost level: a value that is tried as several types fails with one path.
    @exclusivity(unchecked)
    private var latestPath: (depth: Int, serial: UInt32, path: [any CodingKey]) = (0, 0, [])
    /// The entry of the value that the decoder was made for.
    private let base: Int
    /// The entry of the value that is being decoded.
    private(set) var value: Int

    /// A level of the stack: a step of the coding path, and a number by which a container knows whether its level still exists.
    private struct Level {
        let step: CodingStep
        let serial: UInt32
    }

    private var levels: UnsafeMutablePointer<Level>?
    private var capacity = 0
    /// The number of levels in use.
    private(set) var depth = 0
    private var serial: UInt32 = 0
    /// Containers kept for reuse; nil in a decoder that was made for a nested value.
    private var containers: ContainerPool<DecodingState>?
    /// In a decoder that was made for a nested value: the document's decoder, retained so that its tape is not reused.
    private let outer: TapeDecoder?

    private init(
        _ tape: JSONTape, _ options: DecodingOptions, value: Int, path: [any CodingKey], outer: TapeDecoder? = nil
    ) {
        self.tape = tape
        unsafe entries = unsafe tape.entries
        self.options = options
        hasDefaultKeys = options.hasDefaultKeys
        self.value = value
        basePath = path
        base = value
        self.outer = outer
        failures = outer?.failures ?? Failures()
    }

    deinit { unsafe levels?.deallocate() }

    // MARK: Whole documents

    private static let kept = KeptObject<TapeDecoder>()
    private static let keepsContainers: Bool = {
        let state = UnsafeMutablePointer<DecodingState>.allocate(capacity: 1)
        defer { unsafe state.deallocate() }
        let handle = unsafe ContainerHandle(state, owner: nil)
        return ContainerPool.isBox(KeyedDecodingContainer(KeyedTape<PathKey>(handle)), of: handle)
    }()

    /// Calls a closure with a decoder for a document. The closure must scan the text before it decodes from the tape.
    static func with<Value>(_ options: DecodingOptions, _ body: (TapeDecoder) throws -> Value) throws -> Value {
        var decoder = kept.take()
        if decoder == nil {
            decoder = TapeDecoder(JSONTape(), options, value: 1, path: [])
            if keepsContainers { decoder?.containers = ContainerPool() }
        }
        defer { TapeDecoder.finish(&decoder) }
        decoder?.options = options
        decoder?.hasDefaultKeys = options.hasDefaultKeys
        decoder?.tape.holdsSensitive = options.hidesText
        // Safe: a decoder was made above if none was kept.
        // No other reference to it is made here: `finish` must find the only one.
        do {
            return try unsafe body(decoder.unsafelyUnwrapped)
        } catch {
            throw unsafe decoder.unsafelyUnwrapped.completed(error)
        }
    }

    func scan(_ text: UnsafeRawBufferPointer, _ origin: SourcePosition) throws {
        do throws(JSONError) {
            try unsafe tape.scan(text, isBare: options.assumesTopLevelDictionary, origin: origin)
        } catch {
            throw TapeDecoder.syntaxError(error)
        }
        unsafe entries = unsafe tape.entries
    }

    /// Decodes a document.
    func decode<T: Decodable>(_ type: T.Type, _ text: UnsafeRawBufferPointer, _ origin: SourcePosition) throws -> T {
        tape.root = type
        try unsafe scan(text, origin)
        return try make(type, at: 1, .none)
    }

    /// The error for a document that ``DocumentReader`` has refused.
    ///
    /// - Throws: A syntax error in the text, which is reported before a value that does not fit.
    func refusal<T: Decodable>(
        _ type: T.Type, _ worker: TypeReader, _ error: JSONError, _ text: UnsafeRawBufferPointer, _ origin: SourcePosition
    ) throws -> any Error {
        tape.root = type
        try unsafe scan(text, origin)
        // Safe: the record of a type has the reader of that type.
        return unsafe unsafeDowncast(worker, to: TypedReader<T>.self).refusal(error, self, at: 1, .none)
    }

    /// Keeps the decoder for the next document, unless something still refers to it or to one of its containers.
    private static func finish(_ decoder: inout TapeDecoder?) {
        if let decoder { decoder.containers?.settle(decoder) }
        let isAlone = isKnownUniquelyReferenced(&decoder)
        guard let decoder else { return }
        guard isAlone else {
            // The holder may ask for containers; a kept container and its decoder would then retain each other.
            decoder.containers = nil
            return decoder.tape.keepText()
        }
        guard decoder.tape.isSmall else { return }
        decoder.tape.clear()
        if !decoder.members.isEmpty { decoder.members = [:] }
        decoder.options = .standard
        decoder.serial = 0
        decoder.failures.clear()
        if unsafe decoder.latestPath.depth > 0 { unsafe decoder.latestPath = (0, 0, []) }
        kept.keep(decoder)
    }

    // MARK: The stack

    /// The entry at an index.
    @inline(__always)
    func entry(_ index: Int) -> TapeEntry { unsafe entries[index] }

    /// The index of the first entry after the value at an index.
    @inline(__always)
    func index(after index: Int) -> Int {
        let entry = entry(index)
        // Safe: the scanner has stored this index in the high half of a container's bits.
        return entry.kind.code < TapeEntry.Kind.array.code ? index &+ 1 : Int(truncatingIfNeeded: entry.bits &>> 32)
    }

    /// The number of members or elements of the container at an index.
    @inline(__always)
    func count(at index: Int) -> Int { Int(truncatingIfNeeded: entry(index).bits & 0xFFFF_FFFF) }

    /// Makes a nested value the current one while a closure runs.
    @inline(__always)
    func stand<Result>(at index: Int, _ step: CodingStep, _ body: () throws -> Result) rethrows -> Result {
        let outer = value
        value = index
        if step.isNone {
            defer { value = outer }
            return try body()
        }
        if depth == capacity { growLevels() }
        serial &+= 1
        // Safe: the check above makes room for one more level.
        unsafe (levels.unsafelyUnwrapped + depth).initialize(to: Level(step: step, serial: serial))
        depth &+= 1
        defer {
            depth &-= 1
            value = outer
        }
        return try body()
    }

    @inline(never)
    private func growLevels() {
        let size = max(16, capacity * 2)
        let grown = UnsafeMutablePointer<Level>.allocate(capacity: size)
        if let levels = unsafe levels {
            unsafe grown.update(from: levels, count: depth)
            unsafe levels.deallocate()
        }
        unsafe levels = unsafe grown
        capacity = size
    }

    /// Identifies the level of a container, so that the container can find its path: the depth and the low 22 bits of the level's number.
    struct Mark {
        private let bits: UInt32

        /// Levels from this depth on are not identified: their values are decoded as if the level no longer existed.
        private static let greatestDepth = 1023

        @inline(__always)
        init(depth: Int, serial: UInt32) {
            bits = serial &<< 10 | UInt32(truncatingIfNeeded: min(depth, Mark.greatestDepth))
        }

        var depth: Int { Int(bits & 1023) }

        @inline(__always)
        func isOf(depth: Int, serial: UInt32) -> Bool {
            bits == serial &<< 10 | UInt32(truncatingIfNeeded: depth) && depth < Mark.greatestDepth
        }
    }

    /// The number of the last of `count` levels; 0 if `count` is 0.
    @inline(__always)
    private func serial(ofLevels count: Int) -> UInt32 {
        // Safe: callers pass at most `depth`, so this level is in use.
        unsafe count == 0 ? 0 : levels.unsafelyUnwrapped[count &- 1].serial
    }

    /// The mark of the innermost level.
    @inline(__always)
    var mark: Mark { Mark(depth: depth, serial: serial(ofLevels: depth)) }

    var codingPath: [any CodingKey] { path(ofLevels: depth) }

    private func path(ofLevels count: Int) -> [any CodingKey] {
        if count == 0 { return basePath }
        let serial = serial(ofLevels: count)
        if unsafe latestPath.depth == count, unsafe latestPath.serial == serial { return unsafe latestPath.path }
        // Safe: the array has room for all keys. Callers pass at most `depth`, so these levels are in use.
        let path = unsafe [any CodingKey](unsafeUninitializedCapacity: basePath.count + count) { buffer, made in
            for key in basePath {
                unsafe buffer.initializeElement(at: made, to: key)
                made += 1
            }
            for index in 0..<count {
                guard let key = codingKey(of: unsafe levels.unsafelyUnwrapped[index].step) else { continue }
                unsafe buffer.initializeElement(at: made, to: key)
                made += 1
            }
        }
        unsafe latestPath = (count, serial, path)
        return path
    }

    /// Whether a container's level is the innermost, so that its values are decoded from here; false if the container has outlived
    /// the call that made it.
    @inline(__always)
    func isAt(_ mark: Mark) -> Bool { mark.isOf(depth: depth, serial: serial(ofLevels: depth)) }

    /// The path of a container that was made at a level.
    func path(at mark: Mark, of container: Int) -> [any CodingKey] {
        let level = mark.depth
        if level <= depth, mark.isOf(depth: level, serial: serial(ofLevels: level)) { return path(ofLevels: level) }
        // The container has outlived the call that made it, so its path is searched for on the tape.
        return basePath + tapePath(to: container)
    }

    /// The path from the decoder's base value to a container, by the keys of the text.
    private func tapePath(to container: Int) -> [any CodingKey] {
        var path: [any CodingKey] = []
        var head = base
        while head < container {
            let entry = self.entry(head)
            guard entry.kind == .array || entry.kind == .object else { break }
            var item = head + 2
            for index in 0..<entry.count {
                let child = entry.kind == .object ? item + 1 : item
                let next = self.index(after: child)
                if container < next {
                    path.append(
                        entry.kind == .object ? PathKey(stringValue: tape.string(at: item) ?? "") : PathKey(index: index))
                    head = child
                    break
                }
                item = next
            }
        }
        return path
    }
}

extension TapeDecoder: Decoder {
    var userInfo: [CodingUserInfoKey: Any] { options.userInfo }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        let head = value
        guard entry(head).kind == .object else { throw misfit([String: Any].self, at: head, codingPath) }
        if let (copier, state, box) = unsafe containers?.take(type) {
            // `begin` runs the key type's own code, and meanwhile the container's slot must not be given away. So the box is held.
            // A copy of the container would do, too, but if an error is thrown, releasing it makes the runtime look up its type.
            try withExtendedLifetime(box) { try unsafe begin(state, type, head) }
            // Safe: the copier was kept for this key type.
            return unsafe copier._withUnsafeGuaranteedRef {
                unsafe unsafeDowncast($0, to: ContainerCopier<KeyedDecodingContainer<Key>>.self).copy()
            }
        }
        return try makeContainer(type, head)
    }

    @inline(never)
    private func makeContainer<Key: CodingKey>(_ type: Key.Type, _ head: Int) throws -> KeyedDecodingContainer<Key> {
        let slot = containers?.slot(for: type)
        let state = UnsafeMutablePointer<DecodingState>.allocate(capacity: 1)
        unsafe state.initialize(to: DecodingState(self, slot != nil && type.isCaseOfByte ? KeyOrders() : nil))
        let owner = unsafe slot == nil ? StateOwner(state, self) : nil
        let container = unsafe KeyedDecodingContainer(KeyedTape<Key>(ContainerHandle(state, owner: owner)))
        if let slot { unsafe containers?.keep(container, state, type, at: slot) }
        try unsafe begin(state, type, head)
        return container
    }

    /// Sets a container's state to the object at an index.
    ///
    /// - Throws: `DecodingError` if a key is damaged.
    @inline(__always)
    private func begin<Key: CodingKey>(_ state: UnsafeMutablePointer<DecodingState>, _ type: Key.Type, _ head: Int) throws {
        // Safe: a tape has at most `JSONTape.greatestEntryCount` entries.
        unsafe state.pointee.head = Int32(truncatingIfNeeded: head)
        unsafe state.pointee.mark = mark
        if hasDefaultKeys, entry(head).flags == 0, let layouts = unsafe state.pointee.layouts, layouts.find(in: tape, head) {
            return unsafe state.pointee.isLaidOut = true
        }
        unsafe state.pointee.isLaidOut = false
        if !hasDefaultKeys {
            members[head] = try convertedKeys(of: head, codingPath)
        } else if case .damaged(let key) = tape.prepare(head) {
            throw damage(at: key, codingPath)
        } else if let layouts = unsafe state.pointee.layouts {
            unsafe state.pointee.isLaidOut = learn(layouts, type, head)
        }
    }

    /// Learns the layout of an object that matches no known layout. Returns whether the object has a layout now.
    @inline(never)
    private func learn<Key: CodingKey>(_ layouts: KeyOrders, _ type: Key.Type, _ head: Int) -> Bool {
        guard entry(head).flags == 0, entry(head + 1).flags & TapeEntry.isIndexed == 0 else { return false }
        let isMade = layouts.learn(from: tape, head) { name in
            guard let key = Key(stringValue: name), key.stringValue == name else { return nil }
            return UInt8(truncatingIfNeeded: key.byte)
        }
        return isMade && layouts.find(in: tape, head)
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer { try unkeyed(at: value, mark) }

    @inline(__always)
    func unkeyed(at index: Int, _ mark: Mark) throws -> UnkeyedTape {
        guard entry(index).kind == .array else { throw misfit([Any].self, at: index, path(at: mark, of: index)) }
        return UnkeyedTape(self, head: index, mark: mark)
    }

    func singleValueContainer() throws -> any SingleValueDecodingContainer { self }

    /// Makes a separate decoder for a value inside a container.
    func other(at index: Int, path: [any CodingKey]) -> TapeDecoder {
        TapeDecoder(tape, options, value: index, path: path, outer: outer ?? self)
    }
}
