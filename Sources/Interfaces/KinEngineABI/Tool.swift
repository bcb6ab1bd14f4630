// The function has the name of kin_engine.h.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import CKin
import KinShell

@c @implementation
public func kin_tool_main(_ count: Int32, _ arguments: UnsafePointer<UnsafeMutablePointer<CChar>?>!) -> Int32 {
    let count = unsafe arguments == nil ? 0 : Int(max(0, count))
    let words = unsafe UnsafeBufferPointer(start: arguments, count: count).dropFirst()
    return unsafe Shell.run(words.compactMap { unsafe $0.map { unsafe String(cString: $0) } }, console: .standard())
}
