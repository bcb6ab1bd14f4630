import Foundation
import KinStoreTrials
import KinTestSupport
import Testing

/// Processes that write a store are killed; `KinStoreTrial` does the same thousands of times.
@Suite("A store survives the end of its process")
struct CrashTests {
    private let folder = StoreFolder()
    private let seed: UInt64 = 11

    private func campaign() throws -> Campaign {
        Campaign(executable: try builtProgram("KinStoreTrial"), folder: folder.path, seed: seed)
    }

    @Test func everyAcknowledgedWriteIsThereAfterAKill() async throws {
        var campaign = try campaign()
        let steps = try await campaign.countSteps()
        #expect(steps > 200)
        let spread = stride(from: Int.random(in: 0..<steps / 16), to: steps, by: steps / 16)
        try await campaign.sweep(spread) { .kill(step: $0) }
        try await campaign.sweep(spread) { .power(step: $0) }
        try await campaign.hunt(kills: 20, seed: seed)
        #expect(campaign.tally.kills >= 50, "\(campaign.tally)")
        #expect(campaign.tally.acknowledged > 300, "\(campaign.tally)")
    }

    @Test func aFullOrFailingDiskLosesNothing() async throws {
        var campaign = try campaign()
        let steps = try await campaign.countSteps()
        try await campaign.sweep(stride(from: 30, to: steps, by: steps / 12)) { .full(step: $0) }
        try await campaign.sweep(stride(from: 17, to: steps, by: steps / 12)) { .error(step: $0) }
        #expect(campaign.tally.failures >= 10, "\(campaign.tally)")
        #expect(campaign.tally.kills == 0)
    }

    /// `KIN_FOREIGN_ROUNDS=200` is the long form.
    @Test("other programs that read or close the database lose no data", arguments: [true, false])
    func otherPrograms(locksFiles: Bool) async throws {
        var campaign = try campaign()
        let rounds = ProcessInfo.processInfo.environment["KIN_FOREIGN_ROUNDS"].flatMap(Int.init) ?? 8
        try await campaign.foreignRounds(rounds, seed: seed, locksFiles: locksFiles)
        // Without locks a write may be refused, so its record may be there or not.
        #expect(campaign.tally.kills == rounds, "\(campaign.tally)")
        #expect(campaign.tally.acknowledged >= 2 * rounds, "\(campaign.tally)")
    }

    /// `KinRoutingTrial` does the same with 10,000 people.
    @Test func routersThatAreKilledLoseNoDelivery() async throws {
        let (process, output) = (Process(), Pipe())
        process.executableURL = URL(filePath: try builtProgram("KinRoutingTrial"))
        process.arguments = ["--people", "400", "--days", "5", "--daily", "20", "--kills", "10", "--seed", "\(seed)"]
        process.standardOutput = output
        try process.run()
        let text = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        process.waitUntilExit()
        #expect(
            process.terminationStatus == 0 && text.contains("100 contributions") && text.contains(": 0 wrong"),
            "\(text)")
    }
}
