// The rows of a batch as the data of a COPY. A row that does not fit is left out completely. The indices of the others are known,
// so that a part of them can be sent again.

#if PostgreSQL
internal import SluiceCore
internal import SluiceIngest

/// Rows in the format of a COPY.
@safe
struct CopyRows: ~Copyable {
    /// The columns that are written, in the order of the statement.
    let fields: [CopyField]
    let format: CopyFormat
    /// Whether each row begins with its number, and ends with a mask of the columns that its record has.
    let isStaged: Bool
    private var buffer = CopyBuffer()
    /// Where each row begins.
    private var starts: [Int] = []
    /// For each row, its index among all rows that were appended, including those that did not fit.
    private(set) var origins: [Int] = []
    private var reader = CopyReader()
    /// For each column of the rows, the index of its field; -1 for one that is not written.
    private let fieldIndices: [Int]
    /// For each field, the index of the row's cell; -1 if it has none.
    private var cells: [Int32]
    private var mask: [UInt8]
    /// Whether all rows have the same mask.
    private(set) var hasOneMask = true
    private var firstMask: [UInt8] = []

    /// A value that has lost digits, has become another one, or is left out, because the server computes the column.
    struct Loss {
        /// The index of its row among all.
        let row: Int
        /// Its column among those of the rows.
        let column: Int
        /// Whether it is not of its column's type.
        let isOffType: Bool
        /// The value as the record has it; nil if it is left out.
        let example: String?
    }

    /// The values that their columns do not keep.
    private(set) var losses: [Loss] = []

    init(_ fields: [CopyField], fieldIndices: [Int], format: CopyFormat, isStaged: Bool) {
        self.fields = fields
        self.fieldIndices = fieldIndices
        self.format = format
        self.isStaged = isStaged
        cells = Array(repeating: -1, count: fields.count)
        mask = Array(repeating: 0, count: isStaged ? (CopyRows.maskSize(of: fields.count) + 7) / 8 : 0)
    }

    var count: Int { starts.count }

    /// How many bits a mask has: one for each field, and at least one.
    static func maskSize(of fieldCount: Int) -> Int { max(1, fieldCount) }

    /// Whether the data takes so much memory that it should be sent now. A null takes four bytes, and a table may have 1,600 columns.
    var isLarge: Bool { buffer.count > 8 << 20 }

    mutating func removeAll() {
        buffer.removeAll()
        starts.removeAll(keepingCapacity: true)
        origins.removeAll(keepingCapacity: true)
        losses.removeAll()
        (hasOneMask, firstMask) = (true, [])
    }

    /// Whether the rows have a value for a field, if all rows have the same mask.
    func isPresent(_ field: Int) -> Bool { firstMask.isEmpty || firstMask[field / 8] & 0x80 >> UInt8(field % 8) != 0 }

    /// Appends a row.
    ///
    /// - Parameters:
    ///   - number: Which row it is among all.
    ///   - required: The fields that must have a value.
    mutating func append(_ row: RowCells, _ number: Int, required: [Int]) throws(CopyRefusal) {
        let lossCount = losses.count
        for index in cells.indices { cells[index] = -1 }
        for index in mask.indices { mask[index] = 0 }
        for cell in row.cellIndices {
            let column = row.column(cell)
            guard column < fieldIndices.count else { continue }
            let field = fieldIndices[column]
            guard field >= 0 else {
                noteGenerated(row, cell, number)
                continue
            }
            cells[field] = Int32(truncatingIfNeeded: cell)
            if isStaged { mask[field >> 3] |= 0x80 >> UInt8(field & 7) }
        }
        let start = buffer.count
        do throws(CopyRefusal) {
            beginRow()
            for (field, cell) in cells.enumerated() {
                if format == .text, field > 0 || isStaged { buffer.append(UInt8(ascii: "\t")) }
                guard cell >= 0 else {
                    appendNull()
                    continue
                }
                let index = Int(cell)
                let read = try reader.read(row.value(index), isOffType: row.isOffType(index), as: fields[field])
                if reader.hasLostDigits { noteLoss(row, index, number, fields[field]) }
                if format == .binary {
                    buffer.appendBinary(read, as: fields[field].type)
                } else {
                    buffer.appendText(read, as: fields[field].type)
                }
            }
            for field in required {
                let isMissing =
                    if cells[field] < 0 { true } else if case .null = row.value(Int(cells[field])) { true } else { false }
                if isMissing {
                    throw CopyRefusal(column: fields[field].name, expected: "a value, because it is the key", found: "none")
                }
            }
            endRow()
        } catch {
            buffer.truncate(to: start)
            losses.removeSubrange(lossCount...)
            throw error
        }
        starts.append(start)
        origins.append(number)
        if isStaged, starts.count == 1 { firstMask = mask } else if isStaged, mask != firstMask { hasOneMask = false }
    }

