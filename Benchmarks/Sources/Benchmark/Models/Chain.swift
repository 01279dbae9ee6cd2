// A model that leads back to itself, for the measurements of depth.

internal import Sluice

/// A list by way of a class: `{"value": 1, "next": {"value": 2}}`.
@JSONModel
final class Chain: Codable, Equatable, Sendable {
    let value: Int
    let next: Chain?

    init(value: Int, next: Chain?) {
        self.value = value
        self.next = next
    }

    static func == (left: Chain, right: Chain) -> Bool { left.value == right.value && left.next == right.next }
}
