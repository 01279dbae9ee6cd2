// The words that generated events are made of. The Core's writer escapes them once, at the start; after that they are only
// copied.

#if CommandLine
internal import SluiceCore

/// Escaped text that is copied into a feed between two quotes.
struct EventVocabulary: Sendable {
    /// Parts of messages in several scripts, some with characters that must be escaped.
    let phrases: [String]
    /// Names of people.
    let people: [String]
    /// Beginnings of logins, in plain ASCII.
    let logins: [String]
    /// Names of repositories, in plain ASCII.
    let repositories: [String]

    /// - Throws: ``JSONError``, but never in practice: every word can be written as JSON.
    init() throws(JSONError) {
        phrases = try Self.phrases.map(Self.escaped) + Self.writtenPhrases
        people = try Self.people.map(Self.escaped)
        logins = try Self.logins.map(Self.escaped)
        repositories = try Self.repositories.map(Self.escaped)
    }

    /// The text as the Core's writer escapes it, without the quotes.
    private static func escaped(_ text: String) throws(JSONError) -> String {
        String(decoding: try text.jsonBytes().dropFirst().dropLast(), as: UTF8.self)
    }

    private static let phrases = [
        "Fix a crash in the parser", "Add tests", "Update dependencies", "Bump version to 2.4.1", "Refactor the reader",
        "Remove dead code", "Improve performance of the index", "Merge branch 'main' into develop", "Revert the last change",
        "Make the build reproducible", "Handle empty input", "Speed up look-ups by 12 %", "Document the format",
        "Rename \"manager\" to \"registry\"", "Keep C:\\temp\\feed out of the path", "First line\nsecond line",
        "A\ttab and a\r\nline break", "Form feed \u{0C} and backspace \u{08} and unit separator \u{1F}",
        "修复解析器中的崩溃", "改进性能并添加测试", "ドキュメントを更新しました", "日本語のコメントを直す", "버그 수정 및 테스트 추가",
        "Исправить ошибку при чтении", "Διόρθωση σφάλματος", "إصلاح خطأ في القراءة", "Korrigiere Umlaute: äöü ÄÖÜ ß",
        "Déjà vu à l'été, naïve façade", "Żółć i gęś", "🚀 Ship it", "✨ New feature 🎉", "🐛 Squash a bug",
        "👩‍👩‍👧‍👦 Family of emoji 👍🏽", "naı̈ve combining e\u{301}", "Use <b>markup</b> & entities", "50% of {braces} and [brackets]",
        "closes #1234", "see https://example.com/issues?q=is%3Aopen",
    ]

    /// Text as other producers write it, with escapes that the Core's writer does not use.
    private static let writtenPhrases = [
        #"Caf\u00e9 and cr\u00e8me"#, #"\ud83d\ude80 Launch by escape"#, #"Path src\/main\/reader.swift"#,
        #"\u4f60\u597d from escapes"#, #"Quote \u0022 and backslash \u005c"#,
    ]

    private static let people = [
        "Ada Lovelace", "José García", "李小龍", "Zoë Müller", "山田太郎", "Søren Ångström", "Михаил Иванов", "김민준",
        "Conor \"Con\" O'Brien", "Chloé Dubois", "नीरज शर्मा", "Grace Hopper", "🦊 Fox", "Nguyễn Văn An", "Ωmega",
    ]

    private static let logins = [
        "octo", "ada", "linus", "grace", "zoe", "kim", "sora", "mira", "dev", "build-bot", "night-owl", "pixel", "quark",
        "river", "falcon", "maple", "tango", "ember", "comet", "lumen",
    ]

    private static let repositories = [
        "hello-world", "sluice", "parser", "dotfiles", "awesome-list", "engine", "website", "infra", "ml-notebooks", "cli",
        "docs", "swift-json", "firmware", "atlas", "homebrew-tap", "kernel", "game.of.life", "playground_2", "api", "toolbox",
    ]
}
#endif
