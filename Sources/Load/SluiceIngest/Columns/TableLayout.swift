// The columns of a table and the sources of their values. The list only grows: a late column comes last.

public import SluiceCore

/// A column of the table.
public struct IngestColumn: Hashable, Sendable {
    /// The source of a column's values, with the word that checkpoints have for it.
    package enum Source: String, Hashable, Sendable {
        /// The value at a path.
        case value
        /// The value at a path where other columns read an object's keys, if the value is not an object.
        case variant
        /// The value at a path inside of a value that this run takes whole. Earlier runs have filled the column, and this one clears it.
        case covered
        /// The name of the input.
        case fileName = "file"
        /// All values that no other column takes.
        case overflow
        /// A number that tells the record from all others of the table; see ``RecordNumbers``.
        case recordNumber = "number"
        /// The value of a column of the key of the row that a child row belongs to.
        case parentKey = "parent"
        /// The position of a child row in its array, from 0 on.
        case position
        /// The key of a member of an object whose members are child rows.
        case memberKey = "key"
        /// What identifies the input, the line and the byte in it where the record begins, and a digest of the record's text.
        case input, line, byte, digest

        /// Whether the values lie at a path of the records.
        var hasPath: Bool { self == .value || self == .variant || self == .covered }

        /// Whether the values say where the record is, and nothing of what it has.
        package var isOfPlace: Bool { self == .input || self == .line || self == .byte || self == .digest }
    }

    /// What is stored; its keys count only for a source with a path.
    package private(set) var column: JSONColumn
    package private(set) var source: Source
    /// Whether an earlier run has filled the column.
    package internal(set) var isStored = false
    /// Whether the column has only had null, so that nothing is known of the type of its values.
    package internal(set) var isUndecided = false
    /// Whether this run began with such a column, and its first value has decided the type.
    package internal(set) var hasLateType = false
    /// Whether a column of texts has only had null, and values that are no texts.
    package internal(set) var isOpen = false
    /// Whether the user has made the column, and not a run.
    package internal(set) var isForeign = false

    package init(_ column: JSONColumn, source: Source = .value) { (self.column, self.source) = (column, source) }

    package init(name: String, type: ColumnType, source: Source) {
        self.init(JSONColumn(name: name, type: type), source: source)
    }

    public var name: String { column.name }
    public var type: ColumnType { column.type }
    /// Whether no message may show the column's values.
    package var isSensitive: Bool { column.isSensitive }

    /// Makes errors hide the column's values.
    package mutating func markSensitive() { column.isSensitive = true }

    /// Whether each row has a value that is not null: the column of a new table is then `NOT NULL`.
    public var isRequired: Bool { source == .value && column.isRequired }

    /// The column for a reader of records; nil if the reader does not read it.
    package var read: JSONColumn? { source == .value ? column : nil }

    /// The column if no value is around its own.
    package var uncovered: IngestColumn { source == .covered ? with(.value) : self }

    /// The column for values that are not objects, where other columns read an object's keys. A column that the table has keeps its type.
    package func variant(at path: [String]) -> IngestColumn {
        var variant = with(.variant)
        (variant.column.keys, variant.column.isTolerant, variant.column.dates) = ([JSONKeyPath(components: path)], true, nil)
        return variant
    }

    /// The column as one that an earlier run has filled.
    package var stored: IngestColumn {
        var column = self
        column.isStored = true
        return column
    }

    /// Takes the type of the column's first value. A column that the user has made keeps its own.
    fileprivate mutating func decide(as type: ColumnType) {
        (isUndecided, hasLateType) = (false, true)
        guard !isForeign, type != self.type, source == .value else { return }
        (column.type, column.isTolerant, column.dates) = (type, true, nil)
    }

    private func with(_ source: Source) -> IngestColumn {
        var column = self
        column.source = source
        return column
    }

    /// The column if this run takes a value around its own whole.
    package var covered: IngestColumn { source.hasPath ? with(.covered) : self }

    /// The key path of its value; nil for a column without one.
    public var path: [String]? { source.hasPath ? column.keys[0].components : nil }

    /// Whether its values say where the record is: a row in which only these differ is the same row.
    package var isOfPlace: Bool { source.isOfPlace }
}

