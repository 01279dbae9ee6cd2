// What holds for a value because of the property that it is written for: its formats, its selection. A plain property has no
// context, and costs nothing.

/// What holds for the values being written, beyond the options.
struct WriteContext {
    /// The form of a date.
    var date: JSONDateFormat
    /// The form of binary data.
    var data: JSONDataFormat
    /// Whether a property that is nil is written as null.
    var keepsNils: Bool
    /// What is written of the models that come next; nil for all.
    var selection: SelectedProperties?
    /// What writes models in another form than JSON's; nil for JSON.
    var form: ModelRendering?
    /// Whether any setting differs from the options. A nested model then gets a fresh context.
    var isSpecial = false

    /// A context that follows the options.
    init(_ options: JSONWriter.Options) {
        date = options.dates
        data = options.data
        keepsNils = options.nils == .null
    }

    /// The context of a model of which only some properties are written.
    init(_ options: JSONWriter.Options, selection: SelectedProperties) {
        self.init(options)
        self.selection = selection
        isSpecial = true
    }
}

extension JSONWriter {
    /// What writes models in another form than JSON's; nil for JSON.
    var form: ModelRendering? {
        get { context.form }
        set {
            context.form = newValue
            context.isSpecial = newValue != nil
        }
    }

    /// The form in which dates are written here: that of the property, or that of the options.
    ///
    /// ``write(_:)-(JSONTimestamp)`` follows it. A type that writes dates itself asks for it:
    ///
    /// ```swift
    /// func write(to writer: inout JSONWriter) throws(JSONError) {
    ///     if writer.dateFormat == .unix { writer.write(seconds) } else { writer.write("\(year)-\(month)") }
    /// }
    /// ```
    public var dateFormat: JSONDateFormat { context.date }

    /// The form in which binary data is written here: that of the property, or that of the options.
    ///
    /// ```swift
    /// func write(to writer: inout JSONWriter) throws(JSONError) {
    ///     writer.write(writer.dataFormat == .utf8 ? String(decoding: bytes, as: UTF8.self) : base64)
    /// }
    /// ```
    public var dataFormat: JSONDataFormat { context.data }
}
