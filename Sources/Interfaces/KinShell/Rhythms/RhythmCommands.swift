import Foundation

/// `kin forecast`, `kin backtest` and `kin rhythm`: the rhythms in a baby's log file.
enum RhythmCommands {
    static let all = [forecast, backtest, rhythm]

    /// The parameter for a log's file.
    static let log = ParameterDescription.required(
        "log", .path, "The log: CSV, JSON, a tracker's export, or a folder of such files; - is standard input.")
    private static let born = ParameterDescription.option(
        "born", .text, "The date of birth, for better forecasts in the first days.")
    private static let zone = ParameterDescription.option(
        "zone", .zone,
        "The time zone for times with an offset, if the log names none. Default: the first row's offset.")
    private static let kinds = ParameterType.choice(RhythmKind.allCases.map(\.rawValue))

    /// The options for reading a log.
    static let reading: [ParameterDescription] = [
        born, zone, .option("child", .text, "The child to read, in a log of several."),
        .option(
            "dates", .choice(DateOrder.allCases.map(\.rawValue)),
            "The order of day and month, if the dates do not show it."),
        .option(
            "unit", .choice(VolumeUnit.allCases.map(\.rawValue)),
            "The unit of amounts without one, if their sizes do not show it."),
        .flag("strict", "Refuse a log with columns or words that are not understood, or with assumptions."),
    ]

    /// Reads a log and prints the report.
    static func load(_ console: Console, _ request: MethodRequest) throws -> LogImport {
        let options = LogOptions(
            born: request.text("born"), zone: try request.text("zone").map { try LocalZone(named: $0) },
            child: request.text("child"), dates: request.choice("dates"), unit: request.choice("unit"),
            isStrict: request.isOn("strict"))
        let imported = try RhythmLogFile.load(request.word("log"), options)
        console.note(imported.report.lines)
        return imported
    }

    private static let forecast = Command<Console>(
        "forecast", "Forecasts the next nap, feed, waking or bedtime, with its confidence.",
        details: """
            Only data known at --now counts: later rows and later ends are ignored. The interval has a coverage of 80 %,
            or that of --coverage; the confidence is the probability that the event falls within half an hour of the
            forecast, calibrated on this log's own past.

            Example:

              kin forecast log.csv --now 2026-01-05T12:00 --kind nap

            Of a store: kin forecast --user u0 --baby baby-1; kin forecast --store kin.db --help
            """, [log],
        options: [
            .option("kind", kinds, "The kind of forecast. Default: all that apply."),
            .option("now", .localTime, "The instant of the forecast. Default: the last in the log."),
            .option("coverage", .number(0.001...0.999, unit: ""), default: "0.8", "The coverage of the interval."),
        ] + ParameterDescription.jsonList + reading
    ) { console, request in
        let log = try load(console, request).log
        let now = try request.reading("now") { () throws(KinError) in
            try request.text("now").map { text throws(KinError) in try LoggedTime(parsing: text) }
        }
        guard let instant = try now ?? log.latest(by: SystemClock.now()) else {
            throw request.refusal(
                "log", "the log has no sleep and no feed in \(log.records.count, "row"); a forecast needs one")
        }
        let clock = log.clock.at(instant, among: log.records)
        let (state, at, zone) = (log.state(at: instant), clock.asked(instant), clock.zone)
        if let now, zone == nil, now.description.count > at.description.count {
            console.note(
                "the log has local times and names no zone, so --now is read as \(at.description); set the zone: --zone Europe/Berlin"
            )
        }
        if now == nil {
            console.note(
                "the forecasts are for \(at.reading.date) \(at.time), the last time of the log; set another: --now")
        }
        let (kind, coverage): (RhythmKind?, Double) = (request.choice("kind"), request.number("coverage"))
        let outlooks = try (kind.map { [$0] } ?? RhythmKind.allCases).map {
            ($0, try state.outlook($0, at: at, coverage: coverage, in: zone))
        }
        switch (kind, request.isJSON) {
        case (_?, true): console.print(json: outlooks[0].1.json)
        case (let kind?, false): console.print(ForecastText.lines(outlooks[0].1, of: kind))
        case (nil, true): console.print(jsonList: outlooks.map { $0.1.json }, for: request)
        case (nil, false): console.print(ForecastText.lines(outlooks))
        }
    }

