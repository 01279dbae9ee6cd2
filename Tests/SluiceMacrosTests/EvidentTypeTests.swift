// Properties without an annotation: what an initial value says about its type, and what it does not.
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
            is: #"""

                struct Inferred {
                    var a = true, b = 1, c = -2, d = -2.5, e = "s", f = "\(1)"
                    var g = Author(name: "x"), h = [Int](), i = Set<String>(), j = [String: Int]()
                    var k = API.Author.init(), l = Int("5")!, m = Optional<Int>(3)

                    struct JSONDraft: SluiceCore._JSONModelDraft {
                        fileprivate var a: Swift.Optional<Swift.Bool> = nil
                        fileprivate var b: Swift.Optional<Swift.Int> = nil
                        fileprivate var c: Swift.Optional<Swift.Int> = nil
                        fileprivate var d: Swift.Optional<Swift.Double> = nil
                        fileprivate var e: Swift.Optional<Swift.String> = nil
                        fileprivate var f: Swift.Optional<Swift.String> = nil
                        fileprivate var g: Swift.Optional<Author> = nil
                        fileprivate var h: Swift.Optional<[Int]> = nil
                        fileprivate var i: Swift.Optional<Set<String>> = nil
                        fileprivate var j: Swift.Optional<[String: Int]> = nil
                        fileprivate var k: Swift.Optional<API.Author> = nil
                        fileprivate var l: Swift.Optional<Int> = nil
                        fileprivate var m: Swift.Optional<Int> = nil
                        init() {}
                    }

                    static func _describeJSON(_ model: inout SluiceCore._ModelDescription<JSONDraft>) {
                        do {
                            func JSON<JSONType: SluiceCore.JSONBindable>(_: JSONType.Type) {}
                            @available(*, unavailable, message: "mark 'Author' with '@JSONModel', or the property with '@JSONIgnored'") func JSON<JSONType>(_: JSONType.Type) {}
                            #sourceLocation(file: "test.swift", line: 4)
                            JSON((Author).self)
                            #sourceLocation()
                        }
                        do {
                            func JSON<JSONType: SluiceCore.JSONBindable>(_: JSONType.Type) {}
                            @available(*, unavailable, message: "mark 'API.Author' with '@JSONModel', or the property with '@JSONIgnored'") func JSON<JSONType>(_: JSONType.Type) {}
                            #sourceLocation(file: "test.swift", line: 5)
                            JSON((API.Author).self)
                            #sourceLocation()
                        }
                        model._row("a", \JSONDraft.a, .defaulted)
                        model._row("b", \JSONDraft.b, .defaulted)
                        model._row("c", \JSONDraft.c, .defaulted)
                        model._row("d", \JSONDraft.d, .defaulted)
                        model._row("e", \JSONDraft.e, .defaulted)
                        model._row("f", \JSONDraft.f, .defaulted)
                        model._unmarkedRow("g", \JSONDraft.g, .defaulted)
                        model._row("h", \JSONDraft.h, .defaulted)
                        model._row("i", \JSONDraft.i, .defaulted)
                        model._row("j", \JSONDraft.j, .defaulted)
                        model._unmarkedRow("k", \JSONDraft.k, .defaulted)
                        model._row("l", \JSONDraft.l, .defaulted)
                        model._row("m", \JSONDraft.m, .optional)
                    }
                }

                extension Inferred: SluiceCore.JSONBindable, SluiceCore._ReadableModel, SluiceCore.JSONModel {
                    static let _jsonTable: SluiceCore.PropertyTable = ._compiled(for: Inferred.self)

                    init(_jsonDraft draft: inout JSONDraft, bound: SluiceCore._BoundProperties) throws(SluiceCore.JSONError) {
                        if var value = draft.a.take() { Swift.swap(&self.a, &value) }
                        if var value = draft.b.take() { Swift.swap(&self.b, &value) }
                        if var value = draft.c.take() { Swift.swap(&self.c, &value) }
                        if var value = draft.d.take() { Swift.swap(&self.d, &value) }
                        if var value = draft.e.take() { Swift.swap(&self.e, &value) }
                        if var value = draft.f.take() { Swift.swap(&self.f, &value) }
                        if var value = draft.g.take() { Swift.swap(&self.g, &value) }
                        if var value = draft.h.take() { Swift.swap(&self.h, &value) }
                        if var value = draft.i.take() { Swift.swap(&self.i, &value) }
                        if var value = draft.j.take() { Swift.swap(&self.j, &value) }
                        if var value = draft.k.take() { Swift.swap(&self.k, &value) }
                        if var value = draft.l.take() { Swift.swap(&self.l, &value) }
                        if bound.contains(12) { Swift.swap(&self.m, &draft.m) }
                    }

                    func _writeJSON(_ slot: Swift.Int, to writer: inout SluiceCore.JSONWriter) throws(SluiceCore.JSONError) {
                        switch slot {
                        case 0: try writer.property(self.a)
                        case 1: try writer.property(self.b)
                        case 2: try writer.property(self.c)
                        case 3: try writer.property(self.d)
                        case 4: try writer.property(self.e)
                        case 5: try writer.property(self.f)
                        case 6: try writer._property(self.g)
                        case 7: try writer.property(self.h)
                        case 8: try writer.property(self.i)
                        case 9: try writer.property(self.j)
                        case 10: try writer._property(self.k)
                        case 11: try writer.property(self.l)
                        case 12: try writer.property(self.m)
                        default: break
                        }
                    }

                    func _makeDraft() -> JSONDraft? {
                        var draft = JSONDraft()
                        draft.a = self.a
                        draft.b = self.b
                        draft.c = self.c
                        draft.d = self.d
                        draft.e = self.e
                        draft.f = self.f
                        draft.g = self.g
                        draft.h = self.h
                        draft.i = self.i
                        draft.j = self.j
                        draft.k = self.k
                        draft.l = self.l
                        draft.m = self.m
                        return draft
                    }

                    static func _jsonKeyPath(_ slot: Swift.Int) -> Swift.AnyKeyPath? {
                        switch slot {
                        case 0: return \Self.a
                        case 1: return \Self.b
                        case 2: return \Self.c
                        case 3: return \Self.d
                        case 4: return \Self.e
                        case 5: return \Self.f
                        case 6: return \Self.g
                        case 7: return \Self.h
                        case 8: return \Self.i
                        case 9: return \Self.j
                        case 10: return \Self.k
                        case 11: return \Self.l
                        case 12: return \Self.m
                        default: return nil
                        }
                    }
                }
                """#)
    }
}

#endif
