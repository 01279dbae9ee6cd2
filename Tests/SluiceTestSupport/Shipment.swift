// Models written by hand, for tests of targets that do not have the macro.

package import SluiceCore

/// A date without Foundation.
package struct PlainMoment: JSONScalarBindable, DatedScalar, Hashable {
    package let timestamp: JSONTimestamp

    package init?(jsonScalar scalar: JSONScalar) {
        guard let timestamp = scalar.timestamp else { return nil }
        self.timestamp = timestamp
    }

    package func write(to writer: inout JSONWriter) throws(JSONError) { try writer.write(timestamp) }
    package static var jsonExpectation: String { "a date" }
}

/// A parcel under way.
package struct Shipment: JSONModel {
    package var id: Int
    package var city: String
    package var sentAt: PlainMoment?
    package var weights: [Double] = []
    package var isFragile = false

    package struct JSONDraft: _JSONModelDraft {
        package var id: Int?
        package var city: String?
        package var sentAt: PlainMoment?
        package var weights: [Double]?
        package var isFragile: Bool?
        package init() {}
    }

    package static func _describeJSON(_ model: inout _ModelDescription<JSONDraft>) {
        model.property("id", \JSONDraft.id, keys: ["id", "number"])
        model.property("city", \JSONDraft.city, keys: ["to.city"])
        model.property("sentAt", \JSONDraft.sentAt, keys: ["sent"], presence: .optional)
        model.column("sent_at")
        model.property("weights", \JSONDraft.weights, presence: .defaulted)
        model.property("isFragile", \JSONDraft.isFragile, keys: ["fragile"], presence: .defaulted)
    }

    package static let _jsonTable = PropertyTable._compiled(for: Shipment.self)

    package init(_jsonDraft draft: inout JSONDraft, bound: _BoundProperties) throws(JSONError) {
        id = try bound.required(draft.id, 0)
        city = try bound.required(draft.city, 1)
        sentAt = draft.sentAt
        if let value = draft.weights { weights = value }
        if let value = draft.isFragile { isFragile = value }
    }

    package func _writeJSON(_ slot: Int, to writer: inout JSONWriter) throws(JSONError) {
        switch slot {
        case 0: try writer.property(id)
        case 1: try writer.property(city)
        case 2: try writer.property(sentAt)
        case 3: try writer.property(weights)
        default: try writer.property(isFragile)
        }
    }
}

/// A tour with the places where it stops.
package struct Tour: JSONModel {
    package var id: Int
    package var stops: [Stop]

    package struct JSONDraft: _JSONModelDraft {
        package var id: Int?
        package var stops: [Stop]?
        package init() {}
    }

    package static func _describeJSON(_ model: inout _ModelDescription<JSONDraft>) {
        model.property("id", \JSONDraft.id)
        model.property("stops", \JSONDraft.stops)
        model.column(.table)
    }

    package static let _jsonTable = PropertyTable._compiled(for: Tour.self)

    package init(_jsonDraft draft: inout JSONDraft, bound: _BoundProperties) throws(JSONError) {
        id = try bound.required(draft.id, 0)
        stops = try bound.required(draft.stops, 1)
    }

    package func _writeJSON(_ slot: Int, to writer: inout JSONWriter) throws(JSONError) {
        try slot == 0 ? writer.property(id) : writer.property(stops)
    }
}

/// A place where a tour stops.
package struct Stop: JSONModel {
    package var city: String
    package var arrival: PlainMoment?

    package struct JSONDraft: _JSONModelDraft {
        package var city: String?
        package var arrival: PlainMoment?
        package init() {}
    }

    package static func _describeJSON(_ model: inout _ModelDescription<JSONDraft>) {
        model.property("city", \JSONDraft.city)
        model.property("arrival", \JSONDraft.arrival, presence: .optional)
    }

    package static let _jsonTable = PropertyTable._compiled(for: Stop.self)

    package init(_jsonDraft draft: inout JSONDraft, bound: _BoundProperties) throws(JSONError) {
        city = try bound.required(draft.city, 0)
        arrival = draft.arrival
    }

    package func _writeJSON(_ slot: Int, to writer: inout JSONWriter) throws(JSONError) {
        try slot == 0 ? writer.property(city) : writer.property(arrival)
    }
}
