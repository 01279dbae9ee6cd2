// The object of stephenberry/json_performance, a little of everything: its 616 bytes, without the text of escapes that it got later.

internal import Sluice

/// Numbers, names, texts and flags.
@JSONModel(keys: .snakeCase)
struct PerformanceObject: Codable, Equatable, Sendable {
    var fixedObject: Numbers
    var fixedNameObject: Names
    var anotherObject: Texts
    var stringArray: [String]
    var string: String
    var number: Double
    var boolean: Bool
    var anotherBool: Bool

    enum CodingKeys: String, CodingKey {
        case string, number, boolean
        case fixedObject = "fixed_object"
        case fixedNameObject = "fixed_name_object"
        case anotherObject = "another_object"
        case stringArray = "string_array"
        case anotherBool = "another_bool"
    }

    @JSONModel(keys: .snakeCase)
    struct Numbers: Codable, Equatable, Sendable {
        var intArray: [Int]
        var floatArray: [Double]
        var doubleArray: [Double]

        enum CodingKeys: String, CodingKey {
            case intArray = "int_array"
            case floatArray = "float_array"
            case doubleArray = "double_array"
        }
    }

    @JSONModel
    struct Names: Codable, Equatable, Sendable {
        var name0: String
        var name1: String
        var name2: String
        var name3: String
        var name4: String
    }

    @JSONModel(keys: .snakeCase)
    struct Texts: Codable, Equatable, Sendable {
        var string: String
        var anotherString: String
        var boolean: Bool
        var nestedObject: Vectors

        enum CodingKeys: String, CodingKey {
            case string, boolean
            case anotherString = "another_string"
            case nestedObject = "nested_object"
        }
    }

    @JSONModel
    struct Vectors: Codable, Equatable, Sendable {
        var v3s: [[Double]]
        var id: String
    }

    static var sample: PerformanceObject {
        PerformanceObject(
            fixedObject: Numbers(
                intArray: [0, 1, 2, 3, 4, 5, 6], floatArray: [0.1, 0.2, 0.3, 0.4, 0.5, 0.6],
                doubleArray: [3_288_398.238, 233e22, 289e-1, 0.928759872, 0.22222848, 0.1, 0.2, 0.3, 0.4]),
            fixedNameObject: Names(name0: "James", name1: "Abraham", name2: "Susan", name3: "Frank", name4: "Alicia"),
            anotherObject: Texts(
                string: "here is some text", anotherString: "Hello World", boolean: false,
                nestedObject: Vectors(
                    v3s: [[0.12345, 0.23456, 0.001345], [0.3894675, 97.39827, 297.92387], [18.18, 87.289, 2988.298]],
                    id: "298728949872")),
            stringArray: ["Cat", "Dog", "Elephant", "Tiger"], string: "Hello world", number: 3.14, boolean: true,
            anotherBool: false)
    }
}
