// A class becomes text that finds it again in another run of the program, and text from an archive becomes a class: never more than the
// name of a class inside types, because the runtime's own notation can also ask for types without end.

extension StoredObjects.ClassName {
    /// The longest path, and the most names in one.
    private static let maximumLength = 512
    private static let maximumDepth = 5

    /// The name of a class. One that is private, or declared inside a function, cannot be found by its path.
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

    /// `["App", "Zoo", "Dog"]` → `3App3ZooV3DogC` and the same with `C` and `O`: a struct, a class or an enum around a class.
    private static func paths(of names: [String]) -> [String] {
        guard names.count >= 2, names.count <= maximumDepth, names.allSatisfy(isPlainName) else { return [] }
        let quoted = names.map { "\($0.utf8.count)\($0)" }
        var paths = [quoted[0]]
        for name in quoted[1..<(quoted.count - 1)] { paths = paths.flatMap { path in ["V", "C", "O"].map { path + name + $0 } } }
        return paths.map { $0 + quoted[quoted.count - 1] + "C" }.filter { $0.utf8.count <= maximumLength }
    }

    /// Whether a path is of the form that ``paths(of:)`` gives it.
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
