import Foundation
import Testing

@testable import KinStore

/// A store's files and folders grant rights to their owner only.
@Suite("Record files are readable only by their owner")
struct OwnerOnlyTests {
    private let folder = StoreFolder()

    private static func mode(_ path: String) throws -> Int {
        try #require(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int)
    }

    /// Every file and folder of the store, and its mode.
    private static func modes(_ folder: StoreFolder) throws -> [String: Int] {
        var modes: [String: Int] = [:]
        for case let name as String in try #require(FileManager.default.enumerator(atPath: folder.path)) {
            modes[name] = try mode("\(folder.path)/\(name)")
        }
        return modes
    }

    /// Runs in a separate process, since the umask belongs to the whole process.
    @Test("new files are private under any umask", arguments: [0o000, 0o022, 0o077, 0o277])
    func whateverTheUmask(wanted: Int) async throws {
        await #expect(processExitsWith: .success) { [wanted = wanted as Int] in
            let folder = StoreFolder()
            _ = umask(mode_t(wanted))
            var sample = SampleRecords()
            let store = try folder.open()
            try await store.put(sample.sessions(40))
            try store.deriveSavedValues()
            try await store.saveIndexes()
            let open = try Self.modes(folder)
            // The database with its log, shared memory and note, the folder, and a file for each saved value.
            try #require(open.count == 5 + savedValueCount, "\(open.keys.sorted())")
            for (name, mode) in open {
                let wanted = name.hasSuffix("-indexes") ? 0o700 : 0o600
                try #require(mode == wanted, "\(name) has mode \(String(mode, radix: 8))")
            }
            try #require(try store.check().warnings.isEmpty)
            try await store.put([sample.session("more", of: "u1")])
            _ = try store.nearestSessions(to: sample.point(), k: 3)
            try await store.forget("u2")
            try await store.close()
            let again = try folder.open()
            try await again.put([sample.session("most", of: "u1")])
            _ = try again.nearestSessions(to: sample.point(), k: 3)
            try await again.close()
            for (name, mode) in try Self.modes(folder) { try #require(mode & 0o077 == 0, "\(name)") }
        }
    }

    @Test("wider modes of existing files stay, and check reports them")
    func widerModes() async throws {
        var sample = SampleRecords()
        let store = try folder.open()
        try await store.put(sample.sessions(10))
        _ = try store.nearestSessions(to: sample.point(), k: 3)
        try await store.close()
        for name in ["people.db", "people.db-writer", "people.db-indexes", "people.db-indexes/session-l2.kin"] {
            let path = "\(folder.path)/\(name)"
            let narrow = try Self.mode(path)
            let wide = name.hasSuffix("indexes") ? 0o755 : 0o644
            try FileManager.default.setAttributes([.posixPermissions: wide], ofItemAtPath: path)
            let again = try folder.open()
            let report = try again.check()
            #expect(report.isIntact)
            #expect(report.warnings.contains { $0.contains("\(name) ") && $0.contains("chmod") }, "\(report.warnings)")
            try await again.put([sample.session("of \(name)", of: "u1")])
            _ = try again.nearestSessions(to: sample.point(), k: 3)
            try await again.close()
            #expect(try Self.mode(path) == wide, "\(name)")
            try FileManager.default.setAttributes([.posixPermissions: narrow], ofItemAtPath: path)
        }
        #expect(try folder.open().check().warnings.isEmpty)
    }
}
