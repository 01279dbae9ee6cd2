// The values of a record of a model go in, as the binder has stored them, and the cells of its columns come out.

/// The memory of one record of a model, and what turns its values into cells.
@safe
struct ModelCellReader: ~Copyable {
    let model: ModelColumns
    /// The values of the record that was read last.
    let memory: UnsafeMutableRawPointer
    private var writer: JSONWriter

    init(_ model: ModelColumns) {
        self.model = model
        unsafe memory = .allocate(byteCount: model.layout.size, alignment: CellLayout.alignment)
        unsafe memory.copyMemory(from: model.layout.template, byteCount: model.layout.size)
        var options = JSONWriter.Options()
        options.nonFinite = .strings
        writer = JSONWriter(options: options)
    }

    deinit {
        unsafe model.layout.destroy(memory)
        unsafe memory.deallocate()
    }

    /// Turns the values of the last record into cells. Texts that do not lie in the record go after those of the reader.
    mutating func store(_ cells: UnsafeMutablePointer<Cell>, _ reader: inout JSONReader) throws(JSONError) {
        try unsafe store(model.layout, memory, cells, &reader)
    }

    private mutating func store(
        _ layout: CellLayout, _ memory: UnsafeMutableRawPointer, _ cells: UnsafeMutablePointer<Cell>, _ reader: inout JSONReader
    ) throws(JSONError) {
        let words = unsafe CellLayout.words(memory)
        for index in unsafe layout.steps.indices {
            let field = unsafe layout.steps[index]
            let address = unsafe memory + field.offset
            let cell = unsafe cells + field.column
            // Safe: there is a presence bit for each slot, and a cell for each column.
            let isPresent = unsafe words[field.slot &>> 6] & 1 &<< UInt64(field.slot & 63) != 0
            switch field.content {
            case .plain(let kind):
                unsafe cell.pointee = unsafe isPresent ? Cell(plain: kind, address) : .absent
            case .text:
                unsafe cell.pointee = unsafe isPresent ? address.assumingMemoryBound(to: Cell.self).pointee : .absent
            case .table(let number):
                unsafe cells[model.columns.count + number] =
                    unsafe isPresent ? address.assumingMemoryBound(to: Cell.self).pointee : .absent
            case .model(let number):
                let inner = layout.layouts[number]
                if unsafe isPresent && CellLayout.isPresent(address) {
                    try unsafe store(inner, address, cells, &reader)
                } else {
                    // Null clears the columns of the row that the record is merged into; without a key they stay.
                    let empty = isPresent ? Cell() : .absent
                    for column in inner.columns { unsafe cells[column] = empty }
                    for number in inner.tables { unsafe cells[model.columns.count + number] = empty }
                }
            case .value(let number):
                unsafe cell.pointee =
                    try unsafe isPresent ? written(layout.values[number], address, field.column, &reader) : .absent
            }
        }
    }

    // MARK: Values that are written first

    /// The cell of a value, by its JSON.
    private mutating func written(
        _ value: ColumnValue, _ address: UnsafeMutableRawPointer, _ index: Int, _ reader: inout JSONReader
    ) throws(JSONError) -> Cell {
        writer.removeAll()
        writer.context.date = value.date ?? writer.options.dates
        writer.context.data = value.data ?? writer.options.data
        writer.context.isSpecial = true
        guard try unsafe value.write(address, to: &writer) else { return Cell() }
        return try unsafe writer.withBytes { json throws(JSONError) in
            // A value that is written as null, such as one of any JSON, is null in a column.
            guard let first = unsafe json.first, first != UInt8(ascii: "n") else { return Cell() }
            let type = value.columnType
            if type == .json { return unsafe reader.ownText(json) }
            if type == .text || type.isOfDates {
                guard first == UInt8(ascii: "\"") else { return unsafe reader.ownText(json) }
                var content = unsafe UnsafeRawBufferPointer(rebasing: json[1..<(json.count - 1)])
                if type == .date {
                    let time = DateFormatting.midnight.utf8
                    guard unsafe content.suffix(time.count).elementsEqual(time) else {
                        throw unsafe unfit(content, index, "timestamp")
                    }
                    unsafe content = unsafe UnsafeRawBufferPointer(rebasing: content.dropLast(time.count))
                }
                if unsafe !content.contains(UInt8(ascii: "\\")) { return unsafe reader.ownText(content) }
                return try reader.ownText(String(json: unsafe Array(json)).utf8)
            }
            guard let cell = unsafe Cell(number: json, as: type) else { throw unsafe unfit(json, index, "text") }
            return cell
        }
    }