/// The columns of a table, with names that SQLite can tell apart.
package struct TableLayout: Sendable {
    package internal(set) var columns: [IngestColumn] = []
    /// The arrays of the records whose elements go into tables of their own. This list only grows, too.
    package internal(set) var children: [ChildTable] = []
    var taken: Set<[UInt8]> = []
    /// What the table was before this run.
    private(set) var past = TablePast()

    /// How many columns the table may have.
    package var mostColumns = ColumnInference.maximumColumns

    /// The columns of the table that hold numbers with all their digits.
    private var exact: Set<[UInt8]> = []
    /// The type of all columns that are not declared; nil where a column has the type of its values.
    private var onlyType: ColumnType?

    package init(_ columns: [IngestColumn] = []) { for column in columns { append(column) } }

    package init(_ columns: [IngestColumn], exact: [String], onlyType: ColumnType? = nil) {
        self.exact = Set(exact.map(ColumnName.folded))
        self.onlyType = onlyType
        for column in columns { append(column) }
    }

    /// A layout with columns, of a table with the same past.
    package func with(_ columns: [IngestColumn], exact: [String], onlyType: ColumnType? = nil) -> TableLayout {
        var layout = TableLayout([], exact: exact, onlyType: onlyType)
        layout.past = past
        layout.mostColumns = mostColumns
        for column in columns { layout.append(column) }
        return layout
    }

    /// The type with which to read a column whose values look like this. The table's column may keep more digits than a double or
    /// a 64-bit integer. Such a column is read as text.
    package func readingType(of name: String, _ type: ColumnType) -> ColumnType {
        if let onlyType { return onlyType }
        guard type == .integer || type == .real, exact.contains(ColumnName.folded(name)) else { return type }
        return .text
    }

    /// The paths of sensitive columns, including those that are added later.
    private var sensitive = SensitivePaths()
    /// The path of the arrays whose elements are the rows, in the records; empty for the table of the records.
    package private(set) var home: [String] = []

    /// How many arrays lie around the rows: 0 for the table of the records.
    package private(set) var level = 0

    private init(home: [String], sensitive: SensitivePaths, level: Int) {
        (self.home, self.sensitive, self.level) = (home, sensitive, level)
    }

    /// An empty layout for the elements of the arrays at a path.
    package func child(at path: [String]) -> TableLayout {
        var layout = TableLayout(home: home + path, sensitive: sensitive, level: level + 1)
        layout.mostColumns = mostColumns
        return layout
    }

    /// The columns that have only had null.
    package var undecided: [IngestColumn] { columns.filter(\.isUndecided) }

    /// The folded names of those whose type may be changed.
    package var undecidedTexts: Set<[UInt8]> { Set(undecided.filter { $0.type == .text }.map { ColumnName.folded($0.name) }) }

    /// Takes the types that other runs have found meanwhile.
    package mutating func decide(as known: KnownColumns) {
        for (index, column) in columns.enumerated() where column.isUndecided {
            if let path = column.path, known.contains(path) { decide(index, as: known.type(at: path, of: column.type)) }
        }
    }

    /// Gives a column that has only had null the type of its first value.
    package mutating func decide(_ index: Int, as type: ColumnType) {
        columns[index].decide(as: readingType(of: columns[index].name, type))
    }

    /// Keeps a name from being that of a column.
    package mutating func reserve(_ name: String) { taken.insert(ColumnName.folded(name)) }

    /// Whether the arrays of the rows may have tables: those of the deepest tables stay JSON.
    package var mayHaveTables: Bool { level < ChildTable.maximumLevels }

    package mutating func append(_ child: ChildTable) { children.append(child) }

    /// The indices of the child tables by their paths.
    package var childIndices: [[[UInt8]]: Int] {
        let indices = children.indices.map { (ColumnName.bytes(children[$0].path), $0) }
        return Dictionary(indices, uniquingKeysWith: { first, _ in first })
    }

    /// Adds the child tables of another layout. A table that exists here gets the columns that it lacks.
    package mutating func add(_ others: [ChildTable]) {
        let indices = childIndices
        for other in others {
            guard let index = indices[ColumnName.bytes(other.path)] else {
                children.append(other)
                continue
            }
            for column in other.layout.columns where children[index].layout.index(of: column.name) == nil {
                children[index].layout.append(column)
            }
            children[index].layout.add(other.layout.children)
        }
    }

    package mutating func setChild(_ child: ChildTable, at index: Int) { children[index] = child }

    package mutating func setChildren(_ children: [ChildTable]) { self.children = children }

    package mutating func append(_ column: IngestColumn) {
        var column = column
        if isSensitive(column) { column.markSensitive() }
        let name = ColumnName.folded(column.name)
        past.mark(&column, name)
        taken.insert(name)
        columns.append(column)
    }

    /// The column for a reader of records. The index is that of a column, or the negative one of a child table.
    package func readColumn(at index: Int) -> JSONColumn? {
        guard index < 0 else { return columns[index].read }
        let child = children[ChildTable.number(of: index)]
        return child.column.with { $0.isSensitive = sensitive.touches(home + child.path) || child.layout.holdsSensitive }
    }

    /// The wanted name if no column has it, or the name with a number.
    package func freeName(like wanted: String) -> String {
        let plain = ColumnName.withoutNUL(wanted)
        // A name must not be empty.
        return ColumnName.free(like: plain.isEmpty ? "column" : plain) { taken.contains(ColumnName.folded($0)) }
    }

    /// Notes what the table was before this run.
    package mutating func setPast(_ past: TablePast) { self.past = past }

    /// The name of a new column for a path: the one that it has in the table, or else one that is free.
    package func freeName(for path: [String], like wanted: String) -> String {
        if let name = past.name(of: path), !taken.contains(ColumnName.folded(name)) { return name }
        return freeNameOfNoPath(like: wanted)
    }

    /// The name of a new column for the name of the input, or for a place: the one that it has in the table, or else one that is free.
    package func freeName(of source: IngestColumn.Source, like wanted: String) -> String {
        if let name = past.madeNames[source], !taken.contains(ColumnName.folded(name)) { return name }
        return freeNameOfNoPath(like: wanted)
    }

    /// A name that no column has, and that earlier runs gave to no path.
    private func freeNameOfNoPath(like wanted: String) -> String {
        var names = self
        names.taken.formUnion(past.givenNames)
        return names.freeName(like: wanted)
    }

    /// Inferred columns with the names that their paths have in the table. The others get names that are free besides these.
    ///
    /// - Parameter areDeclared: Whether the columns have names already. One keeps its name if that is free.
    package func named(_ columns: [JSONColumn], areDeclared: Bool = false) -> [JSONColumn] {
        guard !past.givenNames.isEmpty || !taken.isEmpty else { return columns }
        var names = self
        let kept = columns.map { column -> String? in
            let wanted = [areDeclared ? column.name : nil, past.name(of: column.keys[0].components)]
            let name = wanted.compactMap(\.self).first { !names.taken.contains(ColumnName.folded($0)) }
            if let name { names.reserve(name) }
            return name
        }
        names.taken.formUnion(past.givenNames)
        return zip(columns, kept).map { column, kept in
            let name = kept ?? names.freeName(like: column.name)
            names.reserve(name)
            return column.with { $0.name = name }
        }
    }

    /// The index of a column by its name, or by the path of its value.
    package func index(of name: String) -> Int? {
        let path = (try? PathSyntax.keys(of: name)).map { JSONKeyPath(components: $0) }
        return columns.firstIndex { ColumnName.areEqual($0.name, name) }
            ?? columns.firstIndex { $0.path.map { JSONKeyPath(components: $0) } == path && path != nil }
    }

    /// Marks columns whose values no error may show.
    ///
    /// - Parameter names: Their names or paths; a path that leads to an object stands for all columns that read its keys.
    /// - Parameter mustExist: Whether a name without a column is an error.
    /// - Throws: ``IngestError/usage(_:)`` if there is no such column.
    package mutating func markSensitive(_ names: [String], mustExist: Bool = true) throws(IngestError) {
        let all = SensitivePaths(names)
        sensitive = all
        for name in names where !markSensitive(name, all) && mustExist {
            throw .usage("\(option: .sensitive(name)): there is no such column\(hint(for: name, hiding: all))")
        }
    }

    /// Marks the columns of a name or path, those of child tables too. Returns false if there are none.
    private mutating func markSensitive(_ name: String, _ all: SensitivePaths) -> Bool {
        sensitive = all
        let (one, path) = (index(of: name), JSONKeyPath(name))
        let found = columns.indices.filter { index in
            index == one || columns[index].path.map { (home + $0).begins(with: path) } == true
        }
        for index in columns.indices where found.contains(index) || isSensitive(columns[index]) { columns[index].markSensitive() }
        var isFound = !found.isEmpty
        for index in children.indices {
            for (position, column) in children[index].parentKey.enumerated() where columns[column].isSensitive {
                children[index].layout.columns[position].markSensitive()
            }
            if children[index].layout.markSensitive(name, all) { isFound = true }
        }
        return isFound
    }

    /// Whether the values of a column are sensitive, as a whole or in part. The column for the rest takes values of any path, and the keys
    /// of the members of a sensitive object are values, too.
    private func isSensitive(_ column: IngestColumn) -> Bool {
        switch column.source {
        case .value, .variant, .covered: column.path.map { sensitive.touches(home + $0) } == true
        case .overflow: !sensitive.isEmpty
        case .memberKey: sensitive.path(above: home) != nil
        case .fileName, .recordNumber, .parentKey, .position, .input, .line, .byte, .digest: false
        }
    }

    /// Whether the values of a column must not be shown.
    package func isSensitive(_ name: String) -> Bool { columns.contains { $0.name == name && $0.isSensitive } }

    /// Whether a record may hold a sensitive value, in a column or in an array whose elements have a table.
    package var holdsSensitive: Bool {
        columns.contains(where: \.isSensitive)
            || children.contains { sensitive.touches(home + $0.path) || $0.layout.holdsSensitive }
    }

    /// The names of all tables below the one of the layout.
    package var childNames: [String] { children.flatMap { [$0.name] + $0.layout.childNames } }

    /// The names of the columns whose values are sensitive, as a whole or in part.
    package var hiddenNames: [String] { columns.filter(\.isSensitive).map(\.name) }

    /// The name of a column as reports show it: without the keys inside a sensitive value.
    package func shownName(_ name: String) -> String {
        columns.first { $0.name == name }.flatMap(hiddenName) ?? name
    }

    /// What reports show in place of a column's name with keys inside a sensitive value; nil for other names.
    package func hiddenName(of column: IngestColumn) -> String? { column.path.flatMap { sensitive.hidden(home + $0) } }

    /// What reports show in place of the name of the elements' table, if that has keys inside a sensitive value.
    package var hiddenHome: String? { sensitive.hidden(home) }

    /// The path of the sensitive value that the rows lie in, or nil.
    package var sensitiveHome: [String]? { sensitive.path(above: home)?.components }

    /// A path as reports show it: without the keys inside a sensitive value.
    package func shown(_ path: [String]) -> String { sensitive.shown(PathSyntax.text(ofKeys: home + path)) }

    /// A path in the records, as reports show it.
    package func shown(_ path: String) -> String {
        sensitive.shown(home.isEmpty ? path : "\(PathSyntax.text(ofKeys: home)).\(path)")
    }

    /// Whether an option is for a column of the table, or of a table below it.
    package func hasColumn(meantBy type: TypeOption) -> Bool {
        columns.contains { type.isMeant(for: $0.name, $0.path.map { home + $0 }) }
            || children.contains { $0.layout.hasColumn(meantBy: type) }
    }

    /// The end of an error about a name that no column has: the name that was probably meant, or else those that there are.
    ///
    /// - Parameter sensitive: The paths whose keys are not shown.
    package func hint(for name: String, hiding sensitive: SensitivePaths) -> String {
        ColumnName.hint(for: name, among: columns.filter { !$0.isHidden(by: sensitive) }.map(\.name))
    }
}

