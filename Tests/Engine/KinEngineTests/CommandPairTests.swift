import KinEngine
import KinEngineTrials
import KinTestSupport
import Testing

/// Runs pairs of commands concurrently, on one engine and in two processes. `KIN_OVERLAPS=50` runs every pair 50 times;
/// otherwise some pairs run once, on one engine every command next to itself too.
@Suite("Commands are transactions")
struct CommandPairTests {
    private let folder = TemporaryFolder(prefersMemory: true)
    private static let overlaps = repetitions("KIN_OVERLAPS", standard: 1)

    private func pairs(of samples: CommandSamples) -> [(CommandSample, CommandSample)] {
        samples.commands.indices.flatMap { first in
            samples.commands[first...].map { (samples.commands[first], $0) }
        }
    }

    @Test("every command has a sample request that succeeds")
    func everyCommandHasASample() throws {
        let samples = try CommandSamples(folder: folder.path)
        let commands = Set(MethodTable.groups.flatMap(\.methods).filter(\.isCommand).map(\.name))
        #expect(Set(samples.commands.map(\.method)) == commands)
        let carriedOut = try samples.commands.filter { command in
            let engine = try samples.engine()
            return (try? engine.call(command.method, command.request)) != nil
        }
        #expect(Set(carriedOut.map(\.method)) == commands)
    }

    @Test("two concurrent commands are serialisable, in memory and on disk")
    func overlapsEqualAnOrder() throws {
        let samples = try CommandSamples(folder: folder.path)
        let trial = try CommandTrial(samples, folder: folder.path)
        for (pair, (first, second)) in pairs(of: samples).enumerated()
        where Self.overlaps > 1 || pair % 4 == 2 || first.description == second.description {
            let orders = try trial.orders(first, second)
            // A store in memory takes 16 times as long to create.
            for number in 0..<Self.overlaps {
                let outcome = try trial.overlap(first, second, onDisk: (pair / 4 + number) % 8 > 0)
                #expect(orders.contains(outcome), "\(first) | \(second): \(outcome.first) | \(outcome.second)")
            }
        }
    }

    @Test("concurrent commands of two processes are serialisable")
    func processesEqualAnOrder() throws {
        let samples = try CommandSamples(folder: folder.path)
        let trial = try CommandTrial(samples, folder: folder.path)
        let executable = try builtProgram("KinEngineTrial")
        let processes = try (0..<2).map { _ in try CommandProcess(executable: executable, folder: folder.path) }
        for (pair, (first, second)) in pairs(of: samples).enumerated() where Self.overlaps > 1 || pair % 8 == 0 {
            let orders = try trial.orders(first, second)
            for _ in 0..<Self.overlaps {
                let outcome = try trial.overlap(first, second, in: processes)
                #expect(orders.contains(outcome), "\(first) | \(second): \(outcome.first) | \(outcome.second)")
            }
        }
    }

    @Test("debug builds fail a command that reads outside its write transaction")
    func readsOutsideAreFound() throws {
        #if DEBUG
            let samples = try CommandSamples(folder: folder.path)
            let engine = try samples.engine()
            let store = try engine.store
            let before = try CommandSamples.export(engine)
            func command(_ body: @escaping @Sendable () async throws -> Void) throws {
                try finishing { try await CommandScope.$current.withValue(CommandScope()) { try await body() } }
            }
            #expect(throws: KinError.self) {
                try command {
                    guard let soul = try store.souls().first else { return }
                    try await store.put([soul])
                }
            }
            #expect(throws: KinError.self) {
                try command {
                    try await store.change(.session("open")) { session in try session?.advance(to: .drift) }
                    _ = try store.session("open")
                }
            }
            try command { _ = try store.souls() }
            try command { try await store.change(.session("open")) { session in try session?.advance(to: .mastery) } }
            #expect(try CommandSamples.export(engine) != before)
        #endif
    }
}
