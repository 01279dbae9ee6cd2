// The texts of the library in the words of the command line.

#if CommandLine
internal import SluiceIngest

extension IngestMessage {
    /// The text with options as they are written on the command line.
    var commandLine: String { text { $0.commandLine } }
}

extension IngestError {
    var commandLine: String { message.commandLine }
}

extension IngestOption {
    /// The option as it is written on the command line.
    fileprivate var commandLine: String {
        switch self {
        case .at(let path): path.map { "--at '\($0)'" } ?? "--at"
        case .atOptional(let optional): "--at-optional=\(optional)"
        case .format(let name): "--format \(name)"
        case .keyColumn(let name): "--key-column \(name)"
        case .valueColumn(let name): "--value-column \(name)"
        case .header: "--header"
        case .filter: "--where"
        case .range: "--range"
        case .column: "--column"
        case .type(let column): "--type \(column)"
        case .contract(let contract): "--contract \(contract.rawValue)"
        case .overflow(let column): "--overflow \(column)"
        case .sensitive(let path): "--sensitive \(path)"
        case .table: "--table"
        case .key(let column): "--pk" + (column.map { " \($0)" } ?? "")
        case .upsert: "--upsert"
        case .ignore: "--ignore"
        case .replace: "--replace"
        case .append: "--append"
        case .truncate: "--truncate"
        case .drop: "--drop"
        case .rejects(let path): "--rejects \(path)"
        case .changes(let name): "--changes \(name)"
        case .metrics(let path): "--metrics \(path)"
        case .provenance(let table): table.map { "--provenance-table \($0)" } ?? "--provenance"
        case .missing(let rows): "--missing \(rows)"
        case .restart: "--restart"
        case .wait: "--wait"
        }
    }
}

extension UnseenPath {
    /// The path with the option that names it, and what was probably meant.
    var text: String {
        let user =
            switch reader {
            case .column(let name): "which \(name) reads"
            case .type: "whose type --type sets"
            case .condition: "which --where compares"
            case .sensitive: "which --sensitive hides"
            case .json: "which --json keeps whole"
            }
        if let holder { return "\(path), \(user), is inside the column \(holder), which holds JSON" }
        return "no record has \(path), \(user)" + (meant.map { "; did you mean \($0)?" } ?? others)
    }
}
#endif
