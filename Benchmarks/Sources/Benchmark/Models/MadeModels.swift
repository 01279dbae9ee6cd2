// Models of documents that are made here: kinds of text that the public files of the corpus do not have.

internal import Sluice

/// Few members, short keys.
@JSONModel
struct SmallObject: Codable, Equatable, Sendable {
    var a: Int
    var b: Int
    var c: String

    static var sample: [SmallObject] {
        var random = SplitMix64(seed: 2)
        return (0..<5_000).map { SmallObject(a: $0, b: random.next(below: 1_000), c: Words.any(&random)) }
    }
}

/// A text of another alphabet.
@JSONModel
struct Letter: Codable, Equatable, Sendable {
    var id: Int
    var language: String
    var subject: String
    var text: String

    static var sample: [Letter] {
        var random = SplitMix64(seed: 3)
        return (0..<400).map { id in
            let (language, alphabet) = Words.alphabets[random.next(below: Words.alphabets.count)]
            func sentence(_ words: Int) -> String {
                (0..<words).map { _ in
                    String(
                        String.UnicodeScalarView(
                            (0..<2 + random.next(below: 8)).map { _ in alphabet[random.next(below: alphabet.count)] }))
                }.joined(separator: " ")
            }
            return Letter(id: id, language: language, subject: sentence(4), text: sentence(60))
        }
    }
}

/// The state of a build server: short texts, indented.
@JSONModel
struct BuildServer: Codable, Equatable, Sendable {
    var mode: String
    var description: String?
    var jobs: [Job]
    var views: [View]

    @JSONModel
    struct Job: Codable, Equatable, Sendable {
        var name: String
        var url: String
        var color: String
    }

    @JSONModel
    struct View: Codable, Equatable, Sendable {
        var name: String
        var url: String
    }

    static var sample: BuildServer {
        var random = SplitMix64(seed: 4)
        let colors = ["blue", "red", "notbuilt", "disabled", "blue_anime"]
        func name() -> String { Words.any(&random) + "-" + Words.any(&random) }
        return BuildServer(
            mode: "EXCLUSIVE", description: nil,
            jobs: (0..<900).map { _ in
                let name = name()
                return Job(name: name, url: "https://builds.example.org/job/\(name)/", color: colors[random.next(below: 5)])
            },
            views: (0..<60).map { _ in View(name: name(), url: "https://builds.example.org/view/") })
    }
}

/// People and their friends: short texts, some with accents, and small numbers.
@JSONModel
struct People: Codable, Equatable, Sendable {
    var result: [Person]

    @JSONModel
    struct Person: Codable, Equatable, Sendable {
        var id: Int
        var avatar: String
        var age: Int
        var admin: Bool
        var name: String
        var company: String?
        var phone: String
        var email: String
        var birthDate: String
        var friends: [Friend]
        var field: String
    }

    @JSONModel
    struct Friend: Codable, Equatable, Sendable {
        var id: Int
        var name: String
        var phone: String
    }

    static var sample: People {
        var random = SplitMix64(seed: 5)
        let names = ["Søren", "Zoë", "Mikołaj", "Ana", "Jürgen", "Ольга", "James", "Mary", "Νίκος", "Ines"]
        func name() -> String { names[random.next(below: 10)] + " " + names[random.next(below: 10)] }
        func phone() -> String { "(\(100 + random.next(below: 899))) \(1_000_000 + random.next(below: 8_999_999))" }
        return People(
            result: (0..<1_000).map { id in
                Person(
                    id: id, avatar: "https://faces.example.com/\(Words.any(&random)).jpg", age: random.next(below: 90),
                    admin: random.happens(1, outOf: 5), name: name(),
                    company: random.happens(1, outOf: 3) ? nil : Words.sentence(2, &random), phone: phone(),
                    email: "\(Words.any(&random))@example.com", birthDate: "19\(10 + random.next(below: 89))-05-17",
                    friends: (0..<3).map { Friend(id: $0, name: name(), phone: phone()) }, field: Words.any(&random))
            })
    }
}

/// A mesh of triangles: long arrays of numbers, and rows of three.
@JSONModel
struct Mesh: Codable, Equatable, Sendable {
    var name: String
    var indices: [Int]
    var positions: [Double]
    var normals: [[Double]]
    var colors: [[Int]]

    static var sample: Mesh {
        var random = SplitMix64(seed: 6)
        func number() -> Double { Double(random.next(below: 2_000_000) - 1_000_000) / 1e6 }
        return Mesh(
            name: "teapot", indices: (0..<20_000).map { _ in random.next(below: 12_000) },
            positions: (0..<36_000).map { _ in number() },
            normals: (0..<12_000).map { _ in [number(), number(), number()] },
            colors: (0..<12_000).map { _ in (0..<3).map { _ in random.next(below: 256) } })
    }
}

/// What made texts consist of.
enum Words {
    private static let all = [
        "harbour", "violet", "engine", "of", "winter", "and", "glass", "paper", "on", "lantern", "river", "the", "orchard",
        "storm",
    ]

    static func any(_ random: inout SplitMix64) -> String { all[random.next(below: all.count)] }

    static func sentence(_ count: Int, _ random: inout SplitMix64) -> String {
        (0..<count).map { _ in any(&random) }.joined(separator: " ")
    }

    /// Letters of some alphabets; the last one lies beyond 16 bits, so that each is written as a pair of surrogates.
    static let alphabets: [(language: String, letters: [Unicode.Scalar])] = [
        ("Русский", Array("абвгдежзиклмнопрстуфхцчшщэюя".unicodeScalars)),
        ("Ελληνικά", Array("αβγδεζηθικλμνξοπρστυφχψω".unicodeScalars)),
        ("日本語", Array("日本語一二三四五六七八九十人口手足山川田".unicodeScalars)),
        ("Emoji", Array("😀😁😂🎉🚀🌍🐙🍉".unicodeScalars)),
    ]
}
