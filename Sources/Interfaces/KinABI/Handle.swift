import Synchronization

// A handle is a retained reference to one of the final classes of this module. C's incomplete structure types
// distinguish handles of different kinds.

/// The object of a handle of an immutable value.
package final class Boxed<Value: Sendable>: Sendable {
    let value: Value

    package init(_ value: Value) { self.value = value }
}

/// The value in the box of a handle.
///
/// - Throws: `.invalidArgument` for NULL, by the argument's name.
@inline(__always)
package func boxed<Value: Sendable>(
    _ type: Value.Type, _ handle: OpaquePointer?, _ name: StaticString
) throws(KinError) -> Value {
    try unsafe object(Boxed<Value>.self, handle, name).value
}

/// The value in the box of a handle; nil for NULL.
@inline(__always)
package func boxed<Value: Sendable>(_ type: Value.Type, _ handle: OpaquePointer?) -> Value? {
    unsafe object(Boxed<Value>.self, handle)?.value
}

/// The object of a handle of a value that changes: a lock around the value.
final class Locked<Value: Sendable>: Sendable {
    private let state: Mutex<Value>

    init(_ value: Value) { state = Mutex(value) }

    /// The value after the last change.
    var snapshot: Value { state.withLock { $0 } }

    /// Changes the value in place, under the lock.
    @inline(__always)
    func update<Result: Sendable>(
        _ change: (inout Value) throws(KinError) -> Result
    ) throws(KinError) -> Result {
        try state.withLock { (value) throws(KinError) in try change(&value) }
    }

    /// Changes a copy of the value, which replaces the value if the change succeeds.
    func updateAll<Result: Sendable>(
        _ change: (inout Value) throws(KinError) -> Result
    ) throws(KinError) -> Result {
        try update { (value) throws(KinError) in
            var changed = value
            let result = try change(&changed)
            value = changed
            return result
        }
    }
}

/// Passes C a retained reference to an object.
package func handle(_ object: AnyObject) -> OpaquePointer {
    unsafe OpaquePointer(Unmanaged.passRetained(object).toOpaque())
}

/// The object of a handle.
///
/// - Throws: `.invalidArgument` for NULL, by the argument's name.
@inline(__always)
package func object<Object: AnyObject>(
    _ type: Object.Type, _ handle: OpaquePointer?, _ name: StaticString
) throws(KinError) -> Object {
    guard let object = unsafe object(type, handle) else { throw missing(name) }
    return object
}

/// The object of a handle; nil for NULL.
@inline(__always)
package func object<Object: AnyObject>(_ type: Object.Type, _ handle: OpaquePointer?) -> Object? {
    guard let handle = unsafe handle else { return nil }
    return unsafe Unmanaged<Object>.fromOpaque(UnsafeRawPointer(handle)).takeUnretainedValue()
}

/// Releases the reference that C held; does nothing for NULL.
package func release<Object: AnyObject>(_ type: Object.Type, _ handle: OpaquePointer?) {
    guard let handle = unsafe handle else { return }
    unsafe Unmanaged<Object>.fromOpaque(UnsafeRawPointer(handle)).release()
}

/// Checks a pointer to an output of C.
///
/// - Throws: `.invalidArgument` for NULL, by the argument's name.
@inline(__always)
package func output<Value>(
    _ pointer: UnsafeMutablePointer<Value>?, _ name: StaticString
) throws(KinError) -> UnsafeMutablePointer<Value> {
    guard let pointer = unsafe pointer else { throw missing(name) }
    guard unsafe UnsafePointer(pointer).isAligned else { throw unaligned(name) }
    return unsafe pointer
}

@inline(never)
func missing(_ name: StaticString) -> KinError {
    KinError(.invalidArgument, "\(name) must not be NULL")
}

@inline(never)
func unaligned(_ name: StaticString) -> KinError {
    KinError(.invalidArgument, "\(name) is not aligned to the size of its elements; copy it to where it is")
}

extension UnsafePointer {
    /// Whether the address is aligned for the element.
    @inline(__always)
    var isAligned: Bool { UInt(bitPattern: self) % UInt(MemoryLayout<Pointee>.alignment) == 0 }
}

/// The values of a function for 0 ..< count, as long work; its errors receive the row.
@inline(__always)
func eachRow<Value>(
    of count: Int, _ value: (Int) throws(KinError) -> Value
) throws(KinError) -> [Value] {
    var values: [Value] = []
    values.reserveCapacity(count)
    let work = LongWork(of: count)
    for row in 0..<count {
        try work.step()
        do throws(KinError) { values.append(try value(row)) } catch { throw error.within("row", row) }
    }
    return values
}

/// Runs the body of a C function; an error becomes its status and this thread's last error.
@inline(__always)
package func attempt(_ body: () throws(KinError) -> Void) -> kin_status {
    do throws(KinError) {
        try body()
        return kin_status(KIN_OK)
    } catch {
        return failure(error)
    }
}

/// Runs the body of a C function that may take long, and reports to the function that this thread has set.
///
/// - Parameter subject: The handle of an object that the function cannot use (`requireNoHandler`); NULL: none.
package func attemptLong(on subject: OpaquePointer? = nil, _ body: () throws(KinError) -> Void) -> kin_status {
    var context: UnsafeMutableRawPointer?
    guard let function = unsafe kin_progress_get(&context) else { return attempt(body) }
    let caller = unsafe ProgressFunction(function: function, context: context)
    // Long calls made by the function itself report no progress, so it is not re-entered.
    kin_set_progress(nil, nil)
    defer { unsafe kin_set_progress(function, context) }
    let identifier = unsafe object(AnyObject.self, subject).map { ObjectIdentifier($0) }
    return attempt { () throws(KinError) in
        try ProgressScope({ done, total in caller.report(done, of: total) }, of: identifier).run(body)
    }
}

/// Runs the body of a C function that makes an object, whose handle is written to an output of C.
package func attempt(
    making handle: UnsafeMutablePointer<OpaquePointer?>?, _ name: StaticString,
    _ object: () throws(KinError) -> AnyObject
) -> kin_status {
    attempt { () throws(KinError) in
        try unsafe make(handle, name, object)
    }
}

/// Runs the body of a C function that makes an object and may take long, as ``attemptLong(on:_:)``.
package func attemptLong(
    making handle: UnsafeMutablePointer<OpaquePointer?>?, _ name: StaticString,
    _ object: () throws(KinError) -> AnyObject
) -> kin_status {
    attemptLong { () throws(KinError) in
        try unsafe make(handle, name, object)
    }
}

/// Makes an object and writes its handle to an output, which is checked first.
private func make(
    _ handle: UnsafeMutablePointer<OpaquePointer?>?, _ name: StaticString,
    _ object: () throws(KinError) -> AnyObject
) throws(KinError) {
    let output = try unsafe output(handle, name)
    unsafe output.pointee = KinABI.handle(try object())
}

@inline(never)
package func failure(_ error: KinError) -> kin_status {
    // A zero byte would end the text.
    var text = String(error.description.map { $0 == "\0" ? "\u{2400}" : $0 })
    text.withUTF8 { bytes in
        unsafe bytes.withMemoryRebound(to: CChar.self) { unsafe kin_last_error_set($0.baseAddress, $0.count) }
    }
    return error.code.rawValue
}
