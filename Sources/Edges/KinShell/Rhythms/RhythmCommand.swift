import ArgumentParser
import Foundation
import Kin

/// `kin rhythm`: what a log tells.
struct RhythmCommand: ShellCommand {
    static let configuration = CommandConfiguration(
        commandName: "rhythm",
        abstract:
            "Show a baby's rhythm: wake windows, leaps, what feeding has to do with sleep, and what in the log is odd.",
        discussion: """
            Nothing is said without enough data. --plot draws the days one below the other, from midnight to midnight: \
            sleep in blue, feeds as dots.

            Example:

              kin rhythm log.csv --plot days.svg
            """
    )

    @OptionGroup var input: RhythmInput

    @Option(help: ArgumentHelp("Draw the days, as SVG.", valueName: "file"))
    var plot: String?

    @Flag(help: "List every repair with its row and reason.")
    var repairs = false

    func run(on console: Console) throws {
        let log = try input.read()
        let analysis = RhythmAnalysis(log)
        var table = TextTable([("", .left), ("", .left)])
        for window in analysis.wakeWindows {
            let quartiles = window.quartiles
            let trend = window.weeklyTrend.map { String(format: ", %+.0f min a week", $0) } ?? ""
            table.append([
                "awake before sleep \(window.napNumber)",
                "\(ForecastText.duration(quartiles.middle)) (\(ForecastText.duration(quartiles.lower)) to "
                    + "\(ForecastText.duration(quartiles.upper)), \(window.count) of 28 days\(trend))",
            ])
        }
        if let growth = analysis.consolidation {
            table.append(["longest night stretch", String(format: "%+.1f min a week", growth)])
        }
        for leap in analysis.leaps {
            table.append([
                "leap on \(LocalTime.text(leap.date).prefix(10))",
                String(
                    format: "%@ from %.1f to %.1f, sure to %.3f", leap.quantity.rawValue, leap.change.before,
                    leap.change.after,
                    leap.change.confidence),
            ])
        }
        append("feeds a day and the night", analysis.feedsAndSleep, to: &table)
        append("milk a day and the night", analysis.drinkingAndSleep, to: &table)
        let odd = log.repairs
        table.append(["rows repaired", NumberText.count(odd.count)])
        console.print(table)
        if repairs { for repair in odd { console.print("row \(repair.row): \(repair.text)") } }
        if let plot {
            try SVGFile.write(DayPlot(log).svg(), to: plot)
            console.print("drawn in \(plot)")
        }
    }

    private func append(_ name: String, _ found: PartialCorrelation?, to table: inout TextTable) {
        guard let found else { return }
        table.append([
            name, String(format: "r = %+.2f with age taken away, %d days, p = %.2g", found.r, found.count, found.p),
        ])
    }
}
