// The functions have the names of kin.h.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import CKin
import KinClustering
import KinCore
import KinIndex
import KinLinearAlgebra

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

@c @implementation
public func kin_version_number() -> UInt32 { UInt32(KIN_VERSION_NUMBER) }

@c @implementation
public func kin_abi_version() -> UInt32 { UInt32(KIN_ABI_VERSION) }

@c @implementation
public func kin_build_info() -> UnsafePointer<CChar>! { unsafe buildInfo }

@c @implementation
public func kin_string_free(_ text: UnsafeMutablePointer<CChar>?) { unsafe free(text) }

/// A text that C owns and gives back by `kin_string_free`.
package func ownedText(_ text: String) -> UnsafeMutablePointer<CChar> {
    // strdup fails only when there is no memory, which ends any Swift program.
    unsafe strdup(text)!
}

/// Lives as long as the process, and is found by leak checkers through this constant.
nonisolated(unsafe) private let buildInfo: UnsafePointer<CChar> = {
    let facts: JSON = unsafe [
        "version": .text(KIN_VERSION), "abi": .integer(Int(KIN_ABI_VERSION)),
        "commit": .text(String(cString: kin_commit())), "simd": .text(Kernels.active.name),
        "blas": .text(BLAS.name),
    ]
    return unsafe UnsafePointer(ownedText(facts.description))
}()
