/// The methods of rhythms, for a log in the request or in the store.
enum RhythmMethods {
    static let group = MethodGroup(
        title: "Rhythms",
        prose: """
            A log comes with the call as `log`, or is in the store under a `user` and a `baby`. `put` stores it, as `{"baby": {"user_id", "id", "name",
            "date_of_birth", "time_zone"}}` and `{"care_event": {"user_id", "baby", "event"}}`, each event with an id. `log` is a list of events or an object
            of `name`, `date_of_birth`, `time_zone` and `events`. An event has `type` (`sleep`, `feed`, `diaper`, `milestone`), `start` and, depending on its
            type, `end`, `quality`, `nap_number`, `is_night_sleep`, `method`, `volume` with `unit`, `side`, `minutes`, `food`, `kind`, `title`, `category`.
            `id`, `author`, `created`, `updated` and `notes` are stored too. `is_night_sleep` and `nap_number` are used by `days` only while too few sleeps are
            known to separate day from night, and only if a sleep is marked as night sleep. Forecasts ignore them.

            Times with an offset (`Z`, `+02:00`) are instants: order, lengths and whether the baby is asleep do not depend on a zone. Days and times of day are
            those of the log's clock; if it is UTC only because no zone is known, forecasts have a `note`, and `repairs` reports it. Times in answers then have the offset of that clock. The clock's zone is the first that is known: the `time_zone` of the
            log or of the `baby`; the call's `zone`; the zone of the person's preferences, unless it is UTC; the offset of the first row with an offset. In the
            last case, offsets up to an hour from it are the same clock in summer or winter, and `repairs` lists all others.

            An event may have its own `time_zone`, in the event or next to a `care_event`, such as on a journey. That zone gives its day and times of day, and
            the clock of questions until the next event, unless it is the log's zone. The zone is stored as its offset; UTC does not count as one. Times without an offset are wall-clock
            times at the baby's location. A log without any instant has wall-clock times only, and its answers have no offsets.

            The last observation of a log is the last one up to the present, so an event with a wrong date does not move the default of `now`. Clocks may
            differ by an hour. `repairs` lists the events after the present. If all events are later, the last one counts.

            If an event has several versions, the one with the latest `updated` counts, in whatever order they arrive. A version without `updated` replaces the
            stored version. An event with `removed: true` does not count, and no older version restores it; `remove` erases it. If several caregivers
            (`author`) log the same sleep, feed, diaper or milestone, it counts once and `repairs` lists it.

            A baby may have several owners, such as its parents: `share_baby` adds an owner, `unshare_baby` removes one, and `put` of a `baby` with `owners`
            sets them all. Every owner passes their own id as `user`, with the same id of the baby, and has the same log, forecasts and recorded forecasts.
            For other people the baby is unknown. This is authorisation, not authentication: the service must verify `user` before it calls. An event that a
            later owner puts without `author` gets that owner as author. `remove` stores an event of several owners as removed. A new owner who already has
            a log of a baby with this id is refused: two logs are never merged. But an app's document of a baby takes in the events that its owners
            stored before it, and the events that a former owner stored late return with the owner. An app's event of a baby that only other people own fails with "unknown id". A log without a zone has that of the first owner's preferences. `forget` of
            one owner keeps the log for the others, without that person's name and notes. `forget` of the last owner erases it.

            `record_predictions` keeps the forecasts that an app shows, and `forecast_scores` measures them once the events are logged. A forecast is kept in
            whole minutes, and ten years of forecasts every half-hour take less than 2 MB. The scores are those by the present log: events that were
            entered late or corrected count as they are now. `forget` erases the kept forecasts, and `export` has them as `forecast_ledger`.

            `rhythm` finds insights and writes nothing. Its tests are for daily calls: with a probability of at most 5 %, a year of them reports any change,
            trend or relation in a log without. `record_insights` also compares the insights with those of its last call on an earlier day, so it may be repeated. Each is `new` or `unchanged`, and
            `gone` lists those that `expired` or that the log no longer supports. An insight's `id` is its subject and direction, such as `fewer_naps`, so
            that its numbers may move from day to day. A second drop of naps more than 17 days after the first is `new`, and so is a wake window that has
            moved by more than 20 minutes. `dismiss_insight` leaves an insight out until its substance changes in this way, or until it expires and is found
            again. A baby's owners share reports and dismissals. `export` has them as `insight_ledger`, and `forget` erases them.
            """,
        methods: [
            predictions, forecast, dayPlan, sleepState, backtest, rhythm, days, wakeWindows, consolidation, leaps,
            correlations,
            repairs, events, babies, shareBaby, unshareBaby, recordPredictions, forecastScores,
            recordInsights, dismissInsight,
        ])

