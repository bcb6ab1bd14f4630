import Kin
import KinFiles

/// The tour's question of when is next.
extension Tour {
    func rhythms() throws {
        let log = try RhythmLogFile.read(data.baby)
        guard let now = log.latest else { return }
        chapter(
            "4  When is next?",
            "A baby's log, \(NumberText.count(log.records.count, "row")) as parents write them. It ends "
                + "\(now.description.replacing("T", with: " at ").prefix(19)):")
        for kind in RhythmKind.allCases {
            guard let forecast = try log.state(at: now).forecast(kind, at: now) else { continue }
            for line in ForecastText.lines(forecast) { console.print("  " + line) }
        }
        let state = log.state(at: now)
        let calls = 500
        let time = try measure { for _ in 0..<calls { _ = try state.forecast(.nap, at: now) } }
        let report = try RhythmBacktest(log, kind: .nap).report(seed: 1)
        console.print(
            "A forecast takes \(NumberText.duration(time / calls)). What "
                + "\(NumberText.count(report.count)) of them would have been worth, each made of what was known at its moment:"
        )
        console.print(BacktestTable.table(report, kind: .nap, firstDays: nil))
        next("kin backtest \(Tour.quoted(data.baby)) --kind nap --plot naps.svg")
    }
}
