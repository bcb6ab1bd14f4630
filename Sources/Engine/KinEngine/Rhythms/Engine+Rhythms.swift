extension Engine {
    /// The log of a baby.
    ///
    /// - Parameters:
    ///   - user: The id of an owner of the baby. All owners have the same log. Kin does not authenticate people: the
    ///     service must verify this id.
    ///   - baby: The baby's id.
    ///   - zone: The time zone of the log if the baby has none; nil for the zone in the person's preferences.
    /// - Throws: `.unknownID` if neither the baby nor an event is stored, or the person does not own the baby;
    ///   `.corruptFile`, `.inputOutput`.
    public func log(of user: String, baby: String, in zone: LocalZone? = nil) throws(KinError) -> RhythmLog {
        try forecaster(of: user, baby: baby, in: zone).log
    }

    /// The forecasts of a baby, updated by its events.
    ///
    /// - Throws: As ``log(of:baby:in:)``.
    public func forecaster(
        of user: String, baby: String, in zone: LocalZone? = nil
    ) throws(KinError) -> RhythmForecaster {
        try store.withForecaster(of: user, baby: baby, in: zone) { $0 }
    }

    /// Forecasts a baby's next nap, feed, waking or bedtime, or returns the reason for having no forecast.
    ///
    /// - Parameters:
    ///   - user: The person's id.
    ///   - baby: The baby's id.
    ///   - kind: The kind of event.
    ///   - instant: The instant; nil for the log's last observation.
    ///   - coverage: The nominal coverage of the interval, above 0 and below 1.
    ///   - zone: As for ``log(of:baby:in:)``.
    /// - Throws: `.unknownID`; `.invalidArgument` for an empty log without an instant, and for a coverage out of range.
    public func forecast(
        of user: String, baby: String, _ kind: RhythmKind = .nap, at instant: LoggedTime? = nil,
        coverage: Double = 0.8, in zone: LocalZone? = nil
    ) throws(KinError) -> RhythmOutlook {
        try store.withForecaster(of: user, baby: baby, in: zone) { forecaster throws(KinError) in
            try forecaster.outlook(kind, at: self.instant(instant, forecaster.latest(by:)), coverage: coverage)
        }
    }

    /// Forecasts a baby's next nap, feed, waking and bedtime at once from cached state. An app can call it every
    /// half-hour.
    ///
    /// - Parameters:
    ///   - user: The person's id.
    ///   - baby: The baby's id.
    ///   - instant: The instant; nil for the log's last observation.
    ///   - coverage: The nominal coverage of the intervals, above 0 and below 1.
    ///   - zone: As for ``log(of:baby:in:)``.
    /// - Throws: As ``forecast(of:baby:_:at:coverage:in:)``.
    /// - Complexity: Constant, less than 0.2 ms; O(events) if the baby's state is not in memory.
    public func predictions(
        of user: String, baby: String, at instant: LoggedTime? = nil, coverage: Double = 0.8,
        in zone: LocalZone? = nil
    ) throws(KinError) -> RhythmPredictions {
        try store.withForecaster(of: user, baby: baby, in: zone) { forecaster throws(KinError) in
            try forecaster.predictions(at: self.instant(instant, forecaster.latest(by:)), coverage: coverage)
        }
    }

    /// Plans the rest of a baby's day: its naps and its bedtime, possibly with assumed sleeps.
    ///
    /// - Parameters:
    ///   - user: The person's id.
    ///   - baby: The baby's id.
    ///   - instant: The instant; nil for the log's last observation.
    ///   - assumed: Assumed sleeps in order, at least 15 minutes apart and before 03:00.
    ///   - coverage: The nominal coverage of the intervals, above 0 and below 1.
    ///   - zone: As for ``log(of:baby:in:)``.
    /// - Throws: As ``forecast(of:baby:_:at:coverage:in:)``; `.invalidArgument` for assumptions that contradict the log
    ///   or each other.
    /// - Complexity: Constant, about 2 ms, or 4 ms with assumptions; O(events) if the baby's state is not in memory.
    public func dayPlan(
        of user: String, baby: String, at instant: LoggedTime? = nil, given assumed: [SleepAssumption] = [],
        coverage: Double = 0.8, in zone: LocalZone? = nil
    ) throws(KinError) -> DayOutlook {
        let forecaster = try forecaster(of: user, baby: baby, in: zone)
        return try forecaster.dayPlan(
            at: self.instant(instant, forecaster.latest(by:)), given: assumed, coverage: coverage)
    }

    /// Forecasts as ``predictions(of:baby:at:coverage:in:)`` does, and records the forecasts in the baby's ledger, by
    /// which ``forecastScores(of:baby:in:)`` measures them once the events are logged.
    ///
    /// Of several calls for one minute, the last counts. The forecasts of ten years, one every half-hour, take less
    /// than 2 MB of the database.
    ///
    /// - Throws: As ``forecast(of:baby:_:at:coverage:in:)``.
    /// - Complexity: As ``predictions(of:baby:at:coverage:in:)``, and the writing of the ledger of 30 days.
    @discardableResult
    public func recordPredictions(
        of user: String, baby: String, at instant: LoggedTime? = nil, coverage: Double = 0.8,
        in zone: LocalZone? = nil
    ) async throws(KinError) -> RhythmPredictions {
        try await store.transaction("record predictions") { transaction in
            guard let forecaster = try transaction.forecaster(of: user, baby: baby, in: zone) else {
                throw KinError.unknownBaby(baby, of: user)
            }
            let predictions = try forecaster.predictions(
                at: self.instant(instant, forecaster.latest(by:)), coverage: coverage)
            try transaction.record(predictions, of: user, baby: baby)
            return predictions
        }
    }

    /// The accuracy of a baby's recorded forecasts, for each kind, measured against the present log: late and corrected
    /// events count.
    ///
    /// - Parameters:
    ///   - user: The person's id.
    ///   - baby: The baby's id.
    ///   - zone: As for ``log(of:baby:in:)``.
    /// - Throws: As ``log(of:baby:in:)``.
    /// - Complexity: O(1); O(recorded + events) after changes of the log or the ledger.
    public func forecastScores(
        of user: String, baby: String, in zone: LocalZone? = nil
    ) throws(KinError) -> [ForecastScore] {
        guard let scores = try store.forecastScores(of: user, baby: baby, in: zone) else {
            throw KinError.unknownBaby(baby, of: user)
        }
        return scores
    }

    /// A page of the events of a baby's log, newest first.
    ///
    /// - Parameters:
    ///   - user: The person's id.
    ///   - baby: The baby's id.
    ///   - page: The types, times and number of events.
    ///   - zone: As for ``log(of:baby:in:)``.
    /// - Throws: `.unknownID` for the baby or the page's last event, `.invalidArgument` if several events have
    ///   that id; `.corruptFile`, `.inputOutput`.
    public func events(
        of user: String, baby: String, _ page: EventPage = EventPage(), in zone: LocalZone? = nil
    ) throws(KinError) -> [RhythmRecord] {
        try forecaster(of: user, baby: baby, in: zone).events(page)
    }

    /// The insights into a baby's log without dismissed ones, compared with those of the last call on an earlier day and
    /// stored in their place. A call may be repeated on a day.
    ///
    /// An insight is unchanged if that call had one with its id and substance. The baby's owners share one record of
    /// reported and dismissed insights.
    ///
    /// - Parameters:
    ///   - user: The person's id.
    ///   - baby: The baby's id.
    ///   - instant: The instant; nil for the log's last observation. Insights that expired until then are left out.
    ///   - zone: As for ``log(of:baby:in:)``.
    /// - Throws: As ``forecast(of:baby:_:at:coverage:in:)``.
    /// - Complexity: O(days²), about 5 ms for a year, and one write.
    @discardableResult
    public func recordInsights(
        of user: String, baby: String, at instant: LoggedTime? = nil, in zone: LocalZone? = nil
    ) async throws(KinError) -> InsightReport {
        try await changeInsights(of: user, baby: baby, in: zone) { ledger, log in
            ledger.report(RhythmAnalysis(log).insights, at: try self.instant(instant, log.latest(by:)))
        }
    }

    /// Dismisses an insight into a baby's log, for all owners.
    ///
    /// ``recordInsights(of:baby:at:in:)`` leaves it out until it changes in substance, or until it has expired and is
    /// found again.
    ///
    /// - Parameters:
    ///   - id: The id of an insight of the log or of the last report.
    ///   - user: The person's id.
    ///   - baby: The baby's id.
    ///   - zone: As for ``log(of:baby:in:)``.
    /// - Returns: The ids of all dismissed insights.
    /// - Throws: `.unknownID` for the baby and the insight; `.inputOutput`.
    @discardableResult
    public func dismissInsight(
        _ id: String, of user: String, baby: String, in zone: LocalZone? = nil
    ) async throws(KinError) -> [String] {
        try await changeInsights(of: user, baby: baby, in: zone) { ledger, log in
            try ledger.dismiss(id, among: RhythmAnalysis(log).insights)
            return ledger.dismissed
        }
    }

    private func changeInsights<Result: Sendable>(
        of user: String, baby: String, in zone: LocalZone?,
        _ change: @escaping @Sendable (inout InsightLedger, RhythmLog) throws -> Result
    ) async throws(KinError) -> Result {
        try await store.transaction("record insights") { transaction in
            guard let log = try transaction.forecaster(of: user, baby: baby, in: zone)?.log else {
                throw KinError.unknownBaby(baby, of: user)
            }
            return try transaction.changeInsights(of: user, baby: baby) { try change(&$0, log) }
        }
    }
}

extension Engine {
    /// A given instant, or the last observation of a log up to the present.
    ///
    /// - Throws: `.invalidArgument` for a log without sleeps and feeds that count, without an instant.
    func instant(_ given: LoggedTime?, _ latest: (Timestamp) -> LoggedTime?) throws(KinError) -> LoggedTime {
        if let given { return given }
        if let instant = latest(try now()) { return instant }
        throw KinError(.invalidArgument, "the log has no sleep or feed that counts; set \"now\"")
    }

    /// A given instant, or the present in a zone; nil without both.
    func present(_ given: LoggedTime?, in zone: LocalZone?) throws(KinError) -> LoggedTime? {
        if let given { return given }
        return try zone.map { zone throws(KinError) in try LoggedTime(now(), in: zone) }
    }
}
