import Foundation

/// A folder that is gone when the test is.
public final class TemporaryFolder {
    /// The folder's name.
    public let path: String

    /// Makes an empty folder.
    public init() throws {
        path = FileManager.default.temporaryDirectory.path + "/kin-tests-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// Writes a file and gives its path.
    public func file(_ name: String, _ bytes: [UInt8]) throws -> String {
        let path = self.path + "/" + name
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        return path
    }

    /// Writes a file of text and gives its path.
    public func file(_ name: String, _ text: String) throws -> String { try file(name, Array(text.utf8)) }

    /// The path of a file in the folder.
    public func path(_ name: String) -> String { path + "/" + name }

    /// The bytes of a file in the folder.
    public func bytes(_ name: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: URL(fileURLWithPath: path(name))))
    }
}
