// The functions have the names of kin_engine.h.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import CKin
import KinABI
import KinCore
import KinEngine
import KinJSON

@c @implementation
public func kin_engine_open(
    _ path: UnsafePointer<CChar>!, _ isReadOnly: Int32, _ engine: UnsafeMutablePointer<OpaquePointer?>!
) -> kin_status {
    attempt { () throws(KinError) in
        let engine = try unsafe output(engine, "engine")
        guard unsafe path != nil else { return unsafe engine.pointee = handle(Engine()) }
        unsafe engine.pointee = handle(try Engine(store: text(path, "path"), isReadOnly: isReadOnly != 0))
    }
}

@c @implementation
public func kin_engine_open_keyed(
    _ path: UnsafePointer<CChar>!, _ isReadOnly: Int32, _ key: UnsafePointer<UInt8>!, _ keyLength: Int,
    _ engine: UnsafeMutablePointer<OpaquePointer?>!
) -> kin_status {
    attempt { () throws(KinError) in
        let engine = try unsafe output(engine, "engine")
        let path = try unsafe text(path, "path")
        guard let bytes = unsafe key, (1...4096).contains(keyLength) else {
            throw KinError(.invalidArgument, "key is NULL or its length not from 16 to 4096 bytes; draw 32 by chance")
        }
        let key = unsafe Array(UnsafeBufferPointer(start: bytes, count: keyLength))
        unsafe engine.pointee = handle(try Engine(store: path, isReadOnly: isReadOnly != 0, namingKey: key))
    }
}

@c @implementation
public func kin_engine_close(_ engine: OpaquePointer?) -> kin_status {
    attempt { () throws(KinError) in
        guard let held = unsafe object(Engine.self, engine) else { return }
        defer { unsafe release(Engine.self, engine) }
        try held.close()
    }
}

@c @implementation
public func kin_engine_call(
    _ engine: OpaquePointer!, _ method: UnsafePointer<CChar>!, _ request: UnsafePointer<CChar>!,
    _ answer: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>!
) -> kin_status {
    attempt { () throws(KinError) in
        let held = try unsafe object(Engine.self, engine, "engine")
        let method = try unsafe text(method, "method")
        let request = unsafe request == nil ? "" : try text(request, "request")
        let answer = try unsafe output(answer, "answer")
        unsafe answer.pointee = ownedText(try held.call(method, request))
    }
}

@c @implementation
public func kin_engine_methods() -> UnsafePointer<CChar>! { unsafe engineMethods }

/// The names of all methods as JSON, which live as long as the process.
nonisolated(unsafe) private let engineMethods: UnsafePointer<CChar> = {
    var writer = JSONWriter()
    writer.array(Engine.methods)
    return unsafe UnsafePointer(ownedText(writer.text))
}()
