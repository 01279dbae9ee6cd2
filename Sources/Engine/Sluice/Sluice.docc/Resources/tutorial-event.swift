import Foundation
import Sluice

@JSONModel(keys: .snakeCase)
struct Event {
    var id: String
    var type: String
    @JSONKey("actor.login") var actor: String
    var createdAt: Date
}
