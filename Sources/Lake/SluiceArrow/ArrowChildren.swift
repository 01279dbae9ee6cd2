// Arrays and schemas of the C data interface own their children in the same way.

/// Releases the children that a consumer has not moved out, and frees the memory of all of them.
///
/// - Parameter release: Calls the child's own `release` function, if it still has one.
func freeChildren<Node>(
    _ children: UnsafeMutablePointer<UnsafeMutablePointer<Node>?>?, count: Int64, release: (UnsafeMutablePointer<Node>) -> Void
) {
    // Safe: `export` has allocated that many children, and all of the memory. A consumer changes nothing but a child's `release`.
    guard let children = unsafe children else { return }
    for index in 0..<Int(count) {
        guard let child = unsafe children[index] else { continue }
        unsafe release(child)
        unsafe child.deallocate()
    }
    unsafe children.deallocate()
}
