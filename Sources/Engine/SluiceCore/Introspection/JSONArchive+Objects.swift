// Makes and reads the content of an archive that has objects of classes with subclasses. JSONArchive.swift describes its form.

extension JSONArchive {
    /// The content for a value and the objects that it refers to.
    static func content(_ value: [UInt8], _ objects: [StoredObject]) throws(JSONError) -> [UInt8] {
        var names: [StoredObjects.ClassName] = []
        var numbers: [ObjectIdentifier: Int] = [:]
        var classes: [Int] = []
        for object in objects {
            let id = ObjectIdentifier(object.type)
            let number = numbers[id] ?? names.count
            if number == names.count { names.append(StoredObjects.ClassName(of: object.type)) }
            numbers[id] = number
            classes.append(number)
        }
        var content: [UInt8] = [UInt8(ascii: "[")] + value
        for part in try [names.map(\.simple).jsonBytes(), names.map(\.path).jsonBytes(), classes.jsonBytes()]
            + objects.map(\.text)
        {
            content.append(UInt8(ascii: ","))
            content += part
        }
        return content + [UInt8(ascii: "]")]
    }

    /// Reads the value and the objects from the content of an archive that has objects.
    ///
    /// - Parameters:
    ///   - oldName: The former name of the class that is now called `name`; nil if the name has not changed.
    /// - Throws: ``JSONError``, of kind `unusableArchive` if the parts do not belong together.
    func objects(calling oldName: String?, _ name: String) throws(JSONError) -> ([UInt8], StoredObjects) {
        let parts = try [RawJSON](json: Array(content), options: JSONReader.Options(elements: .strict))
        guard parts.count >= 4 else { throw Self.unusable("a value and its objects", "\(parts.count) parts", at: 32) }
        let names = try [String](json: parts[1].text, options: .strict)
        let paths = try [String](json: parts[2].text, options: .strict)
        let numbers = try [Int](json: parts[3].text, options: .strict)
        let texts = parts.dropFirst(4).map { Array($0.text.utf8) }
        guard names.count == paths.count, numbers.count == texts.count, numbers.allSatisfy(names.indices.contains) else {
            throw Self.unusable("a class for each object", "another number of them", at: 32)
        }
        let classes = zip(names, paths).map { simple, path in
            simple == oldName ? .missing(name) : StoredObjects.ObjectClass(StoredObjects.ClassName(simple: simple, path: path))
        }
        return (Array(parts[0].text.utf8), StoredObjects(form: .archive, classes: numbers.map { classes[$0] }, texts: texts))
    }
}
