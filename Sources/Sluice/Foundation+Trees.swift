// Between JSON and the trees of `Any` that Foundation's JSONSerialization makes: `[String: Any]`, NSDictionary, and what is in them.

public import Foundation
public import SluiceCore

extension JSONReadable {
    /// Reads a value of the dictionary that another library made of an object.
    ///
    /// ```swift
    /// let book = try Book(jsonObject: ["name": "Emma", "pages": 474])
    /// ```
    ///
    /// Strings, booleans, numbers, `NSNull`, dates (as ISO 8601), URLs, UUIDs, arrays and dictionaries may stand in it, as Swift's values or as
    /// Foundation's objects.
    ///
    /// - Throws: `JSONError` with the kind and path of what is wrong, of kind `invalidValue` for a value that JSON does not have.
    public init(jsonObject dictionary: [String: Any], options: JSONReader.Options = .init()) throws(JSONError) {
        try self.init(json: JSONValue(foundation: dictionary), options: options)
    }

    /// Reads a value of an `NSDictionary`: see ``init(jsonObject:options:)-([String:Any],_)``.
    public init(jsonObject dictionary: NSDictionary, options: JSONReader.Options = .init()) throws(JSONError) {
        try self.init(json: JSONValue(foundation: dictionary), options: options)
    }

    /// Reads a value of an array of such dictionaries or scalars.
    ///
    /// ```swift
    /// let books = try [Book](jsonArray: [["name": "Emma"], ["name": "Persuasion"]])
    /// ```
    public init(jsonArray array: [Any], options: JSONReader.Options = .init()) throws(JSONError) {
        try self.init(json: JSONValue(foundation: array), options: options)
    }
}

extension JSONWritable where Self: JSONReadable {
    /// The value as a dictionary of Swift's values, as `JSONSerialization` would make it of the JSON: `String`, `Bool`, `Int`, `UInt`, `Double`,
    /// `NSNull`, `[Any]` and `[String: Any]`.
    ///
    /// A number is an `Int` or `UInt` if it is such an integer, and else the nearest `Double`. Of members with one key the last counts.
    ///
    /// ```swift
    /// let dictionary = try book.jsonDictionary()         // ["name": "Emma", "pages": 474]
    /// ```
    ///
    /// - Throws: `JSONError` as `jsonObject(options:)` does.
    public func jsonDictionary(options: JSONWriter.Options = .init()) throws(JSONError) -> [String: Any] {
        try jsonObject(options: options).foundationDictionary
    }
}

extension JSONObject {
    /// The members as a dictionary of Swift's values: see `jsonDictionary(options:)`.
    public var foundationDictionary: [String: Any] {
        Dictionary(members.map { ($0.key, $0.value.foundationValue) }, uniquingKeysWith: { $1 })
    }
}

extension JSONValue {
    /// The value as Swift's values: see `jsonDictionary(options:)`.
    public var foundationValue: Any {
        switch self {
        case .null: return NSNull()
        case .bool(let value): return value
        case .string(let text): return text
        case .number(let number):
            if let value = number.int { return value }
            if let value = number.integer(as: UInt.self) { return value }
            if let value = number.double { return value }
            // Beyond the finite doubles, only Foundation's decimal comes near.
            return Decimal(string: number.lexeme) ?? Decimal.nan
        case .array(let elements): return elements.map(\.foundationValue)
        case .object(let object): return object.foundationDictionary
        }
    }

    /// A tree of Swift's values or Foundation's objects: what `JSONSerialization` reads and writes. An array or dictionary must not hold itself:
    /// Foundation goes through the whole of it before this does.
    ///
    /// - Throws: `JSONError` with the path of a value that JSON does not have; of kind `depthLimit` beyond 512 levels.
    public init(foundation value: Any) throws(JSONError) { try self.init(foundation: value, depth: 512) }

