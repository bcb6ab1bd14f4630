import Foundation

/// A separate folder for one test, removed with its contents when the last reference goes.
///
/// All test files are created in such folders, so no test leaves files behind.
public final class TemporaryFolder: Sendable {
    /// The folder's path.
    public let path: String

    /// Creates an empty folder.
    ///
    /// - Parameter prefersMemory: Whether to use memory, if the system has a folder there, so that thousands of writes
    ///   take no time.
    public init(prefersMemory: Bool = false) {
        let memory = "/dev/shm"
        let parent =
            prefersMemory && FileManager.default.isWritableFile(atPath: memory)
            ? memory : FileManager.default.temporaryDirectory.path
        path = parent + "/kin-tests-" + UUID().uuidString
        do {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        } catch {
            preconditionFailure("a test needs a folder: \(error)")
        }
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// The path of a file in the folder.
    public func path(_ name: String) -> String { path + "/" + name }

    /// The names of the folder's entries, in order.
    public var names: [String] { ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted() }

    /// Writes a file and returns its path.
    public func file(_ name: String, _ bytes: [UInt8]) throws -> String {
        let path = self.path + "/" + name
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        return path
    }

    /// Writes a text file and returns its path.
    public func file(_ name: String, _ text: String) throws -> String { try file(name, Array(text.utf8)) }

    /// The bytes of a file in the folder.
    public func bytes(_ name: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: URL(fileURLWithPath: path(name))))
    }
}
