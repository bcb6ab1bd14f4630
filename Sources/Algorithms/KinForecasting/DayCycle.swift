/// Arithmetic on the 24-hour circle, for instants in minutes since the beginning of 1970 by the local clock.
public enum DayCycle {
    /// The number of minutes in a day, 1,440.
    public static let minutesPerDay = 1440.0

    /// The minutes since midnight of an instant, 0 ..< 1440.
    ///
    /// - Precondition: The instant is finite and within 10¹² minutes of 1970.
    @inline(__always)
    public static func minuteOfDay(_ minute: Double) -> Double {
        // A product, a truncation and a correction: a division and a call to round down would take longer than the
        // rest.
        let days = Double(Int(minute * (1 / minutesPerDay)))
        let rest = minute - days * minutesPerDay
        return rest < 0 ? rest + minutesPerDay : rest >= minutesPerDay ? rest - minutesPerDay : rest
    }

    /// The day of the week of an instant, 0 for Monday to 6; a day begins at 04:00.
    static func weekday(of minute: Double) -> Int {
        // 1970 began on a Thursday.
        let days = Int(((minute - 240) * (1 / minutesPerDay)).rounded(.down)) + 3
        return (days % 7 + 7) % 7
    }

    /// Whether a day of the week is Saturday or Sunday.
    static func isWeekend(_ weekday: Int) -> Bool { weekday >= 5 }

    /// The signed difference a − b along the shorter arc of the clock, −720 ..< 720 minutes.
    @inline(__always)
    static func difference(_ a: Double, _ b: Double) -> Double {
        let raw = minuteOfDay(a - b + 720)
        return raw - 720
    }
}
