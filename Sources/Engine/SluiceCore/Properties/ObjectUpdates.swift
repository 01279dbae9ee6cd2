// Updating an object of a class keeps the object. The document is read into a new object first, as for any other model; when all of
// it has been read, the old object takes over the values that the document has. So an error leaves every object unchanged.
//
// A worked example. One object is in two properties, and the document is {"left":{"v":5},"right":{"w":6}}:
//
//     "left"     a draft begins with the old object's values; `v` is assigned; a new object is made          step 1: v
//     "right"    the same old object is met again: the draft begins with the values of step 1's new object   step 2: w
//     the end    the old object takes `v` over from the first new object, and `w` from the second

/// The objects that take values over when an update has succeeded.
final class ObjectUpdates {
    private struct Step {
        /// The count of frames around the object. If one of these frames is abandoned, so is the step.
        var level: Int
        let old: AnyObject
        let new: AnyObject
        let adopt: () -> Void
    }

    private var steps: [Step] = []
    /// The last step of each object, by its identity.
    private var lastSteps: [ObjectIdentifier: Int] = [:]
    /// The slots to which the document has given a value, of each open model that is updated, outermost first.
    private var assigned: [(level: Int, slots: Set<Int>)] = []
    /// The count of frames around the object that is being completed.
    private var level = 0
    /// The slots of that object to which the document has given a value.
    private(set) var slots: Set<Int> = []
    /// Why the last object could not be completed: the document has another value for a constant.
    private(set) var conflict: JSONError?

    // MARK: While the document is read

    /// Notes that the document gives a value to a property of the model whose frame has a level.
    func note(_ slot: Int, at level: Int) {
        forget(above: level)
        if assigned.last?.level != level { assigned.append((level, [])) }
        assigned[assigned.count - 1].slots.insert(slot)
    }

    /// Takes a note back: no value came.
    func withdraw(_ slot: Int, at level: Int) {
        guard assigned.last?.level == level else { return }
        assigned[assigned.count - 1].slots.remove(slot)
    }

    private func forget(above level: Int) {
        while let last = assigned.last, last.level > level { assigned.removeLast() }
    }

    /// The newest of the objects whose values an object will take over; nil if the update has not changed that object so far.
    func latest(of object: AnyObject) -> AnyObject? { lastSteps[ObjectIdentifier(object)].map { steps[$0].new } }

    // MARK: When a model ends

    /// Begins to complete a model with a count of frames around it.
    func begin(at level: Int) {
        self.level = level
        conflict = nil
        forget(above: level + 1)
        slots = assigned.last?.level == level + 1 ? assigned.removeLast().slots : []
    }

    /// Adds an object that takes values over.
    func add(_ new: AnyObject, to old: AnyObject, _ adopt: @escaping () -> Void) {
        lastSteps[ObjectIdentifier(old)] = steps.count
        steps.append(Step(level: level, old: old, new: new, adopt: adopt))
    }

    /// Notes why the object cannot be completed.
    func fail(_ error: JSONError) { conflict = error }

    /// Moves the steps inside a complete value to the level of that value, so that they are kept or abandoned together with it.
    func settle(to level: Int) {
        var index = steps.count
        // The steps inside the value are the last ones.
        while index > 0, steps[index - 1].level > level {
            index -= 1
            steps[index].level = level
        }
    }

    /// Removes the steps and the notes of frames that are abandoned.
    func unwind(to level: Int) {
        forget(above: level)
        guard steps.contains(where: { $0.level > level }) else { return }
        steps.removeAll { $0.level > level }
        lastSteps = Dictionary(steps.enumerated().map { (ObjectIdentifier($1.old), $0) }, uniquingKeysWith: max)
    }

    /// Lets all objects take their new values over, inner objects first.
    func adopt() {
        for step in steps { step.adopt() }
        steps = []
        lastSteps = [:]
    }
}
