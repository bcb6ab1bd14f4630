import Foundation

/// A folder with a realm library: `clusters.json` and `realm_index.json`.
public struct RealmLibraryFolder: Sendable {
    /// The name of the folder.
    public let path: String
    private var clusters: String { path + "/clusters.json" }
    private var index: String { path + "/realm_index.json" }
    /// The paths of both files.
    package var files: [String] { [clusters, index] }

    /// Creates a reference to a folder, which need not exist yet.
    ///
    /// - Parameter path: The folder's name.
    public init(_ path: String) { self.path = path }

    /// Runs the body while no other process runs one for this folder; shared bodies run at the same time.
    ///
    /// The lock is of the system (`flock`). A folder that does not exist, or a file system without locks, has none.
    ///
    /// - Parameters:
    ///   - isShared: Whether the body only reads.
    ///   - body: Reads the library, or reads, changes and writes it.
    /// - Returns: The result of the body.
    public func locked<Result>(isShared: Bool = false, _ body: () throws -> Result) rethrows -> Result {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        defer { if descriptor >= 0 { close(descriptor) } }
        while descriptor >= 0, flock(descriptor, isShared ? LOCK_SH : LOCK_EX) != 0, errno == EINTR {}
        return try body()
    }

    /// Reads clusters and index.
    ///
    /// - Throws: `.inputOutput` with the `input` if a file is missing, `.malformedInput`, `.unsupportedFormat` or
    ///   `.corruptFile` with the file.
    public func read() throws(KinError) -> RealmLibrary {
        try RealmLibrary(
            clusters: ByteReader.read(clusters) { text throws(KinError) in try RealmClusters(json: text) },
            index: ByteReader.read(index) { text throws(KinError) in try RealmIndex(json: text) })
    }

    /// Writes the library, and creates the folder if necessary. Each of the two files appears when it is complete.
    ///
    /// - Parameter library: The clusters and the index.
    /// - Throws: `.inputOutput` if the folder or a file cannot be created or written. `.invalidArgument`, with both
    ///   files unchanged, if one of them is neither empty nor a library's, outside of `withOverwriting`.
    public func write(_ library: RealmLibrary) throws {
        try WholeFile.makeFolder(path)
        let texts = (clusters: library.clusters.json + "\n", index: library.index.json + "\n")
        try WholeFile.requireReplaceable(clusters, by: texts.clusters)
        try WholeFile.requireReplaceable(index, by: texts.index)
        try WholeFile.make(clusters, text: texts.clusters) { try WholeFile.make(index, text: texts.index) }
    }
}