    private static let predictions = EngineMethod(
        "predictions",
        "Forecasts a baby's next nap, feed, waking and bedtime in one call, such as an app makes every half-hour.",
        answer: """
            the forecasts of all kinds, as for `forecast`; with `shape`, BabySync's document: `nextNapTime`, `nextNapConfidence`, \
            `nextNapDuration` (minutes), `nextFeedTime`, `nextFeedConfidence`, `updatedAt`, null without a forecast. The fields of the nap are \
            null, too, if the next sleep is that of the night. Times have an offset if the zone of the log is known
            """,
        Parameter<CareLog>.careLog,
        Parameter<LoggedTime?>(
            "now", .loggedTime,
            "The instant of the forecasts. Default: the present if `zone` is given, otherwise the last observation."),
        Parameter<Double>("coverage", .number(0.001...0.999), default: 0.8, "The nominal coverage of the intervals."),
        shape
    ) { engine, log, now, coverage, shape throws(KinError) in
        let answer = try log.predictions(at: now, coverage: coverage, engine)
        return shape == nil ? ShapedAnswer.plain(answer) : .shaped(BabySyncPredictions(answer))
    }

    private static let forecast = EngineMethod(
        "forecast", "Forecasts a baby's next nap, feed, waking or bedtime.",
        answer: """
            the forecast, or the `reason` for its absence: no sleep or feed has been logged yet, the last sleep or feed was more than 36 hours before, or no \
            sleep is running that could end. `wake_up` is the end of a running sleep (its `duration_minutes` counts from the start of the sleep). \
            `night_waking` is the same for a sleep that began from 19:00 to 05:59. `bedtime` is the start of the evening's first sleep of 90 \
            minutes or more, from 18:00 to 02:59
            """,
        Parameter<CareLog>.careLog,
        Parameter<LoggedTime?>(
            "now", .loggedTime, "The instant of the forecast. Default: the last observation."),
        kind,
        Parameter<Double>("coverage", .number(0.001...0.999), default: 0.8, "The nominal coverage of the interval.")
    ) { engine, log, now, kind, coverage throws(KinError) in
        try log.outlook(kind, at: now, coverage: coverage, engine)
    }

    private static let sleepState = EngineMethod(
        "sleep_state", "Reports whether a baby is asleep, and how it slept.",
        Parameter<CareLog>.careLog,
        Parameter<LoggedTime?>("now", .loggedTime, "The instant. Default: the last observation.")
    ) { engine, log, now throws(KinError) in
        SleepState(outlook: try log.outlook(.nap, at: now, coverage: 0.8, engine))
    }

