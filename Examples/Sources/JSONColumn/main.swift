// GRDB stores Codable properties as JSON columns. `databaseJSONDecoder` and `databaseJSONEncoder` give it Sluice's.

import Foundation
import GRDB
import SluiceCodable

struct Settings: Codable, Equatable {
    var theme: String
    var sizes: [Int]
    var updated: Date
}

struct User: Codable, FetchableRecord, PersistableRecord {
    var id: Int
    var name: String
    var settings: Settings  // a JSON column

    static func databaseJSONDecoder(for column: String) -> JSONDecoder {
        let decoder = SluiceJSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        return decoder
    }

    static func databaseJSONEncoder(for column: String) -> JSONEncoder {
        let encoder = SluiceJSONEncoder()
        encoder.dateEncodingStrategy = .iso8601
        encoder.outputFormatting = .sortedKeys
        return encoder
    }
}

let database = try DatabaseQueue()
try database.write { connection in
    try connection.execute(sql: "CREATE TABLE user (id INTEGER PRIMARY KEY, name TEXT, settings TEXT)")
    try User(
        id: 1, name: "Ann", settings: Settings(theme: "dark", sizes: [1, 2], updated: Date(timeIntervalSince1970: 0))
    ).insert(connection)
}
let (user, text) = try database.read { connection in
    (
        try User.find(connection, key: 1),
        try String.fetchOne(connection, sql: "SELECT settings FROM user") ?? ""
    )
}
print(user.name, user.settings.theme, user.settings.sizes)
print(text)
guard text == #"{"sizes":[1,2],"theme":"dark","updated":"1970-01-01T00:00:00Z"}"# else { exit(1) }
