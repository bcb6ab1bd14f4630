import Foundation
import KinStore

/// A store, the processes that die while they write it, and the checks of the resulting files.
package struct Trial {
    /// The outcomes of the lives so far.
    package struct Tally: Sendable, Hashable, CustomStringConvertible {
        /// Processes that were killed.
        package var kills = 0
        /// Processes that met a full or failing disk and continued.
        package var failures = 0
        /// Operations that were acknowledged.
        package var acknowledged = 0
        /// Operations in flight at a kill that were found afterwards, and operations that were not.
        package var kept = 0, lost = 0
        /// Disk steps in the last life that ended by itself.
        package var steps = 0

        package var description: String {
            """
            \(kills) kills, \(failures) failed operations, \(acknowledged) acknowledged; of those in flight \(kept) were there \
            and \(lost) were not
            """
        }
    }

    private let executable: String
    private let folder: String
    private let seed: UInt64
    private let kind: Workload.Kind
    private let workload: Workload
    private let locksFiles: Bool
    private var model = Model()
    private var next = 0
    /// Texts that must no longer be found.
    private var forgotten: [String] = []
    package private(set) var tally = Tally()

    private var database: String { "\(folder)/trial.db" }

    /// A new store in a folder.
    ///
    /// - Parameters:
    ///   - executable: the program that runs a ``Victim`` if its first argument is `victim`.
    ///   - folder: an empty folder.
    ///   - kind: the operations of the processes.
    ///   - locksFiles: whether the processes lock the files against other programs.
    package init(
        executable: String, folder: String, seed: UInt64, kind: Workload.Kind = .mixed, locksFiles: Bool = true
    ) {
        self.executable = executable
        self.folder = folder
        self.seed = seed
        self.kind = kind
        self.locksFiles = locksFiles
        workload = Workload(seed: seed, kind: kind)
    }

    /// Runs a process that does some operations under a fault, and judges the resulting files.
    ///
    /// - Throws: ``Finding`` if the store is not as required.
    package mutating func live(operations: Int, fault: Fault) async throws {
        let arguments = ["victim", database, "\(seed)", "\(next)", "\(operations)"] + fault.arguments
        let life = try Life(executable, arguments + [kind.rawValue, locksFiles ? "locked" : "unlocked"], fault)
        for line in life.lines {
            let words = line.split(separator: " ", maxSplits: 2)
            guard words.count >= 2, let number = Int(words[1]) else {
                throw Finding("the victim says \"\(line)\"", fault, seed)
            }
            switch words[0] {
            case "done", "half":
                apply(workload.operation(number, on: model))
                next = number + 1
                tally.acknowledged += words[0] == "done" ? 1 : 0
                tally.failures += words[0] == "half" ? 1 : 0
            case "failed":
                next = number + 1
                tally.failures += 1
            case "closed": tally.steps = number
            default: throw Finding(line, fault, seed)
            }
        }
        let ended = life.lines.last?.hasPrefix("closed") == true
        guard ended || life.wasKilled else {
            throw Finding("the victim ended with status \(life.status): \(life.complaint)", fault, seed)
        }
        tally.kills += ended ? 0 : 1
        let inFlight = ended ? nil : workload.operation(next, on: model)
        do {
            try await judge(inFlight)
        } catch let error as KinError {
            throw Finding(
                "operation \(next), \(inFlight.map { "\($0)".prefix(60) } ?? "closed"): \(error)", fault, seed)
        } catch let error as Finding {
            throw Finding("operation \(next): \(error.message)", fault, seed)
        }
    }

    private mutating func apply(_ operation: Operation) {
        if case .forget(let user) = operation {
            forgotten.append(user)
            forgotten += model.sessions.values.filter { $0.userID == user }.map(\.id)
        }
        model.apply(operation)
    }

    // MARK: - Judgement

    private mutating func judge(_ inFlight: Operation?) async throws {
        let store = try Store(at: database, for: .writing, check: .complete, in: StoreEnvironment())
        let found = try Model(reading: store)
        if let inFlight, found == model.applying(inFlight) {
            tally.kept += found == model ? 0 : 1
            if found != model {
                apply(inFlight)
                next += 1
            }
        } else if found == model {
            tally.lost += inFlight == nil ? 0 : 1
        } else {
            throw Finding(
                "the store has neither what was acknowledged nor that and the operation in flight", .none, seed)
        }
        // All saved kinds. The check compares each with a newly derived value.
        try store.deriveSavedValues()
        let report = try store.check()
        guard report.isIntact else { throw Finding(report.problems.joined(separator: "; "), .none, seed) }
        try searchAgrees(store)
        try nothingForgottenIsThere()
        try await store.close()
        try nothingForgottenIsThere()
    }

    /// Expects searches to match a comparison with every session.
    private func searchAgrees(_ store: Store) throws {
        var generator = SeededGenerator(seed: seed &+ UInt64(next))
        for _ in 0..<3 {
            let point = Workload.point(&generator)
            let expected = model.sessions.values.map { session in
                zip(session.embedding.vector, point.vector).reduce(0.0) { sum, pair in
                    let difference = Double(pair.0) - Double(pair.1)
                    return sum + difference * difference
                }
            }.sorted().prefix(5)
            let found = try store.nearestSessions(to: point, k: 5)
            guard found.count == expected.count,
                zip(found, expected).allSatisfy({ abs($0.distance - $1) <= 1e-9 }),
                found.allSatisfy({ model.sessions[$0.session.id] == $0.session })
            else { throw Finding("a search does not agree with the records", .none, seed) }
        }
    }

    /// Expects no file of the folder to contain bytes of forgotten texts.
    private func nothingForgottenIsThere() throws {
        guard !forgotten.isEmpty else { return }
        if let (token, file) = try FolderSearch(folder).first(of: forgotten) {
            throw Finding("\(file) still has the bytes of \(token), which was forgotten", .none, seed)
        }
    }
}

/// A violation of the requirements.
package struct Finding: Error, CustomStringConvertible {
    package let message: String
    private let fault: Fault
    private let seed: UInt64

    init(_ message: String, _ fault: Fault, _ seed: UInt64) {
        self.message = message
        self.fault = fault
        self.seed = seed
    }

    package var description: String { "seed \(seed), fault \(fault): \(message)" }
}
