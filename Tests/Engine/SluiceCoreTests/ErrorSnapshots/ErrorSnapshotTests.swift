// What a user reads, in full, for each mistake that is common: the input, what it is read as, and the error's whole text. Each is
// read whole, in chunks and cut at every byte, with the same result. The snapshots are in the other files of this folder.

import SluiceTestSupport
import Testing

@testable import SluiceCore

/// An input and the text of its error.
struct ErrorSnapshot: CustomTestStringConvertible, Sendable {
    let name: String
    let bytes: [UInt8]
    let text: String
    /// The error's text, and the ways of reading that gave another error.
    let read: @Sendable () -> (text: String?, disagreements: [String])

    var testDescription: String { name }

    init<Value: JSONBindable & Equatable>(
        _ name: String, _ type: Value.Type, _ json: String, _ text: String, options: JSONReader.Options = .init()
    ) {
        self.init(name, type, bytes: Array(json.utf8), text, options: options)
    }

    init<Value: JSONBindable & Equatable>(
        _ name: String, _ type: Value.Type, bytes: [UInt8], _ text: String, options: JSONReader.Options = .init()
    ) {
        self.name = name
        self.bytes = bytes
        self.text = text
        read = {
            let reading = readings(of: type, bytes, options: options)
            return (reading.error?.description, reading.disagreements)
        }
    }
}

@Suite struct ErrorSnapshotTests {
    @Test(arguments: structureSnapshots + wordSnapshots + foreignSnapshots)
    func textThatIsNotJSONIsNamed(_ snapshot: ErrorSnapshot) { expect(snapshot) }

    @Test(arguments: endSnapshots + unicodeSnapshots)
    func endsAndBytesHaveTheirPosition(_ snapshot: ErrorSnapshot) { expect(snapshot) }

    @Test(arguments: valueSnapshots + keySnapshots)
    func valuesSayWhatTheirTypeTakes(_ snapshot: ErrorSnapshot) { expect(snapshot) }

    private func expect(_ snapshot: ErrorSnapshot) {
        let (text, disagreements) = snapshot.read()
        #expect(text == snapshot.text, "\(snapshot.name)")
        #expect(disagreements == [], "\(snapshot.name)")
    }
}
