// The program of kostya/benchmarks: `coordinates WAY FILE` reads a file of points and prints their mean. Benchmarks/programs times it.

internal import Foundation
internal import Sluice

@main
struct Coordinates {
    static func main() throws {
        let arguments = CommandLine.arguments
        guard arguments.count == 3, let way = Way(rawValue: arguments[1]) else {
            print("usage: coordinates \(Way.allCases.map(\.rawValue).joined(separator: "|")) FILE")
            exit(64)
        }
        let mean = try way.sum(arguments[2]).mean
        print(mean.x, mean.y, mean.z)
    }
}

/// How the file is read.
enum Way: String, CaseIterable {
    /// All points, then their sum.
    case whole
    /// One point after another, of which none is kept.
    case feed
    /// All points, by Foundation's decoder.
    case foundation

    func sum(_ path: String) throws -> Sum {
        var sum = Sum()
        switch self {
        case .whole:
            for point in try Points(jsonFile: path).coordinates { sum.add(point) }
        case .feed:
            let points = try JSONFeed<Point>(path: path, options: .init(at: "coordinates"))
            while let point = try points.next() { sum.add(point) }
        case .foundation:
            let text = try Data(contentsOf: URL(fileURLWithPath: path))
            for point in try JSONDecoder().decode(Points.self, from: text).coordinates { sum.add(point) }
        }
        return sum
    }
}

@JSONModel
struct Points: Decodable {
    var coordinates: [Point]
}

/// The file has a name and options beside these; nobody asks for them.
@JSONModel
struct Point: Decodable {
    var x: Double
    var y: Double
    var z: Double
}

/// What has been added up.
struct Sum {
    private var total = Point(x: 0, y: 0, z: 0)
    private var count = 0.0

    mutating func add(_ point: Point) {
        total.x += point.x
        total.y += point.y
        total.z += point.z
        count += 1
    }

    var mean: Point { Point(x: total.x / count, y: total.y / count, z: total.z / count) }
}
