import SluiceTestSupport
import Testing

@testable import SluiceCore

@Suite struct PathSyntaxTests {
    private func bytes(_ keys: [String]) -> [[UInt8]] { keys.map { Array($0.utf8) } }

    @Test func theTableIsThere() {
        #expect(PathCases.all.count > 20)
        #expect(PathCases.wrong.count > 15)
        #expect(PathCases.document.hasPrefix("{\"a\":"))
    }

    @Test(arguments: PathCases.all) func aPathLeadsThroughItsKeys(path: PathCase) throws {
        #expect(bytes(try PathSyntax.keys(of: path.path)) == bytes(path.keys))
        #expect(bytes(JSONKeyPath(path.path).components) == bytes(path.keys))
        // What is written for it leads there, too.
        let text = PathSyntax.text(ofKeys: path.keys)
        #expect(bytes(try PathSyntax.keys(of: text)) == bytes(path.keys), "\(text)")
        #expect(try PathSyntax.text(of: PathSyntax.steps(of: text)) == text)
    }

    @Test(arguments: PathCases.all) func aColumnReadsTheValueAtItsPath(path: PathCase) throws {
        let reader = ColumnReader(columns: [JSONColumn(name: "x", type: .json, keys: [JSONKeyPath(path.path)])])
        let record = Array(PathCases.document.utf8)
        try unsafe record.withUnsafeBytes { try unsafe reader.read($0) }
        guard let value = path.value else {
            guard case .null = reader.value(at: 0) else {
                Issue.record("\(path) is there")
                return
            }
            return
        }
        guard case .text(let text) = reader.value(at: 0) else {
            Issue.record("\(path) is not there")
            return
        }
        #expect(unsafe String(decoding: text, as: UTF8.self) == (try value.jsonString()))
    }

    @Test(arguments: PathCases.wrong) func aTextThatIsNoPathIsRefusedAtItsColumn(wrong: WrongPath) {
        let fault = #expect(throws: PathFault.self) { try PathSyntax.steps(of: wrong.path) }
        #expect(fault?.column == wrong.column)
        // Where nothing can be thrown, it is one key.
        #expect(JSONKeyPath(wrong.path).components == [wrong.path])
    }

    @Test(arguments: PathCases.many) func aPathToManyValuesIsNoneToOne(path: String) throws {
        #expect(try PathSyntax.steps(of: path).contains(.any))
        #expect(throws: PathFault.self) { try PathSyntax.keys(of: path) }
    }

    @Test func theWholeIsADollar() throws {
        #expect(try PathSyntax.steps(of: "$") == [])
        #expect(PathSyntax.text(of: []) == "$")
        #expect(throws: PathFault.self) { try PathSyntax.keys(of: "$") }
        #expect(throws: PathFault.self) { try PathSyntax.keys(of: "") }
        #expect(try PathSyntax.steps(of: "$[0].a[*].*") == [.index(0), .key("a"), .any, .any])
        #expect(try PathSyntax.steps(of: #""\ud83d\ude00""#) == [.key("😀")])
    }

    @Test func namesAreKeysAndPathsOnlyWhereTwoWouldBeEqual() {
        #expect(PathSyntax.names(of: [["a.b"], ["c", "d"], ["e f"]]) == ["a.b", "c.d", "e f"])
        #expect(PathSyntax.names(of: [["a.b"], ["a", "b"], ["x"]]) == [#""a.b""#, "a.b", "x"])
        #expect(PathSyntax.names(of: [["a.b"], ["a", "b"], [#""a.b""#]]) == [#""a.b""#, "a.b", #""\"a.b\"""#])
    }

    @Test func signsInQuotedKeysDoNotSeparate() {
        #expect(PathSyntax.parts(of: #"id,"a,b".c,who="x=,y""#, between: ",").map(\.text) == ["id", #""a,b".c"#, #"who="x=,y""#])
        #expect(PathSyntax.parts(of: #"5",a"#, between: ",").map(\.text) == [#"5""#, "a"])
        #expect(PathSyntax.parts(of: #"a,"b\",c",d"#, between: ",").map(\.offset) == [0, 2, 10])
    }

    @Test func pathsOfHostileKeysAreReadAgain() throws {
        let keys = [
            "", "*", "/", "~", "[0]", "a]", ".", "a.b", "$", "$x", "\"", "\\", "\u{301}", "é", "e\u{301}", " ", "\n", "\u{0}",
            "0", "-1", "=",
            ":", ",", "'", "😀", "\u{FE0F}",
        ]
        for first in keys {
            for second in keys {
                let text = PathSyntax.text(ofKeys: [first, second])
                #expect(bytes(try PathSyntax.keys(of: text)) == bytes([first, second]), "\(text)")
            }
        }
    }
}
