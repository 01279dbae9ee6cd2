// Models that are written as arrays of numbers, such as the points of a map: those of an array are read into the array's own memory.
#if Macros

import Sluice
import Testing

@testable import SluiceTestSupport

@Suite struct PositionArraySpecTests {
    @JSONModel(layout: .array)
    struct Point: Equatable {
        var longitude: Double
        var latitude: Double
    }

    /// Its height may be absent.
    @JSONModel(layout: .array)
    struct Peak: Equatable {
        var longitude: Double
        var latitude: Double
        var height: Double?
    }

    @JSONModel
    struct Shape: Equatable {
        var name = ""
        var rings: [[Point]] = []
        var centre: Point?
        var peaks: [Peak] = []
    }

    @Test func pointsOfAnArrayHaveTheirNumbers() throws {
        let text = "[[-65.613616999999977,43.420273],[ -0.0 , 1e2 ], [12345678901234567890,0.1]\n]"
        let (outcome, disagreements) = readEveryWay([Point].self, text)
        #expect(disagreements == [])
        #expect(
            outcome
                == .value([
                    Point(longitude: -65.613616999999977, latitude: 43.420273), Point(longitude: -0.0, latitude: 100),
                    Point(longitude: Double(12_345_678_901_234_567_890 as UInt64), latitude: 0.1),
                ]))
    }

    @Test func arraysOfArraysOfPointsAndSinglePointsAreRead() throws {
        let text = #"{"rings":[[[1,2],[3,4]],[],[[5,6]]],"centre":[7.5,8],"peaks":[[1,2,3],[4,5],[6,7,null]],"name":"x"}"#
        let (outcome, disagreements) = readEveryWay(Shape.self, text)
        #expect(disagreements == [])
        let ring = [Point(longitude: 1, latitude: 2), Point(longitude: 3, latitude: 4)]
        let shape = Shape(
            name: "x", rings: [ring, [], [Point(longitude: 5, latitude: 6)]], centre: Point(longitude: 7.5, latitude: 8),
            peaks: [
                Peak(longitude: 1, latitude: 2, height: 3), Peak(longitude: 4, latitude: 5), Peak(longitude: 6, latitude: 7),
            ])
        #expect(outcome == .value(shape))
        #expect(try Shape(json: shape.jsonString()) == shape)
    }

    /// The first and the last point, and one between, with what is not two numbers: the error and its position do not depend on the way.
    @Test(arguments: [
        "[3]", "[]", "[3,4,5]", #"[3,"4"]"#, "[3,null]", "null", "{}", "7", "[[3],4]", "[3,4", "[3 4]", "[3,4,]", "[3,1e999]",
        "[03,4]", "[3,4]x",
        "[3,-]", "[3,.5]",
    ])
    func whatIsNoPointIsOneErrorInEveryWay(wrong: String) {
        let good = (0..<6).map { "[\($0),\($0).5]" }
        for index in [0, 3, 5] {
            var items = good
            items[index] = wrong
            let text = "[\(items.joined(separator: ","))]"
            for options in [JSONReader.Options.strict, .lenient] {
                #expect(readEveryWay([Point].self, text, options: options).disagreements == [], "\(text)")
            }
            #expect(readEveryWay(Shape.self, #"{"rings":[\#(text)],"centre":[1,2]}"#).disagreements == [], "\(text)")
        }
    }

    @Test func thePathOfAnErrorInAnArrayLeadsThroughIndices() throws {
        for (text, path) in [
            (#"{"rings":[[[1,2],[3,"x"]]]}"#, "rings[0][1][1]"), (#"{"centre":[null,2]}"#, "centre"),
            (#"{"peaks":[[1,2,{}]]}"#, "peaks[0][2]"),
            (#"{"centre":[[],2]}"#, "centre[0]"),
        ] {
            let reading = readings(of: Shape.self, text, options: .strict)
            #expect(reading.error?.path == path)
            #expect(reading.disagreements == [])
            #expect(throws: Never.self) { try JSONRecordPath(path) }
        }
        let reading = readings(of: [Peak].self, #"[[1,2,3],[4,5,"x"]]"#, options: .init(mismatch: .keep))
        #expect(reading.report.issues.map(\.path) == ["[1][2]"])
    }

    @Test func manyPointsAreReadInEveryWay() {
        var random = SplitMix64(seed: 5)
        let points = (0..<200).map { _ in
            "[\(Double.random(in: -180...180, using: &random)), \(Int.random(in: -90...90, using: &random))]"
        }
        let (outcome, disagreements) = readEveryWay([Point].self, "[\(points.joined(separator: " , "))]")
        #expect(disagreements == [])
        guard case .value(let read) = outcome else { return #expect(Bool(false), "\(outcome)") }
        #expect(read.count == 200)
    }
}
#endif
