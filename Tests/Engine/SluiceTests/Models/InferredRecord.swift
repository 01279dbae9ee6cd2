// What `sluice infer --as swift --name InferredRecord Tests/Fixtures/inferred.ndjson` writes; InferTests compares the two.

#if Macros
import Foundation
import Sluice

@JSONModel(keys: .snakeCase)
struct InferredRecord {
    var id: Int
    @JSONKey("ID") var id2: String
    var createdAt: Date
    var actor: Actor
    var tags: [String]
    var statuses: [Status]
    var score: Int?
    var ratio: Double
    var ok: Bool
    var `class`: String
    @JSONKey(literal: "swift.version") var swiftVersion: String
    @JSONKey("2x") var _2x: [[Int]]
    @JSONKey("self") var selfValue: Int
    var nothing: JSONValue?
    var empty: [JSONValue]
    var open: JSONValue
    var mixed: JSONValue
    var huge: JSONValue
    var type: TypeObject
    var responses: [Response]?
    var htmlUrl: URL?

    @JSONModel(keys: .snakeCase)
    struct Actor {
        var login: String
        var avatarUrl: URL?
        var type: String
    }

    @JSONModel(keys: .snakeCase)
    struct Status {
        var text: String
        var retweetCount: Int?
        var lang: String?
    }

    @JSONModel
    struct TypeObject {
        var string: StringObject

        @JSONModel
        struct StringObject {
            var value: String
        }
    }

    @JSONModel
    struct Response {
        var code: Int
    }
}
#endif
