// The function has the name of kin_engine.h.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import CKin
import KinShell

@c @implementation
public func kin_tool_main(_ count: Int32, _ arguments: UnsafePointer<UnsafeMutablePointer<CChar>?>!) -> Int32 {
    unsafe Shell.run(count, arguments)
}
