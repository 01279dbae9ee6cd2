// Several values become one, and a statement of how far they lie apart.

extension [Double] {
    /// The value in the middle; not a number for an empty list.
    var median: Double { quantile(0.5) }

    /// Half the distance between the quartiles, as a part of the median.
    var spread: Double { count < 2 ? 0 : (quantile(0.75) - quantile(0.25)) / 2 / median }

    /// The value below which a part of the others lies, between the two nearest.
    func quantile(_ part: Double) -> Double {
        guard !isEmpty else { return .nan }
        let ordered = sorted()
        let place = part * Double(count - 1)
        let lower = Int(place)
        let upper = Swift.min(lower + 1, count - 1)
        return ordered[lower] + (ordered[upper] - ordered[lower]) * (place - Double(lower))
    }
}
