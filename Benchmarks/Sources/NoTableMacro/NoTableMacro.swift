// A macro that adds nothing: models of the benchmark are compiled a second time with it in the place of `@JSONModel`.

import SwiftCompilerPlugin
import SwiftSyntax
import SwiftSyntaxMacros

enum NoTableMacro: PeerMacro {
    static func expansion(
        of node: AttributeSyntax, providingPeersOf declaration: some DeclSyntaxProtocol,
        in context: some MacroExpansionContext
    ) throws -> [DeclSyntax] {
        []
    }
}

@main
struct Plugin: CompilerPlugin {
    let providingMacros: [any Macro.Type] = [NoTableMacro.self]
}
