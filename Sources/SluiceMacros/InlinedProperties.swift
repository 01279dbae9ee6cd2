// `@JSONInline`: what is emitted for it, and the checks of what the macro can see.
#if Macros

import SwiftDiagnostics
import SwiftSyntax

extension PropertyDeclaration {
    /// The call that describes the property, and behind it the one that takes its key away if it is inlined.
    func inlining(_ call: String) -> [String] { isInlined ? [call, "model._inline()"] : [call] }

    /// Errors about `@JSONInline` on the property.
    var inlineDiagnostics: [Diagnostic] {
        guard let inlineAttribute else { return [] }
        let removal = FixIt("remove '@JSONInline'", replacing: variable, with: variable.removing(inlineAttribute))
        func error(_ id: String, _ message: String) -> Diagnostic { .error(id, message, at: inlineAttribute, fixIts: [removal]) }
        var result: [Diagnostic] = []
        if !keyAttributes.isEmpty {
            result.append(error("keyOfInlined", "property '\(name)' has no key of its own, because it is marked '@JSONInline'"))
        }
        if adapter != nil {
            result.append(
                error("adapterOfInlined", "property '\(name)' cannot be inlined, because an adapter reads it as one value"))
        }
        if let type = type?.wrapped, type.isNoObject {
            result.append(
                error(
                    "inlinedType",
                    "property '\(name)' cannot be inlined; only a model, or an enum whose cases hold models, has keys"))
        }
        if !isMapped {
            result.append(
                .warning(
                    "inlinedIgnored", "'@JSONInline' has no effect because '\(name)' is ignored", at: inlineAttribute,
                    fixIts: [removal]))
        }
        return result
    }
}

extension TypeSyntax {
    /// Whether the type is a scalar or a collection, which has no keys that are known.
    fileprivate var isNoObject: Bool {
        self.is(ArrayTypeSyntax.self) || self.is(DictionaryTypeSyntax.self)
            || Self.scalarNames.union(["JSONValue", "JSONObject", "RawJSON", "Array", "Set", "Dictionary"]).contains(
                lastComponent)
    }
}

#endif
