import Foundation

/// A folder of its own for one test, removed with all that is in it when the last reference goes.
///
/// No test makes files elsewhere, so none leaves any behind.
public final class TemporaryFolder: Sendable {
    /// The folder's path.
    public let path: String

    /// Makes an empty folder.
    ///
    /// - Parameter prefersMemory: Whether it lies in memory where the system has a folder there, so that thousands of writes take no time.
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

    /// Names of what is in the folder, in order.
    public var names: [String] { ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted() }

    /// Writes a file and gives its path.
    public func file(_ name: String, _ bytes: [UInt8]) throws -> String {
        let path = self.path + "/" + name
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        return path
    }

    /// Writes a file of text and gives its path.
    public func file(_ name: String, _ text: String) throws -> String { try file(name, Array(text.utf8)) }

    /// The bytes of a file in the folder.
    public func bytes(_ name: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: URL(fileURLWithPath: path(name))))
    }
}
