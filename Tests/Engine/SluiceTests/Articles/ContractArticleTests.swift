// The code of the article about SluiceSchema.

import SluiceCore
import SluiceSchema
import Testing

@Suite struct ContractArticleTests {
    @Test func theBreachesAreThoseOfTheArticle() throws {
        var printed: [String] = []
        func print(_ item: String) { printed.append(item) }

        let schema = try JSONSchema(
            json: #"""
                {
                  "required": ["id", "kind"],
                  "properties": {
                    "id": {"type": "integer", "minimum": 1},
                    "kind": {"enum": ["created", "deleted"]},
                    "tags": {"type": "array", "uniqueItems": true}
                  },
                  "additionalProperties": false
                }
                """#)
        let text = #"{"id": 0, "kind": "created", "tag": []}"#
        for breach in try schema.validate(text).breaches {
            print(breach.summary)
        }

        let article = try #require(try Article.all().first { $0.testDescription == "SluiceSchema.md" })
        let block = try #require(try article.blocks("text").first)
        #expect(printed == block.split(separator: "\n").map(String.init))
    }

    @Test func documentsAreHandedOver() throws {
        let itemSchema = #"{"type": "string", "format": "email"}"#
        let orderSchema = #"{"$ref": "item.json"}"#
        var first: JSONSchema?
        func compile() throws {
            let options = JSONSchema.Options(
                baseURI: "https://example.com/schemas/order.json",
                documents: ["https://example.com/schemas/item.json": Array(itemSchema.utf8)],
                assertsFormats: true)
            let order = try JSONSchema(json: orderSchema, options: options)

            first = order

            let others = try JSONSchema(path: "schemas/others.json")

            _ = others
        }
        let error = #expect(throws: JSONError.self) { try compile() }
        // The tests have no such file.
        #expect(error?.kind == .inputOutput)
        let order = try #require(first)
        #expect(try order.isValid(#""ann@example.com""#))
        #expect(try !order.isValid(#""ann""#))
    }
}
