// Step three for a class that may have subclasses, or is one. A subclass inherits the conformance of its superclass, but has another
// draft. So the code that depends on the draft is in class methods, which the subclass overrides. Its draft begins with the
// superclass's draft, as its table begins with the superclass's rows.
#if Macros

import SwiftSyntax

extension ModelDeclaration {
    /// The members for the body of a class that has subclasses, or whose superclass is a model.
    func hierarchyMembers(of node: ClassDeclSyntax) -> [String] {
        let parent = superclass
        let override = parent == nil ? "" : "override "
        let draft = "\(name.text).\(Self.draftName)"
        // Members that subclasses override are open if the class is open.
        let open = access == "public " && node.modifiers.contains(.open) ? "open " : access
        let quietMembers = [
            describing(draft, parent),
            parent == nil
                ? lines(
                    "\(access)static func _describeJSON(_ model: inout SluiceCore._ModelDescription<\(draft)>) {",
                    "    _describeJSON(&model, in: \\\(draft).self)", "}") : nil,
            lines(
                "\(override)\(open)class func _bind(_ compiler: inout SluiceCore._BindingCompiler) -> SluiceCore._Binding {",
                "    compiler.model(\(name.text).self, draft: \(draft).self) { \(name.text)._describeJSON(&$0, in: \\\(draft).self) }",
                "}"),
            lines(
                "\(override)\(open)class func _complete(_ contents: SluiceCore._Contents, at destination: SluiceCore._Destination) throws(SluiceCore.JSONError) {",
                "    try contents.complete(at: destination, table: _ownTable) { (draft: inout \(draft), bound) throws(SluiceCore.JSONError) in",
                "        try \(name.text)(_classDraft: &draft, bound: bound)", "    }", "}"),
            classInitialiser(draft, parent),
            hierarchyWriting(override, open, parent),
            lines(
                "\(override)\(open)class func _jsonKeyPath(_ slot: Swift.Int) -> Swift.AnyKeyPath? {",
                "    _jsonKeyPath(slot, of: \(name.text).self)", "}"),
            hierarchyKeyPaths(parent),
            hierarchyMirror(override, open, parent),
        ].compactMap(\.self)
        return [
            hierarchyDraft(parent),
            mayBeGeneric
                ? lines("private static var _ownTable: SluiceCore.PropertyTable { ._compiled(for: \(name.text).self) }")
                : lines("private static let _ownTable: SluiceCore.PropertyTable = ._compiled(for: \(name.text).self)"),
            lines("\(override)\(open)class var _jsonTable: SluiceCore.PropertyTable { _ownTable }"),
            lines(
                "\(override)\(open)class func _destroy(_ contents: SluiceCore._Contents) {",
                "    contents.destroy(\(draft).self)", "}"),
            parent == nil && hasImplicitInit ? "init() {}" : nil,
            parent != nil && inheritsInits && !isStandIn ? lostInitialiser : nil,
            parent == nil
                ? lines(
                    "\(open)func _write(to writer: inout SluiceCore.JSONWriter) throws(SluiceCore.JSONError) {",
                    "    try writer._model(self, Self._jsonTable)", "}") : nil,
        ].compactMap(\.self) + quiet(quietMembers)
    }

    /// An unavailable initialiser for calls without arguments, because the generated one keeps the class from inheriting `init()`. Its
    /// message says what to do. The macro cannot see whether the superclass has an `init()`, so it cannot override it.
    private var lostInitialiser: String {
        let words =
            "the generated initializer keeps '\(name.text)' from inheriting 'init()'; add 'override init() { super.init() }' to it"
        return lines(
            "@available(*, unavailable, message: \(words.literal))",
            // If it were failable, the error at `X().name` would be about the optional, without this message. Its body never runs.
            "\(access)convenience init(_ nothing: Swift.Void = ()) {", "    while true {}", "}")
    }

    private func hierarchyDraft(_ parent: String?) -> String {
        draftType(parent.map { ["    fileprivate var _super = \($0).\(Self.draftName)()"] } ?? [])
    }

    private func describing(_ draft: String, _ parent: String?) -> String {
        let inherited = parent.map { ["    \($0)._describeJSON(&model, in: draft.appending(path: \\\(draft)._super))"] } ?? []
        // The superclass's settings do not apply to the subclass's own properties.
        let reset =
            parent == nil
            ? []
            : (keyStrategy == nil ? ["    model.keyStrategy = .verbatim"] : [])
                + (policy.isEmpty ? ["    model.policy = .none"] : [])
        let field: (String) -> String = { "draft.appending(path: \\\(draft).\($0))" }
        return lines(
            "\(access)class func _describeJSON<JSONRoot>(_ model: inout SluiceCore._ModelDescription<JSONRoot>, in draft: Swift.KeyPath<JSONRoot, \(draft)>) {",
            inherited, reset, settings, typeChecks,
            rows.flatMap { $0.inlining($0.describingCall(in: name, field: field)) }.map { "    " + $0 },
            observedCalls(field), "}"
        )
    }

    private func classInitialiser(_ draft: String, _ parent: String?) -> String {
        let first = parent.map { ["    let first = \($0)._jsonTable._slotCount"] } ?? []
        let assignments = rows.enumerated().requiredFirst.compactMap { number, property in
            property.assignment(slot: parent == nil ? "\(number)" : "first + \(number)").map { "    " + $0 }
        }
        let uses = assignments.contains { $0.contains("first + ") }
        let rest = parent == nil || isStandIn ? [] : ["    try super.init(_classDraft: &draft._super, bound: bound)"]
        return lines(
            "\(access)init(_classDraft draft: inout \(draft), bound: SluiceCore._BoundProperties) throws(SluiceCore.JSONError) {",
            uses ? first : [], standInThrow, assignments, rest, "}")
    }

    /// The function that returns a slot's key path. A key path that starts at a subclass differs from one that starts at its superclass, so
    /// the starting class is a parameter.
    private func hierarchyKeyPaths(_ parent: String?) -> String {
        slotSwitch(
            "\(access)static func _jsonKeyPath<JSONRoot: \(name.text)>(_ slot: Swift.Int, of root: JSONRoot.Type) -> Swift.AnyKeyPath?",
            after: parent, otherwise: "return \(parent.map { "\($0)._jsonKeyPath(slot, of: root)" } ?? "nil")"
        ) { "return \\JSONRoot.\($0.source)" }
    }

    private func hierarchyWriting(_ override: String, _ open: String, _ parent: String?) -> String {
        slotSwitch(
            "\(override)\(open)\(Self.writingFunction)", after: parent,
            otherwise: parent == nil ? "break" : "try super._writeJSON(slot, to: &writer)"
        ) { $0.writingCall(in: name) }
    }
}

#endif
