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

    /// Writes the shortest text that reads back as the same number.
    public func write(to writer: inout JSONWriter) throws(JSONError) { try writer.write(Double(self)) }

    /// "a number".
    public static var jsonExpectation: String { "a number" }
}

extension CGFloat: KnownScalar {
    package static var form: ScalarForm { .number }
    package var exactNumber: String? { "\(Double(self))" }
}

/// A value with two parts, which JSON has as an array of two elements.
protocol Pair: JSONBindable {
    associatedtype Part: JSONBindable
    /// The names of the two parts, for errors.
    static var places: String { get }
    init(_ first: Part, _ second: Part)
    var parts: (Part, Part) { get }
}

extension Pair {
    public static func _bind(_ compiler: inout _BindingCompiler) -> _Binding {
        compiler.array(self, of: Part.self, by: PairAssembly<Self>.self)
    }

    /// Writes the two parts as an array.
    public func _write(to writer: inout JSONWriter) throws(JSONError) { try [parts.0, parts.1]._write(to: &writer) }
}

private enum PairAssembly<Whole: Pair>: ElementAssembly {
    typealias Element = Whole.Part

    static func _complete(_ contents: _Contents, at destination: _Destination) throws(JSONError) {
        guard contents.count == 2 else {
            // The caller gives up its elements even if this throws.
            _destroy(contents)
            let found = contents.count == 1 ? "one element" : "\(contents.count) elements"
            throw JSONError(.invalidValue, expected: "\(Whole.self) as \(Whole.places)", found: found)
        }
        // Safe: the binding guarantees that the elements are of this type; each is moved out once.
        let parts = unsafe contents.base.assumingMemoryBound(to: Element.self)
        unsafe destination.store(Whole(parts.move(), (parts + 1).move()))
    }
}

extension CGPoint: Pair {
    static var places: String { "[x, y]" }
    init(_ first: Double, _ second: Double) { self.init(x: first, y: second) }
    var parts: (Double, Double) { (Double(x), Double(y)) }
}

extension CGSize: Pair {
    static var places: String { "[width, height]" }
    init(_ first: Double, _ second: Double) { self.init(width: first, height: second) }
    var parts: (Double, Double) { (Double(width), Double(height)) }
}

extension CGRect: Pair {
    static var places: String { "[[x, y], [width, height]]" }
    init(_ first: CGPoint, _ second: CGPoint) {
        self.init(origin: first, size: CGSize(width: second.x, height: second.y))
    }
    var parts: (CGPoint, CGPoint) { (origin, CGPoint(x: size.width, y: size.height)) }
}