    private init(foundation value: Any, depth: Int) throws(JSONError) {
        if let known = try JSONValue(scalar: value) {
            self = known
            return
        }
        guard depth > 0 else { throw JSONError(.depthLimit, expected: "at most 512 levels", found: "more") }
        var members: [JSONObject.Member] = []
        func add(_ key: Any, _ value: Any) throws(JSONError) {
            guard let text = key as? String ?? (key as? NSString)?.description else {
                throw JSONError(.invalidValue, expected: "keys that are strings", found: "\(key)")
            }
            do throws(JSONError) {
                members.append((key: text, value: try JSONValue(foundation: value, depth: depth - 1)))
            } catch {
                throw error.prefixed(by: text)
            }
        }
        func elements(_ values: some Sequence<Any>) throws(JSONError) -> JSONValue {
            var result: [JSONValue] = []
            for value in values {
                do throws(JSONError) {
                    result.append(try JSONValue(foundation: value, depth: depth - 1))
                } catch {
                    throw error.prefixed(by: "[\(result.count)]")
                }
            }
            return .array(result)
        }
        // In the order of the keys, because a dictionary has none that lasts.
        if let dictionary = value as? [String: Any] {
            for (key, value) in dictionary.sorted(by: { $0.key < $1.key }) { try add(key, value) }
        } else if let dictionary = value as? NSDictionary {
            for (key, value) in dictionary.map({ ($0.key, $0.value) }).sorted(by: { "\($0.0)" < "\($1.0)" }) {
                try add(key, value)
            }
        } else if let array = value as? [Any] {
            self = try elements(array)
            return
        } else if let array = value as? NSArray {
            self = try elements(array.map { $0 })
            return
        } else {
            throw JSONError(.invalidValue, expected: "a value that JSON has", found: "a value of type \(type(of: value))")
        }
        self = .object(JSONObject(members))
    }

    /// A scalar; nil for all else.
    private init?(scalar value: Any) throws(JSONError) {
        // An object first: to a cast, NSNumber(1) is a Bool as well.
        switch value {
        case let number as NSNumber where type(of: value) is AnyClass: self = try JSONValue(number)
        case let text as String: self = .string(text)
        case let value as Bool: self = .bool(value)
        case let value as any FixedWidthInteger: self = .number(JSONNumber(value))
        case let value as any BinaryFloatingPoint: self = try JSONValue(double: Double(value))
        case let value as Decimal: self = try JSONValue(decimal: value)
        case let value as JSONValue: self = value
        case let value as JSONObject: self = .object(value)
        case is NSNull: self = .null
        case let value as Date: self = try JSONValue(json: value.jsonBytes())
        case let value as URL: self = .string(value.absoluteString)
        case let value as UUID: self = .string(value.uuidString)
        case let value as Any? where value == nil: self = .null
        default: return nil
        }
    }

    private init(double value: Double) throws(JSONError) {
        guard let number = JSONNumber(value) else {
            throw JSONError(.invalidValue, expected: "a finite number", found: "\(value)")
        }
        self = .number(number)
    }

    private init(decimal value: Decimal) throws(JSONError) {
        guard !value.isNaN, let number = JSONNumber(lexeme: value.description) else {
            throw JSONError(.invalidValue, expected: "a finite number", found: "\(value)")
        }
        self = .number(number)
    }

    private init(_ number: NSNumber) throws(JSONError) {
        if number.isBoolean {
            self = .bool(number.boolValue)
        } else if let decimal = number as? NSDecimalNumber {
            self = try JSONValue(decimal: decimal.decimalValue)
        } else {
            switch unsafe String(cString: number.objCType) {
            case "f": self = try JSONValue(double: Double("\(number.floatValue)") ?? number.doubleValue)
            case "d": self = try JSONValue(double: number.doubleValue)
            case "Q", "L": self = .number(JSONNumber(number.uint64Value))
            default: self = .number(JSONNumber(number.int64Value))
            }
        }
    }
}

extension NSNumber {
    /// Whether the number was made of a boolean. To Foundation on Linux, one of 8 bits that is 0 or 1 looks the same.
    fileprivate var isBoolean: Bool {
        #if canImport(Darwin)
        CFGetTypeID(self) == CFBooleanGetTypeID()
        #else
        unsafe ["c", "B"].contains(String(cString: objCType)) && (int8Value == 0 || int8Value == 1)
        #endif
    }
}
