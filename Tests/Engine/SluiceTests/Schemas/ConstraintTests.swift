// `@JSONConstraint`: what it accepts, the error and its place, and what happens to a value that does not meet it.
#if Macros

import Foundation
import Sluice
import Testing

@testable import SluiceTestSupport

@Suite struct ConstraintTests {
    @JSONModel
    struct Person: Equatable {
        @JSONConstraint(.range(0...130)) var age: Int
        @JSONConstraint(.length(1...8)) var name: String
        @JSONConstraint(.pattern("^[a-z]+$"), .length(2...)) var code: Substring?
        @JSONConstraint(.format(.ipv4)) var address: String?
        @JSONConstraint(.count(1...3), .unique) var tags: [String]?
        @JSONConstraint(.multiple(of: 0.01), .range(0..<100)) var price: Double = 1
    }

    @JSONModel
    struct Numbers: Equatable {
        @JSONConstraint(.range((-2)...2)) var a: Int8?
        @JSONConstraint(.range(2.5...)) var b: UInt64?
        @JSONConstraint(.range(..<0.5)) var c: Float?
        @JSONConstraint(.multiple(of: 7)) var d: Int128?
        @JSONConstraint(.range(0.1...0.2), .multiple(of: 0.05)) var e: Decimal?
        @JSONConstraint(.range(...9)) var f: UInt128?
        @JSONConstraint(.multiple(of: 2.5)) var g: Int32?
    }

    /// A string under another name.
    struct Reference: RawRepresentable, JSONScalarBindable, Equatable {
        var rawValue: String
    }

    @JSONModel
    struct Named: Equatable {
        @JSONConstraint(.pattern("^R-[0-9]{3}$")) var reference: Reference
    }

    @JSONModel(layout: .array)
    struct Pair: Equatable {
        @JSONConstraint(.range(0...9)) var first: Int
        @JSONMismatch(.default) @JSONConstraint(.range(0...9)) var second: Int = 5
        @JSONConstraint(.length(1)) var third: String?
    }

    @JSONModel
    struct Tolerant: Equatable {
        @JSONMismatch(.default) @JSONConstraint(.range(0...9)) var digit: Int = 3
        @JSONMismatch(.nil) @JSONConstraint(.length(...2)) var short: String? = "x"
        @JSONMismatch(.keep) @JSONConstraint(.count(...2)) var few: [Int] = [7]
    }

    @JSONModel
    struct Alternatives: Equatable {
        @JSONKey("id", "ID") @JSONConstraint(.range(0...9)) var number: Int
        @JSONKey("geo.lat") @JSONConstraint(.range(-90...90)) var latitude: Double?
    }

    @JSONModel
    final class Counter {
        @JSONMismatch(.keep) @JSONConstraint(.range(0...9)) var value: Int
        @JSONConstraint(.length(1...)) var label: String = "a"
    }

    @JSONModel(tag: .untagged)
    enum Either: Equatable {
        case small(Small)
        case large(Large)
    }

    @JSONModel
    struct Small: Equatable {
        @JSONConstraint(.range(..<10)) var n: Int
    }

    @JSONModel
    struct Large: Equatable {
        @JSONConstraint(.range(10...)) var n: Int
    }

    private func expect<Value: JSONBindable & Equatable>(
        _ type: Value.Type, _ text: String, fails kind: String?, at path: String = "", options: JSONReader.Options = .strict,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let reading = readings(of: type, text, options: options)
        #expect(reading.disagreements == [], sourceLocation: sourceLocation)
        #expect(reading.error?.keys.first == kind, "\(text): \(reading.outcome)", sourceLocation: sourceLocation)
        if kind != nil {
            #expect(reading.error?.kind == .constraint, sourceLocation: sourceLocation)
            #expect(reading.error?.path == path, sourceLocation: sourceLocation)
        }
    }

