// References of schemas are URIs (RFC 3986): a reference and the base that it is relative to become an absolute URI and a fragment.

internal import SluiceCore

/// Resolves the references of schemas.
enum SchemaURI {
    private struct Parts {
        var scheme: Substring?
        var authority: Substring?
        var path: Substring
        var query: Substring?
        var fragment: Substring?

        /// Splits a reference as the regular expression of RFC 3986, appendix B, does.
        init(_ text: String) {
            var rest = text[...]
            if let hash = rest.utf8.firstIndex(of: UInt8(ascii: "#")) {
                fragment = rest[rest.utf8.index(after: hash)...]
                rest = rest[..<hash]
            }
            if let mark = rest.utf8.firstIndex(of: UInt8(ascii: "?")) {
                query = rest[rest.utf8.index(after: mark)...]
                rest = rest[..<mark]
            }
            if let colon = rest.utf8.firstIndex(where: { ":/".utf8.contains($0) }), rest.utf8[colon] == UInt8(ascii: ":"),
                colon > rest.startIndex
            {
                scheme = rest[..<colon]
                rest = rest[rest.utf8.index(after: colon)...]
            }
            if rest.utf8.starts(with: "//".utf8) {
                rest = rest.dropFirst(2)
                let end = rest.utf8.firstIndex(of: UInt8(ascii: "/")) ?? rest.endIndex
                authority = rest[..<end]
                rest = rest[end...]
            }
            path = rest
        }

        /// The URI without its fragment.
        var absolute: String {
            var text = ""
            if let scheme { text += scheme + ":" }
            if let authority { text += "//" + authority }
            text += path
            if let query { text += "?" + query }
            return text
        }
    }

    /// The URI that a reference means, without its fragment, and the fragment with its percent signs decoded (nil if there is no fragment).
    static func resolve(_ reference: String, against base: String) -> (uri: String, fragment: String?) {
        var parts = Parts(reference)
        let fragment = parts.fragment.map { decoded($0) }
        if parts.scheme != nil {
            if parts.authority != nil { parts.path = withoutDots(parts.path)[...] }
            return (parts.absolute, fragment)
        }
        let root = Parts(base)
        parts.scheme = root.scheme
        guard parts.authority == nil else { return (parts.absolute, fragment) }
        parts.authority = root.authority
        if parts.path.isEmpty {
            parts.path = root.path
            if parts.query == nil { parts.query = root.query }
        } else if parts.path.utf8.first == UInt8(ascii: "/") {
            parts.path = withoutDots(parts.path)[...]
        } else {
            var folder = root.path.utf8.lastIndex(of: UInt8(ascii: "/")).map { root.path[...$0] } ?? ""
            if folder.isEmpty, root.authority != nil { folder = "/" }
            parts.path = withoutDots(folder + parts.path)[...]
        }
        return (parts.absolute, fragment)
    }

    /// A path without the segments `.` and `..`; a relative path keeps those that lead out of it.
    private static func withoutDots(_ path: some StringProtocol) -> String {
        var kept: [Substring] = []
        let segments = path.split(separator: "/", omittingEmptySubsequences: false).map { Substring($0) }
        let isRooted = path.utf8.first == UInt8(ascii: "/")
        for (index, segment) in segments.enumerated() {
            let isLast = index == segments.count - 1
            switch segment {
            case ".": if isLast { kept.append("") }
            case "..":
                if kept.count > (isRooted ? 1 : 0), kept.last != ".." {
                    kept.removeLast()
                } else if !isRooted {
                    kept.append(segment)
                }
                if isLast { kept.append("") }
            default: kept.append(segment)
            }
        }
        return kept.joined(separator: "/")
    }

    /// A text with its `%41` decoded; the text as it is if they are not UTF-8.
    static func decoded(_ text: Substring) -> String {
        guard text.utf8.contains(UInt8(ascii: "%")) else { return String(text) }
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            let digits = rest.prefix(2).compactMap { UnicodeValidation.hexadecimalDigit($0) }
            if byte == UInt8(ascii: "%"), digits.count == 2 {
                bytes.append(digits[0] << 4 | digits[1])
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return String(validating: bytes, as: UTF8.self) ?? String(text)
    }

    /// The steps of a JSON Pointer (RFC 6901), which begins with a slash or is empty; nil for other text.
    static func steps(ofPointer text: String) -> [String]? {
        if text.isEmpty { return [] }
        guard text.utf8.first == UInt8(ascii: "/") else { return nil }
        return text.utf8.dropFirst().split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).map { step in
            replacing("~0", by: "~", in: replacing("~1", by: "/", in: String(Substring(step))))
        }
    }

    /// A key as a step of a JSON Pointer.
    static func step(_ key: String) -> String {
        replacing("/", by: "~1", in: replacing("~", by: "~0", in: key))
    }

    private static func replacing(_ old: String, by new: String, in text: String) -> String {
        guard text.utf8.contains(old.utf8.first ?? 0) else { return text }
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let first = rest.first {
            if rest.starts(with: old.utf8) {
                bytes += new.utf8
                rest = rest.dropFirst(old.utf8.count)
            } else {
                bytes.append(first)
                rest = rest.dropFirst()
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
