// Arrays, sets and dictionaries of every size and depth: growth inside a segment of the arena and across its segments, and
// elements of all sizes.

import SluiceTestSupport
import Testing

@testable import SluiceCore

@Suite struct ContainerTests {
    // MARK: Growth

    @Test(arguments: [0, 1, 3, 4, 5, 8, 9, 100, 2047, 2048, 2049, 20_000])
    func arraysOfEveryLengthArrive(_ count: Int) throws {
        let numbers = Array(0..<count)
        #expect(try [Int](json: text(numbers.map { "\($0)" })) == numbers)
        #expect(try [Double](json: text(numbers.map { "\($0).5" })) == numbers.map { Double($0) + 0.5 })
        #expect(try [Int16](json: text(numbers.map { "\($0 % 9999)" })) == numbers.map { Int16($0 % 9999) })
        let strings = numbers.map { $0 % 2 == 0 ? "s\($0)" : "a string that is allocated \($0)" }
        #expect(try [String](json: text(strings.map { "\"\($0)\"" })) == strings)
        #expect(try Set<String>(json: text(strings.map { "\"\($0)\"" })) == Set(strings))
        let pairs = strings.map { "\"\($0)\":\"\($0)\"" }
        let dictionary = Dictionary(uniqueKeysWithValues: strings.map { ($0, $0) })
        #expect(try [String: String](json: "{\(pairs.joined(separator: ","))}") == dictionary)
        let value = try JSONValue(json: "{\(pairs.joined(separator: ","))}")
        #expect(value.object?.members.map(\.value.string) == strings)
    }

    @Test func nestedArraysGrowWhileTheirElementsGrow() throws {
        // Each inner array outgrows its first memory while the outer one lies below it, and cannot be extended in place.
        let rows = (0..<300).map { row in (0..<(row % 37)).map { row * 100 + $0 } }
        let json = text(rows.map { text($0.map { "\($0)" }) })
        #expect(try [[Int]](json: json) == rows)
        #expect(try [[Int?]](json: json) == rows)
        #expect(try [Set<Int>](json: json) == rows.map { Set($0) })
        let cubes = [rows, rows, Array(rows.reversed())]
        #expect(try [[[Int]]](json: text(cubes.map { text($0.map { text($0.map { "\($0)" }) }) })) == cubes)
    }

    @Test func elementsMayBeLargerThanASegment() throws {
        let crowds = (0..<40).map { number in Crowd(values: (0..<250).map { $0 * number }) }
        #expect(try [Crowd](json: crowds.jsonString()) == crowds)
        let maps = ["a": crowds, "b": [], "c": Array(crowds.prefix(9))]
        #expect(try [String: [Crowd]](json: maps.jsonString()) == maps)
    }

    @Test func elementsWithOddSizesAndAlignmentsArrive() throws {
        // Percent is 9 bytes at a stride of 16; Int128 is aligned to 16; an optional boolean is one byte.
        let json = text((0..<70).map { "\($0)" })
        #expect(try [Percent](json: json).map(\.value) == (0..<70).map(Double.init))
        #expect(try [Percent?](json: json).map { $0?.value } == (0..<70).map(Double.init))
        #expect(try [Int128](json: json) == (0..<70).map { Int128($0) })
        #expect(try [UInt128?](json: json) == (0..<70).map { UInt128($0) })
        #expect(try [String: Int128](json: #"{"a":1,"b":2,"c":3,"d":4,"e":5}"#) == ["a": 1, "b": 2, "c": 3, "d": 4, "e": 5])
        #expect(try [String: Bool?](json: #"{"a":true,"b":null,"c":false}"#) == ["a": true, "b": nil, "c": false])
        #expect(try [Trio<Int128>](json: #"[{"required":1,"optional":2}]"#) == [Trio(required: 1, optional: 2)])
    }

    @Test func aReaderGoesThroughDocumentsOfAllSizes() throws {
        var reader = JSONReader()
        for count in [5, 50_000, 3, 0, 100_000, 7] {
            let json = text((0..<count).map { "[\($0),{\"\($0)\":[]}]" })
            let value = try reader.read(JSONValue.self, from: json)
            #expect(value.array?.count == count)
            #expect(value[count - 1]?[0]?.int == (count == 0 ? nil : count - 1))
        }
    }

    // MARK: Keys of dictionaries

