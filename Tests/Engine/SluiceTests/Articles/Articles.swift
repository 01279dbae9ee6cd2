// The README and the articles of the documentation: their text, their code, and that all of their Swift is compiled in this folder.

import Foundation
import Testing

@testable import SluiceTestSupport

/// A Markdown document whose Swift is compiled in this folder.
struct Article: Sendable, CustomTestStringConvertible {
    static let readme = Article(file: TestTables.repository.appendingPathComponent("README.md"))

    let file: URL

    private init(file: URL) { self.file = file }

    /// An article of Sluice's catalogue, such as `Mapping`.
    init(_ name: String) {
        self.init(file: TestTables.repository.appendingPathComponent("Sources/Engine/Sluice/Sluice.docc/\(name).md"))
    }

    /// The README, and the articles of all catalogues.
    static func all() throws -> [Article] {
        var articles = [readme]
        let sources = TestTables.repository.appendingPathComponent("Sources")
        let files = FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil)
        while let file = files?.nextObject() as? URL {
            if file.pathExtension == "md" { articles.append(Article(file: file)) }
        }
        return articles
    }

    var text: String { get throws { try String(contentsOf: file, encoding: .utf8) } }

    var testDescription: String { file.lastPathComponent }

    /// The contents of the code blocks of a language.
    func blocks(_ language: String) throws -> [String] {
        var blocks: [String] = []
        var current: [Substring]?
        for line in try text.split(separator: "\n", omittingEmptySubsequences: false) {
            if let lines = current {
                if line == "```" {
                    blocks.append(lines.joined(separator: "\n"))
                    current = nil
                } else {
                    current = lines + [line]
                }
            } else if line == "```\(language)" {
                current = []
            }
        }
        return blocks
    }
}

@Suite struct ArticleTests {
    /// The first example fits the width of a documentation page.
    @Test(arguments: try Article.all())
    func theFirstExampleHasShortLines(article: Article) throws {
        let lines = try article.blocks("swift").first?.split(separator: "\n") ?? []
        #expect(lines.allSatisfy { $0.count <= 72 }, "\(lines.filter { $0.count > 72 })")
    }

    /// This target has no access to what is `package`, so the articles need only what is public, or their code would not compile.
    @Test func everySwiftBlockIsCompiledInThisFolder() throws {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        let sources = try files.filter { $0.pathExtension == "swift" }.map {
            normalized(try String(contentsOf: $0, encoding: .utf8))
        }
        for source in sources { #expect(!source.contains(/(?m)^@testable import (?!SluiceTestSupport$)/)) }
        var count = 0
        for article in try Article.all() {
            for block in try article.blocks("swift") {
                count += 1
                for paragraph in normalized(block).components(separatedBy: "\n\n") {
                    #expect(
                        sources.contains { $0.contains(paragraph) }, "\(article.testDescription): not compiled: \(paragraph)")
                }
            }
        }
        #expect(count >= 25)
    }

    /// Links between Markdown documents lead to files that exist.
    @Test func everyLinkLeadsToAFile() throws {
        for article in try Article.all() {
            let text = try article.text
            for link in text.matches(of: /\]\(([^)#:]+)(?:#[^)]*)?\)/) {
                let target = article.file.deletingLastPathComponent().appendingPathComponent(String(link.1)).standardized
                #expect(FileManager.default.fileExists(atPath: target.path), "\(article.testDescription): \(link.1)")
            }
            for link in text.matches(of: /<doc:([\w-]+)>/) {
                let folder = article.file.deletingLastPathComponent()
                let targets = ["\(link.1).md", "Tutorials/\(link.1).tutorial"].map { folder.appendingPathComponent($0).path }
                #expect(
                    targets.contains { FileManager.default.fileExists(atPath: $0) }, "\(article.testDescription): \(link.1)")
            }
        }
    }

    /// The lines without indentation, so that a block may be indented more here than there.
    private func normalized(_ text: String) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false)
            .map { $0.trimmingCharacters(in: .whitespaces) }.joined(separator: "\n")
    }
}