    private mutating func beginRow() {
        let count = fields.count + (isStaged ? 2 : 0)
        switch format {
        case .binary:
            buffer.append(Int16(truncatingIfNeeded: count))
            guard isStaged else { return }
            buffer.append(Int32(4))
            buffer.append(Int32(truncatingIfNeeded: starts.count))
        case .text: if isStaged { buffer.append("\(starts.count)") }
        }
    }

    private mutating func appendNull() {
        if format == .binary { buffer.append(Int32(-1)) } else { buffer.append("\\N") }
    }

    private mutating func endRow() {
        switch format {
        case .binary:
            guard isStaged else { return }
            // The binary form of `bit(n)`: the number of bits, then the bits, with the first bit as the highest of its byte.
            buffer.append(Int32(truncatingIfNeeded: 4 + mask.count))
            buffer.append(Int32(truncatingIfNeeded: CopyRows.maskSize(of: fields.count)))
            for byte in mask { buffer.append(byte) }
        case .text:
            if isStaged {
                buffer.append(UInt8(ascii: "\t"))
                for bit in 0..<CopyRows.maskSize(of: fields.count) {
                    buffer.append(UInt8(ascii: mask[bit >> 3] & 0x80 >> UInt8(bit & 7) == 0 ? "0" : "1"))
                }
            }
            buffer.append(UInt8(ascii: "\n"))
        }
    }

    @inline(never)
    private mutating func noteGenerated(_ row: RowCells, _ cell: Int, _ number: Int) {
        if case .null = row.value(cell) { return }
        losses.append(Loss(row: number, column: row.column(cell), isOffType: row.isOffType(cell), example: nil))
    }

    @inline(never)
    private mutating func noteLoss(_ row: RowCells, _ cell: Int, _ number: Int, _ field: CopyField) {
        let isOffType = row.isOffType(cell)
        // A number of a small size has the type of a column of numbers, so it is a truth value.
        let isTruth = field.type != .bool && (isOffType || field.isOfTruth)
        let example =
            switch row.value(cell) {
            case .null: "null"
            case .integer(let value) where isTruth && value.magnitude <= 1: value == 1 ? "true" : "false"
            case .integer(let value): "\(value)"
            case .real(let value): "\(value)"
            case .text(let text): unsafe "'\(String(decoding: text.prefix(60), as: UTF8.self))'"
            }
        losses.append(Loss(row: number, column: row.column(cell), isOffType: isOffType, example: example))
    }

    /// The data of some rows.
    func withData<Result>(of rows: Range<Int>, _ body: ([UnsafeRawBufferPointer]) throws(PostgresError) -> Result)
        throws(PostgresError) -> Result
    {
        let end = rows.upperBound < starts.count ? starts[rows.upperBound] : buffer.count
        let part = unsafe UnsafeRawBufferPointer(rebasing: buffer.bytes[(rows.isEmpty ? end : starts[rows.lowerBound])..<end])
        return try unsafe withPieces(part, hasTrailer: true, body)
    }

    /// The data of all rows so far; more may follow.
    func withDataSoFar<Result>(_ body: ([UnsafeRawBufferPointer]) throws(PostgresError) -> Result) throws(PostgresError) -> Result
    {
        try unsafe withPieces(buffer.bytes, hasTrailer: false, body)
    }

    /// How many bytes the rows take so far.
    var byteCount: Int { buffer.count }

    private func withPieces<Result>(
        _ part: UnsafeRawBufferPointer, hasTrailer: Bool, _ body: ([UnsafeRawBufferPointer]) throws(PostgresError) -> Result
    ) throws(PostgresError) -> Result {
        // Safe: the arrays and the buffer stay in place until the body has returned.
        let (header, trailer) = (format.header, hasTrailer ? format.trailer : [])
        let result = unsafe header.withUnsafeBytes { header in
            unsafe trailer.withUnsafeBytes { trailer in
                Swift.Result { () throws(PostgresError) in
                    // An empty trailer is left out, because the data may continue after the last piece.
                    try unsafe body([header, part] + (trailer.isEmpty ? [] : [trailer]))
                }
            }
        }
        return try result.get()
    }
}
#endif
