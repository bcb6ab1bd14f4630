import Foundation
import KinCore

/// Many trials: every step of a fixed sequence of operations, and random steps and moments in longer lives.
package struct Campaign {
    private let executable: String
    private let folder: String
    private let seed: UInt64
    /// The results of all trials together.
    package private(set) var tally = Trial.Tally()

    /// - Parameters:
    ///   - executable: see ``Trial``.
    ///   - folder: for stores, which are created and removed there.
    package init(executable: String, folder: String, seed: UInt64) {
        self.executable = executable
        self.folder = folder
        self.seed = seed
    }

    /// The number of operations in the fixed sequence; the workload has each kind there.
    private static let sweptOperations = 22

    /// The number of disk steps of the fixed sequence.
    package mutating func countSteps() async throws -> Int {
        try await withTrial(seed: seed) { trial in
            try await trial.live(operations: Self.sweptOperations, fault: .none)
            return trial.tally.steps
        }
    }

    /// Injects a fault at steps of the fixed sequence; then a second process continues with the resulting files.
    package mutating func sweep(_ steps: some Sequence<Int>, _ fault: (Int) -> Fault) async throws {
        for step in steps {
            try await withTrial(seed: seed) { trial in
                try await trial.live(operations: Self.sweptOperations, fault: fault(step))
                try await trial.live(operations: 3, fault: .none)
            }
        }
    }

    /// Kills the processes of one store in sequence, at random steps and moments.
    ///
    /// - Parameter kills: the minimum number of kills.
    package mutating func hunt(kills: Int, seed: UInt64) async throws {
        var generator = SeededGenerator(seed: seed)
        try await withTrial(seed: seed) { trial in
            while trial.tally.kills < kills {
                let fault: Fault =
                    switch Int.random(in: 0..<4, using: &generator) {
                    case 0: .power(step: Int.random(in: 0..<400, using: &generator))
                    case 1: .killed(after: Int.random(in: 10..<120, using: &generator))
                    default: .kill(step: Int.random(in: 0..<400, using: &generator))
                    }
                try await trial.live(operations: 60, fault: fault)
            }
        }
    }

    /// Puts a record, lets a different program read the database, puts a second record and kills the process,
    /// repeatedly.
    ///
    /// - Parameters:
    ///   - count: the number of rounds.
    ///   - locksFiles: whether the store locks its files, so that the log is not removed; otherwise the store restores
    ///     the log.
    package mutating func foreignRounds(_ count: Int, seed: UInt64, locksFiles: Bool) async throws {
        for first in stride(from: 0, to: count, by: 25) {
            try await withTrial(seed: seed &+ UInt64(first), .foreign, locksFiles: locksFiles) { trial in
                for _ in first..<min(first + 25, count) { try await trial.live(operations: 3, fault: .killAtEnd) }
            }
        }
    }

    private mutating func withTrial<Result>(
        seed: UInt64, _ kind: Workload.Kind = .mixed, locksFiles: Bool = true,
        _ body: (inout Trial) async throws -> Result
    ) async throws -> Result {
        let place = "\(folder)/trial-\(UInt64.random(in: 0 ... .max))"
        try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
        var trial = Trial(executable: executable, folder: place, seed: seed, kind: kind, locksFiles: locksFiles)
        // After a finding the files stay.
        let result = try await body(&trial)
        try FileManager.default.removeItem(atPath: place)
        tally.kills += trial.tally.kills
        tally.failures += trial.tally.failures
        tally.acknowledged += trial.tally.acknowledged
        tally.kept += trial.tally.kept
        tally.lost += trial.tally.lost
        return result
    }
}
