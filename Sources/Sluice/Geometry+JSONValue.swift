// The values of Core Graphics, in the same form as with Codable: numbers, and arrays of numbers in a fixed order.

#if canImport(CoreGraphics)
public import CoreGraphics
#endif
public import Foundation
public import SluiceCore

extension CGFloat: JSONScalarBindable {
    /// Reads a number as a double.
    public init?(jsonScalar scalar: JSONScalar) {
        guard let value = scalar.double else { return nil }
        self.init(value)
    }

    public static func _storeEmpty(at destination: _Destination) -> Bool {
        destination.store(CGFloat.zero)
        return true
    }

    /// Writes the shortest text that reads back as the same number.
    public func write(to writer: inout JSONWriter) throws(JSONError) { try writer.write(Double(self)) }

    /// "a number".
    public static var jsonExpectation: String { "a number" }
}

/// A value with two parts, which JSON has as an array of two elements.
public protocol _JSONPair: JSONBindable {
    associatedtype Part: JSONBindable
    /// The names of the two parts, for errors.
    static var _places: String { get }
    init(_ first: Part, _ second: Part)
    var _parts: (Part, Part) { get }
}

extension _JSONPair {
    public static func _bind(_ compiler: inout _BindingCompiler) -> _Binding {
        compiler.array(self, of: Part.self, isBuiltinArray: false)
    }

    public static func _complete(_ contents: _Contents, at destination: _Destination) throws(JSONError) {
        guard contents.count == 2 else {
            // The caller gives up its elements even if this throws.
            _destroy(contents)
            let found = contents.count == 1 ? "one element" : "\(contents.count) elements"
            throw JSONError(.invalidValue, expected: "\(Self.self) as \(_places)", found: found)
        }
        // Safe: the binding guarantees that the elements are of this type; each is moved out once.
        let parts = unsafe contents.base.assumingMemoryBound(to: Part.self)
        unsafe destination.store(Self(parts.move(), (parts + 1).move()))
    }

    public static func _destroy(_ contents: _Contents) {
        // Safe: as above.
        unsafe contents.base.assumingMemoryBound(to: Part.self).deinitialize(count: contents.count)
    }

    public static func _relocate(_ contents: _Contents, to address: UnsafeMutableRawPointer) {
        // Safe: as above, and the caller guarantees memory for all of them at the address.
        unsafe address.assumingMemoryBound(to: Part.self)
            .moveInitialize(from: contents.base.assumingMemoryBound(to: Part.self), count: contents.count)
    }

    /// Writes the two parts as an array.
    public func _write(to writer: inout JSONWriter) throws(JSONError) { try [_parts.0, _parts.1]._write(to: &writer) }
}

extension CGPoint: _JSONPair {
    public static var _places: String { "[x, y]" }
    public init(_ first: Double, _ second: Double) { self.init(x: first, y: second) }
    public var _parts: (Double, Double) { (Double(x), Double(y)) }
}

extension CGSize: _JSONPair {
    public static var _places: String { "[width, height]" }
    public init(_ first: Double, _ second: Double) { self.init(width: first, height: second) }
    public var _parts: (Double, Double) { (Double(width), Double(height)) }
}

extension CGRect: _JSONPair {
    public static var _places: String { "[[x, y], [width, height]]" }
    public init(_ first: CGPoint, _ second: CGPoint) {
        self.init(origin: first, size: CGSize(width: second.x, height: second.y))
    }
    public var _parts: (CGPoint, CGPoint) { (origin, CGPoint(x: size.width, y: size.height)) }
}
