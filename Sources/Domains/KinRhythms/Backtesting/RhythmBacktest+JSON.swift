extension RhythmBacktest {
    /// The measures as JSON: ``Report``, ``elapsedErrors(_:)`` and ``firstDays(_:kind:)``; null if nothing can be
    /// measured.
    ///
    /// - Parameters:
    ///   - log: The log of the backtest.
    ///   - seed: The seed of the bootstrap by days.
    /// - Throws: As the forecasts of the log.
    public func json(of log: RhythmLog, seed: UInt64) throws(KinError) -> String {
        let (elapsedErrors, firstDays) = (try elapsedErrors(log), try Self.firstDays(log, kind: kind))
        return JSONWriter.object { writer in
            writer.member("kind", kind.rawValue)
            if trials.isEmpty {
                writer.member("count", 0)
            } else {
                report(seed: seed).writeMembers(to: &writer)
            }
            writer.member("first_days", firstDays)
            writer.member("waiting", elapsedErrors)
        }
    }
}

extension RhythmBacktest.FirstDays: DeclaredObject {
    package static let schema = ObjectSchema<RhythmBacktest.FirstDays>(
        .field("count", \.count),
        .field("forecast_error", \.forecastError),
        .field("age_table_error", \.ageTableError),
        .field("own_mean_error", \.ownMeanError))
}

extension RhythmBacktest.ElapsedError: DeclaredObject {
    package static let schema = ObjectSchema<RhythmBacktest.ElapsedError>(
        .field("elapsed", \.elapsed),
        .field("count", \.count),
        .field("first_error", \.firstError),
        .field("updated_error", \.updatedError))
}

extension RhythmBacktest.Report: DeclaredObject {
    package static let schema = ObjectSchema<RhythmBacktest.Report>(
        .field("count", \.count),
        .field("mean_absolute_error", \.meanAbsoluteError),
        .field("median_absolute_error", \.medianAbsoluteError),
        .field("within15", \.within15),
        .field("within30", \.within30),
        .field("coverage80", \.coverage),
        .field("width80", \.width),
        .field("pinball_loss", \.pinballLoss),
        .field("calibration_error", \.calibrationError),
        .members("baselines", { $0.baselines.map { ($0.baseline.rawValue, $0) } }, by: "baseline"))
}

extension RhythmBacktest.BaselineReport: DeclaredObject {
    package static let schema = ObjectSchema<RhythmBacktest.BaselineReport>(
        .field("mean_absolute_error", \.meanAbsoluteError),
        .field("ratio", \.ratio),
        .field("ratio_lower", \.ratioBounds.lowerBound),
        .field("ratio_upper", \.ratioBounds.upperBound))
}
