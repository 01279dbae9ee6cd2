// What stands around the records of a feed becomes a model of its own.

internal import SluiceCompression
public import SluiceCore

/// The envelope of a feed whose records stand at a path: the members of the document besides the records.
///
/// ```swift
/// let feed = try JSONFeed<Status>(path: "search.json", options: .init(at: "statuses"))
/// let page = feed.envelope(as: SearchPage.self)
/// while let status = try feed.next() { print(status.text) }
/// print(try page.value()?.searchMetadata.count ?? 0)
/// ```
///
/// The model may have a property for the records, too: it gets an empty array, or null for a record that stands alone.
@safe
public final class JSONEnvelope<Model: JSONReadable> {
    private let root = UnsafeMutablePointer<Model?>.allocate(capacity: 1)
    /// What ``value()`` gives.
    private var result: Result<Model, JSONError>?

    // Workers' slices are cut ahead of the records that are given out: there an envelope waits until the records before it are out.
    private let monitor = Monitor()
    /// Nil for a document of which nothing was read.
    private var waiting: [Result<Model, JSONError>?] = []
    private var waits = false
    /// Envelopes that have been given out.
    private var givenCount = 0

    init() { unsafe root.initialize(to: nil) }

    deinit {
        unsafe root.deinitialize(count: 1)
        unsafe root.deallocate()
    }

    /// The envelope of the document that ended last; nil before the end of the first, that is, before all of its records have been
    /// read. Of a feed with one document, it is there when ``JSONFeed/next()`` has returned nil.
    ///
    /// - Throws: `JSONError` if the envelope does not fit its model. The records are not touched by that.
    public func value() throws(JSONError) -> Model? { try result?.get() }
}

@available(*, unavailable, message: "an envelope belongs to the task of its feed")
extension JSONEnvelope: @unchecked Sendable {}

/// Takes an envelope, whatever its type.
protocol EnvelopeTarget: AnyObject {
    /// Begins a document.
    func begin(_ document: inout StreamedDocument) -> JSONError?
    /// The document has ended, or been given up for an error.
    func finish(_ failure: JSONError?)
    /// From now on envelopes wait for ``giveOut(_:)``.
    func holdBack()
    /// Lets the first `count` envelopes of the feed out; for the task that takes the records.
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
            monitor.withLock { waiting.append(next) }
        } else {
            result = next ?? result
            givenCount += 1
        }
    }

    func holdBack() { waits = true }

    func giveOut(_ count: Int) {
        guard waits, count > givenCount else { return }
        monitor.withLock {
            let given = min(count - givenCount, waiting.count)
            if let last = waiting[..<given].last(where: { $0 != nil }) { result = last }
            waiting.removeFirst(given)
            givenCount += given
        }
    }
}
