// The keys of a model as a tree: a path such as `user.name` is a node below another.

/// A key of a level, with the properties that have it and the keys below it.
final class KeyNode {
    let key: String
    var rows: [(slot: Int, rank: Int)] = []
    /// Whether the key is one of an inlined property, which reads it by itself.
    var isInlined = false
    /// In the order in which they were added.
    var children: [KeyNode] = []
    private var childByKey: [[UInt8]: KeyNode] = [:]

    init(key: String) { self.key = key }

    /// How many keys the level with the most keys has, from this node on.
    var greatestChildCount: Int { children.reduce(children.count) { max($0, $1.greatestChildCount) } }

    func child(_ key: String) -> KeyNode {
        // Byte by byte, as in the text: the two Unicode spellings of "é" are different keys.
        let bytes = Array(key.utf8)
        if let known = childByKey[bytes] { return known }
        let made = KeyNode(key: key)
        children.append(made)
        childByKey[bytes] = made
        return made
    }
}
