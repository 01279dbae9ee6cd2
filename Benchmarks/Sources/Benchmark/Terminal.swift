// Messages on standard error, and numbers as short text.

internal import Foundation

enum Terminal {
    /// A line on standard error.
    static func tell(_ line: String) {
        FileHandle.standardError.write(Data((line + "\n").utf8))
    }
}

extension Double {
    /// The number with this many places after the point.
    func fixed(_ places: Int) -> String { String(format: "%.\(places)f", self) }

    /// With about three digits that mean something.
    var short: String {
        if isNaN { return "–" }
        return fixed(self >= 100 ? 0 : self >= 10 ? 1 : 2)
    }
}
