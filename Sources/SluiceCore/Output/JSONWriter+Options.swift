// What a call may say about the text that it writes.

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

        /// What happens to a number that JSON does not have: infinities and NaN.
        public enum NonFinite: Sendable, Hashable {
            /// An error of kind `notWritable`.
            case `throw`
            /// Null is written.
            case null
            /// The member, of a model or a dictionary, or the element of an array is left out. In a model that is written as an
            /// array null is written, which keeps the places; a document that is nothing but the number is an error.
            case omit
            /// `"NaN"`, `"Infinity"` or `"-Infinity"` is written.
            case strings
        }

        /// What happens to a property that is nil. Elements of arrays and values of dictionaries are always written.
        public var nils = Nils.omit
        /// Whether members are ordered by key (by bytes); otherwise models keep the order of their declaration.
        public var sortedKeys = false
        /// Whether the text is laid out on lines, ``indent`` blanks a level, without a line break at its end.
        public var isPretty = false
        /// Blanks a level in text that is laid out on lines, 0 to 64.
        public var indent = 2
        /// Levels of containers, at the most; ``JSONReader/Options/greatestDepth`` is the most that can be set.
        public var maximumDepth = 512 {
            didSet { maximumDepth = min(maximumDepth, NestingLimit.greatest) }
        }
        /// How key paths are written.
        public var paths = Paths.nested
        /// What happens to infinities and NaN.
        public var nonFinite = NonFinite.throw
        /// Whether `/` is written `\/`, which keeps `</script>` out of the text.
        public var escapesSlashes = false
        /// Whether characters outside ASCII are written `\u00e9`, the later planes as two surrogates: text for those who are not
        /// sure of UTF-8. ``RawJSON`` is written as it is.
        public var escapesNonASCII = false
        /// The form of dates whose property does not say itself.
        public var dates = JSONDateFormat.iso8601
        /// The form of binary data whose property does not say itself.
        public var data = JSONDataFormat.base64

        /// Compact text, declared order, nils left out.
        public init() {}

        /// Options that differ from the defaults in the arguments given.
        public init(
            nils: Nils = .omit, sortedKeys: Bool = false, isPretty: Bool = false, maximumDepth: Int = 512, indent: Int = 2,
            paths: Paths = .nested, nonFinite: NonFinite = .throw, escapesSlashes: Bool = false, escapesNonASCII: Bool = false,
            dates: JSONDateFormat = .iso8601, data: JSONDataFormat = .base64
        ) {
            self.nils = nils
            self.sortedKeys = sortedKeys
            self.isPretty = isPretty
            self.indent = indent
            self.maximumDepth = min(maximumDepth, NestingLimit.greatest)
            self.paths = paths
            self.nonFinite = nonFinite
            self.escapesSlashes = escapesSlashes
            self.escapesNonASCII = escapesNonASCII
            self.dates = dates
            self.data = data
        }

        /// Laid out on lines.
        public static let pretty = Options(isPretty: true)
        /// What ``JSONReader/Options/yyModel`` reads back: binary data as the text that it is in UTF-8.
        public static let yyModel = Options(data: .utf8)
        /// Members ordered by key.
        public static let sortedKeys = Options(sortedKeys: true)
    }
}