    private static let backtest = Command<Console>(
        "backtest", "Forecasts at past moments of a log from the data known then, and measures the errors.",
        details: """
            Without --at, forecasts are made at every waking between 06:00 and 19:00 (nap, bedtime), at every feed, or when a sleep
            begins (by day wake_up, by night night_waking), once the seven days before hold 14 intervals. They are compared
            with the events that followed, and with baselines. With --at, they are made at the instants of that file, one a
            line, and printed with --json-lines.

            Examples:

              kin backtest log.csv --kind nap
              kin backtest log.csv --kind feed --json-lines > forecasts.jsonl
              kin backtest log.csv --kind nap --at instants.txt --json-lines
              kin backtest log.csv --kind nap --plot naps.svg

            Of a store: kin backtest --user u0 --baby baby-1; kin backtest --store kin.db --help
            """, [log],
        options: [
            .option("kind", kinds, default: "\"nap\"", "What to forecast."),
            .option("at", .path, "A file of instants, one a line; - is standard input."),
            .flag("json_lines", "Print each forecast as a line of JSON."),
            .option("plot", .output, "Draw forecasts and outcomes, calibration, and error by age, as SVG."), .seed(1),
            .flag("json", "Print the measures as one JSON object, those of `measures` in the method's answer."),
        ] + reading
    ) { console, request in
        let (isLines, plot) = (request.isOn("json_lines"), request.text("plot"))
        if request.isOn("json") && isLines {
            throw request.refusal("json_lines", "give --json for the measures or --json-lines for the forecasts")
        }
        if request.isGiven("at") && (!isLines || plot != nil) {
            throw request.refusal(
                "at", "--at requires --json-lines: outcomes are measured at a log's own wakings and feeds")
        }
        let (log, kind) = (try load(console, request).log, request.choice("kind") ?? RhythmKind.nap)
        if let at = request.text("at") {
            return console.print(
                jsonList: try log.outlooks(kind, at: RhythmLogFile.instants(at)).map(\.json), for: request)
        }
        let test = try RhythmBacktest(log, kind: kind)
        if isLines { return console.print(jsonList: test.trials.map { $0.forecast.json }, for: request) }
        guard !test.trials.isEmpty else {
            throw Failure(
                KinError(.malformedInput, "the log has no week with 14 \(events(kind)); there is nothing to test"))
        }
        if let plot { try BacktestPlot(test).drawing.write(to: plot) }
        if request.isJSON { return console.print(json: try test.json(of: log, seed: request.seed())) }
        console.print(
            BacktestTable.table(
                test.report(seed: request.seed()), kind: kind, firstDays: try RhythmBacktest.firstDays(log, kind: kind))
        )
        console.print(BacktestTable.waiting(try test.elapsedErrors(log), kind: kind))
        if let plot { console.print("drawn in \(plot)") }
    }

    /// The name of the events that a backtest needs 14 of in a week.
    private static func events(_ kind: RhythmKind) -> String {
        switch kind {
        case .feed: "feeds"
        case .nap: "wakings"
        case .wakeUp, .nightWaking: "sleeps"
        case .bedtime: "wakings before five bedtimes"
        }
    }

    private static let rhythm = Command<Console>(
        "rhythm",
        "Shows a baby's rhythm: days, wake windows, leaps, relations of feeds and sleep, and irregular rows of the log.",
        details: """
            Results without enough data are left out. --plot draws the days one below the other, from noon to noon:
            sleep in blue, feeds as dots.

            Examples:

              kin rhythm log.csv
              kin rhythm log.csv --days 14 --repairs
              kin rhythm log.csv --plot days.svg

            Of a store: kin rhythm --user u0 --baby baby-1; kin rhythm --store kin.db --help
            """, [log],
        options: [
            .option("plot", .output, "Draw the days, as SVG."),
            .option("days", .amount, default: "7", "Show the last days one by one."),
            .flag("repairs", "List every repair with its row and reason."),
            .flag(
                "json",
                "Print the insights as JSON, with `days` if --days is given, and with `repairs` and `import` if --repairs is given."
            ),
        ] + reading
    ) { console, request in
        let imported = try load(console, request)
        let log = imported.log
        let analysis = RhythmAnalysis(log)
        if let plot = request.text("plot") { try DayPlot(log).drawing.write(to: plot) }
        let (odd, isListed) = (try log.repairs(by: SystemClock.now()), request.isOn("repairs"))
        if request.isJSON {
            var members = ["\"insights\":\(analysis.insights.jsonText)"]
            if request.isGiven("days") {
                members.append("\"days\":\(Array(analysis.days.suffix(request.int("days"))).jsonText)")
            }
            if isListed { members += ["\"repairs\":\(odd.jsonText)", "\"import\":\(imported.report.json)"] }
            return console.print(json: "{\(members.joined(separator: ","))}")
        }
        if request.int("days") > 0, !analysis.days.isEmpty {
            console.print(RhythmText.days(analysis.days.suffix(request.int("days"))))
            console.print("")
        }
        console.print(RhythmText.rhythm(analysis))
        if !analysis.insights.isEmpty { console.print("") }
        for insight in analysis.insights {
            console.print("\(console.style.strong(insight.title)) (\(insight.kind.rawValue))")
            console.print("  \(insight.text)")
        }
        console.print("")
        console.print(
            "\(odd.count, "repair") in \(log.records.count, "row")"
                + (odd.isEmpty || isListed ? "" : "; --repairs lists them"))
        if isListed { console.print(odd.map { "  row \($0.row): \($0.text)" }) }
        if let plot = request.text("plot") { console.print("drawn in \(plot)") }
    }
}
