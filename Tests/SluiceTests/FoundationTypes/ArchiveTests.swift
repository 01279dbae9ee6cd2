import Foundation
import Sluice
import Testing

@Suite struct ArchiveTests {
    @Test func valuesAreArchivedAsData() throws {
        let dates = ["a": [Date(timeIntervalSince1970: 1_390_220_688.25), nil]]
        let data = try dates.archiveData()
        #expect(try [String: [Date?]](archive: data) == dates)
        #expect(try JSONArchive([UInt8](data)).version == JSONArchive.currentVersion)
        #expect(throws: JSONError.self) { try [Date](archive: data) }
        #expect(throws: JSONError.self) { try [String: [Date?]](archive: data.dropLast()) }
    }
}
