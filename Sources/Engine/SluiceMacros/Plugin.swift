// The compiler runs this executable and asks it to expand one attribute at a time. A declaration comes in as syntax, is read into a
// `ModelDeclaration` and checked, and goes out as the members and the extension that a careful author would have written by hand.
#if Macros

import SwiftCompilerPlugin
import SwiftSyntaxMacros

@main
struct SluicePlugin: CompilerPlugin {
    let providingMacros: [any Macro.Type] = [
        JSONModelMacro.self,
        JSONMarkerMacro.self,
    ]
}

#else

// Without the trait nothing here needs swift-syntax, yet the target is an executable and must still link.
@main
struct SluicePlugin {
    static func main() {}
}

#endif
