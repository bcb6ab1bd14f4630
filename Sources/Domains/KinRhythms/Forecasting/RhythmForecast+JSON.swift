public import KinCore
import KinJSON

extension RhythmForecast {
    /// The forecast as JSON: `now`, `point`, `lower`, `upper` by the local clock, `confidence` to four decimals and
    /// `duration_minutes` to one, in this order.
    public var json: String {
        var writer = JSONWriter()
        writer.object { writer in
            for (name, instant) in [("now", now), ("point", point), ("lower", lower), ("upper", upper)] {
                writer.member(name) { $0.string(LocalClock.text(instant)) }
            }
            writer.member("confidence") { $0.number((confidence * 1e4).rounded() / 1e4) }
            writer.member("duration_minutes") { writer in
                if let minutes = durationMinutes {
                    writer.number((minutes * 10).rounded() / 10)
                } else {
                    writer.null()
                }
            }
        }
        return writer.text
    }

    /// What stands for a forecast, at an instant, that nothing can be told at.
    public static func missingJSON(at now: Timestamp) -> String {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("now") { $0.string(LocalClock.text(now)) }
            writer.member("reason") { $0.string("nothing logged yet") }
        }
        return writer.text
    }
}
