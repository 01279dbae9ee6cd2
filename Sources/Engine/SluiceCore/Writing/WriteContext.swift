// The settings that a property has for its value: formats and a selection. A property without such settings costs nothing.

/// Settings for the values being written that can differ from the options.
struct WriteContext {
    /// The form of a date.
    var date: JSONDateFormat
    /// The form of binary data.
    var data: JSONDataFormat
    /// Whether a property that is nil is written as null.
    var keepsNils: Bool
    /// The properties to write of the models inside the value; nil for all properties.
    var selection: SelectedProperties?
    /// Writes models in another form than JSON's; nil for JSON.
    var form: ModelRendering?
    /// Whether any setting differs from the options. A nested model then gets a fresh context.
    var isSpecial = false

    /// A context that follows the options.
    init(_ options: JSONWriter.Options) {
        date = options.dates
        data = options.data
        keepsNils = options.nils == .null
    }
}

extension JSONWriter {
    /// Writes models in another form than JSON's; nil for JSON.
    var form: ModelRendering? {
        get { context.form }
        set {
            context.form = newValue
            context.isSpecial = newValue != nil
        }
    }

    /// Whether a description is written, which must not show sensitive values.
    package var isDescribing: Bool { context.form?.purpose.isShown == true }

    /// The date format of the property being written, or else of the options.
    ///
    /// ``write(_:)-(JSONTimestamp)`` follows it. A type that writes dates itself can test it:
    ///
    /// ```swift
    /// func write(to writer: inout JSONWriter) throws(JSONError) {
    ///     if writer.dateFormat == .unix { writer.write(seconds) } else { writer.write("\(year)-\(month)") }
    /// }
    /// ```
    public var dateFormat: JSONDateFormat { context.date }

    /// The format of binary data of the property being written, or else of the options.
    ///
    /// ```swift
    /// func write(to writer: inout JSONWriter) throws(JSONError) {
    ///     writer.write(writer.dataFormat == .utf8 ? String(decoding: bytes, as: UTF8.self) : base64)
    /// }
    /// ```
    package var dataFormat: JSONDataFormat { context.data }
}
