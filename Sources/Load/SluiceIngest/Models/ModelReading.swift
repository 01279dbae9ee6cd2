// A model as the schema of a table: its columns, and the reader that accepts the records that the model accepts.

package import SluiceCore
package import SluiceSchema

/// How records are read as a model's columns.
package struct ModelReading: Sendable {
    package let columns: ModelColumns
    /// The options with which the model would be read.
    package let options: JSONReader.Options
    /// Whether unknown keys are counted. Those of elements have been counted in the records.
    private let countsKeys: Bool

    /// - Throws: ``IngestError/usage(_:)`` that names the property that cannot be a column.
    package init<Model: JSONModel>(_ model: Model.Type, _ options: JSONReader.Options) throws(IngestError) {
        do throws(JSONError) {
            columns = try ModelColumns.of(model)
        } catch {
            throw .usage("the columns of \(model): \(error.found)")
        }
        guard columns.tables.isEmpty || !JSONElementPolicy.drops(options.elements, options.conversions) else {
            throw .usage(
                "\(model) has arrays with tables of their own, so the options for reading must not leave out elements that do not fit"
            )
        }
        self.options = options
        countsKeys = true
    }

    private init(elementsOf table: ModelTable, _ options: JSONReader.Options) {
        columns = table.elements
        self.options = options.withoutContract
        countsKeys = false
    }

    /// How the elements of an array are read; nil if there is no table of this number.
    package func elements(ofTable number: Int) -> ModelReading? {
        guard columns.tables.indices.contains(number) else { return nil }
        return ModelReading(elementsOf: columns.tables[number], options)
    }

    /// A reader of records. It counts the keys that no property has, unless the model or the options refuse them.
    package func makeReader(_ schema: JSONSchema? = nil) -> ColumnReader {
        var options = options
        if let schema { options.schema = schema }
        if !countsKeys { options.unknownKeys = .ignore } else if options.unknownKeys == .ignore { options.unknownKeys = .report }
        return ColumnReader(columns, options: options)
    }

    /// The paths of sensitive values, by all their keys.
    package var sensitivePaths: [String] { ModelReading.sensitivePaths(of: columns, after: []) }

    private static func sensitivePaths(of model: ModelColumns, after home: [String]) -> [String] {
        func texts(_ column: JSONColumn) -> [String] {
            column.isSensitive ? column.keys.map { JSONKeyPath(components: home + $0.components).text } : []
        }
        return model.columns.flatMap(texts)
            + model.tables.flatMap { table in
                table.column.keys.flatMap { sensitivePaths(of: table.elements, after: home + $0.components) }
            }
    }

    /// What must not change when a run is resumed: the tables of the arrays.
    package var signature: String { " model" + ModelReading.signature(of: columns) }

    private static func signature(of model: ModelColumns) -> String {
        model.tables.map { table in
            let columns = table.elements.columns.map { "\($0.name):\($0.type.name)=\($0.keys[0].components)" }
            return " \(table.name ?? "")=\(table.column.keys[0].components) \(columns)\(signature(of: table.elements))"
        }.joined()
    }
}
