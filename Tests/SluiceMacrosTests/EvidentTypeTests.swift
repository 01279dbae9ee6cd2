// Properties without an annotation: what an initial value says about its type. What it does not say is among ModelChecksTests.
#if Macros

import Testing

@Suite struct EvidentTypeTests {
    @Test func literalsAndInitialiserCallsHaveAnEvidentType() {
        expectExpansion(
            of: #"""
                @JSONModel
                struct Inferred {
                    var a = true, b = 1, c = -2, d = -2.5, e = "s", f = "\(1)"
                    var g = Author(name: "x"), h = [Int](), i = Set<String>(), j = [String: Int]()
                    var k = API.Author.init(), l = Int("5")!, m = Optional<Int>(3)
                }
                """#,
            differsFrom: """
                @JSONModel
                struct Inferred {
                    var a: Swift.Bool = x, b: Swift.Int = x, c: Swift.Int = x, d: Swift.Double = x, e: Swift.String = x, f: Swift.String = x
                    var g: Author = x, h: [Int] = x, i: Set<String> = x, j: [String: Int] = x
                    var k: API.Author = x, l: Int = x, m: Int? = x
                }
                """,
            in: #"""
                - var a: Swift.Bool = x, b: Swift.Int = x, c: Swift.Int = x, d: Swift.Double = x, e: Swift.String = x, f: Swift.String = x
                - var g: Author = x, h: [Int] = x, i: Set<String> = x, j: [String: Int] = x
                - var k: API.Author = x, l: Int = x, m: Int? = x
                + var a = true, b = 1, c = -2, d = -2.5, e = "s", f = "\(1)"
                + var g = Author(name: "x"), h = [Int](), i = Set<String>(), j = [String: Int]()
                + var k = API.Author.init(), l = Int("5")!, m = Optional<Int>(3)
                """#)
    }
}

#endif
