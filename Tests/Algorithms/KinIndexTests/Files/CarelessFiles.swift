import Foundation
import KinIndex
import SystemPackage
import Testing

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

/// The path of a file that was written when its version was fixed, or by an earlier release.
func goldenFile(_ name: String) throws -> String {
    try #require(Bundle.module.url(forResource: "Golden/" + name, withExtension: "kin")).path
}
