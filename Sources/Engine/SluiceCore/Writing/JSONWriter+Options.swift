// The options that a caller can set for the text that is written.

extension JSONWriter {
    /// How values are written.
    ///
    /// ```swift
    /// try book.jsonString(options: .init(nils: .null, isPretty: true, indent: 4, dates: .unix))
    /// ```
    public struct Options: Sendable, Hashable {
        /// What happens to a property that is nil.
        public enum Nils: Sendable, Hashable {
            /// The key is left out.
            case omit
            /// The key is written with null.
            case null
        }

        /// How a key path such as `ext.desc` is written.
        public enum Paths: Sendable, Hashable {
            /// As nested objects: `{"ext":{"desc":"d"}}`. Paths that share a prefix share its object.
            case nested
            /// As one literal key: `{"ext.desc":"d"}`.
            case flat
        }

        /// What happens to infinities and NaN, which JSON does not have.
        public enum NonFinite: Sendable, Hashable {
            /// An error of kind `notWritable` is thrown.
            case `throw`
            /// Null is written.
            case null
            /// The member of a model or dictionary, or the element of an array, is left out. A model that is written as an array has
            /// null there, so that the other elements keep their positions. If the number is the whole document, that is an error.
            case omit
            /// `"NaN"`, `"Infinity"` or `"-Infinity"` is written.
            case strings
        }

        /// The settings of two values, in one word: each call to write copies the options.
        private struct Settings: OptionSet, Hashable {
            var rawValue: UInt8
            static let keepsNils = Settings(rawValue: 1)
            static let sortedKeys = Settings(rawValue: 2)
            static let isPretty = Settings(rawValue: 4)
            static let flatPaths = Settings(rawValue: 8)
            static let escapesSlashes = Settings(rawValue: 16)
            static let escapesNonASCII = Settings(rawValue: 32)

            mutating func set(_ setting: Settings, to isOn: Bool) {
                if isOn { insert(setting) } else { remove(setting) }
            }
        }

        private var settings: Settings = []

        /// What happens to a property that is nil. Elements of arrays and values of dictionaries are always written.
        public var nils: Nils {
            get { settings.contains(.keepsNils) ? .null : .omit }
            set { settings.set(.keepsNils, to: newValue == .null) }
        }
        /// Whether members are sorted by the bytes of their keys. Otherwise the members of models are in declaration order.
        public var sortedKeys: Bool {
            get { settings.contains(.sortedKeys) }
            set { settings.set(.sortedKeys, to: newValue) }
        }
        /// Whether each member and element is on a line of its own, indented by ``indent`` spaces per level. The text does not end with
        /// a line break.
        public var isPretty: Bool {
            get { settings.contains(.isPretty) }
            set { settings.set(.isPretty, to: newValue) }
        }
        /// Spaces per level of pretty text, 0 to 64.
        public var indent = 2
        /// The most levels of containers; more is an error of kind `depthLimit`. Values above 512 are reduced to it: see
        /// ``JSONReader/Options/maximumDepth``.
        public var maximumDepth = 512 {
            didSet { maximumDepth = min(maximumDepth, NestingLimit.greatest) }
        }
        /// How key paths are written.
        public var paths: Paths {
            get { settings.contains(.flatPaths) ? .flat : .nested }
            set { settings.set(.flatPaths, to: newValue == .flat) }
        }
        /// What happens to infinities and NaN.
        public var nonFinite = NonFinite.throw
        /// Whether `/` is written as `\/`, so that the text never contains `</script>`.
        public var escapesSlashes: Bool {
            get { settings.contains(.escapesSlashes) }
            set { settings.set(.escapesSlashes, to: newValue) }
        }
        /// Whether characters outside ASCII are written as escapes such as `\u00e9`, for receivers that may not expect UTF-8. A character
        /// above U+FFFF becomes two surrogates. ``RawJSON`` is written unchanged.
        public var escapesNonASCII: Bool {
            get { settings.contains(.escapesNonASCII) }
            set { settings.set(.escapesNonASCII, to: newValue) }
        }
        /// The format of dates; a property's own date format comes first.
        public var dates = JSONDateFormat.iso8601
        /// The format of binary data; a property's own data format comes first.
        public var data = JSONDataFormat.base64

        /// The defaults, except for the given arguments.
        public init(
            nils: Nils = .omit, sortedKeys: Bool = false, isPretty: Bool = false, maximumDepth: Int = 512, indent: Int = 2,
            paths: Paths = .nested, nonFinite: NonFinite = .throw, escapesSlashes: Bool = false, escapesNonASCII: Bool = false,
            dates: JSONDateFormat = .iso8601, data: JSONDataFormat = .base64
        ) {
            self.indent = indent
            self.maximumDepth = min(maximumDepth, NestingLimit.greatest)
            self.nonFinite = nonFinite
            self.dates = dates
            self.data = data
            self.nils = nils
            self.sortedKeys = sortedKeys
            self.isPretty = isPretty
            self.paths = paths
            self.escapesSlashes = escapesSlashes
            self.escapesNonASCII = escapesNonASCII
        }

        /// Pretty text: each member and element on a line of its own.
        public static let pretty = Options(isPretty: true)
        /// Options whose text ``JSONReader/Options/yyModel`` reads back: binary data is written as a string, taken as UTF-8.
        public static let yyModel = Options(data: .utf8)
        /// Members sorted by key.
        public static let sortedKeys = Options(sortedKeys: true)
    }
}

extension JSONWriter.Options {
    /// The same without a layout, for text that is read again at once.
    var compact: JSONWriter.Options {
        var compact = self
        compact.isPretty = false
        return compact
    }

    /// The layout of the whole text, which is written in compact form; nil if it stays so.
    var style: TextLayout.Style? {
        isPretty ? TextLayout.Style(indent: min(max(indent, 0), 64), colon: ": ", breaksEmpty: false) : nil
    }
}
