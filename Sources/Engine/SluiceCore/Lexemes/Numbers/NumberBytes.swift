// The bytes of numbers: the digit zero, from which the others count, and the marks.

extension UInt8 {
    static var digitZero: UInt8 { 0x30 }
    static var minus: UInt8 { 0x2D }
    static var plus: UInt8 { 0x2B }
    static var point: UInt8 { 0x2E }
    static var e: UInt8 { 0x65 }
}
