import Testing

@testable import SluiceIngest

/// Names that rotation makes of one name are of one family.
@Suite struct FamilyNameTests {
    @Test(arguments: [
        "app.ndjson", "app.ndjson.1", "app.ndjson.12", "app.ndjson.365", "app.ndjson.gz", "app.ndjson.zst", "app.ndjson.1.gz",
        "app.ndjson.20.zst", "app.ndjson-20261130", "app.ndjson-20261130.gz", "app.ndjson-20261130.zst", "app.ndjson-2026-11-30",
        "app.ndjson-2026-11-30.gz", "app.ndjson-2026113023", "app.ndjson-20261130-235959", "app.ndjson-1764547200",
        "app.ndjson-20261130.1", "app.ndjson-20261130.1.gz",
    ])
    func aNameIsThatOfItsLogWithoutNumberDateAndCompression(name: String) {
        #expect(FamilyName(ofFile: name).stem == "app.ndjson")
        #expect(FamilyName(ofFile: name) == FamilyName(ofFile: "app.ndjson"))
    }

    /// With `extension` in its configuration, logrotate keeps the ending at the end.
    @Test(arguments: [
        "app-20261130.ndjson", "app-2026-11-30.ndjson", "app-20261130.ndjson.gz", "app-2026113023.ndjson.zst",
        "app-20261130.1.ndjson", "app-20261130.ndjson.1",
    ])
    func aDateMayStandBeforeTheEnding(name: String) {
        #expect(FamilyName(ofFile: name) == FamilyName(ofFile: "app.ndjson"))
    }

    /// The same option puts the number there, where no date is asked for. A log that is not known under this name is read twice.
    @Test(arguments: ["app.1.ndjson", "app.12.ndjson", "app.1.ndjson.gz"]) func aNumberMayStandBeforeTheEnding(name: String) {
        #expect(FamilyName(ofFile: name) == FamilyName(ofFile: "app.ndjson"))
    }

    @Test(arguments: [
        "other.ndjson", "app2.ndjson", "app-1.ndjson", "app.json", "app.ndjson.old", "app-12345678.ndjson",
        "app.ndjson-20261301", "app.ndjson-20261132", "app.ndjson-2026", "xapp.ndjson", "app.ndjson1", "App.ndjson",
    ])
    func otherNamesAreOfOtherFamilies(name: String) {
        #expect(FamilyName(ofFile: name) != FamilyName(ofFile: "app.ndjson"))
        #expect(FamilyName(ofFile: name).stem == name)
    }

    @Test(arguments: ["20261130.ndjson", "7.ndjson", "1", "20261130", "gz", "a"])
    func aNameThatIsNothingElseStaysAsItIs(name: String) { #expect(FamilyName(ofFile: name).stem == name) }

    @Test func theFilesOfAFamilyAreThoseOfOneFolder() {
        let app = Family(ofFile: "/var/log/app.ndjson")
        #expect(app == Family(ofFile: "/var/log/app.ndjson.3.gz"))
        #expect(app != Family(ofFile: "/var/log/db.ndjson"))
        #expect(app != Family(ofFile: "/var/log/old/app.ndjson"))
        #expect(app == Family(ofFile: "/var/log/old/app.ndjson").moved(to: "/var/log"))
    }

    /// The identity of an input leads back to its family, whatever characters the names have.
    @Test(arguments: ["/var/log/app.ndjson", "/a b/c%23#d.ndjson", "/ü/é%#1.ndjson"])
    func anInputBelongsToTheFamilyThatItsIdentityNames(path: String) throws {
        let family = Family(ofFile: path)
        let identities = (1...12).map { family.identity($0) }
        #expect(Set(identities).count == 12)
        for (index, identity) in identities.enumerated() {
            #expect(Family(ofInput: identity) == family, "\(identity)")
            #expect(Family.number(of: identity) == index + 1)
        }
        #expect(Family.number(of: IngestInput.identity(ofFile: path)) == nil)
        // A checkpoint of a run without rotation has the path itself.
        #expect(Family(ofInput: IngestInput.identity(ofFile: path)) == family)
    }
}
