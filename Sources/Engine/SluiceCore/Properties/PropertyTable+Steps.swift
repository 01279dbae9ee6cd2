// The way from a model's JSON to the values of its properties.

extension PropertyTable {
    /// The step to the value of a slot's property.
    func step(toSlot slot: Int) -> JSONStep {
        layout == .array ? .element(slot) : .member(properties[slot].keys.first?.components ?? [])
    }

    /// The steps from the JSON of a variant to the model in it.
    var stepsToModel: [JSONStep] { variant?.steps ?? [] }

    /// Whether a slot's property is a set, to which nothing can be added twice.
    func isSet(slot: Int) -> Bool {
        binding.model.map { $0.row(ofSlot: slot).binding.type is any SetAlgebra.Type } ?? false
    }
}
