import KinCore
import KinJSON

extension RhythmForecast {
    /// The forecast as JSON: `now`, `point`, `lower`, `upper` by the local clock, `confidence` to four decimals,
    /// `duration_minutes` to one, and `kind`: `nap`, `bedtime`, `night` or `feed`; in this order.
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
            writer.member("kind") { $0.string(sleep?.rawValue ?? kind.rawValue) }
        }
        return writer.text
    }
}
