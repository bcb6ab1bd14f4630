// The functions have the names of kin_engine.h.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import CKin
import KinABI
import KinEngine
import KinFiles
import KinJSON

@c @implementation
public func kin_engine_open(
    _ path: UnsafePointer<CChar>!, _ isReadOnly: Int32, _ engine: UnsafeMutablePointer<OpaquePointer?>!
) -> kin_status {
    unsafe attempt(making: engine, "engine") { () throws(KinError) in
        try unsafe open(path, isReadOnly: isReadOnly)
    }
}

@c @implementation
public func kin_engine_open_keyed(
    _ path: UnsafePointer<CChar>!, _ isReadOnly: Int32, _ key: UnsafePointer<UInt8>!, _ keyLength: Int,
    _ engine: UnsafeMutablePointer<OpaquePointer?>!
) -> kin_status {
    unsafe attempt(making: engine, "engine") { () throws(KinError) in
        try unsafe open(path, isReadOnly: isReadOnly, namingKey: namingKey(key, keyLength))
    }
}

@c @implementation
public func kin_engine_open_with(
    _ path: UnsafePointer<CChar>!, _ options: UnsafePointer<kin_engine_options>!,
    _ engine: UnsafeMutablePointer<OpaquePointer?>!
) -> kin_status {
    unsafe attempt(making: engine, "engine") { () throws(KinError) in
        let options = try unsafe kin_engine_options.read(options)
        let hasKey = unsafe options.naming_key != nil || options.naming_key_length != 0
        let key = try unsafe hasKey ? namingKey(options.naming_key, options.naming_key_length) : nil
        let budget = unsafe UInt(bitPattern: options.memory_budget)
        let limit = unsafe UInt(bitPattern: options.answer_limit)
        return try unsafe open(
            path, isReadOnly: options.read_only, namingKey: key,
            memoryBudget: budget == 0 ? Store.defaultMemoryBudget : Int(clamping: budget),
            answerLimit: limit == 0 ? Engine.defaultAnswerLimit : Int(clamping: limit))
    }
}

/// Opens an engine on a store, or in memory without a path.
private func open(
    _ path: UnsafePointer<CChar>?, isReadOnly: Int32, namingKey: [UInt8]? = nil,
    memoryBudget: Int = Store.defaultMemoryBudget, answerLimit: Int = Engine.defaultAnswerLimit
) throws(KinError) -> Engine {
    let isReader = try flag(isReadOnly, "read_only")
    guard unsafe path != nil else {
        guard !isReader else {
            throw KinError(
                .invalidArgument, "a new store in memory has nothing to read; read_only requires a path")
        }
        return Engine(namingKey: namingKey, memoryBudget: memoryBudget, answerLimit: answerLimit)
    }
    return try unsafe Engine(
        store: text(path, "path"), isReadOnly: isReader, namingKey: namingKey, memoryBudget: memoryBudget,
        answerLimit: answerLimit)
}

/// A copy of a naming key.
private func namingKey(_ key: UnsafePointer<UInt8>?, _ length: Int) throws(KinError) -> [UInt8] {
    guard let bytes = unsafe key, (16...4096).contains(length) else {
        throw KinError(.invalidArgument, "key must have 16 to 4096 bytes; use 32 random bytes")
    }
    return unsafe Array(UnsafeBufferPointer(start: bytes, count: length))
}

extension kin_engine_options: @unsafe SizedOptions {
    package static var defaults: kin_engine_options { unsafe kin_engine_options_defaults() }
    package static var smallestSize: Int { 40 }
}

@c @implementation
public func kin_engine_restore(_ backup: UnsafePointer<CChar>!, _ path: UnsafePointer<CChar>!) -> kin_status {
    attemptLong { () throws(KinError) in
        try Store.restore(from: unsafe text(backup, "backup"), to: unsafe text(path, "path"))
    }
}

@c @implementation
public func kin_engine_close(_ engine: OpaquePointer?) -> kin_status {
    attempt { () throws(KinError) in
        guard let held = unsafe object(Engine.self, engine) else { return }
        try ProgressScope.requireNoHandler(of: held)
        defer { unsafe release(Engine.self, engine) }
        try held.close()
    }
}

@c @implementation
public func kin_engine_call(
    _ engine: OpaquePointer!, _ method: UnsafePointer<CChar>!, _ request: UnsafePointer<CChar>!,
    _ answer: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>!
) -> kin_status {
    unsafe attemptLong(on: engine) { () throws(KinError) in
        let held = try unsafe object(Engine.self, engine, "engine")
        try ProgressScope.requireNoHandler(of: held)
        let method = try unsafe text(method, "method")
        let request = unsafe request == nil ? "" : try text(request, "request")
        let answer = try unsafe output(answer, "answer")
        unsafe answer.pointee = ownedText(try held.call(method, request))
    }
}

@c @implementation
public func kin_log_read(
    _ path: UnsafePointer<CChar>!, _ log: UnsafePointer<CChar>!, _ options: UnsafePointer<CChar>!,
    _ answer: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>!
) -> kin_status {
    attemptLong { () throws(KinError) in
        let answer = try unsafe output(answer, "answer")
        let options = try unsafe options == nil ? LogOptions() : LogOptions(json: text(options, "options"))
        let imported =
            try unsafe path == nil
            ? RhythmLogFile.load(Array(text(log, "log").utf8), name: "log", options)
            : RhythmLogFile.load(text(path, "path"), options)
        unsafe answer.pointee = ownedText(imported.json)
    }
}

@c @implementation
public func kin_engine_methods() -> UnsafePointer<CChar>! { unsafe engineMethods }

@c @implementation
public func kin_engine_method_table() -> UnsafePointer<CChar>! { unsafe engineMethodTable }

/// The names of all methods as JSON, valid until the process ends.
nonisolated(unsafe) private let engineMethods: UnsafePointer<CChar> = {
    var writer = JSONWriter()
    writer.array(Engine.methods)
    return unsafe UnsafePointer(ownedText(writer.text))
}()

/// All methods with their parameters as JSON, valid until the process ends.
nonisolated(unsafe) private let engineMethodTable = unsafe UnsafePointer<CChar>(ownedText(MethodTable.json))