    private static let backtest = EngineMethod(
        "backtest", "Backtests forecasts over a log.",
        answer: """
            either, with `at`, a list of forecasts, each from the data known at that instant. Or `measures` and `forecasts`: at every waking by day \
            (`nap`, `bedtime`), feed, or start of a sleep by day (`wake_up`) or by night (`night_waking`) with a week of log before it. Left out are \
            moments with fewer than 14 intervals in the week before, and times awake or between meals beyond 20 hours; with a `count` of 0, \
            `measures` has no errors. The baseline \
            `mean_of_seven` of naps averages the last seven times awake at any hour, wakings of the night included
            """,
        Parameter<CareLog>.careLog, kind,
        Parameter<[LoggedTime]?>(
            "at", .list("local time") { reader throws(KinError) in try LoggedTime(parsing: reader.string()) },
            "The instants of the forecasts."),
        Parameter<UInt64>.seed(default: 1)
    ) { engine, log, kind, instants, seed throws(KinError) in
        let log = try log(engine)
        if let instants {
            return JSONText(try log.outlooks(kind, at: instants).jsonText)
        }
        let test = try RhythmBacktest(log, kind: kind)
        let measures = try test.json(of: log, seed: seed)
        let forecasts = test.trials.map { RhythmOutlook.forecast($0.forecast) }.jsonText
        return JSONText("{\"measures\":\(measures),\"forecasts\":\(forecasts)}")
    }

    private static let rhythm = EngineMethod(
        "rhythm", "Finds insights in a log, such as leaps and correlations.",
        answer: """
            list of insights; with `shape`, of BabySync's documents: `type`, `title`, `description`, `confidence`, `data`, `createdAt`, \
            `expiresAt`, `dismissed`
            """,
        Parameter<CareLog>.careLog, shape
    ) { engine, log, shape throws(KinError) in
        let whole = try log(engine)
        let insights = RhythmAnalysis(whole).insights
        let ledger = shape == nil ? nil : try log.insightLedger(engine)
        return shape == nil
            ? ShapedAnswer.plain(insights)
            : .shaped(
                insights.map {
                    BabySyncInsight(
                        insight: $0, isDismissed: ledger?.isDismissed($0) ?? false, zone: whole.clock.zone)
                })
    }

    private static let days = EngineMethod(
        "days", "Summarises the days of a log, from midnight to midnight, to that of the last start or end.",
        Parameter<CareLog>.careLog, Parameter<Int>("count", .count, default: 14, "The number of latest days.")
    ) { engine, log, count throws(KinError) in Array(try log(engine).days.suffix(count)) }

    private static let wakeWindows = EngineMethod(
        "wake_windows", "Measures the time awake before each sleep of the day.",
        Parameter<CareLog>.careLog
    ) { engine, log throws(KinError) in RhythmAnalysis(try log(engine)).wakeWindows }

    private static let consolidation = EngineMethod(
        "consolidation", "Measures how the sleeps of the night merge into longer ones.",
        Parameter<CareLog>.careLog
    ) { engine, log throws(KinError) in NightConsolidation(RhythmAnalysis(try log(engine))) }

    private static let leaps = EngineMethod(
        "leaps", "Finds the days on which the level of a quantity changed.",
        Parameter<CareLog>.careLog
    ) { engine, log throws(KinError) in RhythmAnalysis(try log(engine)).leaps }

    private static let correlations = EngineMethod(
        "correlations", "Correlates feeds with the sleep after them, without the linear and quadratic trends by age.",
        answer: """
            each with `r`, `count` and `p`, or null. Days with the longest sleep of their night: `drinking_and_sleep` (millilitres of milk) and \
            `feeds_and_sleep` (meals). Sleeps with the last meal before them, also controlled for the time of day: `amount_and_length`, \
            `amount_and_quality` (millilitres of milk), `wait_and_length` and `wait_and_quality` (minutes since the feed)
            """,
        Parameter<CareLog>.careLog
    ) { engine, log throws(KinError) in
        let analysis = RhythmAnalysis(try log(engine))
        return Members([
            "drinking_and_sleep": analysis.drinkingAndSleep, "feeds_and_sleep": analysis.feedsAndSleep,
            "amount_and_length": analysis.relations.amountAndLength,
            "amount_and_quality": analysis.relations.amountAndQuality,
            "wait_and_length": analysis.relations.waitAndLength,
            "wait_and_quality": analysis.relations.waitAndQuality,
        ])
    }

