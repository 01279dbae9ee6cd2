// `@JSONInline`: what is emitted for it, and the checks of what the macro can see.
#if Macros

import SwiftDiagnostics
import SwiftSyntax

extension PropertyDeclaration {
    /// The call that describes the property, and after it the one that takes its key away if it is inlined.
    func inlining(_ call: String) -> [String] { isInlined ? [call, "model._inline()"] : [call] }

    /// Errors about `@JSONInline` on the property.
    var inlineDiagnostics: [Diagnostic] {
        guard let inlineAttribute else { return [] }
        let findings: [(Finding, Bool)] = [
            (.keyOfInlined, !keyAttributes.isEmpty), (.adapterOfInlined, adapter != nil),
            (.inlinedType, type?.wrapped.isNoObject == true), (.inlinedIgnored, !isMapped),
        ]
        return findings.filter(\.1).map {
            Diagnostic($0.0, name, at: inlineAttribute, fixIts: [.removing(inlineAttribute, from: variable)])
        }
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