    @Test func dictionaryKeysMayBeAnyRawRepresentable() throws {
        let text = #"{"red":1,"deep blue":2}"#
        #expect(try [Color: Int](json: text) == [.red: 1, .deepBlue: 2])
        let (outcome, disagreements) = readEveryWay([Color: [String]].self, #"{"red":["a"],"blue":["b"],"green":["c"]}"#)
        #expect(outcome == .failure(.invalidValue, "blue"))
        #expect(disagreements == [])
    }

    @Test func dictionaryKeysAreUnescapedAndTheLastOneCounts() {
        let (outcome, disagreements) = readEveryWay([String: Int].self, #"{"\u00e9":1,"é":2,"":3,"a\/b":4}"#)
        #expect(outcome == .value(["é": 2, "": 3, "a/b": 4]))
        #expect(disagreements == [])
    }

    // MARK: Trees and classes

    @Test func treesAreReadAtAnyDepth() throws {
        var tree = Tree("leaf")
        for level in 0..<120 { tree = Tree("node \(level), which has a long name", [Tree("x"), tree, Tree("y")]) }
        #expect(try Tree(json: tree.jsonString()) == tree)
        let small = #"{"children":[{"name":"b","children":[{"name":"c"}]},{"children":[],"name":"d"}],"name":"a"}"#
        let (outcome, disagreements) = readEveryWay(Tree.self, small)
        #expect(outcome == .value(Tree("a", [Tree("b", [Tree("c")]), Tree("d")])))
        #expect(disagreements == [])
        #expect(rows(of: Tree.self).map(\.kind) == [.string, .array])
        #expect(elementRow(of: [Tree].self)?.kind == .model)
    }

    @Test func aClassMayHoldItself() throws {
        let (outcome, disagreements) = readEveryWay(Link.self, #"{"value":1,"next":{"next":{"value":3,"next":null},"value":2}}"#)
        guard case .value(let link) = outcome else { return #expect(Bool(false), "\(outcome)") }
        #expect(disagreements == [])
        #expect(link.next?.next?.value == 3)
        #expect(try link.jsonString() == #"{"value":1,"next":{"value":2,"next":{"value":3}}}"#)
    }

    // MARK: Depth

    @Test(arguments: [1, 2, 16, 17, 127, 128, 511, 512])
    func depthIsLimitedExactly(_ limit: Int) {
        for extra in 0...1 {
            let depth = limit + extra
            let expected: JSONError.Kind? = extra == 0 ? nil : .depthLimit
            let options = JSONReader.Options(maximumDepth: limit)
            let arrays = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
            #expect(failure(reading: JSONValue.self, arrays, options: options)?.kind == expected)
            #expect(failure(reading: RawJSON.self, arrays, options: options)?.kind == expected)
            let objects = String(repeating: "{\"next\":", count: depth) + "1" + String(repeating: "}", count: depth)
            #expect(failure(reading: JSONValue.self, objects, options: options)?.kind == expected)
            guard depth > 1 else { continue }
            let skipped = "{\"skipped\":" + String(arrays.dropFirst().dropLast()) + "}"
            #expect(failure(reading: Keyed<Int, NoKey>.self, skipped, options: options)?.kind == expected)
            var full = options
            full.validation = .full
            #expect(failure(reading: Keyed<Int, NoKey>.self, skipped, options: full)?.kind == expected)
        }
    }

    /// What is passed over is so long that it is passed over by its brackets.
    @Test(arguments: [3, 40, 128, 512])
    func skippedContainersCountTowardsTheDepthLimit(_ limit: Int) {
        let inside = "\"\(String(repeating: "x", count: limit < 200 ? 80 : 1000))\""
        let options = JSONReader.Options(maximumDepth: limit)
        let tolerant = JSONReader.Options(maximumDepth: limit, elements: .skipInvalid)
        for (opening, closing) in [("[", "]"), (#"{"a":"#, "}")] {
            for depth in [limit - 1, limit] {
                let nested = String(repeating: opening, count: depth) + inside + String(repeating: closing, count: depth)
                let expected: JSONError.Kind? = depth < limit ? nil : .depthLimit
                check(Keyed<Int, NoKey>.self, #"{"unbound":\#(nested)}"#, options, expected)
                check([RawJSON].self, "[\(nested)]", options, expected)
                check([Whatever].self, "[\(nested)]", options, expected)
                check([Int].self, "[1,\(nested)]", tolerant, expected)
            }
        }
    }

    private func check<Value: JSONBindable & Equatable>(
        _ type: Value.Type, _ text: String, _ options: JSONReader.Options, _ expected: JSONError.Kind?
    ) {
        let reading = readings(of: type, text, options: options)
        #expect(reading.error?.kind == expected, "\(type)")
        #expect(reading.disagreements == [], "\(type)")
    }

    private struct Whatever: JSONPolymorphic, Equatable {
        static let jsonVariants = JSONVariants<Whatever>(by: .presence)
            .unknown { _, _ in Whatever() }
        func _write(to writer: inout JSONWriter) throws(JSONError) { writer.writeNull() }
    }

    @Test func theDefaultLimitIs512AndNamesItself() throws {
        let error = try #require(failure(reading: JSONValue.self, String(repeating: "[", count: 513)))
        #expect(error.kind == .depthLimit)
        #expect(error.offset == 513)
        #expect(error.expected == "at most 512 levels (maximumDepth)")
        let (outcome, disagreements) = readEveryWay(JSONValue.self, String(repeating: "[", count: 600))
        #expect(outcome == .failure(.depthLimit, String(repeating: "[0]", count: 512)))
        #expect(disagreements == [])
    }

    private func text(_ elements: [String]) -> String { "[\(elements.joined(separator: ","))]" }
}

private enum NoKey: KeyList { static let keys: [JSONKeyPath] = ["nothing"] }