    private static let repairs = EngineMethod(
        "repairs", "Lists the irregular rows of a log, and how each is treated.",
        answer:
            "list of irregular rows; rows of other types are left out of the log and listed here",
        Parameter<CareLog>.careLog
    ) { engine, log throws(KinError) in try log(engine).repairs(by: engine.now()) }

    private static let events = EngineMethod(
        "events", "Lists the events of a log, newest first.",
        answer: """
            list of events as `put` takes them, with times by the log's clock. For the next page, set `after` to the `id` of the last event
            """,
        Parameter<EventPage>.eventPage, Parameter<CareLog>.careLog
    ) { engine, page, log throws(KinError) in try log.events(page, engine) }

    static let zone = Parameter<LocalZone?>(
        "zone", .zone, "The time zone of a log that names none. Default: the zone of the person's preferences.")

    /// The app whose document format the answer has.
    private static let shape = Parameter<RecordShape?>(
        "shape", .words([.babysync], [RecordShape.babysync.rawValue]), "The app in whose format to answer.")

    private static let kind = Parameter<RhythmKind>("kind", .words, default: .nap, "The kind of event.")
}

/// The log of a request, given or from the store, optionally with a different date of birth.
struct CareLog: Sendable {
    enum Source: Sendable {
        indirect case given(RhythmLog)
        case stored(user: String, baby: String)
    }

    let source: Source
    let born: LocalDateTime?
    /// The time zone named in the call; nil for none.
    let zone: LocalZone?

    /// The log; a given date of birth must not be after an instant, or else the log's last observation.
    func callAsFunction(_ engine: Engine, at now: LoggedTime? = nil) throws(KinError) -> RhythmLog {
        let log: RhythmLog
        switch source {
        case .given(let given): log = given
        case .stored(let user, let baby): log = try engine.log(of: user, baby: baby, in: zone)
        }
        if let born, let time = now ?? log.latest, born > time.reading {
            throw KinError(.invalidArgument, "must be a day up to \(time.reading.date), not \(born.date)")
                .inField("born")
        }
        return born.map(log.with(born:)) ?? log
    }

    /// Forecasts at an instant, or at the last observation; from cached state if the log is stored.
    func outlook(
        _ kind: RhythmKind, at now: LoggedTime?, coverage: Double, _ engine: Engine
    ) throws(KinError) -> RhythmOutlook {
        if born == nil, case .stored(let user, let baby) = source {
            return try engine.forecast(of: user, baby: baby, kind, at: now, coverage: coverage, in: zone)
        }
        let log = try self(engine, at: now)
        return try log.outlook(kind, at: engine.instant(now, log.latest(by:)), coverage: coverage)
    }
}

extension CareLog {
    /// Predicts at an instant, at the present in the zone, or at the last observation; from cached state if the log is
    /// stored.
    func predictions(at now: LoggedTime?, coverage: Double, _ engine: Engine) throws(KinError) -> RhythmPredictions {
        let instant = try engine.present(now, in: zone)
        if born == nil, case .stored(let user, let baby) = source {
            return try engine.predictions(of: user, baby: baby, at: instant, coverage: coverage, in: zone)
        }
        let log = try self(engine, at: instant)
        return try log.predictions(at: engine.instant(instant, log.latest(by:)), coverage: coverage)
    }

    /// The reported and dismissed insights of a stored log.
    func insightLedger(_ engine: Engine) throws(KinError) -> InsightLedger? {
        guard case .stored(let user, let baby) = source else { return nil }
        return try engine.store.insightLedger(of: user, baby: baby)
    }

    /// Lists events, from cached state if the log is stored.
    func events(_ page: EventPage, _ engine: Engine) throws(KinError) -> [RhythmRecord] {
        if born == nil, case .stored(let user, let baby) = source {
            return try engine.events(of: user, baby: baby, page, in: zone)
        }
        return try self(engine).events(page)
    }
}

