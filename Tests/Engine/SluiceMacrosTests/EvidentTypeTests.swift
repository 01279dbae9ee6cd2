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
                - model._defaulted("a", \Self.a, .each(x))
                - model._defaulted("b", \Self.b, .each(x))
                - model._defaulted("c", \Self.c, .each(x))
                - model._defaulted("d", \Self.d, .each(x))
                - model._defaulted("e", \Self.e, .each(x))
                - model._defaulted("f", \Self.f, .each(x))
                - model._unmarkedDefaulted("g", \Self.g, .each(x))
                - model._defaulted("h", \Self.h, .each(x))
                - model._defaulted("i", \Self.i, .each(x))
                - model._defaulted("j", \Self.j, .each(x))
                - model._unmarkedDefaulted("k", \Self.k, .each(x))
                - model._defaulted("l", \Self.l, .each(x))
                - model._optional("m", \Self.m, .each(x))
                + model._defaulted("a", \Self.a, .literal(true))
                + model._defaulted("b", \Self.b, .literal(1))
                + model._defaulted("c", \Self.c, .literal(-2))
                + model._defaulted("d", \Self.d, .literal(-2.5))
                + model._defaulted("e", \Self.e, .literal("s"))
                + model._defaulted("f", \Self.f, .each("\(1)"))
                + model._unmarkedDefaulted("g", \Self.g, .each(Author(name: "x")))
                + model._defaulted("h", \Self.h, .each([Int]()))
                + model._defaulted("i", \Self.i, .each(Set<String>()))
                + model._defaulted("j", \Self.j, .each([String: Int]()))
                + model._unmarkedDefaulted("k", \Self.k, .each(API.Author.init()))
                + model._defaulted("l", \Self.l, .each(Int("5")!))
                + model._optional("m", \Self.m, .each(Optional<Int>(3)))
                """#)
    }
}

#endif
