// A shop's catalogue: objects in objects, and half of its text white space where it is indented.

internal import Sluice

/// What a shop sells.
@JSONModel
struct Catalogue: Codable, Equatable, Sendable {
    var title: String
    var sections: [Section]

    @JSONModel
    struct Section: Codable, Equatable, Sendable {
        var name: String
        var products: [Product]
    }

    @JSONModel
    struct Product: Codable, Equatable, Sendable {
        var id: Int
        var name: String
        var price: Double
        var inStock: Bool
        var size: Size
        var tags: [String]
    }

    @JSONModel
    struct Size: Codable, Equatable, Sendable {
        var width: Int
        var height: Int
        var depth: Int
    }

    /// About 2 MB when it is indented.
    static var sample: Catalogue {
        Catalogue(
            title: "Everything for the garden",
            sections: (0..<50).map { section in
                Section(name: "Section \(section)", products: (0..<100).map { product(section * 100 + $0) })
            })
    }

    static func product(_ number: Int) -> Product {
        Product(
            id: 100_000 + number, name: "Watering can, model \(number)", price: Double(number % 997) + 0.95,
            inStock: number % 3 != 0,
            size: Size(width: number % 90, height: number % 70, depth: number % 50),
            tags: ["garden", "metal", "colour \(number % 12)"])
    }
}

/// The smallest document: an object of one property.
@JSONModel
struct Tick: Codable, Equatable, Sendable {
    var id: Int
}

/// A small document: what a sensor sends.
@JSONModel
struct SensorReading: Codable, Equatable, Sendable {
    var id: Int
    var t: Double
}

/// A small document: a line of a log.
@JSONModel
struct LogEntry: Codable, Equatable, Sendable {
    var time: String
    var level: String
    var host: String
    var message: String
    var status: Int
    var size: Int
}

/// A small document.
@JSONModel
struct Book: Codable, Equatable, Sendable {
    var title: String
    var author: String
    var pages: Int
    var isLent: Bool
}

extension Chain {
    /// A chain of that many links, whose values count upwards.
    convenience init(depth: Int, value: Int) {
        self.init(value: value, next: depth > 1 ? Chain(depth: depth - 1, value: value + 1) : nil)
    }
}
