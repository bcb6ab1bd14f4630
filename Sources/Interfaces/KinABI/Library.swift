// The functions have the names of kin.h.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import KinJSON
import KinLibC

@c @implementation
public func kin_version_number() -> UInt32 { UInt32(KIN_VERSION_NUMBER) }

@c @implementation
public func kin_abi_version() -> UInt32 { UInt32(KIN_ABI_VERSION) }

@c @implementation
public func kin_build_info() -> UnsafePointer<CChar>! { unsafe buildInfo }

@c @implementation
public func kin_string_free(_ text: UnsafeMutablePointer<CChar>?) { unsafe free(text) }

/// Copies a text for C, which frees it by `kin_string_free`.
package func ownedText(_ text: String) -> UnsafeMutablePointer<CChar> {
    // strdup fails only without memory, which ends any Swift program.
    unsafe strdup(text)!
}

/// The build info, valid until the process ends; leak checkers find it through this constant.
nonisolated(unsafe) private let buildInfo: UnsafePointer<CChar> = {
    let text = JSONWriter.object { writer in
        writer.member("version", KIN_VERSION)
        writer.member("abi", Int(KIN_ABI_VERSION))
        writer.member("commit") { unsafe $0.string(String(cString: kin_commit())) }
        writer.member("simd", Kernels.active.name)
        writer.member("blas", BLAS.name)
    }
    return unsafe UnsafePointer(ownedText(text))
}()
