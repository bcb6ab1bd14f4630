import Foundation
import KinStore
import KinStoreTrials
import KinTestSupport

/// A folder with one store, for one test; removed with its last reference.
final class StoreFolder: Sendable {
    private let folder = TemporaryFolder()
    var path: String { folder.path }
    var database: String { "\(path)/people.db" }
    var indexFolder: String { database + "-indexes" }

    func open(
        _ access: Store.Access = .writing, check: Store.OpeningCheck = .complete
    ) throws -> Store {
        try Store(at: database, for: access, check: check)
    }

    /// A new store with 80 records of three kinds.
    func openFilled() async throws -> Store {
        var sample = SampleRecords()
        let store = try open()
        try await store.put(sample.sessions(60))
        try await store.put((0..<10).map { try sample.item("i\($0)") })
        for number in 0..<10 { try await store.put(sample.profile(of: "u\(number % 4)"), since: hour(number)) }
        return store
    }

    /// The first of these texts that a file still has, and the file.
    func found(_ texts: [String]) throws -> String? {
        try FolderSearch(path).first(of: texts).map { "\($0.text) in \($0.file)" }
    }

    var files: [String] { FolderSearch(path).files }

    func contents(_ name: String) throws -> [UInt8] { try folder.bytes(name) }

    func write(_ bytes: [UInt8], to name: String) throws {
        try Data(bytes).write(to: URL(filePath: "\(path)/\(name)"))
    }

    /// A copy of the files in a new folder.
    func copy() throws -> StoreFolder {
        let other = StoreFolder()
        for name in try FileManager.default.contentsOfDirectory(atPath: path) {
            try FileManager.default.copyItem(atPath: "\(path)/\(name)", toPath: "\(other.path)/\(name)")
        }
        return other
    }
}
