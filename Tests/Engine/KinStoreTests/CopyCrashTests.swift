import Foundation
import KinStoreTrials
import KinTestSupport
import Testing

/// Processes are killed, or meet a full or failing disk, while they make and restore backups. `KinStoreTrial copies`
/// does this at every step.
@Suite("Backups survive the end of the process during creation and restoration")
struct CopyCrashTests {
    private let folder = StoreFolder()

    @Test(arguments: CopyTrial.Work.allCases)
    func aKillLeavesTheOldOrTheNewState(_ work: CopyTrial.Work) async throws {
        var random = TestSeed().generator
        var trial = try await CopyTrial(
            executable: builtProgram("KinStoreTrial"), folder: folder.path,
            seed: UInt64.random(in: 0 ... .max, using: &random))
        let steps = try #require(try await trial.run(work, .none))
        #expect(steps > 20)
        for step in stride(from: Int.random(in: 0..<steps / 10, using: &random), to: steps, by: max(1, steps / 10)) {
            try await trial.run(work, .kill(step: step), isNoteOld: step % 2 == 0)
            try await trial.run(work, .power(step: step))
            try await trial.run(work, .full(step: step))
            try await trial.run(work, .error(step: step))
        }
        for _ in 0..<5 { try await trial.run(work, .killed(after: Int.random(in: 1..<60, using: &random))) }
        #expect(
            trial.tally.kills >= 15 && trial.tally.failures >= 5 && trial.tally.old > 0 && trial.tally.new > 0,
            "\(trial.tally)")
    }
}
