import KinIndex
import SystemPackage

/// Writes bytes to a path without any of Kin's safeguards.
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
