// Checks the keys of `@JSONKey`: each is a string literal, and a path unless it is taken literally.
#if Macros

import SwiftDiagnostics
import SwiftParser
import SwiftSyntax

extension KeyAttribute {
    /// The errors of its keys, each of which is a path.
    var diagnostics: [Diagnostic] {
        guard !keys.isEmpty else {
            return [Diagnostic(.noKeys, at: attribute)]
        }
        var seen: Set<String> = []
        return keys.compactMap { key in
            guard let text = key.text else { return Diagnostic(.keyNotLiteral, at: key.argument.expression) }
            if let diagnostic = isLiteral ? nil : pathDiagnostic(key, text) {
                return diagnostic
            }
            guard !seen.insert(text).inserted else { return nil }
            let removal = FixIt("remove the duplicate", replacing: attribute, with: removing(key))
            return Diagnostic(.duplicateKey, text, at: key.argument.expression, fixIts: [removal])
        }
    }

    private func pathDiagnostic(_ key: Key, _ text: String) -> Diagnostic? {
        let literal = keys.count == 1 ? [literalFixIt(key)] : []
        if text.isEmpty {
            return Diagnostic(.emptyKey, at: key.argument.expression, fixIts: literal)
        }
        // The path is what the literal stands for, without its escapes.
        let path = key.argument.expression.as(StringLiteralExprSyntax.self)?.representedLiteralValue ?? text
        do throws(PathFault) {
            _ = try PathSyntax.keys(of: path)
            return nil
        } catch {
            return Diagnostic(
                .wrongPath, path, error.expected, error.found, "\(error.column)", text, at: key.argument.expression,
                fixIts: literal)
        }
    }

    private func literalFixIt(_ key: Key) -> FixIt {
        var argument = key.argument
        argument.label = .identifier("literal")
        argument.colon = .colonToken(trailingTrivia: .space)
        return FixIt("take the key literally", replacing: key.argument, with: argument)
    }

    private func removing(_ key: Key) -> AttributeSyntax {
        var rest = Array(attribute.labeledArguments).filter { $0.id != key.argument.id }
        if let last = rest.indices.last {
            rest[last].trailingComma = nil
            rest[last].trailingTrivia = []
        }
        var changed = attribute
        changed.arguments = .argumentList(LabeledExprListSyntax(rest))
        return changed
    }
}

#endif
