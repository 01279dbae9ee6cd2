// Builds one object of the values that go into the overflow column.

package import SluiceCore

/// Gathers values at paths of keys into one object, with the objects on the way.
package struct GatheredObject {
    /// An object on the way.
    private final class Node {
        enum Content {
            case value(JSONValue)
            case node(Node)
        }

        var members: [(key: String, content: Content)] = []
        /// The objects among the members, by key: with many members, a search for each value would take long.
        var nodes: [[UInt8]: Node] = [:]

        /// The object of a key, made if it is missing.
        func node(_ key: String) -> Node {
            let bytes = Array(key.utf8)
            if let known = nodes[bytes] { return known }
            let made = Node()
            nodes[bytes] = made
            members.append((key, .node(made)))
            return made
        }

        var object: JSONObject {
            JSONObject(
                members.map { key, content in
                    switch content {
                    case .value(let value): (key, value)
                    case .node(let node): (key, .object(node.object))
                    }
                })
        }
    }

    private let root = Node()

    /// Adds a value at a path of keys; values of the same path stand side by side.
    package func add(_ value: JSONValue, at path: [String]) {
        guard let last = path.last else { return }
        let node = path.dropLast().reduce(root) { $0.node($1) }
        node.members.append((last, .value(value)))
    }

    /// All values, in the order in which their keys first came.
    package var object: JSONObject { root.object }
}