    @Test(arguments: [
        (#"{"age": 0, "name": "Ann"}"#, nil, ""),
        (#"{"age": 130, "name": "12345678"}"#, nil, ""),
        (#"{"age": 131, "name": "Ann"}"#, "maximum", "age"),
        (#"{"age": -1, "name": "Ann"}"#, "minimum", "age"),
        (#"{"name": "", "age": 1}"#, "minLength", "name"),
        (#"{"name": "123456789", "age": 1}"#, "maxLength", "name"),
        // Unicode scalars count: not bytes, and not characters.
        (#"{"name": "ääääääää", "age": 1}"#, nil, ""),
        ("{\"name\": \"e\\u0301e\\u0301e\\u0301e\\u0301e\\u0301\", \"age\": 1}", "maxLength", "name"),
        (#"{"name": "a", "age": 1, "code": "ab"}"#, nil, ""),
        (#"{"name": "a", "age": 1, "code": null}"#, nil, ""),
        (#"{"name": "a", "age": 1, "code": "a"}"#, "minLength", "code"),
        (#"{"name": "a", "age": 1, "code": "aB"}"#, "pattern", "code"),
        (#"{"name": "a", "age": 1, "address": "127.0.0.1"}"#, nil, ""),
        (#"{"name": "a", "age": 1, "address": "127.0.0"}"#, "format", "address"),
        (#"{"name": "a", "age": 1, "tags": ["x", "y"]}"#, nil, ""),
        (#"{"name": "a", "age": 1, "tags": []}"#, "minItems", "tags"),
        (#"{"name": "a", "age": 1, "tags": ["1", "2", "3", "4"]}"#, "maxItems", "tags"),
        (#"{"name": "a", "age": 1, "tags": ["1", "2", "\u0031"]}"#, "uniqueItems", "tags"),
        (#"{"name": "a", "age": 1, "price": 0.07}"#, nil, ""),
        (#"{"name": "a", "age": 1, "price": 99.99}"#, nil, ""),
        (#"{"name": "a", "age": 1, "price": 0.075}"#, "multipleOf", "price"),
        (#"{"name": "a", "age": 1, "price": 1e2}"#, "exclusiveMaximum", "price"),
    ])
    func aValueMustMeetItsConstraints(text: String, keyword: String?, path: String) {
        expect(Person.self, text, fails: keyword, at: path)
    }

    @Test(arguments: [
        (#"{"a": -2}"#, nil), (#"{"a": -3}"#, "minimum"), (#"{"a": 3}"#, "maximum"),
        (#"{"b": 3}"#, nil), (#"{"b": 2}"#, "minimum"), (#"{"b": 18446744073709551615}"#, nil),
        (#"{"c": 0.25}"#, nil), (#"{"c": 0.5}"#, "exclusiveMaximum"),
        (#"{"d": 170141183460469231731687303715884105726}"#, nil),
        (#"{"d": 170141183460469231731687303715884105727}"#, "multipleOf"), (#"{"d": 0}"#, nil), (#"{"d": -14}"#, nil),
        (#"{"e": 0.1}"#, nil), (#"{"e": 0.15}"#, nil), (#"{"e": 0.2000000000000000000000001}"#, "maximum"),
        (#"{"e": 0.11}"#, "multipleOf"),
        (#"{"f": 9}"#, nil), (#"{"f": 340282366920938463463374607431768211455}"#, "maximum"),
        (#"{"g": 5}"#, nil), (#"{"g": 4}"#, "multipleOf"),
    ])
    func numbersOfAllTypesAreComparedExactly(text: String, keyword: String?) {
        let path = text.dropFirst(2).prefix(1)
        expect(Numbers.self, text, fails: keyword, at: String(path))
    }

    @Test func aTypeWithARawValueIsConstrainedAsThat() {
        expect(Named.self, #"{"reference": "R-123"}"#, fails: nil)
        expect(Named.self, #"{"reference": "R-12"}"#, fails: "pattern", at: "reference")
    }

    @Test func theErrorSaysWhatAndWhere() throws {
        let error = try #require(failure(reading: Person.self, "{\"name\": \"Ann\",\n \"age\": 131}"))
        #expect(
            error.summary
                == "constraint 'maximum' at age (line 2, column 9, byte 24): expected a number from 0 to 130, found the number 131"
        )
        let list = try #require(failure(reading: Person.self, #"{"age": 1, "name": "A", "tags": ["b", "a", "b"]}"#))
        #expect(list.expected == "an array without equal elements")
        #expect(list.found == "equal ones at [0] and [2]")
        // The closing bracket, as for an object without a key.
        #expect(list.offset == 46)
    }

    @Test func aConvertedValueIsChecked() {
        expect(Person.self, #"{"age": "131", "name": "Ann"}"#, fails: "maximum", at: "age", options: .lenient)
        expect(Person.self, #"{"age": "13", "name": 7}"#, fails: nil, options: .lenient)
    }

    @Test func aModelInAnArrayOrBehindAKeyPathIsChecked() {
        expect([Person].self, #"[{"age": 1, "name": "a"}, {"age": 500, "name": "a"}]"#, fails: "maximum", at: "[1].age")
        expect([String: Person].self, #"{"x": {"age": 1, "name": ""}}"#, fails: "minLength", at: "x.name")
        expect(Alternatives.self, #"{"id": 1, "geo": {"lat": 91}}"#, fails: "maximum", at: "geo.lat")
        expect(Alternatives.self, #"{"id": 1, "geo": {"lat": -90}}"#, fails: nil)
    }

    @Test func aModelThatIsAnArrayIsChecked() {
        #expect(readEveryWay(Pair.self, "[1, 2, \"c\"]").outcome == .value(Pair(first: 1, second: 2, third: "c")))
        #expect(readEveryWay(Pair.self, "[1, 20, \"c\"]").outcome == .value(Pair(first: 1, second: 5, third: "c")))
        #expect(readEveryWay(Pair.self, "[1, 20]").outcome == .value(Pair(first: 1, second: 5, third: nil)))
        #expect(readEveryWay(Pair.self, "[1, 20]").disagreements == [])
        expect(Pair.self, "[10, 2]", fails: "maximum", at: "[0]")
        expect(Pair.self, "[1, 2, \"cd\"]", fails: "maxLength", at: "[2]")
    }

    @Test func aToleratedValueLeavesThePropertyAsItWas() throws {
        let text = #"{"digit": 10, "short": "abc", "few": [1, 2, 3]}"#
        let reading = readings(of: Tolerant.self, text, options: .strict)
        #expect(reading.value == Tolerant(digit: 3, short: nil, few: [7]))
        #expect(reading.report.issues.map(\.kind) == [.constraint, .constraint, .constraint])
        #expect(reading.report.issues.map(\.path) == ["digit", "short", "few"])
        #expect(reading.disagreements == [])
        let repeated = readings(of: Tolerant.self, #"{"few": [1], "digit": 4, "few": [1, 2, 3], "digit": 44}"#, options: .strict)
        #expect(repeated.value?.few == [1])
        #expect(repeated.disagreements == [])
    }

    @Test func anElementWhoseValueDoesNotMeetItsConstraintIsLeftOut() {
        let reading = readings(
            of: [Small].self, #"[{"n": 1}, {"n": 10}, {"n": 2}]"#, options: .tolerant)
        #expect(reading.value == [Small(n: 1), Small(n: 2)])
        #expect(reading.report.issues.map(\.path) == ["[1].n"])
        #expect(reading.disagreements == [])
    }

    @Test func anAlternativeKeyWithABadValueYieldsToABetterOne() {
        #expect(
            readEveryWay(Alternatives.self, #"{"ID": 10, "id": 1}"#).outcome == .value(Alternatives(number: 1, latitude: nil)))
        expect(Alternatives.self, #"{"ID": 10}"#, fails: "maximum", at: "ID")
        expect(Alternatives.self, #"{"ID": 1, "id": 10}"#, fails: "maximum", at: "id")
    }

    @Test func anUpdateKeepsTheOldValue() throws {
        let counter = try Counter(json: #"{"value": 4}"#)
        try counter.update(json: #"{"value": 12, "label": "b"}"#)
        #expect(counter.value == 4)
        #expect(counter.label == "b")
        let error = failure { () throws(JSONError) in try counter.update(json: #"{"value": 5, "label": ""}"#) }
        #expect(error?.kind == .constraint)
    }

    @Test func aVariantIsChosenByItsConstraints() {
        #expect(readEveryWay(Either.self, #"{"n": 9}"#).outcome == .value(.small(Small(n: 9))))
        #expect(readEveryWay(Either.self, #"{"n": 10}"#).outcome == .value(.large(Large(n: 10))))
        #expect(readEveryWay(Either.self, #"{"n": 10}"#).disagreements == [])
    }

    @Test func aCopyAndAnArchiveAreNotChecked() throws {
        let person = Person(age: 200, name: "", tags: ["a", "a"])
        #expect(try person.copy() == person)
        #expect(try Person(archive: try person.archive()) == person)
    }

    @JSONModel
    struct Secret {
        @JSONSensitive @JSONConstraint(.length(8...)) var password: String
        @JSONSensitive @JSONConstraint(.pattern("^[0-9]+$")) var pin: String = "1"
    }

    @Test func aSensitiveValueIsNotShown() {
        let error = failure(reading: Secret.self, #"{"password": "12345678", "pin": "hunter2"}"#)
        #expect(error?.kind == .constraint)
        #expect(error?.description.contains("hunter2") == false)
        #expect(failure(reading: Secret.self, #"{"password": "hunter2"}"#)?.description.contains("hunter2") == false)
    }

    // MARK: Constraints that do not fit

    typealias Alias = String

    @JSONModel
    struct OfAlias {
        @JSONConstraint(.range(0...1)) var text: Alias
    }

    @JSONModel
    struct BadPattern {
        @JSONConstraint(.pattern("a(?=b)")) var text: String
    }

    @JSONModel
    struct OfZero {
        @JSONConstraint(.multiple(of: 0)) var number: Int
    }

    @Test func aConstraintThatDoesNotFitIsAnErrorOfTheModel() {
        let alias = failure(reading: OfAlias.self, #"{"text": "a"}"#)
        #expect(alias?.kind == .invalidModel)
        #expect(alias?.found == "'text': the constraint .range is for numbers, and the type is String")
        #expect(
            failure(reading: BadPattern.self, #"{"text": "a"}"#)?.found.hasPrefix("'text': the pattern a(?=b) is not usable")
                == true)
        #expect(failure(reading: OfZero.self, #"{"number": 1}"#)?.found == "'number': no number is a multiple of 0")
    }
}

#endif
