// What SluiceCodable's documentation shows, compiled and run.

import Foundation
import SluiceCodable
import Testing

private struct CodableUser: Codable, Equatable {
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

    @Test func dataIsKept() throws {
        let users = [CodableUser(displayName: "Ann"), CodableUser(displayName: "Ben")]

        let encoder = SluiceJSONEncoder()
        var text = Data()
        for user in users {
            try encoder.encode(user, into: &text)
            text.append(UInt8(ascii: "\n"))
        }

        #expect(String(decoding: text, as: UTF8.self) == "{\"displayName\":\"Ann\"}\n{\"displayName\":\"Ben\"}\n")
    }
}
