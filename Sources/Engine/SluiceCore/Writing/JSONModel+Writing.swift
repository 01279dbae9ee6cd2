// How a model is written: through the plan of its table.

extension JSONModel {
    @inlinable
    public func _write(to writer: inout JSONWriter) throws(JSONError) { try writer.model(self, Self._jsonTable) }

    @inlinable
    public static func _writeArray(_ first: UnsafeRawPointer, _ count: Int, to writer: inout JSONWriter) -> Bool {
        unsafe writer.plainModels(first, count, stride: MemoryLayout<Self>.stride, Self._jsonTable)
    }

    @inlinable
    public static func _writeProperty(
        at address: UnsafeRawPointer, isOptional: Bool, to writer: inout JSONWriter
    ) throws(JSONError) {
        if isOptional, case .none = unsafe address.assumingMemoryBound(to: Self?.self).pointee { return writer.nilProperty() }
        // Safe: nothing writes to the value. It is passed as `inout`, because any other way would copy it. An optional's wrapped value
        // lies at the optional's own address.
        let lent = unsafe UnsafeMutablePointer(mutating: address.assumingMemoryBound(to: Self.self))
        try unsafe writer.lentProperty(&lent.pointee)
    }
}
