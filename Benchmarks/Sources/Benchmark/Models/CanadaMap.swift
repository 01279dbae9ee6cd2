// canada.json as types: one GeoJSON feature, whose geometry is 480 rings of 55,563 points.

internal import Sluice

/// canada.json: a collection of one feature.
@JSONModel
struct CanadaMap: Codable, Equatable, Sendable {
    var type: String
    var features: [MapFeature]
}

/// Something on a map: its outline and its name.
@JSONModel
struct MapFeature: Codable, Equatable, Sendable {
    var type: String
    var properties: MapProperties
    var geometry: MapPolygon
}

/// What is known of a feature.
@JSONModel
struct MapProperties: Codable, Equatable, Sendable {
    var name: String
}

/// An outline: rings of points of a longitude and a latitude.
@JSONModel
struct MapPolygon: Codable, Equatable, Sendable {
    var type: String
    var coordinates: [[MapPoint]]
}

/// A point, which GeoJSON writes as an array of two numbers (RFC 7946, section 3.1.1).
@JSONModel(layout: .array)
struct MapPoint: Codable, Equatable, Sendable {
    var longitude: Double
    var latitude: Double
}

extension MapPoint {
    init(from decoder: any Decoder) throws {
        var numbers = try decoder.unkeyedContainer()
        longitude = try numbers.decode(Double.self)
        latitude = try numbers.decode(Double.self)
    }

    func encode(to encoder: any Encoder) throws {
        var numbers = encoder.unkeyedContainer()
        try numbers.encode(longitude)
        try numbers.encode(latitude)
    }
}

/// canada.json with its points as lists of numbers.
@JSONModel
struct CanadaLists: Codable, Equatable, Sendable {
    var features: [Feature]

    @JSONModel
    struct Feature: Codable, Equatable, Sendable {
        var geometry: Geometry
    }

    @JSONModel
    struct Geometry: Codable, Equatable, Sendable {
        var coordinates: [[[Double]]]
    }
}
