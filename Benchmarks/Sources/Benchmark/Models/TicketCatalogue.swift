// citm_catalog.json: what a concert hall sells. Names are in maps whose keys are numbers, and it is indented by four spaces.

internal import Sluice

/// All of the document; the keys that are null in each of its objects are strings here.
@JSONModel
struct TicketCatalogue: Codable, Equatable, Sendable {
    var areaNames: [String: String]
    var audienceSubCategoryNames: [String: String]
    var blockNames: [String: String]
    var events: [String: Event]
    var performances: [Performance]
    var seatCategoryNames: [String: String]
    var subTopicNames: [String: String]
    var subjectNames: [String: String]
    var topicNames: [String: String]
    var topicSubTopics: [String: [Int]]
    var venueNames: [String: String]

    @JSONModel
    struct Event: Codable, Equatable, Sendable {
        var description: String?
        var id: Int
        var logo: String?
        var name: String
        var subTopicIds: [Int]
        var subjectCode: String?
        var subtitle: String?
        var topicIds: [Int]
    }

    @JSONModel
    struct Performance: Codable, Equatable, Sendable {
        var eventId: Int
        var id: Int
        var logo: String?
        var name: String?
        var prices: [Price]
        var seatCategories: [SeatCategory]
        var seatMapImage: String?
        var start: Int
        var venueCode: String
    }

    @JSONModel
    struct Price: Codable, Equatable, Sendable {
        var amount: Int
        var audienceSubCategoryId: Int
        var seatCategoryId: Int
    }

    @JSONModel
    struct SeatCategory: Codable, Equatable, Sendable {
        var areas: [Area]
        var seatCategoryId: Int
    }

    @JSONModel
    struct Area: Codable, Equatable, Sendable {
        var areaId: Int
        var blockIds: [Int]
    }
}
