// What a reader is told about the documents: limits, checks, and what becomes of values that do not fit.

extension JSONReader {
    /// How documents are read.
    public struct Options: Sendable, Hashable {
        /// What is checked of the values that no property binds.
        public enum Validation: Sendable, Hashable {
            /// Their structure; of containers that no property binds, only brackets and quotes, if the document lies in memory
            /// as a whole. This is what makes reading a few properties of large records fast.
            case bound
            /// Everything, their strings' Unicode included.
            case full
            /// Nothing behind the last member that a property wants: for text whose maker is trusted, such as lines that one's own
            /// program has written. As soon as each property of an object at the top has its value, the object counts as read.
            ///
            /// What stands behind that is not looked at: damage there is not noticed, and of a key that stands twice the first value
            /// counts. So the caller must know where the text ends, as a feed of lines does. An object is read to its end, as with
            /// `bound`, where a property is missing, and for models that have alternative keys, more than 64 properties, or a rule for
            /// unknown keys; also if the reader reports or rejects unknown keys, or refuses keys that stand twice.
            case trusted
        }

        /// What happens when a key stands twice in one object.
        public enum DuplicateKeys: Sendable, Hashable {
            /// The last value counts, as in most parsers.
            case last
            /// The first value counts, as in Foundation's `JSONDecoder`.
            case first
            /// It is an error of kind `duplicateKey`.
            case error
            /// The same for every key of the document: also for one that no property has, and for a dictionary's.
            case errorEverywhere
        }

        /// What happens with keys of a model that no property has.
        public enum UnknownKeys: Sendable, Hashable {
            /// They are passed over.
            case ignore
            /// They are passed over, and a ``JSONReadReport`` names them; also a key whose value is no object, though a key path leads
            /// through it.
            case report
            /// The first one is an error of kind `unknownKey`. A value other than an object where a key path leads through is an error
            /// of kind `typeMismatch`.
            case reject
        }

        /// Which parser makes the events.
        public enum Parser: Sendable, Hashable {
            /// Values that lie in memory are scanned by Sluice itself; yajl reads what streams in, and whatever the scanner has the
            /// slightest doubt about.
            case automatic
            /// yajl reads every byte.
            case yajl
        }

        /// What happens with keys of a model that no property has. Keys inside a value that no property binds are not looked at.
        public var unknownKeys = UnknownKeys.ignore
        /// Whether a ``JSONReadReport`` counts for each property of the models that are read how often it was there, null, converted
        /// or wrong (``JSONReadReport/properties``).
        public var countsProperties = false
        /// Which parser makes the events. Both give the same values and the same errors.
        public var parser = Parser.automatic
        /// Bytes of a source that are gathered before reading begins: a document that ends within them is read like one in memory,
        /// a longer one in chunks. With 0 each piece is read as it comes.
        public var gathersUpTo = 4 << 20
        /// What happens when a key of a model stands twice in one object. Unless it is `errorEverywhere`, keys that no property
        /// has may stand twice, and in a dictionary the last value counts.
        public var duplicateKeys = DuplicateKeys.last
        /// Levels of containers, at the most; ``greatestDepth`` is the most that can be set. Deeper input is an error of kind
        /// `depthLimit`.
        public var maximumDepth = 512 {
            didSet { maximumDepth = min(maximumDepth, Self.greatestDepth) }
        }
        /// The most levels of containers that a reader or writer can be told to take.
        ///
        /// A value inside a value is read, written, compared and freed by a call inside a call. For a value of this depth, a stack of
        /// 512 KiB is enough if Sluice is built with optimisation, and one of 2 MiB if it is not. Secondary threads have 512 KiB on
        /// Apple's platforms: a debug build that reads deep text there needs a lower limit, or a thread with a larger stack.
        public static let greatestDepth = NestingLimit.greatest
        /// Bytes that one string or number may have, as it is written; more is an error of kind `sizeLimit`. Of input that lies in
        /// memory as a whole, only a limit below 256 MiB is checked.
        public var maximumTokenSize = 256 << 20
        /// Bytes that a document may have; more is an error of kind `sizeLimit`. Nil for no limit.
        public var maximumDocumentSize: Int?
        /// Keys that one object may have; more is an error of kind `sizeLimit`. Nil for no limit.
        public var maximumKeyCount: Int?
        /// Elements that one array may have; more is an error of kind `sizeLimit`. Nil for no limit.
        public var maximumElementCount: Int?
        /// What is checked of the values that no property binds; with `full`, a ``JSONReadReport`` counts unknown keys, too.
        public var validation = Validation.bound
        /// How scalars of other JSON types convert, where a model does not say.
        public var conversions = JSONConversions.lenient
        /// What an explicit null means, where a model does not say; nil for ``JSONNullPolicy/asNil``, or YYModel's own rule.
        public var nulls: JSONNullPolicy?
        /// What becomes of a property whose value does not fit, where a model does not say; nil for
        /// ``JSONMismatchPolicy/throw``, or YYModel's own rule.
        public var mismatch: JSONMismatchPolicy?
        /// What becomes of an element that does not fit, where a model does not say; nil for ``JSONElementPolicy/strict``, or
        /// YYModel's own rule.
        public var elements: JSONElementPolicy?
        /// The form of dates, where a model does not say; nil for any string format that is known.
        public var dates: JSONDateFormat?
        /// How many dropped values a ``JSONReadReport`` describes; the others it only counts.
        public var reportLimit = 100

        /// 512 levels, what is bound is validated, lenient conversions.
        public init() {}

        /// Options that differ from the defaults in what is named.
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
        /// The default: what converts without a loss is converted, and nothing is left out. A value that does not fit is an error,
        /// also where it is one element of many.
        public static let lenient = Options()
        /// As ``lenient``, but an element of another JSON type is left out and counted in the ``JSONReadReport``.
        public static let tolerant = Options(elements: .skipMistyped)
        /// YYModel's own rules, losses included: what does not fit is left out and counted in the ``JSONReadReport``.
        public static let yyModel = Options(conversions: .yyModel)
        /// For text from strangers: everything is checked, no key may stand twice in any object, unknown keys are counted, and the
        /// budgets are small. A document has at most 1 MiB, 32 levels, 1,000 keys an object, 10,000 elements an array, and 64 KiB
        /// a string or number.
        ///
        /// Counting costs a second look at each byte. Change what does not fit:
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

        /// What the options say about values that do not fit, in the form in which properties say it.
        var policy: JSONPropertyPolicy {
            JSONPropertyPolicy(
                conversions: conversions, nulls: nulls, mismatch: mismatch, elements: elements, date: dates)
        }
    }
}
