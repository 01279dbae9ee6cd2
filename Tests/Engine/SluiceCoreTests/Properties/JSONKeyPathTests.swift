import Testing

@testable import SluiceCore

@Suite struct JSONKeyPathTests {
    @Test(
        arguments: [
            ("a", ["a"]), ("a.b.c", ["a", "b", "c"]), ("", [""]), (".", ["."]), ("..", [".."]), ("a.", ["a."]), (".a", [".a"]),
            ("a..b", ["a..b"]), ("a[0].b", ["a", "0", "b"]), (#""a.b".c"#, ["a.b", "c"]), ("/a/b", ["a", "b"]), ("$.a", ["a"]),
            ("é.😀", ["é", "😀"]),
        ])
    func pathsAreReadAndOtherTextsAreOneKey(_ text: String, _ components: [String]) {
        #expect(JSONKeyPath(text).components == components)
        #expect(JSONKeyPath(stringLiteral: text) == JSONKeyPath(text))
        #expect(JSONKeyPath.literal(text).components == [text])
        #expect(JSONKeyPath(text).description == components.joined(separator: "."))
    }
}

@Suite struct JSONKeyStrategyTests {
    @Test(
        arguments: [
            ("name", "name", "name", "Name"), ("createdAt", "created_at", "created-at", "CreatedAt"),
            ("htmlURL", "html_url", "html-url", "HtmlURL"),
            ("URLSession", "url_session", "url-session", "URLSession"), ("userID2", "user_id2", "user-id2", "UserID2"),
            ("_id", "_id", "_id", "_id"),
            ("user_name", "user_name", "user_name", "User_name"), ("html5Parser", "html5_parser", "html5-parser", "Html5Parser"),
            ("aB", "a_b", "a-b", "AB"), ("A", "a", "a", "A"), ("ABC", "abc", "abc", "ABC"),
            ("éÉcole", "é_école", "é-école", "ÉÉcole"), ("", "", "", ""),
        ])
    func namesBecomeKeys(_ name: String, _ snake: String, _ kebab: String, _ pascal: String) {
        #expect(JSONKeyStrategy.verbatim.key(for: name).components == [name])
        #expect(JSONKeyStrategy.snakeCase.key(for: name).components == [snake])
        #expect(JSONKeyStrategy.kebabCase.key(for: name).components == [kebab])
        #expect(JSONKeyStrategy.pascalCase.key(for: name).components == [pascal])
    }

    @Test func ownFunctionsMayMakePaths() {
        #expect(JSONKeyStrategy.custom { "data." + $0.uppercased() }.key(for: "id").components == ["data", "ID"])
        #expect(JSONKeyStrategy.verbatim.key(for: "a.b").components == ["a.b"])
    }
}
