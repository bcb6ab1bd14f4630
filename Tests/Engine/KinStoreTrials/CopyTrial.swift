import CFaultyDisk
import Foundation
import KinStore

/// Processes that die, or meet a full or failing disk, while they make or restore a backup.
///
/// The store has a backup of an older state, and its last writer was killed, so its log has changes.
package struct CopyTrial {
    /// The work of a process.
    package enum Work: String, Sendable, CaseIterable {
        /// Replaces the backup with one of the current state.
        case backup
        /// Restores the backup over the store.
        case restore
    }

    /// The outcomes of the processes.
    package struct Tally: Sendable, Hashable, CustomStringConvertible {
        package var kills = 0, failures = 0, completed = 0
        /// The number of files with the old state afterwards, and with the new one.
        package var old = 0, new = 0

        package var description: String {
            "\(kills) kills, \(failures) failures, \(completed) completed; old state \(old), new state \(new)"
        }
    }

    private let executable: String
    private let folder: String
    private let seed: UInt64
    private let origin: String
    /// The states of the backup and of the store.
    private var older = Model(), newer = Model()
    package private(set) var tally = Tally()

    /// Creates the store and its backup.
    ///
    /// - Parameters:
    ///   - executable: The program that runs a ``CopyVictim`` if its first argument is `copy-victim`.
    ///   - folder: An empty folder.
    package init(executable: String, folder: String, seed: UInt64) async throws {
        self.executable = executable
        self.folder = folder
        self.seed = seed
        let (home, origin) = ("\(folder)/home", "\(folder)/origin")
        self.origin = origin
        for path in [home, origin] {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        }
        let store = try Store(at: "\(home)/people.db")
        let workload = Workload(seed: seed)
        older = try await Self.fill(store, with: 0..<12, of: workload, Model())
        try store.backup(to: "\(home)/backup.db")
        try store.deriveSavedValues()
        try await store.saveIndexes()
        newer = try await Self.fill(store, with: 12..<30, of: workload, older)
        guard older != newer else { throw Finding("the workload changes nothing", .none, seed) }
        // The files of a store whose writer is killed now; its shared memory is lost with the machine.
        for name in try FileManager.default.contentsOfDirectory(atPath: home) where !name.hasSuffix("-shm") {
            try FileManager.default.copyItem(atPath: "\(home)/\(name)", toPath: "\(origin)/\(name)")
        }
        try await store.close()
    }

    private static func fill(
        _ store: Store, with numbers: Range<Int>, of workload: Workload, _ model: Model
    ) async throws -> Model {
        var model = model
        for number in numbers {
            let operation = workload.operation(number, on: model)
            switch operation {
            case .putSessions(let sessions): _ = try await store.put(sessions)
            case .putProfile(let version): try await store.put([version])
            case .putItems(let items): try await store.put(items)
            case .putSouls(let souls): try await store.put(souls)
            default: continue
            }
            model.apply(operation)
        }
        return model
    }

    /// Runs a process with a fault, and judges the files afterwards.
    ///
    /// - Parameter isNoteOld: Whether the writer's note is in the form of release 0.2.0, which names no lineage.
    /// - Returns: The number of disk steps, for a process that ended by itself.
    @discardableResult
    package mutating func run(_ work: Work, _ fault: Fault, isNoteOld: Bool = false) async throws -> Int? {
        let place = "\(folder)/trial"
        try? FileManager.default.removeItem(atPath: place)
        try FileManager.default.copyItem(atPath: origin, toPath: place)
        let (store, backup) = ("\(place)/people.db", "\(place)/backup.db")
        if isNoteOld { try ageNote(at: store + "-writer") }
        let life = try Life(
            executable, ["copy-victim", work.rawValue, store, backup, "\(seed)"] + fault.arguments, fault)
        let words = life.lines.first?.split(separator: " ") ?? []
        guard life.wasKilled == words.isEmpty || (life.wasKilled && words.first == "done") else {
            throw Finding("the process ended with \(life.status): \(words)", fault, seed)
        }
        let isDone = words.first == "done"
        tally.kills += words.isEmpty ? 1 : 0
        tally.failures += words.first == "failed" ? 1 : 0
        tally.completed += isDone ? 1 : 0
        do {
            switch work {
            case .backup:
                let copy = try await model(at: backup)
                guard copy == newer || (copy == older && !isDone) else { throw finding("the backup", fault) }
                count(copy)
                guard try await model(at: store) == newer else { throw finding("the store", fault) }
            case .restore:
                let found = try await model(at: store)
                guard found == older || (found == newer && !isDone) else { throw finding("the store", fault) }
                count(found)
                try Store.restore(from: backup, to: store)
                guard try await model(at: store) == older else {
                    throw finding("the store after another restore", fault)
                }
            }
        } catch let error as KinError {
            throw Finding("\(work): \(error)", fault, seed)
        }
        return isDone ? words.last.flatMap { Int($0) } : nil
    }

    private func finding(_ thing: String, _ fault: Fault) -> Finding {
        Finding("\(thing) has neither the old state nor the new one", fault, seed)
    }

    private mutating func count(_ model: Model) {
        tally.old += model == older ? 1 : 0
        tally.new += model == newer ? 1 : 0
    }

    /// Reads a store, which must be intact.
    private func model(at path: String) async throws -> Model {
        let store = try Store(at: path, check: .complete)
        let model = try Model(reading: store)
        let report = try store.check()
        guard report.isIntact else { throw Finding(report.problems.joined(separator: "; "), .none, seed) }
        try await store.close()
        return model
    }

    /// Writes the note as release 0.2.0 does.
    private func ageNote(at path: String) throws {
        let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
        var text = (["kin store writer 2"] + lines[1..<4].map(String.init)).joined(separator: "\n") + "\n"
        text += String(repeating: " ", count: 96 - text.utf8.count)
        try Data(text.utf8).write(to: URL(filePath: path))
    }
}

/// The process that makes or restores a backup under a fault.
///
///     copy-victim WORK STORE BACKUP SEED FAULT STEP
///
/// Prints `done STEPS` or `failed`.
package struct CopyVictim {
    private let work: CopyTrial.Work
    private let store: String
    private let backup: String
    private let seed: UInt64
    private let fault: Fault

    /// - Parameter arguments: The arguments after `copy-victim`.
    package init?(_ arguments: [String]) {
        guard arguments.count == 6, let work = CopyTrial.Work(rawValue: arguments[0]), let seed = UInt64(arguments[3]),
            let step = Int(arguments[5]), let fault = Fault(arguments[4], step: step)
        else { return nil }
        (store, backup) = (arguments[1], arguments[2])
        self.work = work
        self.seed = seed
        self.fault = fault
    }

    package func run() async throws {
        guard faulty_disk_install() == 0 else { throw KinError(.inputOutput, "SQLite takes no disk") }
        let files = FaultyFiles()
        do {
            switch work {
            case .backup:
                let open = try Store(at: store, for: .writing, check: .brief, in: StoreEnvironment(files: files))
                fault.arm(seed: seed)
                try open.backup(to: backup, overwrite: true)
            case .restore:
                fault.arm(seed: seed)
                try Store.restore(from: backup, to: store, files: files)
            }
            print("done", faulty_disk_steps())
        } catch {
            print("failed")
        }
        faulty_disk_disarm()
    }
}
