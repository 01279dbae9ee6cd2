// Addresses of the internet: numbers, mailboxes and URIs.

extension FormatCursor {
    // MARK: IP

    mutating func takeIPv4() -> Bool {
        for part in 0..<4 {
            if part > 0, !take(".") { return false }
            if take("0") { continue }
            let start = self
            let digits = skip(.digits)
            var number = start
            guard digits >= 1, digits <= 3, number.takeNumber(digits: digits, upTo: 255) != nil else { return false }
        }
        return true
    }

    /// An address that ends where no more of it can follow.
    mutating func takeIPv6() -> Bool {
        var groups = 0
        var isCompressed = false
        if take(":") {
            guard take(":") else { return false }
            isCompressed = true
        }
        while let byte = peek, ASCIISet.hexadecimal.contains(byte) {
            var mixed = self
            if mixed.takeIPv4(), mixed.isAtEnd || mixed.peek == UInt8(ascii: "]") {
                self = mixed
                groups += 2
                break
            }
            let digits = skip(.hexadecimal)
            groups += 1
            guard digits <= 4, groups <= 8 else { return false }
            guard take(":") else { break }
            if take(":") {
                guard !isCompressed else { return false }
                isCompressed = true
            } else if peek.map(ASCIISet.hexadecimal.contains) != true {
                return false
            }
        }
        return isCompressed ? groups <= 7 : groups == 8
    }

    // MARK: Mailboxes

    private static let atom = ASCIISet.alphanumeric.union("!#$%&'*+-/=?^_`{|}~")

    /// `Mailbox` of RFC 5321, section 4.1.2. The lengths are those of section 4.5.3.1.
    mutating func takeMailbox() -> Bool {
        let start = index
        guard take("\"") ? takeQuotedString() : takeDotString(), index - start <= 64, take("@") else { return false }
        guard take("[") else { return takeHostname() }
        if take("I") || take("i") {
            guard take("P") || take("p"), take("v") || take("V"), take("6"), take(":"), takeIPv6() else { return false }
        } else {
            guard takeIPv4() else { return false }
        }
        return take("]")
    }

    private mutating func takeDotString() -> Bool {
        repeat {
            if skip(FormatCursor.atom) == 0 { return false }
        } while take(".")
        return true
    }

    /// The rest of a string in quotes: printable ASCII, in which a backslash comes before quotes and backslashes.
    private mutating func takeQuotedString() -> Bool {
        while !take("\"") {
            _ = take("\\")
            guard let byte = peek, byte >= 0x20, byte < 0x7F, take(Unicode.Scalar(byte)) else { return false }
        }
        return true
    }

    // MARK: URIs

    private static let unreserved = ASCIISet.alphanumeric.union("-._~")
    private static let registeredName = unreserved.union("!$&'()*+,;=")
    private static let userInfo = registeredName.union(":")
    private static let segment = registeredName.union(":@")
    private static let path = segment.union("/")
    private static let segmentWithoutColon = registeredName.union("@")
    private static let query = path.union("?")
    private static let scheme = ASCIISet.alphanumeric.union("+-.")

    /// `URI` of RFC 3986, appendix A, or `URI-reference`.
    mutating func takeURI(isReference: Bool) -> Bool {
        var scheme = self
        let hasScheme = scheme.take(.letters) && scheme.skip(FormatCursor.scheme) >= 0 && scheme.take(":")
        if hasScheme { self = scheme } else if !isReference { return false }
        var authority = self
        if authority.take("/"), authority.take("/") {
            self = authority
            guard takeAuthority() else { return false }
            if let byte = peek, !"/?#".utf8.contains(byte) { return false }
        } else if !hasScheme {
            // `1:b` would look like a scheme.
            guard skipEncoded(FormatCursor.segmentWithoutColon), peek != UInt8(ascii: ":") else { return false }
        }
        guard skipEncoded(FormatCursor.path) else { return false }
        if take("?"), !skipEncoded(FormatCursor.query) { return false }
        return !take("#") || skipEncoded(FormatCursor.query)
    }

    /// `user@example.com:80`; the part before `@`, the port, and even the name may be missing.
    private mutating func takeAuthority() -> Bool {
        var user = self
        if user.skipEncoded(FormatCursor.userInfo), user.take("@") { self = user }
        if take("[") {
            if take("v") || take("V") {
                guard skip(.hexadecimal) > 0, take("."), skip(FormatCursor.userInfo) > 0 else { return false }
            } else {
                guard takeIPv6() else { return false }
            }
            guard take("]") else { return false }
        } else {
            guard skipEncoded(FormatCursor.registeredName) else { return false }
        }
        if take(":") { skip(.digits) }
        return true
    }

    /// Skips characters of a set and those that are encoded with `%`; false if one of these is incomplete.
    private mutating func skipEncoded(_ set: ASCIISet) -> Bool {
        repeat {
            skip(set)
            guard take("%") else { return true }
        } while take(.hexadecimal) && take(.hexadecimal)
        return false
    }
}
