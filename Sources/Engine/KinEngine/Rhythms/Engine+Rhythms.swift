public import KinCore
public import KinRhythms
import KinStore

extension Engine {
    /// The log of a baby.
    ///
    /// - Throws: `.unknownID` when neither the baby nor an event is stored; `.corruptFile`, `.inputOutput`.
    public func log(of user: String, baby: String) throws(KinError) -> RhythmLog {
        try forecaster(of: user, baby: baby).log
    }

    /// The forecasts of a baby, kept up to date by its events.
    ///
    /// - Throws: As ``log(of:baby:)``.
    public func forecaster(of user: String, baby: String) throws(KinError) -> RhythmForecaster {
        guard let forecaster = try store.forecaster(of: user, baby: baby) else {
            throw KinError(.unknownID, "nothing is known of a baby \(baby) of \(user)")
        }
        return forecaster
    }

    /// Forecasts a baby's next nap, feed, waking or bedtime, or gives the reason why there is no forecast.
    ///
    /// - Parameters:
    ///   - user: The person's id.
    ///   - baby: The baby's id.
    ///   - kind: The kind of event.
    ///   - instant: The instant by the local clock; that of the log's last observation when nil.
    ///   - coverage: The nominal coverage of the interval, above 0 and below 1.
    /// - Throws: `.unknownID`; `.invalidArgument` for an empty log without an instant, and for another coverage.
    public func forecast(
        of user: String, baby: String, _ kind: RhythmKind = .nap, at instant: LocalDateTime? = nil,
        coverage: Double = 0.8
    ) throws(KinError) -> RhythmOutlook {
        let forecaster = try forecaster(of: user, baby: baby)
        return try forecaster.outlook(kind, at: self.instant(instant, forecaster.latest), coverage: coverage)
    }

    /// Forecasts a baby's next nap, feed, waking and bedtime at once, from kept state: an app's answer for every half-hour.
    ///
    /// - Parameters:
    ///   - user: The person's id.
    ///   - baby: The baby's id.
    ///   - instant: The instant by the local clock; that of the log's last observation when nil.
    ///   - coverage: The nominal coverage of the intervals, above 0 and below 1.
    /// - Throws: As ``forecast(of:baby:_:at:coverage:)``.
    /// - Complexity: Constant, below 0.2 ms; O(events) when the baby's state is not in memory.
    public func predictions(
        of user: String, baby: String, at instant: LocalDateTime? = nil, coverage: Double = 0.8
    ) throws(KinError) -> RhythmPredictions {
        let forecaster = try forecaster(of: user, baby: baby)
        return try forecaster.predictions(at: self.instant(instant, forecaster.latest), coverage: coverage)
    }

    /// The findings of a baby's log: days, wake windows, leaps, correlations and insights.
    ///
    /// - Throws: `.unknownID`; `.corruptFile`, `.inputOutput`.
    public func rhythm(of user: String, baby: String) throws(KinError) -> RhythmAnalysis {
        RhythmAnalysis(try log(of: user, baby: baby))
    }
}

extension Engine {
    /// A given instant, or the last observation of a log.
    ///
    /// - Throws: `.invalidArgument` for an empty log without an instant.
    func instant(_ given: LocalDateTime?, _ latest: LocalDateTime?) throws(KinError) -> LocalDateTime {
        if let instant = given ?? latest { return instant }
        throw KinError(.invalidArgument, "the log is empty; say when it is by \"now\"")
    }
}
