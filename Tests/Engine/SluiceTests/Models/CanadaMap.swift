// canada.json as types: one GeoJSON feature, whose geometry is 480 rings of 55,563 points.

#if Macros
import Sluice

/// canada.json: a collection of one feature.
@JSONModel
struct CanadaMap: Codable, Hashable, Sendable {
    var type: String
    var features: [MapFeature]
}

/// Something on a map: its outline and its name.
@JSONModel
struct MapFeature: Codable, Hashable, Sendable {
    var type: String
    var properties: MapProperties
    var geometry: MapPolygon
}

/// What is known of a feature.
@JSONModel
struct MapProperties: Codable, Hashable, Sendable {
    var name: String
}

/// An outline: rings of points of a longitude and a latitude.
@JSONModel
struct MapPolygon: Codable, Hashable, Sendable {
    var type: String
    var coordinates: [[[Double]]]
}
#endif
