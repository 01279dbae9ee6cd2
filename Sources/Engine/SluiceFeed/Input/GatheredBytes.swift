// Collects bytes that arrive one at a time, and passes them on in pieces.

/// Gathers the bytes of a sequence into pieces that end where a record may end.
struct GatheredBytes<Bytes: AsyncSequence>: AsyncSequence where Bytes.Element == UInt8 {
    let bytes: Bytes

    /// The greatest size of a piece.
    static var limit: Int { 64 << 10 }

    func makeAsyncIterator() -> Iterator { Iterator(bytes: bytes.makeAsyncIterator()) }

    /// Returns one piece after the other.
    struct Iterator: AsyncIteratorProtocol {
        var bytes: Bytes.AsyncIterator
        /// The error that came after the bytes of the last piece; the next call throws it.
        var failure: (any Error)?

        mutating func next() async throws -> [UInt8]? { try await next(isolation: nil) }

        mutating func next(isolation actor: isolated (any Actor)?) async throws -> [UInt8]? {
            if let failure {
                self.failure = nil
                throw failure
            }
            var piece: [UInt8] = []
            do {
                while piece.count < GatheredBytes.limit, let byte = try await bytes.next(isolation: actor) {
                    piece.append(byte)
                    if byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "}") || byte == UInt8(ascii: "]") { break }
                }
            } catch {
                if piece.isEmpty { throw error }
                failure = error
            }
            return piece.isEmpty ? nil : piece
        }
    }
}
