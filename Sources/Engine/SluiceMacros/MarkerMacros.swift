// The markers of properties expand to nothing: `@JSONModel` reads them from the properties that it finds. The macros here only check
// that a marker is where `@JSONModel` will look for it; `@JSONModel` reports all other mistakes.
#if Macros

import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxMacros

/// `@JSONKey`, `@JSONIgnored`, `@JSONDate` and all other markers of properties.
enum JSONMarkerMacro: PeerMacro {
    static func expansion(
        of node: AttributeSyntax, providingPeersOf declaration: some DeclSyntaxProtocol,
        in context: some MacroExpansionContext
    ) throws -> [DeclSyntax] {
        diagnosePlacement(of: node, named: "@" + node.attributeName.lastComponent, on: declaration, in: context)
        return []
    }
}

private func diagnosePlacement(
    of attribute: AttributeSyntax, named marker: String, on declaration: some DeclSyntaxProtocol,
    in context: some MacroExpansionContext
) {
    func report(_ message: String) {
        // The compiler passes the attribute separately from its declaration, so it is found there by its text.
        let bare = declaration.changingAttributes { $0.trimmedText == attribute.trimmedText ? nil : $0 }
        let removal = FixIt("remove '\(marker)'", replacing: declaration, with: bare)
        context.diagnose(Diagnostic(.notAStoredProperty, marker, message, at: attribute, fixIts: [removal]))
    }

    // On a case of an enum with associated values, `@JSONKey` sets the case's tag.
    if marker == "@JSONKey", declaration.is(EnumCaseDeclSyntax.self) { return }
    guard let variable = declaration.as(VariableDeclSyntax.self) else {
        return report("can only be applied to a stored property")
    }
    // `@Observable` copies a property's markers to the property that it generates as storage, which is not part of the model.
    if variable.attributes.contains(where: { $0.as(AttributeSyntax.self)?.isMarker("ObservationIgnored") == true }) { return }
    let name = variable.bindings.first?.boundName ?? "_"
    if variable.isTypeProperty {
        return report("cannot be applied to static property '\(name)'; it marks stored properties of an instance")
    }
    if variable.bindings.contains(where: { !$0.isStored }) {
        return report("cannot be applied to computed property '\(name)'; it marks stored properties")
    }
    // Depending on the caller, the innermost contexts may be the property itself.
    let surroundings = context.lexicalContext.first {
        !$0.is(VariableDeclSyntax.self) && !$0.is(PatternBindingSyntax.self)
    }
    guard let type = surroundings?.asProtocol((any DeclGroupSyntax).self) else {
        return report("can only be applied to a stored property of a type")
    }
    let isModel = type.attributes.contains { attribute in
        guard let attribute = attribute.as(AttributeSyntax.self) else { return false }
        return ["JSONModel", "JSONBaseClass", "JSONSubclass"].contains { attribute.isMarker($0) }
    }
    if !isModel, let typeName = type.declaredName {
        report("has no effect because '\(typeName.text)' is not marked '@JSONModel'")
    }
}

#endif
