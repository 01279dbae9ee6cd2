// When a final class gets an initialiser without parameters. How classes and enums expand as a whole is recorded.
#if Macros

import Testing

extension ModelEmissionTests {
    @Test func aClassKeepsItsImplicitInitialiser() {
        expectExpansion(
            of: """
                @JSONModel
                final class Settings: Sendable {
                    @JSONIgnored(.reading) let theme = "dark"
                    var size: Int?
                }
                """,
            differsFrom: """
                @JSONModel
                final class Settings: Sendable {
                    @JSONIgnored(.reading) let theme = "dark"
                    var size: Int?
                    init(size: Int) {
                        self.size = size
                    }
                }
                """,
            in: """
                - init(size: Int) {
                - self.size = size
                - }
                + init() {}
                """)
    }

    @Test func aConstantOfAClassIsWrittenOnly() {
        expectExpansion(
            of: """
                @JSONModel
                final class Settings: Sendable {
                    @JSONIgnored(.reading) let theme = "dark"
                    var size: Int?
                }
                """,
            differsFrom: """
                @JSONModel
                final class Settings: Sendable {
                    var theme = "dark"
                    var size: Int?
                }
                """,
            in: #"""
                - var theme = "dark"
                + let theme = "dark"
                - fileprivate var theme: Swift.Optional<Swift.String> = nil
                - model._row("theme", \JSONDraft.theme, .defaulted)
                + model.writeOnly("theme", Swift.String.self)
                - if let value = draft.theme.take() { self.theme = value }
                - draft.theme = self.theme
                """#)
    }

    @Test func aClassThatMayHaveASuperclassGetsNoInitialiserThatCouldOverride() {
        expectExpansion(
            of: """
                @JSONModel
                final class Derived: Base {
                    var extra = 0
                }
                """,
            differsFrom: """
                @JSONModel
                final class Derived {
                    var extra = 0
                }
                """,
            in: """
                - final class Derived {
                + final class Derived: Base {
                - init() {}
                """)
    }
}

#endif
