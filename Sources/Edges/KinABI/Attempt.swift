package import CKin
package import KinCore

/// Runs the body of a C call and turns what it throws into a status and this thread's last error.
@inline(__always)
package func attempt(_ body: () throws(KinError) -> Void) -> kin_status {
    do throws(KinError) {
        try body()
        return kin_status(KIN_OK)
    } catch {
        return failure(error)
    }
}

@inline(never)
package func failure(_ error: KinError) -> kin_status {
    var text = error.description
    text.withUTF8 { bytes in
        unsafe bytes.withMemoryRebound(to: CChar.self) { unsafe kin_last_error_set($0.baseAddress, $0.count) }
    }
    return error.code.rawValue
}
