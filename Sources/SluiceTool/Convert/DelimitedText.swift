// Writes fields as a line of CSV or TSV.

#if CommandLine
/// A format with one record per line and a delimiter between fields.
enum DelimitedText {
    /// RFC 4180: a comma between fields, CRLF at the end of each line, quotes around fields that need them.
    case csv
    /// text/tab-separated-values: a tab between fields, LF at the end of each line; tabs, line breaks and backslashes inside
    /// fields are written as `\t`, `\n`, `\r` and `\\`.
    case tsv

    /// Appends a line.
    func append(_ fields: some Sequence<String?>, to bytes: inout [UInt8]) {
        var isFirst = true
        for field in fields {
            if !isFirst { bytes.append(self == .csv ? UInt8(ascii: ",") : UInt8(ascii: "\t")) }
            isFirst = false
            guard let field else { continue }
            if self == .csv { appendQuoted(field, to: &bytes) } else { appendEscaped(field, to: &bytes) }
        }
        if self == .csv { bytes.append(UInt8(ascii: "\r")) }
        bytes.append(UInt8(ascii: "\n"))
    }

    private func appendQuoted(_ field: String, to bytes: inout [UInt8]) {
        // An empty text is quoted, to differ from a missing value. psql takes a line `\.` for the end of the rows.
        let needsQuotes =
            field.isEmpty || field == "\\."
            || field.utf8.contains {
                $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r")
            }
        guard needsQuotes else { return bytes.append(contentsOf: field.utf8) }
        bytes.append(UInt8(ascii: "\""))
        for byte in field.utf8 {
            if byte == UInt8(ascii: "\"") { bytes.append(byte) }
            bytes.append(byte)
        }
        bytes.append(UInt8(ascii: "\""))
    }

    private func appendEscaped(_ field: String, to bytes: inout [UInt8]) {
        for byte in field.utf8 {
            switch byte {
            case UInt8(ascii: "\t"): bytes.append(contentsOf: "\\t".utf8)
            case UInt8(ascii: "\n"): bytes.append(contentsOf: "\\n".utf8)
            case UInt8(ascii: "\r"): bytes.append(contentsOf: "\\r".utf8)
            case UInt8(ascii: "\\"): bytes.append(contentsOf: "\\\\".utf8)
            default: bytes.append(byte)
            }
        }
    }
}
#endif
