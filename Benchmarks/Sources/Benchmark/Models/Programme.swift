// The programme of a theatre: maps whose keys are numbers, of small objects with nulls. It is indented by four spaces.

internal import Sluice

/// What is played, when, where, and at what price.
@JSONModel
struct Programme: Codable, Equatable, Sendable {
    var areaNames: [String: String]
    var shows: [String: Show]
    var evenings: [Evening]

    @JSONModel
    struct Show: Codable, Equatable, Sendable {
        var id: Int
        var name: String
        var logo: String?
        var subtitle: String?
        var topics: [Int]
    }

    @JSONModel
    struct Evening: Codable, Equatable, Sendable {
        var id: Int
        var show: Int
        var name: String?
        var start: Int
        var hall: String
        var prices: [Price]
        var seats: [Seats]
    }

    @JSONModel
    struct Price: Codable, Equatable, Sendable {
        var amount: Int
        var audience: Int
        var category: Int
    }

    @JSONModel
    struct Seats: Codable, Equatable, Sendable {
        var category: Int
        var areas: [Area]
    }

    @JSONModel
    struct Area: Codable, Equatable, Sendable {
        var id: Int
        var blocks: [Int]
    }

    /// About 1.5 MB when it is indented.
    static var sample: Programme {
        var random = SplitMix64(seed: 1)
        var programme = Programme(areaNames: [:], shows: [:], evenings: [])
        for _ in 0..<200 {
            programme.areaNames["\(205_700_000 + random.next(below: 9_999))"] = "Balcony \(random.next(below: 90))"
        }
        let shows = (0..<180).map { _ in 138_580_000 + random.next(below: 9_999) }
        for id in shows {
            programme.shows["\(id)"] = Show(
                id: id, name: Words.sentence(3, &random), logo: random.happens(1, outOf: 2) ? "/images/\(id).gif" : nil,
                subtitle: nil, topics: (0..<random.next(below: 4)).map { _ in 324_846_000 + random.next(below: 99) })
        }
        for number in 0..<240 {
            programme.evenings.append(
                Evening(
                    id: 339_887_000 + number, show: shows[random.next(below: shows.count)], name: nil,
                    start: 1_372_701_600_000 + number * 86_400_000, hall: "PLEYEL_\(random.next(below: 9))",
                    prices: (0..<4).map { Price(amount: 9_050 * ($0 + 1), audience: 337_100_890, category: 338_937_000 + $0) },
                    seats: (0..<4).map { category in
                        Seats(
                            category: 338_937_000 + category,
                            areas: (0..<6).map { _ in Area(id: 205_700_000 + random.next(below: 9_999), blocks: []) })
                    }))
        }
        return programme
    }
}
