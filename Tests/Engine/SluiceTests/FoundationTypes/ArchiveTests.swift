import Foundation
import Sluice
import Testing

@testable import SluiceCore

@Suite struct ArchiveTests {
    @Test func valuesOfAnyTypeAreArchivedAsData() throws {
        let dates = ["a": [Date(timeIntervalSince1970: 1_390_220_688.25), nil]]
        let data = Data(try JSONArchive.bytes(of: dates))
        let archive = try JSONArchive([UInt8](data))
        #expect(try archive.value([String: [Date?]].self) == dates)
        #expect(archive.version == JSONArchive.currentVersion)
        #expect(throws: JSONError.self) { try archive.value([Date].self) }
        #expect(throws: JSONError.self) { try JSONArchive([UInt8](data.dropLast())) }
    }
}
