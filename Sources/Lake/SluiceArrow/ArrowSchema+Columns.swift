// Columns go in, and an Arrow schema of the C data interface comes out. The consumer must release it.

internal import CArrow
internal import SluiceCore

internal import SluiceSystem

extension ArrowSchema {
    /// The schema of a batch: a struct of its columns.
    static func export(_ columns: [JSONColumn], to schema: UnsafeMutablePointer<ArrowSchema>) {
        unsafe export("", .object(columns), isNullable: false, path: nil, to: schema)
    }

    /// - Parameter path: The path of the column's values, if it is not what the name says.
    private static func export(
        _ name: String, _ type: ColumnType, isNullable: Bool, path: String?, to schema: UnsafeMutablePointer<ArrowSchema>
    ) {
        let members = type.members
        unsafe schema.initialize(to: ArrowSchema())
        unsafe schema.pointee.format = unsafe UnsafePointer(strdup(type.arrowFormat))
        // A C string ends at a NUL.
        unsafe schema.pointee.name = unsafe UnsafePointer(strdup(name.escaping([("\0", "_")])))
        // To Arrow, JSON is a string. The metadata tells them apart, for callers that read other parts of the feed with these columns.
        var pairs = type == .json ? [("sluice.type", "json")] : []
        if let path { pairs.append(("sluice.path", path)) }
        if !pairs.isEmpty { unsafe schema.pointee.metadata = metadata(pairs) }
        unsafe schema.pointee.flags = isNullable ? Int64(ARROW_FLAG_NULLABLE) : 0
        unsafe schema.pointee.n_children = Int64(members.count)
        let children = UnsafeMutablePointer<UnsafeMutablePointer<ArrowSchema>?>.allocate(capacity: max(members.count, 1))
        for (index, member) in members.enumerated() {
            let child = UnsafeMutablePointer<ArrowSchema>.allocate(capacity: 1)
            // The keys of a nested object are not paths. A name such as `*` can be a key, but it cannot be requested as a path; nor can
            // one with `=`, or one that the caller has chosen.
            let isPath = name.isEmpty && (try? ScanOptions.ColumnText(member.name))?.isPath(of: member.keys[0].components) != true
            unsafe export(
                member.name, member.type, isNullable: !member.isRequired, path: isPath ? member.keys[0].text : nil, to: child)
            unsafe (children + index).initialize(to: child)
        }
        unsafe schema.pointee.children = unsafe children
        unsafe schema.pointee.release = { schema in unsafe ArrowSchema.release(schema) }
    }

    /// Pairs of metadata as the C data interface defines them: the number of pairs, then each text after its length.
    private static func metadata(_ pairs: [(String, String)]) -> UnsafePointer<CChar> {
        var bytes: [UInt8] = []
        func append(_ number: Int32) { unsafe withUnsafeBytes(of: number) { unsafe bytes.append(contentsOf: $0) } }
        append(Int32(pairs.count))
        for text in pairs.flatMap({ [$0, $1] }) {
            append(Int32(text.utf8.count))
            bytes += text.utf8
        }
        let copy = UnsafeMutablePointer<CChar>.allocate(capacity: bytes.count)
        for (index, byte) in bytes.enumerated() { unsafe (copy + index).initialize(to: CChar(bitPattern: byte)) }
        return unsafe UnsafePointer(copy)
    }

    /// Releases a schema, and those of its children that have not been moved out.
    private static func release(_ schema: UnsafeMutablePointer<ArrowSchema>?) {
        guard let schema = unsafe schema, unsafe schema.pointee.release != nil else { return }
        unsafe freeChildren(schema.pointee.children, count: schema.pointee.n_children) { child in
            if let release = unsafe child.pointee.release { unsafe release(child) }
        }
        unsafe free(UnsafeMutableRawPointer(mutating: schema.pointee.format))
        unsafe free(UnsafeMutableRawPointer(mutating: schema.pointee.name))
        unsafe schema.pointee.metadata?.deallocate()
        unsafe schema.pointee.release = nil
    }
}

extension ColumnType {
    /// The type's format string in the C data interface.
    var arrowFormat: String {
        switch self {
        case .bool: "b"
        case .integer: "l"
        case .int32: "i"
        case .date: "tdD"
        case .decimal(let precision, let scale): "d:\(precision),\(scale)"
        case .real: "g"
        case .text, .json: "u"
        case .timestamp: "tsu:UTC"
        case .list: "+l"
        case .object: "+s"
        }
    }

    /// The child columns of the type: one for each key of an object, one for the elements of a list.
    var members: [JSONColumn] {
        switch self {
        case .list(let element): [JSONColumn(name: "item", type: element)]
        case .object(let columns): columns
        case .bool, .integer, .int32, .real, .text, .timestamp, .date, .decimal, .json: []
        }
    }
}
