// Converts between JSON and the trees of `Any` that Foundation's JSONSerialization makes: `[String: Any]`, NSDictionary, and the values
// in them.

public import Foundation
public import SluiceCore

extension JSONReadable {
    /// Reads a value from a dictionary, such as one that another library has made from a JSON object.
    ///
    /// ```swift
    /// let book = try Book(jsonObject: ["name": "Emma", "pages": 474])
    /// ```
    ///
    /// It may contain strings, booleans, numbers, `NSNull`, dates (taken as ISO 8601), URLs, UUIDs, arrays and dictionaries, as Swift's
    /// values or as Foundation's objects.
    ///
    /// - Throws: `JSONError` with the kind and path of the fault; of kind `invalidValue` for a value that JSON cannot express.
    public init(jsonObject dictionary: [String: Any], options: JSONReader.Options = .init()) throws(JSONError) {
        try self.init(json: JSONValue(foundation: dictionary), options: options)
    }

    /// Reads a value from an `NSDictionary`: see ``init(jsonObject:options:)-([String:Any],_)``.
    public init(jsonObject dictionary: NSDictionary, options: JSONReader.Options = .init()) throws(JSONError) {
        try self.init(json: JSONValue(foundation: dictionary), options: options)
    }

    /// Reads a value from an array of dictionaries or scalars, such as those of ``init(jsonObject:options:)-([String:Any],_)``.
    ///
    /// ```swift
    /// let books = try [Book](jsonArray: [["name": "Emma"], ["name": "Persuasion"]])
    /// ```
    public init(jsonArray array: [Any], options: JSONReader.Options = .init()) throws(JSONError) {
        try self.init(json: JSONValue(foundation: array), options: options)
    }
}

extension JSONWritable where Self: JSONReadable {
    /// The value as a dictionary of Swift's values, like the one that `JSONSerialization` makes from the JSON: `String`, `Bool`, `Int`,
    /// `UInt`, `Double`, `NSNull`, `[Any]` and `[String: Any]`.
    ///
    /// A number is an `Int` or `UInt` if it is an integer in their range, otherwise the nearest `Double`. If a key occurs
    /// twice, its last member counts.
    ///
    /// ```swift
    /// let dictionary = try book.jsonDictionary()         // ["name": "Emma", "pages": 474]
    /// ```
    ///
    /// - Throws: `JSONError` as `jsonObject(options:)` does; of kind `invalidValue`, with the path, for a number beyond the range of `Double`,
    ///   which `JSONSerialization` does not read either.
    public func jsonDictionary(options: JSONWriter.Options = .init()) throws(JSONError) -> [String: Any] {
        try jsonObject(options: options).foundationDictionary
    }
}

extension JSONObject {
    /// The members as a dictionary of Swift's values: see `jsonDictionary(options:)`.
    ///
    /// - Throws: `JSONError` of kind `invalidValue` for a number beyond the range of `Double`.
    var foundationDictionary: [String: Any] {
        get throws(JSONError) {
            var dictionary: [String: Any] = [:]
            dictionary.reserveCapacity(count)
            for member in members {
                do throws(JSONError) {
                    dictionary[member.key] = try member.value.foundationValue
                } catch {
                    throw error.prefixed(byKey: member.key)
                }
            }
            return dictionary
        }
    }
}

extension JSONValue {
    /// The value as a tree of Swift's values: see `jsonDictionary(options:)`.
    ///
    /// - Throws: `JSONError` of kind `invalidValue` for a number beyond the range of `Double`.
    var foundationValue: Any {
        get throws(JSONError) {
            switch self {
            case .null: return NSNull()
            case .bool(let value): return value
            case .string(let text): return text
            case .number(let number):
                if let value = number.int { return value }
                if let value = number.integer(as: UInt.self) { return value }
                if let value = number.double { return value }
                throw JSONError(.invalidValue, expected: "a number in the range of Double", found: "the number \(number.lexeme)")
            case .array(let elements):
                var values: [Any] = []
                values.reserveCapacity(elements.count)
                for element in elements {
                    do throws(JSONError) {
                        values.append(try element.foundationValue)
                    } catch {
                        throw error.prefixed(by: "[\(values.count)]")
                    }
                }
                return values
            case .object(let object): return try object.foundationDictionary
            }
        }
    }

    /// Makes a value from a tree of Swift's values or Foundation's objects, as `JSONSerialization` reads and writes them. An array or
    /// dictionary must not contain itself: Foundation visits all of it before the depth is checked here.
    ///
    /// - Throws: `JSONError` with the path of a value that JSON cannot express; of kind `depthLimit` beyond 512 levels.
    package init(foundation value: Any) throws(JSONError) { try self.init(foundation: value, depth: 512) }

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
                throw error.prefixed(byKey: text)
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
        // Members are sorted by key, because the order of a dictionary is not stable.
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

    /// Makes a scalar; nil for any other value.
    private init?(scalar value: Any) throws(JSONError) {
        // NSNumber comes first: `as Bool` would also match NSNumber(1).
        switch value {
        case let number as NSNumber where type(of: value) is AnyClass: self = try JSONValue(number)
        case let text as String: self = .string(text)
        case let value as Bool: self = .bool(value)
        case let value as any FixedWidthInteger: self = .number(JSONNumber(value))
        case let value as any BinaryFloatingPoint: self = try JSONValue(double: Double(value))
        case let value as Decimal: self = try JSONValue(decimal: value)
        case let value as JSONValue: self = value
        case let value as JSONObject: self = .object(value)
        case let value as JSONNumber: self = .number(value)
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
    /// Whether the number was made from a boolean. With Foundation on Linux, an 8-bit integer that is 0 or 1 looks the same.
    fileprivate var isBoolean: Bool {
        #if canImport(Darwin)
        CFGetTypeID(self) == CFBooleanGetTypeID()
        #else
        unsafe ["c", "B"].contains(String(cString: objCType)) && (int8Value == 0 || int8Value == 1)
        #endif
    }
}
