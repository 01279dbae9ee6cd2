// The record that the examples read and write.

public import Sluice

/// Somebody did something.
@JSONModel
public struct Event: Sendable {
    public var id: Int
    public var type: String
    @JSONKey("actor.login") public var actor: String
    public var tags: [String] = []

    public init(id: Int, type: String, actor: String, tags: [String] = []) {
        self.id = id
        self.type = type
        self.actor = actor
        self.tags = tags
    }

    /// A made-up event.
    public static func sample(_ id: Int) -> Event {
        Event(
            id: id, type: id % 3 == 0 ? "PushEvent" : "WatchEvent", actor: "user\(id % 97)",
            tags: id % 5 == 0 ? ["a longer tag of the event", "short"] : [])
    }
}
