import ArgumentParser
import Foundation
import Kin

/// `kin rhythm`: what a log tells.
struct RhythmCommand: ShellCommand {
    static let configuration = CommandConfiguration(
        commandName: "rhythm",
        abstract:
            "Show a baby's rhythm: days, wake windows, leaps, what feeding has to do with sleep, and what in the log is odd.",
        discussion: """
            Nothing is said without enough data. --plot draws the days one below the other, from noon to noon: sleep in \
            blue, feeds as dots.

            Examples:

              kin rhythm log.csv
              kin rhythm log.csv --days 14 --repairs
              kin rhythm log.csv --plot days.svg

            Of a store: kin rhythm --user u0 --baby baby-1; kin rhythm --store kin.db --help
            """
    )

    @OptionGroup var input: RhythmInput

    @Option(help: ArgumentHelp("Draw the days, as SVG.", valueName: "file"))
    var plot: String?

    @Option(help: ArgumentHelp("Show the last days one by one.", valueName: "n"))
    var days: Int = 7

    @Flag(help: "List every repair with its row and reason.")
    var repairs = false

    @Flag(help: "Print the insights as JSON, one a line.")
    var json = false

    func validate() throws {
        guard days >= 0 else { throw ValidationError("--days must not be negative") }
    }

    func run(on console: Console) throws {
        let log = try input.read()
        let analysis = RhythmAnalysis(log)
        if let plot { try DayPlot(log).drawing.write(to: plot) }
        if json {
            for insight in analysis.insights { console.print(insight.json) }
            return
        }
        if days > 0, !analysis.days.isEmpty {
            console.print(RhythmText.days(analysis.days.suffix(days)))
            console.print("")
        }
        console.print(RhythmText.rhythm(analysis))
        let odd = log.repairs
        if !analysis.insights.isEmpty { console.print("") }
        for insight in analysis.insights {
            console.print("\(console.style.strong(insight.title)) (\(insight.kind.rawValue))")
            console.print("  \(insight.text)")
        }
        console.print("")
        console.print(
            "\(NumberText.count(odd.count, "repair")) in \(NumberText.count(log.records.count, "row"))"
                + (odd.isEmpty || repairs ? "" : "; --repairs lists them"))
        if repairs { for repair in odd { console.print("  row \(repair.row): \(repair.text)") } }
        if let plot { console.print("drawn in \(plot)") }
    }
}
