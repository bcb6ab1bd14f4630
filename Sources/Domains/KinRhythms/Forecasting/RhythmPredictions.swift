public import KinCore
public import KinJSON

/// The forecasts of all kinds for a baby at one instant, with whether it is asleep.
public struct RhythmPredictions: Sendable, Hashable {
    /// The instant of the predictions.
    public let now: LocalDateTime
    /// The forecast of the next nap, or the reason for none.
    public let nap: RhythmOutlook
    /// The forecast of the next feed, or the reason for none.
    public let feed: RhythmOutlook
    /// The forecast of the running sleep's end, or the reason for none.
    public let wakeUp: RhythmOutlook
    /// The forecast of the next bedtime, or the reason for none.
    public let bedtime: RhythmOutlook
    /// The forecast of the next waking of the night, or the reason for none.
    public let nightWaking: RhythmOutlook

    /// Whether the baby is asleep by the log; nil when that is unknown.
    public var isAsleep: Bool? { nap.forecast?.basis.isAsleep }

    /// The expected waking of a sleeping baby; nil when it is awake, or when that is unknown.
    public var waking: LocalDateTime? {
        guard let nap = nap.forecast, nap.basis.isAsleep else { return nil }
        return nap.anchor
    }

    /// The minutes from ``now`` on within which the probability of an event is written.
    static let horizons = [15, 30, 60, 120, 240]
}

extension RhythmState {
    /// Forecasts the next event of each kind from all observations.
    ///
    /// - Parameters:
    ///   - now: The instant, not before the latest observation.
    ///   - coverage: The nominal coverage of the intervals, above 0 and below 1.
    /// - Throws: `.invalidArgument` for another coverage.
    /// - Complexity: Constant, below 200 µs.
    public func predictions(at now: LocalDateTime, coverage: Double = 0.8) throws(KinError) -> RhythmPredictions {
        let wakeUp = try outlook(.wakeUp, at: now, coverage: coverage)
        return RhythmPredictions(
            now: now, nap: try outlook(.nap, at: now, coverage: coverage),
            feed: try outlook(.feed, at: now, coverage: coverage),
            wakeUp: wakeUp,
            bedtime: try outlook(.bedtime, at: now, coverage: coverage),
            nightWaking: wakeUp.ofNight)
    }
}

extension RhythmPredictions: JSONObject {
    /// The predictions as a JSON object, on one line.
    public var json: String { jsonText }

    package func writeMembers(to writer: inout JSONWriter) {
        writer.member("now", now.description)
        writer.member("is_asleep", isAsleep)
        writer.member("waking", waking?.description)
        writer.member("nap") { Self.write(nap, to: &$0) }
        writer.member("feed") { Self.write(feed, to: &$0) }
        writer.member("wake_up") { Self.write(wakeUp, to: &$0) }
        writer.member("bedtime") { Self.write(bedtime, to: &$0) }
        writer.member("night_waking") { Self.write(nightWaking, to: &$0) }
    }

    private static func write(_ outlook: RhythmOutlook, to writer: inout JSONWriter) {
        guard let forecast = outlook.forecast else { return writer.raw(outlook.json) }
        func share(_ value: Double) -> Double { (value * 1e4).rounded() / 1e4 }
        writer.object { writer in
            writer.member("kind", forecast.sleep?.rawValue ?? forecast.kind.rawValue)
            writer.member("point", forecast.point.description)
            writer.member("lower", forecast.lower.description)
            writer.member("upper", forecast.upper.description)
            writer.member("confidence", share(forecast.confidence))
            writer.member("duration_minutes", forecast.durationMinutes)
            writer.member("duration_lower", forecast.durationRange?.lowerBound)
            writer.member("duration_upper", forecast.durationRange?.upperBound)
            writer.object("probability_within") { writer in
                for horizon in horizons {
                    writer.member("\(horizon)") { writer in
                        writer.number(share(forecast.probability(within: Double(horizon))))
                    }
                }
            }
        }
    }
}
