// The mirror of a type with a sensitive property: `print`, `dump`, string interpolation and `String(reflecting:)` show what it holds. A
// mirror is enough, also for the types around it: their descriptions and mirrors show this type by its own.
#if Macros

import SwiftDiagnostics
import SwiftSyntax

extension ModelDeclaration {
    /// Whether a stored property is marked `@JSONSensitive`.
    private var isSensitive: Bool { properties.contains(where: \.isSensitive) }

    /// The extension that hides sensitive properties; nil if the type needs none, or has a mirror of its own. A class that has subclasses
    /// gets it always, because a subclass may have a sensitive property and cannot add the conformance: the compiler (6.3.1) fails with an
    /// assertion at a subclass of a class whose macro declares a conformance that it then does not add.
    func mirroring(of type: String, to protocols: [TypeSyntax]) -> String? {
        guard protocols.contains(where: { $0.lastComponent == "CustomReflectable" }) else { return nil }
        let body: String
        switch kind {
        case .structure where isSensitive, .finalClass where isSensitive:
            body = "Swift.Mirror(self, children: \(children)\(style))"
        case .baseClass where superclass == nil:
            body = "self._jsonMirror()"
        case .openClass where isStandIn:
            body = "Swift.Mirror(self, children: [:])"
        default:
            return nil
        }
        let mirror = quiet(["\(access)var customMirror: Swift.Mirror { \(body) }"]).joined()
        return """
            \(isolation)extension \(type): Swift.CustomReflectable {
                \(mirror.replacing("\n", with: "\n    "))
            }
            """
    }

    /// The method of a class that makes the mirror of its own properties, and of those of its superclass.
    func hierarchyMirror(_ override: String, _ open: String, _ parent: String?) -> String {
        lines(
            "\(override)\(open)func _jsonMirror() -> Swift.Mirror {",
            parent == nil ? [] : ["    let parent = super._jsonMirror()"],
            "    return Swift.Mirror(self, children: \(children)\(style)\(parent == nil ? "" : ", ancestorRepresentation: .customized { parent }"))",
            "}")
    }

    private var style: String { ", displayStyle: .\(kind.isClass ? "class" : "struct")" }

    /// The stored properties with their values, as a literal.
    private var children: String {
        let shown = properties.filter {
            // A lazy property would be computed, and an unowned object may be gone.
            $0.identifier != nil && !$0.isInsideIfConfig && ($0.storageModifier == nil || $0.storageModifier?.name.text == "weak")
        }
        let members = shown.map { property in
            let isHidden = property.isSensitive || property.isCollector && isSensitive
            return "\(property.name.literal): \(isHidden ? "SluiceCore._JSONRedacted()" : "self.\(property.source) as Any")"
        }
        return members.isEmpty ? "[:]" : "[\(members.joined(separator: ", "))]"
    }

    /// The warning for a type that hides a property, and says itself how it is described.
    ///
    /// - Parameter protocols: Those of `@JSONModel` that the type does not conform to yet; the members' macro asks for descriptions, too.
    func descriptionDiagnostics(_ protocols: [TypeSyntax]) -> [Diagnostic] {
        let declared = (inheritanceClause?.inheritedTypes ?? []).map(\.type.lastComponent)
        let missing = protocols.map(\.lastComponent).filter { !declared.contains($0) }
        // A `JSONDescribable` model redacts its description itself.
        guard let property = properties.first(where: \.isSensitive), missing.contains("JSONDescribable"),
            let marker = property.policyAttributes.first(where: { $0.isMarker("JSONSensitive") })
        else { return [] }
        let own = ["CustomStringConvertible", "CustomDebugStringConvertible"] + (kind.isClass ? [] : ["CustomReflectable"])
        guard let found = own.first(where: { !missing.contains($0) }) else { return [] }
        return [Diagnostic(.ownDescription, name.text, found, property.name, at: marker)]
    }
}

extension PropertyDeclaration {
    /// Whether the property is marked `@JSONSensitive`.
    var isSensitive: Bool { policyAttributes.contains { $0.isMarker("JSONSensitive") } }
}

#endif
