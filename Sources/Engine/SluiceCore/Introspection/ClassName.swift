// Turns a class into a text by which another run of the program can find it, and a text from an archive into a class. Only the name of a
// class, possibly nested in other types, is accepted. The runtime's notation allows far more, even types of unlimited size, and an archive
// may come from anybody.

extension StoredObjects.ClassName {
    /// The most bytes of a path, and the most names in one.
    private static let maximumLength = 512
    private static let maximumDepth = 5

    /// The name of a class. A class that is private or declared inside a function gets an empty path, because the runtime cannot
    /// find it.
    init(of type: any (JSONModel & AnyObject).Type) {
        simple = String(describing: type)
        let names = String(reflecting: type).split(separator: ".").map(String.init)
        path = Self.paths(of: names).first { _typeByName($0).map { $0 == type } ?? false } ?? ""
    }

    /// The class, if this program has it.
    var type: (any (JSONModel & AnyObject).Type)? {
        guard Self.isPlain(path) else { return nil }
        return _typeByName(path) as? any (JSONModel & AnyObject).Type
    }

    /// The possible paths of a class: `["App", "Zoo", "Dog"]` → `3App3ZooV3DogC`, `3App3ZooC3DogC` and `3App3ZooO3DogC`, because the
    /// enclosing type may be a struct (V), a class (C) or an enum (O).
    private static func paths(of names: [String]) -> [String] {
        guard names.count >= 2, names.count <= maximumDepth, names.allSatisfy(isPlainName) else { return [] }
        let quoted = names.map { "\($0.utf8.count)\($0)" }
        var paths = [quoted[0]]
        for name in quoted[1..<(quoted.count - 1)] { paths = paths.flatMap { path in ["V", "C", "O"].map { path + name + $0 } } }
        return paths.map { $0 + quoted[quoted.count - 1] + "C" }.filter { $0.utf8.count <= maximumLength }
    }

    /// Whether a path has the form that ``paths(of:)`` makes.
    private static func isPlain(_ path: String) -> Bool {
        guard path.utf8.count <= maximumLength else { return false }
        var rest = path.utf8[...]
        var depth = 0
        while !rest.isEmpty {
            let digits = rest.prefix { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
            guard let first = digits.first, first != UInt8(ascii: "0"), let count = Int(String(Substring(digits))) else {
                return false
            }
            rest = rest.dropFirst(digits.count)
            guard rest.count >= count, isPlainName(String(Substring(rest.prefix(count)))) else { return false }
            rest = rest.dropFirst(count)
            depth += 1
            guard depth > 1 else { continue }
            guard let kind = rest.popFirst(), "VCO".utf8.contains(kind), !rest.isEmpty || kind == UInt8(ascii: "C") else {
                return false
            }
        }
        return (2...maximumDepth).contains(depth)
    }

    private static func isPlainName(_ name: String) -> Bool {
        guard let first = name.utf8.first, !(UInt8(ascii: "0")...UInt8(ascii: "9") ~= first) else { return false }
        return name.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "_"):
                true
            default: false
            }
        }
    }
}
