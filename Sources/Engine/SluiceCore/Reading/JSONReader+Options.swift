// The options of a reader: limits, checks, and what happens to values that do not fit.

extension JSONReader {
    /// How documents are read.
    public struct Options: Sendable, Hashable {
        /// How far values that no property binds are checked.
        public enum Validation: Sendable, Hashable {
            /// Only their structure is checked. If the document lies in memory as a whole, only the brackets and quotes of
            /// containers that no property binds are checked: this makes reading a few properties of large records fast.
            case bound
            /// Everything is checked, including the Unicode of strings.
            case full
        }

        /// What happens when a key occurs twice in one object, whatever becomes of the object: a model, a dictionary, a tree, the tag of a
        /// variant, a condition.
        ///
        /// If a key inside a key path occurs twice, both objects are read. Then the rule is that of the value at the end of the path:
        /// `{"a":{"b":1,"c":2},"a":{"b":3}}` gives the path `a.b` the value 3, and `a.c` the value 2.
        ///
        /// Keys with other bytes are the same key where they become one: strings that look alike, or a `UUID` in capitals, as keys of a
        /// dictionary. The ``JSONReadReport`` counts the value that is left out.
        public enum DuplicateKeys: Sendable, Hashable {
            /// The last value counts, as in most parsers. A ``JSONObject`` keeps all members.
            case last
            /// The first value counts, as in Foundation's `JSONDecoder`.
            case first
            /// It is an error of kind `duplicateKey`, for every key whose value is read.
            case error
            /// It is an error for every key of the document, including those that nothing reads.
            case errorEverywhere
        }

        /// What happens with keys of a model that no property has.
        public enum UnknownKeys: Sendable, Hashable {
            /// They are skipped.
            case ignore
            /// They are skipped, and a ``JSONReadReport`` names them. It also names a key that a key path leads through if its value is
            /// neither an object nor null.
            case report
            /// The first one is an error of kind `unknownKey`. If a key path leads through a key, a value that is neither an object nor
            /// null is an error of kind `typeMismatch`.
            case reject
        }

        /// Which parser makes the events.
        public enum Parser: Sendable, Hashable {
            /// Sluice's own scanner reads values that lie in memory. yajl reads what comes in chunks, and every text about which the
            /// scanner is not sure.
            case automatic
            /// yajl reads every byte.
            case yajl
        }

        /// What happens with keys of a model that no property has. Keys inside a value that no property binds are not looked at.
        public var unknownKeys = UnknownKeys.ignore
        /// Whether a ``JSONReadReport`` counts how often each property of the models was present, null, converted or wrong
        /// (``JSONReadReport/properties``).
        public var countsProperties = false
        /// Which parser makes the events. Both give the same values and the same errors.
        public var parser = Parser.automatic
        /// How many bytes of a source are gathered before reading begins. A document that ends within them is read like one in
        /// memory, a longer one in chunks. With 0 each piece is read as it comes.
        public var gathersUpTo = 4 << 20
        /// What happens when a key occurs twice in one object. Unless it is `errorEverywhere`, keys that nothing reads may occur twice.
        public var duplicateKeys = DuplicateKeys.last
        /// How many levels of containers input may have, up to 512, the default. Deeper input is an error of kind `depthLimit`.
        ///
        /// Nested values are read, written, compared and freed by nested calls. For a value of 512 levels, a stack of
        /// 512 KiB is enough if Sluice is built with optimisation, and one of 2 MiB if it is not, as measured on Linux for x86-64.
        /// Secondary threads have 512 KiB on macOS: a debug build that reads deep text there needs a lower limit, or a thread with a
        /// larger stack.
        public var maximumDepth = 512 {
            didSet { maximumDepth = min(maximumDepth, Self.greatestDepth) }
        }
        /// The greatest limit of depth that a reader or writer can be given, in levels of containers: ``maximumDepth`` gives the reason.
        package static let greatestDepth = NestingLimit.greatest
        /// The most bytes that one string or number may have as it is written; more is an error of kind `sizeLimit`. For input that
        /// lies in memory as a whole, only a limit below 256 MiB is checked.
        public var maximumTokenSize = 256 << 20
        /// The most bytes that a document may have; more is an error of kind `sizeLimit`. Nil for no limit.
        public var maximumDocumentSize: Int?
        /// The most keys that one object may have; more is an error of kind `sizeLimit`. Nil for no limit.
        public var maximumKeyCount: Int?
        /// The most elements that one array may have; more is an error of kind `sizeLimit`. Nil for no limit.
        public var maximumElementCount: Int?
        /// How far values that no property binds are checked; with `full`, a ``JSONReadReport`` counts unknown keys, too.
        public var validation = Validation.bound
        /// How a scalar of another JSON type is converted, where the model has no rule of its own.
        public var conversions = JSONConversions.lenient
        /// What an explicit null means, where the model has no rule of its own; nil for ``JSONNullPolicy/asNil``, or YYModel's rule.
        public var nulls: JSONNullPolicy?
        /// What happens to a property whose value does not fit, where the model has no rule of its own; nil for
        /// ``JSONMismatchPolicy/throw``, or YYModel's rule.
        public var mismatch: JSONMismatchPolicy?
        /// What happens to an element that does not fit, where the model has no rule of its own; nil for
        /// ``JSONElementPolicy/strict``, or YYModel's rule.
        public var elements: JSONElementPolicy?
        /// The form of dates, where the model has no rule of its own; nil for any string format that Sluice knows.
        public var dates: JSONDateFormat?
        /// How many dropped values a ``JSONReadReport`` describes; it only counts the others.
        public var reportLimit = 100
        /// What each document must fit besides; nil if it need only be JSON.
        package var contract: ContractOption?

