// The keywords that look at a value alone: its type, its size, what it is equal to.

internal import SluiceCore

extension SchemaPart {
    mutating func compileAssertions(_ compiler: inout SchemaCompiler) throws(JSONError) {
        try compileType()
        try compileValues(&compiler)
        try compileNumbers(&compiler)
        node.minLength = try count("minLength") ?? 0
        node.maxLength = try count("maxLength") ?? .max
        if node.minLength > 0 || node.maxLength < .max { node.needs.insert(.strings) }
        if let (source, index) = try string("pattern") {
            node.pattern = Int32(compiler.contents.patterns.count)
            compiler.contents.patterns.append(try pattern(source, index, "pattern"))
            node.needs.formUnion([.strings, .matches])
        }
    }

    private mutating func compileType() throws(JSONError) {
        guard let index = members["type"] else { return }
        node.types = []
        let single = text.string(index)
        let names = if let single { [single] } else { try strings(index, "type") }
        for (number, name) in names.enumerated() {
            guard let type = SchemaTypes.names.first(where: { $0.0 == name }) else {
                let near = KeyLikeness.closest(to: name, among: SchemaTypes.names.map(\.0)).map { "did you mean '\($0)'?" }
                throw fail(
                    index, single == nil ? "type/\(number)" : "type", ErrorWords.list(SchemaTypes.names.map { "'\($0.0)'" }),
                    found: "'\(SchemaWords.short(name))'", hint: near)
            }
            node.types.formUnion(type.1)
        }
        guard !node.types.isEmpty else { throw fail(index, "type", "a type, or an array of types", found: "no type") }
    }

    private mutating func compileValues(_ compiler: inout SchemaCompiler) throws(JSONError) {
        var lists: [(isConstant: Bool, elements: [Int])] = []
        if let index = members["enum"] {
            guard let elements = text.elements(index) else { throw fail(index, "enum", "an array of values") }
            lists.append((false, elements))
        }
        if let index = members["const"] { lists.append((true, [index])) }
        guard !lists.isEmpty else { return }
        node.needs.insert(.values)
        node.values = Int32(compiler.contents.values.count)
        for list in lists {
            let canonical = Set(list.elements.map { text.canonical($0) })
            let words = ErrorWords.list(list.elements.prefix(9).map { SchemaWords.short(text.words($0)) })
            compiler.contents.values.append(
                SchemaValues(
                    isConstant: list.isConstant, canonical: canonical, words: list.elements.count > 9 ? words + ", …" : words))
        }
        node.valueCount = Int32(lists.count)
        guard lists.count == 1 else { return }
        // Most lists are strings, and those are looked up like keys.
        var (strings, seen) = ([String](), Set<String>())
        for element in lists[0].elements {
            if let string = text.string(element), seen.insert(string).inserted { strings.append(string) }
        }
        node.strings = compiler.keys(strings)
    }

    private mutating func compileNumbers(_ compiler: inout SchemaCompiler) throws(JSONError) {
        numbers.minimum = try number("minimum")
        numbers.exclusiveMinimum = try number("exclusiveMinimum")
        numbers.maximum = try number("maximum")
        numbers.exclusiveMaximum = try number("exclusiveMaximum")
        numbers.multipleOf = try number("multipleOf")
        if let divisor = numbers.multipleOf, let index = members["multipleOf"] {
            guard !divisor.isNegative, !divisor.isZero else { throw fail(index, "multipleOf", "a number above 0") }
            guard !divisor.hasTooManyDigits else {
                throw fail(index, "multipleOf", "a number of at most \(DecimalLexeme.greatestDivisor) digits", found: "more")
            }
            node.needs.formUnion([.numbers, .multiples])
            node.divisor = divisor.int64 ?? 0
        }
        for (limit, isMinimum, isExclusive) in [
            (numbers.minimum, true, false), (numbers.exclusiveMinimum, true, true), (numbers.maximum, false, false),
            (numbers.exclusiveMaximum, false, true),
        ] {
            guard let limit else { continue }
            node.needs.insert(.numbers)
            bound(limit, isMinimum: isMinimum, isExclusive: isExclusive)
        }
        guard node.needs.contains(.numbers) else { return }
        node.numbers = Int32(compiler.contents.numbers.count)
        compiler.contents.numbers.append(numbers)
    }

    /// Narrows the bounds in which numbers surely fit: integers up to the limit, or to the next integer if the limit has a fraction, and
    /// numbers whose double is not the limit's. For limits that are too large for this, there are no such numbers.
    private mutating func bound(_ limit: SchemaNumber, isMinimum: Bool, isExclusive: Bool) {
        let isExact = limit.int64 != nil && !isExclusive
        let next = isMinimum ? limit.double.rounded(.down) + 1 : limit.double.rounded(.up) - 1
        var bound = next.magnitude < 0x1p53 ? Int64(next) : nil
        if isExact { bound = limit.int64 }
        if isMinimum {
            node.lowestDouble = max(node.lowestDouble, limit.double)
            node.lowest = max(node.lowest, bound ?? .max)
        } else {
            node.highestDouble = min(node.highestDouble, limit.double)
            node.highest = min(node.highest, bound ?? .min)
        }
        if bound == nil { (node.lowest, node.highest) = (.max, .min) }
    }

    mutating func compileFormat(_ compiler: inout SchemaCompiler) throws(JSONError) {
        guard let (name, _) = try string("format"), dialect.assertsFormats || library.options.assertsFormats else { return }
        guard let format = JSONTextFormat(rawValue: name) else {
            if !compiler.contents.uncheckedFormats.contains(name) { compiler.contents.uncheckedFormats.append(name) }
            return
        }
        node.format = Int32(compiler.contents.formats.count)
        compiler.contents.formats.append(format)
        node.needs.formUnion([.strings, .matches])
    }
}
