public import KinCore
import KinJSON

extension RhythmBacktest {
    /// The measures as JSON: those of ``Report``, of ``elapsedErrors(_:)`` and of ``firstDays(_:kind:)``; null where
    /// nothing can be measured.
    ///
    /// - Parameters:
    ///   - log: The log of the backtest.
    ///   - seed: The seed of the bootstrap by days.
    /// - Throws: As the forecasts of the log.
    public func json(of log: RhythmLog, seed: UInt64) throws(KinError) -> String {
        let (elapsedErrors, firstDays) = (try elapsedErrors(log), try Self.firstDays(log, kind: kind))
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("kind") { $0.string(kind.rawValue) }
            if trials.isEmpty {
                writer.member("count") { $0.integer(0) }
            } else {
                report(seed: seed).write(to: &writer)
            }
            writer.member("first_days") { writer in
                guard let firstDays else { return writer.null() }
                writer.object { writer in
                    writer.member("count") { $0.integer(firstDays.count) }
                    writer.member("forecast_error") { $0.number(firstDays.forecastError) }
                    writer.member("age_table_error") { $0.number(firstDays.ageTableError) }
                    writer.member("own_mean_error") { $0.number(firstDays.ownMeanError) }
                }
            }
            writer.member("waiting") { $0.array(elapsedErrors) { $0.write(to: &$1) } }
        }
        return writer.text
    }
}

extension RhythmBacktest.ElapsedError {
    fileprivate func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("elapsed") { $0.number(elapsed) }
            writer.member("count") { $0.integer(count) }
            writer.member("first_error") { $0.number(firstError) }
            writer.member("updated_error") { $0.number(updatedError) }
        }
    }
}

extension RhythmBacktest.Report {
    /// Writes the members of an object.
    fileprivate func write(to writer: inout JSONWriter) {
        writer.member("count") { $0.integer(count) }
        for (name, value) in [
            ("mean_absolute_error", meanAbsoluteError), ("median_absolute_error", medianAbsoluteError),
            ("within15", within15), ("within30", within30), ("coverage80", coverage), ("width80", width),
            ("pinball_loss", pinballLoss), ("calibration_error", calibrationError),
        ] {
            writer.member(name) { $0.number(value) }
        }
        writer.member("baselines") { writer in
            writer.object { writer in
                for baseline in baselines {
                    writer.member(baseline.baseline.rawValue) { writer in
                        writer.object { writer in
                            writer.member("mean_absolute_error") { $0.number(baseline.meanAbsoluteError) }
                            writer.member("ratio") { $0.number(baseline.ratio) }
                            writer.member("ratio_lower") { $0.number(baseline.ratioBounds.lowerBound) }
                            writer.member("ratio_upper") { $0.number(baseline.ratioBounds.upperBound) }
                        }
                    }
                }
            }
        }
    }
}
