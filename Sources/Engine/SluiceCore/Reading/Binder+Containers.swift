// When a container opens, the row decides what happens to it; when it closes, the value is made from its frame.

extension Binder {
    /// `{`
    @inline(__always)
    mutating func openObject() -> Bool {
        document.nesting &+= 1
        if document.nesting > policy.maximumDepth { return failDepth() }
        if document.skipDepth != 0 {
            document.skipDepth &+= 1
            return true
        }
        let row = document.frame.row
        switch row.kind {
        case .model:
            return openModel(row.binding, as: .object)
        case .ignored:
            document.skipDepth = 1
            return true
        case .raw, .jsonCell, .sharedKey, .captured:
            return openCapture()
        case .dictionary, .value:
            openElements(row.binding, kind: .dictionary)
            return true
        case .path:
            return openPath(row)
        case .checked:
            return openChecked()
        default:
            return row.kind.isCell ? openCellContainer("an object") : mismatch(found: "an object")
        }
    }

    /// `[`
    @inline(__always)
    mutating func openArray() -> Bool {
        document.nesting &+= 1
        if document.nesting > policy.maximumDepth { return failDepth() }
        if document.skipDepth != 0 {
            document.skipDepth &+= 1
            return true
        }
        let row = document.frame.row
        switch row.kind {
        case .array, .value:
            let start = unsafe document.token.start
            openElements(row.binding, kind: .array)
            if row.binding.builtinArray == .modelText { unsafe noteArrayText(from: start) }
            return true
        case .model:
            return openModel(row.binding, as: .array)
        case .ignored:
            document.skipDepth = 1
            return true
        case .raw, .jsonCell, .sharedKey, .captured:
            return openCapture()
        case .path where row.level?.hasIndices == true:
            // Some elements may have no row.
            document.hasUnknownValue = true
            document.hasGapOnPath = true
            return openCapture()
        case .path:
            return openArrayOnPath()
        case .checked:
            return openChecked()
        default:
            return row.kind.isCell ? openCellContainer("an array") : mismatch(found: "an array")
        }
    }

    /// `}`
    @inline(__always)
    mutating func closeObject() -> Bool {
        document.nesting &-= 1
        if document.skipDepth != 0 { return leaveSkipped() }
        switch document.frame.kind {
        case .model: return closeModel()
        case .path: return closePath()
        default: return closeElements()
        }
    }

    /// `]`
    @inline(__always)
    mutating func closeArray() -> Bool {
        document.nesting &-= 1
        if document.skipDepth != 0 { return leaveSkipped() }
        return document.frame.kind == .model ? closePositionalModel() : closeElements()
    }

    @inline(__always)
    private mutating func leaveSkipped() -> Bool {
        document.skipDepth &-= 1
        guard document.skipDepth == 0 else { return true }
        if capture.isActive { return finishCapture() }
        if document.resumedRow != nil { return resume() }
        return document.frame.row.kind != .checked || closeChecked()
    }
}
