import Foundation
import GRDB
import KinStoreTrials
import KinTestSupport
import Testing

@testable import KinStore

@Suite("Files of an open store")
struct OpenFilesTests {
    private let folder = StoreFolder()

    private func open(locksFiles: Bool) throws -> Store {
        var environment = StoreEnvironment()
        environment.locksFiles = locksFiles
        return try Store(at: folder.database, for: .writing, check: .brief, in: environment)
    }

    /// The number of sessions in the files if the process crashed now.
    private func countAfterACrash() throws -> Int {
        let copy = try folder.copy()
        let store = try copy.open()
        #expect(try store.check().problems == [])
        return try store.sessionIndex().points.count
    }

    private func remove(_ end: String) throws { try FileManager.default.removeItem(atPath: folder.database + end) }

    @Test("another program that reads the database does not remove the log", arguments: ForeignReader.allCases)
    func otherPrograms(reader: ForeignReader) async throws {
        guard ForeignReader.hasLibrary else { return }
        for locksFiles in [true, false] {
            try? FileManager.default.removeItem(atPath: folder.database)
            var sample = SampleRecords()
            let store = try open(locksFiles: locksFiles)
            try await store.put(sample.sessions(30))
            let log = FileIdentity(folder.database + "-wal")
            try reader.read(folder.database, program: builtProgram("KinStoreTrial"))
            #expect(!locksFiles || FileIdentity(folder.database + "-wal") == log)
            for number in 0..<5 {
                try await store.put([sample.session("s\(number)", of: "u1")])
                #expect(try countAfterACrash() == 31 + number, "\(locksFiles)")
            }
            let report = try store.check()
            #expect(report.isIntact && (!locksFiles || report.warnings.isEmpty))
            try await store.close()
            #expect(try folder.open(.reading).sessionIndex().points.count == 35)
        }
    }