        /// Options that differ from the defaults in the arguments that are given. The defaults are at most 512 levels,
        /// ``Validation/bound`` and lenient conversions.
        public init(
            maximumDepth: Int = 512, maximumTokenSize: Int = 256 << 20, validation: Validation = .bound,
            duplicateKeys: DuplicateKeys = .last, conversions: JSONConversions = .lenient, nulls: JSONNullPolicy? = nil,
            mismatch: JSONMismatchPolicy? = nil, elements: JSONElementPolicy? = nil, dates: JSONDateFormat? = nil,
            reportLimit: Int = 100, maximumDocumentSize: Int? = nil, maximumKeyCount: Int? = nil,
            maximumElementCount: Int? = nil, parser: Parser = .automatic, unknownKeys: UnknownKeys = .ignore,
            countsProperties: Bool = false
        ) {
            self.maximumDepth = min(maximumDepth, Self.greatestDepth)
            self.maximumTokenSize = maximumTokenSize
            self.validation = validation
            self.duplicateKeys = duplicateKeys
            self.conversions = conversions
            self.nulls = nulls
            self.mismatch = mismatch
            self.elements = elements
            self.dates = dates
            self.reportLimit = reportLimit
            self.maximumDocumentSize = maximumDocumentSize
            self.maximumKeyCount = maximumKeyCount
            self.maximumElementCount = maximumElementCount
            self.parser = parser
            self.unknownKeys = unknownKeys
            self.countsProperties = countsProperties
        }

        /// Nothing is converted and nothing is left out: what Foundation's `JSONDecoder` accepts.
        public static let strict = Options(conversions: .strict)
        /// The default: a value is converted if nothing is lost, and nothing is left out. A value that does not fit is an error,
        /// even if it is one element of many.
        public static let lenient = Options()
        /// As ``lenient``, but an element that does not fit is left out and counted in the ``JSONReadReport``.
        public static let tolerant = Options(elements: .skipInvalid)
        /// YYModel's own rules, losses included: what does not fit is left out and counted in the ``JSONReadReport``.
        public static let yyModel = Options(conversions: .yyModel)
        /// For text from strangers: everything is checked, no key may occur twice in any object, unknown keys are counted, and the
        /// budgets are small. A document has at most 1 MiB, 32 levels, 1,000 keys an object, 10,000 elements an array, and 64 KiB
        /// a string or number.
        ///
        /// Counting costs a second pass over each byte. Change what does not suit you:
        ///
        /// ```swift
        /// var options = JSONReader.Options.untrusted
        /// options.maximumDocumentSize = 8 << 20
        /// let order = try Order(json: body, options: options)
        /// ```
        public static let untrusted = Options(
            maximumDepth: 32, maximumTokenSize: 64 << 10, validation: .full, duplicateKeys: .errorEverywhere,
            maximumDocumentSize: 1 << 20, maximumKeyCount: 1000, maximumElementCount: 10_000)

        /// Whether a ``BudgetScanner`` must look at each document.
        var hasBudget: Bool {
            maximumDocumentSize != nil || maximumKeyCount != nil || maximumElementCount != nil
                || maximumTokenSize < 256 << 20 || duplicateKeys == .errorEverywhere
        }

        /// The options about values that do not fit, as a policy like that of a property.
        var policy: JSONPropertyPolicy {
            JSONPropertyPolicy(
                conversions: conversions, nulls: nulls, mismatch: mismatch, elements: elements, date: dates)
        }
    }
}
