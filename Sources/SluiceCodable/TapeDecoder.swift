// A place on the tape, as a `Decoder`. One decoder serves a whole document: while a value inside decodes itself, the decoder stands at
// that value, and the way to it is on a stack.

internal import Foundation
internal import SluiceCore

/// The decoder that types are handed.
@safe
final class TapeDecoder {
    let tape: JSONTape
    let options: DecodingOptions
    let types = TypeReader.table
    /// The way to the value that the decoder was made for.
    private let basePath: [any CodingKey]
    /// The entry of the value that is being decoded.
    private(set) var value: Int

    /// A level of the stack: a step, and a number by which a container knows whether its level is still there.
    private struct Level {
        let step: PathStep
        let serial: UInt32
    }

    private var levels: UnsafeMutablePointer<Level>?
    private var capacity = 0
    /// Levels in use.
    private(set) var depth = 0
    private var serial: UInt32 = 0

    init(_ tape: JSONTape, _ options: DecodingOptions, value: Int, path: [any CodingKey]) {
        self.tape = tape
        self.options = options
        self.value = value
        basePath = path
    }

    deinit { unsafe levels?.deallocate() }

    // MARK: The stack

    /// Stands at a value inside while a closure runs.
    @inline(__always)
    func stand<Result>(at index: Int, _ step: PathStep, _ body: () throws -> Result) rethrows -> Result {
        let outer = value
        value = index
        if step.isNone {
            defer { value = outer }
            return try body()
        }
        if depth == capacity { growLevels() }
        serial &+= 1
        // Safe: there is room for one level more.
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

    /// A level by which a container finds its path again.
    struct Mark {
        let depth: Int32
        let serial: UInt32
    }

    /// The innermost level.
    @inline(__always)
    var mark: Mark {
        // Safe: a level below the depth is in use.
        Mark(
            depth: Int32(truncatingIfNeeded: depth),
            serial: depth == 0 ? 0 : unsafe levels.unsafelyUnwrapped[depth &- 1].serial)
    }

    var codingPath: [any CodingKey] { path(ofLevels: depth) }

    private func path(ofLevels count: Int) -> [any CodingKey] {
        var path = basePath
        // Safe: only levels in use are asked for.
        for index in 0..<count {
            if let key = unsafe levels.unsafelyUnwrapped[index].step.codingKey(in: self) { path.append(key) }
        }
        return path
    }

    /// The decoder for the values of a container: this one, unless the container has outlived the call that it was made in.
    @inline(__always)
    func at(_ mark: Mark, _ container: Int) -> TapeDecoder {
        // Safe: a level below the depth is in use.
        if Int(mark.depth) == depth, unsafe depth == 0 || levels.unsafelyUnwrapped[depth &- 1].serial == mark.serial {
            return self
        }
        return other(at: container, path: path(at: mark, of: container))
    }

    /// The path of a container that was made at a level.
    func path(at mark: Mark, of container: Int) -> [any CodingKey] {
        let depth = Int(mark.depth)
        // Safe: the level is looked at only if it is in use.
        if unsafe depth == 0 || depth <= self.depth && levels.unsafelyUnwrapped[depth - 1].serial == mark.serial {
            return path(ofLevels: depth)
        }
        // The container has outlived the call that it was made in: the way is looked for on the tape.
        return basePath + tapePath(to: container)
    }

    /// The way to a container by the keys of the text.
    private func tapePath(to container: Int) -> [any CodingKey] {
        var path: [any CodingKey] = []
        var head = 1
        while head < container {
            let entry = tape[head]
            guard entry.kind == .array || entry.kind == .object else { break }
            var place = head + 2
            for index in 0..<entry.count {
                let child = entry.kind == .object ? place + 1 : place
                let next = tape.index(after: child)
                if container < next {
                    path.append(
                        entry.kind == .object ? PathKey(stringValue: tape.string(at: place) ?? "") : PathKey(index: index))
                    head = child
                    break
                }
                place = next
            }
        }
        return path
    }
}

extension TapeDecoder: Decoder {
    var userInfo: [CodingUserInfoKey: Any] { options.userInfo }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        try KeyedDecodingContainer(keyed(by: type, at: value, mark))
    }

    @inline(__always)
    func keyed<Key: CodingKey>(by type: Key.Type, at index: Int, _ mark: Mark) throws -> KeyedTape<Key> {
        guard tape[index].kind == .object else { throw misfit([String: Any].self, at: index, path(at: mark, of: index)) }
        if !options.hasDefaultKeys {
            let members = try convertedKeys(of: index, path(at: mark, of: index))
            return KeyedTape(decoder: self, head: index, mark: mark, members: members)
        }
        if case .damaged(let key) = tape.prepare(index) { throw damage(at: key, path(at: mark, of: index)) }
        return KeyedTape(decoder: self, head: index, mark: mark, members: nil)
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer { try unkeyed(at: value, mark) }

    @inline(__always)
    func unkeyed(at index: Int, _ mark: Mark) throws -> UnkeyedTape {
        guard tape[index].kind == .array else { throw misfit([Any].self, at: index, path(at: mark, of: index)) }
        return UnkeyedTape(self, head: index, mark: mark)
    }

    func singleValueContainer() throws -> any SingleValueDecodingContainer { self }

    /// A decoder of its own for a value inside a container.
    func other(at index: Int, path: [any CodingKey]) -> TapeDecoder {
        TapeDecoder(tape, options, value: index, path: path)
    }
}