    @Test("a removed log is restored before a write is acknowledged", arguments: [true, false])
    func removedLog(locksFiles: Bool) async throws {
        var sample = SampleRecords()
        let store = try open(locksFiles: locksFiles)
        try await store.put(sample.sessions(30))
        for round in 0..<6 {
            try remove("-wal")
            if round % 2 == 1 { try? remove("-shm") }
            #expect(try store.check().problems.contains { $0.contains("log") })
            #expect(try store.checkPart().problems.contains { $0.contains("log") })
            // The readers' connections, old and new.
            async let counts = withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<8 { group.addTask { try store.sessions(of: "u1", limit: .max).count } }
                return try await group.reduce(into: 0) { $0 = max($0, $1) }
            }
            try await store.put([sample.session("s\(round)", of: "u1")])
            #expect(try await counts >= 8 + round)
            #expect(try countAfterACrash() == 31 + round)
            let report = try store.check()
            #expect(report.isIntact && report.warnings.contains { $0.contains("log") }, "\(report)")
        }
        try await store.forget("u1")
        #expect(try folder.found(["\"u1\""]) == nil)
        try await store.close()
        #expect(try folder.open().check().isIntact)
    }

    @Test(
        "a log removed during a write is restored before the acknowledgement",
        arguments: [true, false])
    func removedDuringAWrite(locksFiles: Bool) async throws {
        var sample = SampleRecords()
        let store = try open(locksFiles: locksFiles)
        try await store.put(sample.sessions(30))
        for round in 0..<3 {
            let session = try sample.session("s\(round)", of: "u1")
            try await store.write("write while the log goes") { [path = folder.database] transaction in
                try transaction.put(session)
                try FileManager.default.removeItem(atPath: path + "-wal")
            }
            #expect(try countAfterACrash() == 31 + round)
        }
        let moved = "\(folder.path)/moved"
        let session = try sample.session("last", of: "u1")
        let error = await #expect(throws: KinError.self) {
            try await store.write("write while the database goes") { [path = folder.database] transaction in
                try transaction.put(session)
                try FileManager.default.moveItem(atPath: path, toPath: moved)
            }
        }
        #expect(error?.code == .inputOutput)
    }

    @Test("a removed log is restored while another program has the database open", arguments: [true, false])
    func openElsewhere(locksFiles: Bool) async throws {
        guard ForeignReader.hasLibrary else { return }
        var sample = SampleRecords()
        let store = try open(locksFiles: locksFiles)
        try await store.put(sample.sessions(30))
        for round in 0..<4 {
            try remove("-wal")
            try remove("-shm")
            try await ForeignReader.whileOpen(folder.database) {
                for number in 0..<3 {
                    try await store.put([sample.session("s\(round)-\(number)", of: "u1")])
                    #expect(try countAfterACrash() == 31 + 4 * round + number)
                }
            }
            try await store.put([sample.session("s\(round)", of: "u1")])
            #expect(try countAfterACrash() == 34 + 4 * round)
        }
        #expect(try store.check().problems == [])
    }

    @Test("a write waits for an export that uses the removed log")
    func reopeningWaits() async throws {
        var sample = SampleRecords()
        let store = try folder.open()
        try await store.put(sample.sessions(30))
        let session = try sample.session("during", of: "u1")
        let export = HeldThread { hold in
            _ = try? store.exportLines { _ throws(KinError) in hold() }
        }
        try remove("-wal")
        for _ in 0..<2 {
            #expect(await errorCode { try await store.put([session]) } == .busy)
            #expect(try countAfterACrash() == 30 && store.session("during") == nil)
        }
        export.letGo()
        try await store.put([session])
        #expect(try countAfterACrash() == 31)
        let reader = try folder.open(.reading)
        try remove("-wal")
        #expect(await errorCode { try await store.put([sample.session("later", of: "u1")]) } == .busy)
        try await reader.close()
        try await store.put([sample.session("later", of: "u1")])
        #expect(try countAfterACrash() == 32)
    }

    /// A change to the files of an open store.
    enum Change: String, CaseIterable {
        case databaseRemoved, databaseReplaced, logReplaced, noteRemoved, noteReplaced, allRemoved
    }

    @Test("a write to replaced files is not acknowledged", arguments: Change.allCases)
    func replaced(change: Change) async throws {
        var sample = SampleRecords()
        let other = StoreFolder()
        let theirs = try other.open()
        try await theirs.put(sample.sessions(3))
        let store = try folder.open()
        try await store.put(sample.sessions(30))
        let manager = FileManager.default
        func set(aside end: String) throws {
            try manager.moveItem(atPath: folder.database + end, toPath: "\(folder.path)/aside\(end)")
        }
        func put(_ end: String) throws {
            try manager.copyItem(atPath: other.database + end, toPath: folder.database + end)
        }
        let ends =
            switch change {
            case .databaseRemoved, .databaseReplaced: [""]
            case .logReplaced: ["-wal"]
            case .noteRemoved, .noteReplaced: ["-writer"]
            case .allRemoved: ["", "-wal", "-shm", "-writer"]
            }
        for end in ends { try set(aside: end) }
        if change.rawValue.hasSuffix("Replaced") { try put(ends[0]) }
        let session = try sample.session("new", of: "u1")
        for _ in 0..<2 {
            let error = await #expect(throws: KinError.self) { try await store.put([session]) }
            #expect(
                error?.code == .inputOutput && error?.message.contains("while the store was open") == true
                    || change == .logReplaced, "\(error!)")
            #expect(error?.message.contains("Export") == true)
        }
        await #expect(throws: KinError.self) { try await store.forget("u1") }
        await #expect(throws: KinError.self) { try await store.saveIndexes() }
        #expect(try !store.check().isIntact)
        #expect(try !store.checkPart().problems.isEmpty)
        // The existing records can be read and exported.
        #expect(try store.exportLines { _ in }["session"] == 30)
        let before = folder.files
        if change == .databaseReplaced {
            // Closing does not touch files that are not the store's.
            try await store.close()
            #expect(folder.files == before)
            return
        }
        for end in ends {
            try? manager.removeItem(atPath: folder.database + end)
            try manager.moveItem(atPath: "\(folder.path)/aside\(end)", toPath: folder.database + end)
        }
        try await store.put([session])
        #expect(try countAfterACrash() == 31 && store.check().isIntact)
    }

    /// Runs in a separate process, since the faults affect the whole process.
    @Test("a disk that cannot restore the log refuses the write, and the next one succeeds")
    func faultyDisk() async throws {
        await #expect(processExitsWith: .success) {
            for step in 0..<8 {
                for fault in [Fault.full(step: step), .error(step: step)] {
                    let folder = StoreFolder()
                    var sample = SampleRecords()
                    let environment = StoreEnvironment(files: FaultyFiles())
                    let store = try Store(at: folder.database, for: .writing, check: .brief, in: environment)
                    try await store.put(sample.sessions(30))
                    let session = try sample.session("new", of: "u1")
                    try FileManager.default.removeItem(atPath: folder.database + "-wal")
                    fault.arm(seed: 1)
                    var refusal: (any Error)?
                    do { try await store.put([session]) } catch { refusal = error }
                    Fault.none.arm(seed: 1)
                    try #require(step > 0 || (refusal as? KinError)?.code == .inputOutput)
                    if refusal == nil { try #require(folder.copy().open().session("new") == session) }
                    try await store.put([session])
                    let copy = try folder.copy()
                    let after = try copy.open()
                    try #require(after.session("new") == session)
                    try #require(after.check().isIntact)
                    try #require(after.sessionIndex().points.count == 31)
                }
            }
        }
    }
}
