import KinCore
import KinIndex
import SystemPackage

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// A folder of its own for one test, removed with all that is in it when the last reference goes.
final class TemporaryFolder: Sendable {
    let path: String

    init() {
        var template = Array("/tmp/kin-test-XXXXXX\0".utf8CString)
        let made = unsafe template.withUnsafeMutableBufferPointer { unsafe mkdtemp($0.baseAddress!) }
        guard unsafe made != nil else { preconditionFailure("mkdtemp failed: errno \(errno)") }
        path = String(decoding: template.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit {
        for name in names { unsafe unlink("\(path)/\(name)") }
        unsafe rmdir(path)
    }

    func file(_ name: String) -> String { "\(path)/\(name)" }

    /// Names of what is in the folder, in order.
    var names: [String] {
        guard let folder = unsafe opendir(path) else { return [] }
        defer { unsafe closedir(folder) }
        var names: [String] = []
        while let entry = unsafe readdir(folder) {
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) {
                unsafe $0.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
            }
            if name != "." && name != ".." { names.append(name) }
        }
        return names.sorted()
    }
}

/// Writes bytes to a path without any of the care that Kin takes.
func writeCarelessly(_ bytes: [UInt8], to path: String) throws {
    let file = try FileDescriptor.open(
        FilePath(path),
        .writeOnly,
        options: [.create, .truncate],
        permissions: [.ownerReadWrite]
    )
    defer { try? file.close() }
    try file.writeAll(bytes)
}

/// All bytes of a file.
func contents(of path: String) throws(KinError) -> [UInt8] {
    try withOpenFile(at: path, files: SystemFiles()) { file throws(KinError) in
        try file.bytes(in: 0..<file.length)
    }
}
