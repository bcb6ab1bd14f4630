public import KinCore
package import KinJSON

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

extension RhythmBacktest.FirstDays: JSONObject {
    package func writeMembers(to writer: inout JSONWriter) {
        writer.member("count", count)
        writer.member("forecast_error", forecastError)
        writer.member("age_table_error", ageTableError)
        writer.member("own_mean_error", ownMeanError)
    }
}

extension RhythmBacktest.ElapsedError: JSONObject {
    package func writeMembers(to writer: inout JSONWriter) {
        writer.member("elapsed", elapsed)
        writer.member("count", count)
        writer.member("first_error", firstError)
        writer.member("updated_error", updatedError)
    }
}

extension RhythmBacktest.Report {
    /// Writes the members of an object.
    fileprivate func writeMembers(to writer: inout JSONWriter) {
        writer.member("count", count)
        for (name, value) in [
            ("mean_absolute_error", meanAbsoluteError), ("median_absolute_error", medianAbsoluteError),
            ("within15", within15), ("within30", within30), ("coverage80", coverage), ("width80", width),
            ("pinball_loss", pinballLoss), ("calibration_error", calibrationError),
        ] {
            writer.member(name, value)
        }
        writer.object("baselines") { writer in
            for baseline in baselines {
                writer.object(baseline.baseline.rawValue) { writer in
                    writer.member("mean_absolute_error", baseline.meanAbsoluteError)
                    writer.member("ratio", baseline.ratio)
                    writer.member("ratio_lower", baseline.ratioBounds.lowerBound)
                    writer.member("ratio_upper", baseline.ratioBounds.upperBound)
                }
            }
        }
    }
}
