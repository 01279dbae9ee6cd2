// Reads the header of a gzip member (RFC 1952, section 2.3) byte by byte, and keeps nothing of it.

#if Compression
internal import CZlib

/// Skips the header of one gzip member, and checks it.
struct GzipHeader {
    private enum Part: Int, Comparable {
        case fixed, extraLength, extra, name, comment, checksum, done

        static func < (left: Part, right: Part) -> Bool { left.rawValue < right.rawValue }
    }

    private var part = Part.fixed
    /// How many bytes of this part have been read.
    private var count = 0
    private var flags: UInt8 = 0
    /// The number in the bytes of this part read so far, lowest byte first.
    private var number = 0
    private var extraLength = 0
    private var crc: UInt32 = 0

    /// Whether the header has been read to its end.
    var isDone: Bool { part == .done }
    /// Whether nothing of it has been read.
    var isUntouched: Bool { part == .fixed && count == 0 }

    /// Takes the next byte; returns false if a gzip header cannot have this byte here.
    mutating func take(_ byte: UInt8) -> Bool {
        let before = crc
        var byteItself = byte
        crc = unsafe UInt32(truncatingIfNeeded: crc32(uLong(crc), &byteItself, 1))
        switch part {
        case .fixed:
            if count < 3, byte != [0x1F, 0x8B, 8][count] { return false }
            if count == 3 {
                // These bits are reserved. A set one may announce a part that this code could not skip.
                if byte & 0xE0 != 0 { return false }
                flags = byte
            }
            count += 1
            if count == 10 { go(after: .fixed) }
        case .extraLength:
            if takeNumber(byte) {
                extraLength = number
                go(after: .extraLength)
            }
        case .extra:
            count += 1
            if count == extraLength { go(after: .extra) }
        case .name, .comment:
            if byte == 0 { go(after: part) }
        case .checksum:
            if count == 0 { expectedChecksum = before & 0xFFFF }
            if takeNumber(byte) {
                if UInt32(number) != expectedChecksum { return false }
                go(after: .checksum)
            }
        case .done: return false
        }
        return true
    }

    /// The low half of the CRC-32 of the bytes before the header's own checksum.
    private var expectedChecksum: UInt32 = 0

    /// Takes a byte of a two-byte number; returns true at the second byte.
    private mutating func takeNumber(_ byte: UInt8) -> Bool {
        number |= Int(byte) << (8 * count)
        count += 1
        return count == 2
    }

    /// Moves on to the next part that the flags announce.
    private mutating func go(after last: Part) {
        count = 0
        number = 0
        part =
            if last < .extraLength, flags & 4 != 0 {
                .extraLength
            } else if last == .extraLength, extraLength > 0 {
                .extra
            } else if last < .name, flags & 8 != 0 {
                .name
            } else if last < .comment, flags & 16 != 0 {
                .comment
            } else if last < .checksum, flags & 2 != 0 {
                .checksum
            } else {
                .done
            }
    }
}
#endif
