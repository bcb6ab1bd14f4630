import ArgumentParser
import Kin

/// `kin forecast`: the next nap or feed.
struct ForecastCommand: ShellCommand {
    static let configuration = CommandConfiguration(
        commandName: "forecast",
        abstract: "Say when the next nap or feed is, and how sure that is.",
        discussion: """
            Only rows that were known at --now count: a row that starts later is not looked at, an end that comes later \
            neither. The interval holds 80 % unless --coverage says otherwise; the confidence is the probability that \
            the event falls within half an hour of the forecast, calibrated on this log's own past.

            Example:

              kin forecast log.csv --now 2026-01-05T12:00 --kind nap

            Of a store: kin forecast --user u0 --baby baby-1; kin forecast --store kin.db --help
            """
    )

    @OptionGroup var input: RhythmInput

    @Option(
        help: ArgumentHelp("nap or feed; both unless given.", valueName: "kind"), transform: KindOption.kind)
    var kind: RhythmKind?

    @Option(help: ArgumentHelp("The instant to tell at; the log's last unless given.", valueName: "time"))
    var now: String?

    @Option(help: ArgumentHelp("What the interval is to hold, between 0 and 1.", valueName: "share"))
    var coverage: Double = 0.8

    @Flag(help: "Print as JSON.")
    var json = false

    func run(on console: Console) throws {
        let log = try input.read()
        guard let instant = try now.map({ try LocalDateTime(parsing: $0) }) ?? log.latest else {
            throw Failure.usage("the log is empty; give --now to see what the age alone tells")
        }
        let state = log.state(at: instant)
        for kind in kind.map({ [$0] }) ?? RhythmKind.allCases {
            let outlook = try state.outlook(kind, at: instant, coverage: coverage)
            if json {
                console.print(outlook.json)
            } else {
                for line in ForecastText.lines(outlook, of: kind) { console.print(line) }
            }
        }
        let leftOut = log.repairs.count { $0.problem == .unknownType }
        if leftOut > 0 {
            console.note("\(NumberText.count(leftOut, "row")) left out; kin rhythm --repairs lists them")
        }
    }
}
