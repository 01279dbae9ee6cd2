import SluiceSchema
import Testing

struct SchemaSmokeTests {
    @Test func works() throws {
        let schema = try JSONSchema(json: #"{"required": ["id"], "properties": {"age": {"type": "integer", "minimum": 0}}}"#)
        #expect(try schema.isValid(#"{"id": 1, "age": 30}"#))
    }
}
