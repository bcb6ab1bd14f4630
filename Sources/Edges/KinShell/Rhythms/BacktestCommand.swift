import ArgumentParser
import Foundation
import Kin
import KinFiles

/// `kin backtest`: what forecasts would have been worth.
struct BacktestCommand: ShellCommand {
    static let configuration = CommandConfiguration(
        commandName: "backtest",
        abstract: "Forecast at past moments of a log with only what was known then, and measure the errors.",
        discussion: """
            Without --at, forecasts are made at every waking between 06:00 and 19:00 (nap) or at every feed, once the \
            seven days before hold 14 intervals, and measured against what came, beside four baselines. With --at, they \
            are made at the instants of that file, one a line, and printed with --jsonl.

            Examples:

              kin backtest log.csv --kind nap
              kin backtest log.csv --kind feed --jsonl > forecasts.jsonl
              kin backtest log.csv --kind nap --at instants.txt --jsonl
              kin backtest log.csv --kind nap --plot naps.svg

            Of a store: kin backtest --user u0 --baby baby-1; kin backtest --store kin.db --help
            """
    )

    @OptionGroup var input: RhythmInput

    @Option(help: ArgumentHelp("nap or feed.", valueName: "kind"), transform: KindOption.kind)
    var kind: RhythmKind = .nap

    @Option(help: ArgumentHelp("A file of instants, one a line; - is standard input.", valueName: "file"))
    var at: String?

    @Flag(help: "Print one forecast a line, as JSON.")
    var jsonl = false

    @Flag(help: "Print the measures as JSON.")
    var json = false

    @Option(
        help: ArgumentHelp("Draw forecasts and outcomes, calibration, and error by age, as SVG.", valueName: "file"))
    var plot: String?

    @Option(help: ArgumentHelp("The seed of the bootstrap by days.", valueName: "n"))
    var seed: UInt64 = 1

    func validate() throws {
        guard !(json && jsonl) else {
            throw ValidationError("give --json for the measures or --jsonl for the forecasts")
        }
        guard at == nil || (jsonl && plot == nil) else {
            throw ValidationError("--at goes with --jsonl: outcomes are measured at a log's own wakings and feeds")
        }
    }

    func run(on console: Console) throws {
        let log = try input.read()
        if let at {
            let instants = try Self.instants(at)
            for outlook in try log.outlooks(kind, at: instants) { console.print(outlook.json) }
            return
        }
        let test = try RhythmBacktest(log, kind: kind)
        if jsonl {
            for trial in test.trials { console.print(trial.forecast.json) }
            return
        }
        guard !test.trials.isEmpty else {
            throw Failure(
                KinError(
                    .malformedInput,
                    "the log has no week with 14 \(kind == .nap ? "wakings" : "feeds"); there is nothing to test"))
        }
        if let plot { try BacktestPlot(test).drawing.write(to: plot) }
        if json {
            console.print(try test.json(of: log, seed: seed))
        } else {
            console.print(
                BacktestTable.table(
                    test.report(seed: seed), kind: kind, firstDays: try RhythmBacktest.firstDays(log, kind: kind)))
            console.print(BacktestTable.waiting(try test.elapsedErrors(log), kind: kind))
            if let plot { console.print("drawn in \(plot)") }
        }
    }

    private static func instants(_ path: String) throws -> [LocalDateTime] {
        let reader = try ByteReader(path: path)
        let text = try reader.text()
        var instants: [LocalDateTime] = []
        for (number, line) in text.split(
            separator: "\n", omittingEmptySubsequences: false
        ).enumerated() {
            let text = line.trimmingCharacters(in: .whitespaces)
            guard !text.isEmpty else { continue }
            do throws(KinError) {
                instants.append(try LocalDateTime(parsing: text))
            } catch {
                throw Failure(error.within("line", number + 1).within("file", reader.name))
            }
        }
        return instants
    }
}
