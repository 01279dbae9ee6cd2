// What SluiceCodable's documentation shows, compiled and run.

import Foundation
import SluiceCodable
import Testing

private struct CodableUser: Codable {
    var displayName: String
}

@Suite struct CodableArticleTests {
    @Test func theDecoderIsSwapped() throws {
        let data = Data(#"[{"display_name": "Ann"}]"#.utf8)

        let decoder = SluiceJSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        let users = try decoder.decode([CodableUser].self, from: data)

        #expect(users.map(\.displayName) == ["Ann"])
    }
}
