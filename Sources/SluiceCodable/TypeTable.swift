// How values of a type are decoded: found out once, and then looked up by the type's address, without a lock.

internal import Foundation
internal import SluiceCore
internal import Synchronization

/// How values of one type are decoded.
@safe
struct TypeRecord {
    enum Way {
        /// By the type's `init(from:)`.
        case itself
        case string, int, double, bool
        case reader
    }

    let type: UnsafeRawPointer
    let way: Way
    let reader: TypeReader?
}

/// Decodes values of one type.
class TypeReader: @unchecked Sendable {
    /// Puts the value at an index into memory for one value of the type, unless it throws.
    func read(
        _ decoder: TapeDecoder, at index: Int, _ step: PathStep, to memory: UnsafeMutableRawPointer
    ) throws {}
}

/// The records of all types that have been decoded. They live as long as the process.
@safe
final class TypeTable: @unchecked Sendable {
    static let shared = TypeTable()

    private static let size = 1024
    /// Addresses of records; two types with one place take turns.
    private let slots: UnsafeMutablePointer<Atomic<UInt>>
    /// Addresses of records by those of types.
    private let records = Mutex<[UInt: UInt]>([:])

    private init() {
        unsafe slots = .allocate(capacity: TypeTable.size)
        for index in 0..<TypeTable.size { unsafe (slots + index).initialize(to: Atomic(0)) }
    }

    @inline(__always)
    func record<T: Decodable>(of type: T.Type) -> UnsafePointer<TypeRecord> {
        // Safe: the address of a type is that of its metadata, which lives as long as the process.
        let address = unsafe unsafeBitCast(type as Any.Type, to: UnsafeRawPointer.self)
        let bits = UInt(bitPattern: address)
        let slot = unsafe slots + Int(truncatingIfNeeded: (bits &>> 4 ^ bits &>> 13) & UInt(TypeTable.size &- 1))
        // Safe: a slot has 0 or the address of a record.
        if let record = unsafe UnsafePointer<TypeRecord>(bitPattern: slot.pointee.load(ordering: .acquiring)),
            unsafe record.pointee.type == address
        {
            return unsafe record
        }
        let record = unsafe otherRecord(of: type, address)
        unsafe slot.pointee.store(UInt(bitPattern: record), ordering: .releasing)
        return unsafe record
    }

    @inline(never)
    private func otherRecord<T: Decodable>(of type: T.Type, _ address: UnsafeRawPointer) -> UnsafePointer<TypeRecord> {
        let bits = UInt(bitPattern: address)
        // Safe: what the dictionary holds are addresses of records.
        if let record = unsafe UnsafePointer<TypeRecord>(bitPattern: records.withLock { $0[bits] ?? 0 }) { return unsafe record }
        let record = UnsafeMutablePointer<TypeRecord>.allocate(capacity: 1)
        unsafe record.initialize(to: TypeTable.makeRecord(of: type, address))
        let made = UInt(bitPattern: record)
        let kept = records.withLock { records in
            if let other = records[bits] { return other }
            records[bits] = made
            return made
        }
        if kept != made {
            unsafe record.deinitialize(count: 1)
            unsafe record.deallocate()
        }
        // Safe: as above.
        return unsafe UnsafePointer<TypeRecord>(bitPattern: kept).unsafelyUnwrapped
    }

    private static func makeRecord<T: Decodable>(of type: T.Type, _ address: UnsafeRawPointer) -> TypeRecord {
        if type == String.self { return unsafe TypeRecord(type: address, way: .string, reader: nil) }
        if type == Int.self { return unsafe TypeRecord(type: address, way: .int, reader: nil) }
        if type == Double.self { return unsafe TypeRecord(type: address, way: .double, reader: nil) }
        if type == Bool.self { return unsafe TypeRecord(type: address, way: .bool, reader: nil) }
        let reader = reader(of: type)
        return unsafe TypeRecord(type: address, way: reader == nil ? .itself : .reader, reader: reader)
    }

    private static func reader<T: Decodable>(of type: T.Type) -> TypeReader? {
        if type == Date.self { return DateReader() }
        if type == Data.self { return DataReader() }
        if type == URL.self { return URLReader() }
        if type == Decimal.self { return DecimalReader() }
        if type == [Double].self { return DoublesReader() }
        if type == [Int].self { return IntegersReader() }
        if type == [String].self { return StringsReader() }
        if type == JSONValue.self { return ModelReader<JSONValue>() }
        if let model = type as? any (JSONModel & Decodable).Type { return model.tapeReader }
        if let container = type as? any TapeContainer.Type { return container.tapeReader }
        return nil
    }
}

extension JSONReadable where Self: Decodable {
    fileprivate static var tapeReader: TypeReader { ModelReader<Self>() }
    static var tapeArrayReader: TypeReader { ModelArrayReader<Self>() }
}

/// A container of decodable values for which there is a reader.
protocol TapeContainer {
    static var tapeReader: TypeReader? { get }
}
