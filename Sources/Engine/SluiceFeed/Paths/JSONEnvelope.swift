// The members around the records of a feed become a model of their own.

internal import SluiceCompression
public import SluiceCore

/// The envelope of a feed whose records are at a path: all members of the document except the records.
///
/// ```swift
/// let feed = try JSONFeed<Status>(path: "search.json", options: .init(at: "statuses"))
/// let page = feed.envelope(as: SearchPage.self)
/// while let status = try feed.next() { print(status.text) }
/// print(try page.value()?.searchMetadata.count ?? 0)
/// ```
///
/// If the model has a property for the records, too, it gets an empty array in place of an array of records, and null in place of a
/// single record.
@safe
public final class JSONEnvelope<Model: JSONReadable> {
    private let root = UnsafeMutablePointer<Model?>.allocate(capacity: 1)
    /// The result that ``value()`` returns or throws.
    private var result: Result<Model, JSONError>?

    // Workers cut slices ahead of the records that are returned. There an envelope waits until the records before it have been returned.
    private let lock = Lock()
    /// Envelopes that wait, in order; nil for a document whose envelope has no value.
    private var waiting: [Result<Model, JSONError>?] = []
    private var waits = false
    /// How many envelopes have been released so far, including those without a value.
    private var givenCount = 0

    init() { unsafe root.initialize(to: nil) }

    deinit {
        unsafe root.deinitialize(count: 1)
        unsafe root.deallocate()
    }

    /// The envelope of the last document that ended; nil until the first document has ended, which is after all its records. In a feed
    /// of one document, it is there when ``JSONFeed/next()`` has returned nil.
    ///
    /// - Throws: `JSONError` if the envelope does not fit its model. That does not affect the records.
    public func value() throws(JSONError) -> Model? { try result?.get() }
}

@available(*, unavailable, message: "an envelope belongs to the task of its feed")
extension JSONEnvelope: @unchecked Sendable {}

/// An envelope of any model type.
protocol EnvelopeTarget: AnyObject {
    /// Begins to read a document into the envelope.
    func begin(_ document: inout StreamedDocument) -> JSONError?
    /// Ends a document; with an error if it was given up.
    func finish(_ failure: JSONError?)
    /// From now on envelopes wait for ``giveOut(_:)``.
    func holdBack()
    /// Releases the first `count` envelopes of the feed; called by the task that reads the records.
    func giveOut(_ count: Int)
}

extension JSONEnvelope: EnvelopeTarget {
    func begin(_ document: inout StreamedDocument) -> JSONError? {
        unsafe root.pointee = nil
        // Safe: the root stays where it is as long as this object lives, which the walk holds while the document is read.
        return unsafe document.begin(Model.self, at: UnsafeMutableRawPointer(root))
    }

    func finish(_ failure: JSONError?) {
        defer { unsafe root.pointee = nil }
        let next = unsafe failure.map(Result.failure) ?? root.pointee.map(Result.success)
        if waits {
            lock.withLock { waiting.append(next) }
        } else {
            result = next ?? result
            givenCount += 1
        }
    }

    func holdBack() { waits = true }

    func giveOut(_ count: Int) {
        guard waits, count > givenCount else { return }
        lock.withLock {
            let given = min(count - givenCount, waiting.count)
            if let last = waiting[..<given].last(where: { $0 != nil }) { result = last }
            waiting.removeFirst(given)
            givenCount += given
        }
    }
}
