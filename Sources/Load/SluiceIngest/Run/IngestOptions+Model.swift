// A model's columns among the options of an ingest.

internal import SluiceCore

extension IngestOptions {
    /// Takes the columns of a model.
    ///
    /// - Throws: ``IngestError/usage(_:)`` if the options declare other columns.
    mutating func take(_ model: ModelReading) throws(IngestError) {
        guard columns.isEmpty else { throw .usage("the model has the columns, so columns(_:) cannot declare others") }
        guard contract == nil, overflow == nil else {
            throw .usage(
                "the model says what happens to keys that it does not know: contract(_:) and overflow(_:) are for columns without a model; "
                    + "@JSONModel(unknownKeys: .reject) refuses records with such keys, .collect(in:) keeps them")
        }
        guard !children.hasTables, children.choices.isEmpty else {
            throw .usage(
                "the model says which of its arrays have tables of their own, by @JSONColumn(.table): "
                    + "children(_:) and child(_:_:) are for columns without a model")
        }
        self.model = model
        columns = model.columns.columns
        children.areOfModel = !model.columns.tables.isEmpty
        let hidden = model.sensitivePaths
        guard !hidden.isEmpty else { return }
        feed.sensitive = SensitivePaths(sensitive + hidden)
    }
}
