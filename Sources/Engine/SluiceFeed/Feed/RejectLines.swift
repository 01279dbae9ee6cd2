// Turns records of several feeds, some of them in pieces, into whole lines of one sink. No feed waits for another, because one
// thread may read both. While a record is written in pieces, the lines of the other feeds are kept aside.

internal import SluiceCore

/// The lines of a file of rejects. Each feed has its own ``JSONRejects/Line``, whose identity identifies the feed.
struct RejectLines: Sendable {
    var sink: any ByteSink & Sendable
    /// How many records have been written.
    private(set) var count = 0
    /// The feed whose record has begun in the sink; nil between two lines.
    private var writer: ObjectIdentifier?
    /// Whole lines that came while a record of another feed was unfinished, and their number.
    private var waiting: SpooledBytes?
    private var waitingCount = 0
    /// The unfinished records of other feeds, by feed.
    private var begun: [ObjectIdentifier: SpooledBytes] = [:]

    init(sink: any ByteSink & Sendable) { self.sink = sink }

    /// Writes a piece of a feed's record, which may be the last one, or puts it aside.
    mutating func write(
        _ bytes: UnsafeRawBufferPointer, endsLine: Bool, of feed: ObjectIdentifier
    ) throws(JSONError) {
        guard writer == nil || writer == feed else { return try unsafe putAside(bytes, endsLine: endsLine, of: feed) }
        try writeWaiting()
        writer = feed
        if var first = begun.removeValue(forKey: feed) { try first.move(to: &sink) }
        try unsafe sink.write(bytes)
        guard endsLine else { return }
        writer = nil
        count += 1
        try writeWaiting()
    }

    /// Ends the line of a feed whose record will not continue.
    mutating func cutOff(_ feed: ObjectIdentifier) {
        begun[feed] = nil
        guard writer == feed else { return }
        writer = nil
        // If the sink fails here, it fails again for the next record, which reports it.
        try? unsafe [UInt8(ascii: "\n")].withUnsafeBytes { try unsafe sink.write($0) }
        try? writeWaiting()
    }

    private mutating func putAside(
        _ bytes: UnsafeRawBufferPointer, endsLine: Bool, of feed: ObjectIdentifier
    ) throws(JSONError) {
        if endsLine {
            var lines = if let waiting { waiting } else { try SpooledBytes() }
            if var first = begun.removeValue(forKey: feed) { try first.move(to: &lines) }
            try unsafe lines.write(bytes)
            waiting = lines
            waitingCount += 1
        } else {
            var first = if let known = begun[feed] { known } else { try SpooledBytes() }
            try unsafe first.write(bytes)
            begun[feed] = first
        }
    }

    /// Moves the waiting lines to the sink. It is called while no record is half written there.
    private mutating func writeWaiting() throws(JSONError) {
        guard writer == nil, var lines = waiting else { return }
        waiting = nil
        do throws(JSONError) {
            try lines.move(to: &sink)
        } catch {
            waiting = lines
            throw error
        }
        count += waitingCount
        waitingCount = 0
    }
}
