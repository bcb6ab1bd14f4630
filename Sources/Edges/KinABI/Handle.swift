package import KinCore

// A handle is a reference to one of the final classes of this module that the caller of C holds and gives back. C's
// incomplete structures keep one kind from being passed for another; a NULL is found here.

/// Gives C a reference of its own to an object.
package func handle(_ object: AnyObject) -> OpaquePointer {
    unsafe OpaquePointer(Unmanaged.passRetained(object).toOpaque())
}

/// The object behind a handle.
///
/// - Throws: `.invalidArgument` for NULL, by the argument's name.
@inline(__always)
package func object<Object: AnyObject>(
    _ type: Object.Type, _ handle: OpaquePointer?, _ name: StaticString
) throws(KinError) -> Object {
    guard let handle = unsafe handle else { throw missing(name) }
    return unsafe Unmanaged<Object>.fromOpaque(UnsafeRawPointer(handle)).takeUnretainedValue()
}

/// The object behind a handle, or nil for NULL.
@inline(__always)
package func object<Object: AnyObject>(_ type: Object.Type, _ handle: OpaquePointer?) -> Object? {
    guard let handle = unsafe handle else { return nil }
    return unsafe Unmanaged<Object>.fromOpaque(UnsafeRawPointer(handle)).takeUnretainedValue()
}

/// Takes back the reference that C held; nothing for NULL.
package func release<Object: AnyObject>(_ type: Object.Type, _ handle: OpaquePointer?) {
    guard let handle = unsafe handle else { return }
    unsafe Unmanaged<Object>.fromOpaque(UnsafeRawPointer(handle)).release()
}

/// A place to write a result to.
///
/// - Throws: `.invalidArgument` for NULL, by the argument's name.
@inline(__always)
package func place<Value>(
    _ pointer: UnsafeMutablePointer<Value>?, _ name: StaticString
) throws(KinError) -> UnsafeMutablePointer<Value> {
    guard let pointer = unsafe pointer else { throw missing(name) }
    guard unsafe pointer.isAligned else { throw unaligned(name) }
    return unsafe pointer
}

@inline(never)
func missing(_ name: StaticString) -> KinError {
    KinError(.invalidArgument, "\(name) is NULL, and it is needed")
}

@inline(never)
func unaligned(_ name: StaticString) -> KinError {
    KinError(.invalidArgument, "\(name) is not aligned to the size of its elements; copy it to where it is")
}

extension UnsafePointer {
    /// Whether the address suits the element.
    @inline(__always)
    var isAligned: Bool { UInt(bitPattern: self) % UInt(MemoryLayout<Pointee>.alignment) == 0 }
}

extension UnsafeMutablePointer {
    /// Whether the address suits the element.
    @inline(__always)
    var isAligned: Bool { unsafe UnsafePointer(self).isAligned }
}