extension Parameter<EventPage> {
    /// The parameters `type`, `from`, `to`, `repaired`, `count` and `after`.
    fileprivate static var eventPage: Parameter {
        combining(
            Parameter<Set<RhythmRecord.EventType>?>(
                "type", .wordSet(RhythmRecord.typeNames), "The types of events. Default: all."),
            Parameter<LoggedTime?>(
                "from", .loggedTime, "The earliest start of an event. Default: the start of the log."),
            Parameter<LoggedTime?>("to", .loggedTime, "The latest start, exclusive. Default: the end of the log."),
            Parameter<Bool>(
                "repaired", .boolean, default: false,
                """
                Whether to list events as analyses count them: without impossible values, and each once even if several caregivers logged it, or two apps a sleep. \
                Default: as they were logged, including removed ones.
                """),
            Parameter<Int>("count", .count, default: 50, "The largest number of events."),
            Parameter<String?>("after", .id, "The id of the last event of the previous page. Default: the first page.")
        ) { types, start, end, isRepaired, count, last throws(KinError) in
            var page = EventPage()
            page.types = types
            page.start = start
            page.end = end
            page.isRepaired = isRepaired
            page.count = count
            page.last = last
            return page
        }
    }
}

/// The growth of the night's sleeps.
package struct NightConsolidation: Sendable, DeclaredObject {
    /// The whole day with the longest sleep at night; nil if no whole day has one.
    package let longest: DaySummary?
    /// The trend of the last eight weeks; nil for too few nights.
    package let trend: RhythmAnalysis.Consolidation?

    init(_ analysis: RhythmAnalysis) {
        longest = analysis.days.filter { $0.isWhole && $0.longestNightStretch != nil }.max {
            ($0.longestNightStretch ?? 0) < ($1.longestNightStretch ?? 0)
        }
        trend = analysis.consolidation
    }

    package static let schema = ObjectSchema<NightConsolidation>(
        .field("longest_minutes", \.longest?.longestNightStretch, "the longest sleep of a night"),
        .field("date", \.longest?.date.dateOrDateTime, "its date"),
        .field("weekly_minutes", \.trend?.weeklyMinutes, "the growth of the longest sleep over the last eight weeks"),
        .field("p", \.trend?.p),
        .field("nights", { $0.trend.map { Double($0.count) } }, "null, like the growth, below 14 whole nights")
    )
}

extension ParameterForm<LoggedTime> {
    /// An instant, or a time by the log's clock.
    static let loggedTime = ParameterForm(.localTime) { reader throws(KinError) in
        try LoggedTime(parsing: reader.string())
    }
}

extension ParameterForm<LocalDateTime> {
    /// A time by the local clock; a trailing offset from UTC is ignored.
    fileprivate static let localTime = ParameterForm(.localTime, JSONForm.birth.read)
}

extension Parameter<CareLog> {
    /// The parameters `log`, `user`, `baby` and `born`.
    static var careLog: Parameter {
        combining(
            RhythmMethods.zone,
            Parameter<String?>("log", .object("log"), "The log. Without it, `user` and `baby` are required."),
            Parameter<String?>("user", .id, "An owner of the baby whose log is in the store."),
            Parameter<String?>("baby", .id, "The baby whose log is in the store."),
            Parameter<LocalDateTime?>("born", .localTime, "The date of birth, instead of the log's.")
        ) { zone, given, user, baby, born throws(KinError) in
            switch (given, user, baby) {
            case (let given?, nil, nil):
                do throws(KinError) {
                    let log = try JSONReader.read(given) { reader throws(KinError) in
                        try RhythmLog(from: &reader, in: zone)
                    }
                    return CareLog(source: .given(log), born: born, zone: zone)
                } catch { throw error.inField("log") }
            case (nil, let user?, let baby?):
                return CareLog(source: .stored(user: user, baby: baby), born: born, zone: zone)
            default:
                throw KinError(
                    .invalidArgument,
                    "give a \"log\", or name the \"user\" and \"baby\" whose log is in the store; one is missing")
            }
        }
    }
}