extension IngestColumn {
    /// Whether the column's name shows a key inside a sensitive value.
    package func isHidden(by sensitive: SensitivePaths) -> Bool { path.map(sensitive.hidesKey) ?? false }

    /// The column as JSON; a run that resumes this one reads it again.
    package var json: JSONValue {
        var members: [JSONObject.Member] = [("name", .string(name)), ("type", .string(type.name))]
        if let path { members.append(("path", .array(path.map { .string($0) }))) }
        if source == .value {
            members.append(("tolerant", .bool(column.isTolerant)))
            if let dates = column.dates { members.append(("dates", .string(dates.text))) }
        } else {
            members.append(("source", .string(source.rawValue)))
        }
        if isForeign { members.append(("foreign", true)) }
        if isUndecided { members.append(("undecided", true)) }
        if isOpen { members.append(("open", true)) }
        return .object(JSONObject(members))
    }

    /// - Returns: nil if the JSON value does not describe a column.
    package init?(json: JSONValue) {
        let keys = json["path"]?.array?.compactMap(\.string) ?? []
        guard let name = json["name"]?.string, let type = json["type"]?.string.flatMap({ ColumnType(named: $0) }),
            let source = json["source"]?.string.map({ Source(rawValue: $0) }) ?? .value, !source.hasPath || !keys.isEmpty
        else { return nil }
        self.init(
            JSONColumn(
                name: name, type: type, keys: keys.isEmpty ? [] : [JSONKeyPath(components: keys)],
                isTolerant: source.hasPath && json["tolerant"]?.bool ?? true,
                dates: json["dates"]?.string.flatMap { JSONDateFormat(text: $0) }), source: source)
        (isForeign, isUndecided) = (json["foreign"]?.bool == true, json["undecided"]?.bool == true)
        isOpen = json["open"]?.bool == true
    }
}
