// Stores objects of classes that have subclasses in a copy or an archive. The object in a property may be of a subclass of the property's
// type. So each object is stored separately, with its class, and the property has a reference to it:
//
//     the value      {"owner":{"@":1},"pets":[{"@":0}]}
//     the objects    0  Dog     {"name":"Rex"}
//                    1  Person  {"name":"Ann","dog":{"@":0}}
//
// An object comes after the objects that its properties refer to. So when objects are read in order, every object that is referred to
// exists already, and neither the time nor the stack grows with the depth of the objects.

/// `{"@":5}`: a reference to the object with number 5.
enum StoredReference<Object: _ReadableModel & AnyObject>: JSONBindable, ObjectReference {
    static var object: any JSONReadable.Type { Object.self }

    static func _bind(_ compiler: inout _BindingCompiler) -> _Binding {
        compiler.model(self, draft: StoredReferenceDraft.self) { $0.property("@", \.number) }
    }

    static func _complete(_ contents: _Contents, at destination: _Destination) throws(JSONError) {
        // Safe: the reader passes a draft of this type, which is trivial and needs no destruction.
        let number = unsafe contents.base.assumingMemoryBound(to: StoredReferenceDraft.self).pointee.number
        guard let number, let objects = StoredObjects.current else { throw JSONError._missing }
        destination.store(try objects.object(number, as: Object.self))
    }

    static func _storeNil(at destination: _Destination) { destination.storeNil(as: Object.self) }

    // Never called, because there is no value of this type. When a reference is read, the result is the object that it refers to.
    func _write(to writer: inout JSONWriter) throws(JSONError) {}
}

/// The types of references.
private enum StoredReferences: ObjectReferences {
    static func type<Object: _ReadableModel & AnyObject>(for object: Object.Type) -> any JSONReadable.Type {
        StoredReference<Object>.self
    }
}

extension BindingRegistry {
    /// The bindings that read copies.
    static let copies = BindingRegistry(form: .copy, references: StoredReferences.self)
    /// The bindings that read archives.
    static let archives = BindingRegistry(form: .archive, references: StoredReferences.self)

    /// The bindings of a stored form.
    static func of(_ form: StoredForm) -> BindingRegistry { form == .copy ? copies : archives }
}

struct StoredReferenceDraft: _JSONModelDraft {
    var number: Int?
}

/// The objects of a copy or an archive while it is read.
///
/// They belong to the one call that reads them, and only its thread uses them.
final class StoredObjects: @unchecked Sendable {
    // Safe: only child tasks would inherit the task-local value, and reading starts no task.
    @TaskLocal static var current: StoredObjects?

    /// The names by which an archive identifies a class.
    struct ClassName {
        /// The class's own name, such as `Dog`.
        let simple: String
        /// The path by which the runtime finds the class; empty if the runtime cannot find it.
        let path: String
    }

    /// The class of an object, which this program may not have.
    enum ObjectClass {
        case known(any (JSONModel & AnyObject).Type)
        case missing(String)
    }

    private let form: StoredForm
    private let classes: [ObjectClass]
    private let texts: [[UInt8]]
    private var made: [AnyObject?]
    /// References must be below this number, because an object comes after the objects that it refers to.
    private var limit = 0

    /// - Parameter classes: the class of each object.
    init(form: StoredForm, classes: [ObjectClass], texts: [[UInt8]]) {
        self.form = form
        self.classes = classes
        self.texts = texts
        made = Array(repeating: nil, count: texts.count)
    }

    convenience init(form: StoredForm, _ objects: [StoredObject]) {
        self.init(form: form, classes: objects.map { .known($0.type) }, texts: objects.map(\.text))
    }

    /// Makes the objects whose classes are known, and then calls a closure that reads the value that refers to them.
    func reading<Value>(_ body: () throws(JSONError) -> Value) throws(JSONError) -> Value {
        try StoredObjects.$current.withValue(self) {
            // `withValue` rethrows without a type, so the error travels as a value.
            Result { () throws(JSONError) in
                for number in texts.indices {
                    guard case .known(let type) = classes[number] else { continue }
                    made[number] = try make(number, type)
                }
                limit = texts.count
                return try body()
            }
        }.get()
    }

    /// The object with a number.
    ///
    /// - Throws: ``JSONError`` of kind `unusableArchive` if it is missing or of another class.
    func object<Object: _ReadableModel & AnyObject>(_ number: Int, as type: Object.Type) throws(JSONError) -> Object {
        guard number >= 0, number < limit else {
            throw .unusableReference("the number of an object that is held", "\(number)")
        }
        if let object = made[number] {
            guard let fitting = object as? Object else {
                throw .unusableReference("an object of class \(type)", "one of class \(Swift.type(of: object))")
            }
            return fitting
        }
        guard case .missing(let name) = classes[number] else { throw JSONError._missing }
        let object: Object
        if name == String(describing: type) {
            object = try make(number, type)
        } else if let other = JSONModelRegistry.shared.type(named: name) as? any (JSONModel & AnyObject).Type,
            other is Object.Type,
            let found = try make(number, other) as? Object
        {
            object = found
        } else {
            throw .unusableReference(
                "a subclass of \(type), which JSONModelRegistry.shared may name if it has another name now", "the class \(name)")
        }
        made[number] = object
        return object
    }

    private func make<Object: _ReadableModel & AnyObject>(_ number: Int, _ type: Object.Type) throws(JSONError) -> Object {
        guard let row = BindingRegistry.of(form).objectRow(for: type) else {
            throw .unusableReference("a class that may have subclasses", "the class \(type)")
        }
        let outer = limit
        limit = number
        defer { limit = outer }
        return try unsafe texts[number].withUnsafeBufferPointer { (text) throws(JSONError) in
            try unsafe Object(stored: UnsafeRawBufferPointer(text), row)
        }
    }
}

extension StoredObjects.ObjectClass {
    /// The class with a name; `missing` if this program does not have it.
    init(_ name: StoredObjects.ClassName) {
        self = name.type.map { .known($0) } ?? .missing(name.simple)
    }
}

extension JSONReadable {
    /// Reads a value from its text in a stored form and the objects that it refers to.
    init(stored text: [UInt8], _ objects: StoredObjects?, in form: StoredForm) throws(JSONError) {
        let row = BindingRegistry.of(form).rootRow(for: Self.self)
        func read() throws(JSONError) -> Self {
            try unsafe text.withUnsafeBufferPointer { (text) throws(JSONError) in
                try unsafe Self(stored: UnsafeRawBufferPointer(text), row)
            }
        }
        self = if let objects { try objects.reading(read) } else { try read() }
    }

    /// Reads a value from its text in a stored form.
    init(stored text: UnsafeRawBufferPointer, _ row: RowHandle) throws(JSONError) {
        // Strict about elements: a copy must not lose one unnoticed.
        var reader = JSONReader(options: JSONReader.Options(elements: .strict))
        // A stored form has no policies, so nothing in it says what is sensitive.
        reader.hidesText = Self.holdsSensitive
        var result: Self?
        let failure = unsafe withUnsafeMutablePointer(to: &result) { root in
            // Safe: the row binds an optional of this type, and `root` is the address of one.
            unsafe reader.run(row, at: UnsafeMutableRawPointer(root), text)
        }
        if let failure { throw failure }
        guard let result else { throw JSONReader.nothing }
        self = result
    }
}

extension JSONError {
    fileprivate static func unusableReference(_ expected: String, _ found: String) -> JSONError {
        JSONError(.unusableArchive, expected: expected, found: found)
    }
}