    /// The error for a value that its column cannot hold.
    private func unfit(_ text: UnsafeRawBufferPointer, _ index: Int, _ better: String) -> JSONError {
        let column = model.columns[index]
        let found = column.isSensitive ? "another value" : unsafe String(decoding: text.prefix(40), as: UTF8.self)
        return JSONError(
            .invalidValue, path: column.keys[0].text, expected: "a value for a column of type \(column.type.name)",
            found: found, hint: "declare the column '\(column.name)' as \(better)")
    }
}

extension Cell {
    /// The cell of a number or boolean in an optional.
    fileprivate init(plain kind: PropertyKind, _ address: UnsafeMutableRawPointer) {
        self.init()
        func put<Value: FixedWidthInteger>(_ type: Value.Type) {
            guard let value = unsafe address.assumingMemoryBound(to: Value?.self).pointee else { return }
            tag = .integer
            integer = Int64(truncatingIfNeeded: value)
        }
        // Safe: the table was compiled with a type of this kind at the position.
        switch kind {
        case .int64: put(Int64.self)
        case .int32: put(Int32.self)
        case .int16: put(Int16.self)
        case .int8: put(Int8.self)
        case .uint32: put(UInt32.self)
        case .uint16: put(UInt16.self)
        case .uint8: put(UInt8.self)
        case .bool:
            guard let value = unsafe address.assumingMemoryBound(to: Bool?.self).pointee else { return }
            tag = .integer
            integer = value ? 1 : 0
        case .double:
            guard let value = unsafe address.assumingMemoryBound(to: Double?.self).pointee else { return }
            tag = .real
            real = value
        case .float:
            guard let value = unsafe address.assumingMemoryBound(to: Float?.self).pointee else { return }
            tag = .real
            real = Double(value)
        default: break
        }
    }

    /// The cell of a number or boolean in JSON; nil if a column of the type does not hold it.
    fileprivate init?(number json: UnsafeRawBufferPointer, as type: ColumnType) {
        self.init()
        guard let start = unsafe json.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return nil }
        let truth: Bool? = unsafe json.elementsEqual("true".utf8) ? true : json.elementsEqual("false".utf8) ? false : nil
        let scalar = unsafe JSONScalar(kind: .number, start: start, count: json.count)
        let isNumber = unsafe json[0] == UInt8(ascii: "-") || json[0] >= UInt8(ascii: "0") && json[0] <= UInt8(ascii: "9")
        switch type {
        case .bool, .integer:
            if let truth {
                integer = truth ? 1 : 0
            } else if isNumber, type == .integer, let value = scalar.integer(as: Int64.self) {
                integer = value
            } else {
                return nil
            }
            tag = .integer
        case .real:
            guard isNumber, let value = scalar.double,
                scalar.integer(as: Int128.self).map({ Int128(exactly: value) == $0 }) ?? true
            else { return nil }
            tag = .real
            real = value
        default: return nil
        }
    }
}

extension JSONReader {
    /// The cell of a text that is kept after those of the last record.
    fileprivate func ownText(_ bytes: some Collection<UInt8>) -> Cell {
        var cell = Cell()
        binder.state.setOwnText(of: &cell, bytes)
        return cell
    }
}
