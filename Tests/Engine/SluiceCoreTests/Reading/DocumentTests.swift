import Testing

@testable import SluiceCore

/// What a reader knows of its document.
@Suite struct DocumentTests {
    /// Every document begins over the memory of the last one, which is destroyed only if ``Binder/Document/ownsMemory`` says so.
    @Test func onlyItsErrorAndItsFindingsHaveToBeDestroyed() {
        let reader = JSONReader()
        let document = reader.binder.state.document
        func isPlain<Value>(_: Value) -> Bool { _isPOD(Value.self) }
        var count = 0
        for (label, value) in Mirror(reflecting: document).children {
            count += 1
            let isPlain = _openExistential(value, do: isPlain)
            #expect(isPlain == (label != "error" && label != "findings"), "\(label ?? "")")
        }
        #expect(count > 10)
    }
}
