import ArgumentParser
import Dispatch
import Foundation
import Kin
import KinSamples
import Measuring

/// `rhythm-bench`: updates, forecasts and backtests of simulated babies.
@main
struct RhythmBenchCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rhythm-bench",
        abstract: "Measure an event, a forecast, the backtest of a year, and the refresh of many babies.",
        discussion: """
            Babies are generated from the seed. Prints a Markdown table. The refresh decodes the state of each baby and makes all forecasts, \
            on the number of threads of --threads.

              rhythm-bench
              rhythm-bench --babies 10000 --threads 1
            """
    )

    @Option(positive: "The number of babies to refresh.")
    var babies = 100_000

    @Option(positive: "The number of threads of the refresh.")
    var threads = 2

    @Option(positive: "The number of different logs among the babies.")
    var lives = 50

    @Option(help: "The age of each baby in days.")
    var days = 60

    @Option(help: "The seed of all data.")
    var seed: UInt64 = 1

    func validate() throws {
        guard days > 7 else { throw ValidationError("--days must be more than 7.") }
    }

    func run() throws {
        print("| measurement | figure |")
        print("| --- | --- |")
        try singles()
        try year()
        try refresh()
    }

    private func row(_ what: String, _ figure: String) { print("| \(what) | \(figure) |") }

    /// One event, one forecast, one state.
    private func singles() throws {
        let log = BabyGenerator(seed: seed).log(0, days: 365, age: 20)
        guard let end = log.latest else { return }
        // A sleep or feed is two events, its beginning and its end.
        let events = log.records.reduce(0) { $0 + ($1.end == nil ? 0 : 2) }
        let state = log.state(at: end)
        let building = Timing.measure(seconds: 1) { _ = log.state(at: end) }
        row("event, mean over a year", String(format: "%.1f µs", building.best / Double(events) * 1e6))
        row("sleep or feed: its beginning and end", String(format: "%.1f µs", building.best / Double(events) * 2e6))
        for kind in RhythmKind.allCases {
            let times = try Timing.measure(seconds: 1) {
                for _ in 0..<1000 { _ = try state.forecast(kind, at: end) }
            }
            row("forecast of the next \(kind.rawValue)", String(format: "%.1f µs", times.best * 1e3))
        }
        row("state", "\(state.bytes.count) bytes")
    }

    private func year() throws {
        let log = BabyGenerator(seed: seed).log(1, days: 365, age: 20)
        for kind in RhythmKind.allCases {
            var count = 0
            let times = try Timing.measure(seconds: 1) {
                let test = try RhythmBacktest(log, kind: kind)
                _ = test.report(seed: 1)
                count = test.trials.count
            }
            row(
                "backtest of a year, \(count) forecasts of the next \(kind.rawValue), with its report",
                String(format: "%.3f s", times.best))
        }
    }

    private func refresh() throws {
        let generator = BabyGenerator(seed: seed)
        let logs = (0..<lives).map { generator.log($0, days: days, age: 20 + 3 * $0) }
        let instant = try LoggedTime(
            LocalDateTime(microseconds: BabyGenerator.firstDay.microseconds + Int64(days) * 86_400_000_000))
        let states = logs.map { $0.state(at: instant).bytes }
        let seconds = Timing.seconds {
            DispatchQueue.concurrentPerform(iterations: threads) { thread in
                for baby in stride(from: thread, to: babies, by: threads) {
                    guard let state = try? RhythmState(bytes: states[baby % states.count]) else { continue }
                    for kind in RhythmKind.allCases { _ = try? state.forecast(kind, at: instant) }
                }
            }
        }
        row("\(babies) babies refreshed on \(threads) threads", String(format: "%.2f s", seconds))
    }
}
