/// Arithmetic on the circle of the day, with instants in minutes since the beginning of 1970 by the local clock.
public enum ClockTime {
    /// The minutes of a day.
    public static let minutesPerDay = 1440.0

    /// Minutes since midnight, 0 ..< 1440.
    @inline(__always)
    public static func minuteOfDay(_ minute: Double) -> Double {
        // A product, a truncation and a step where they missed: a division and a call to round down cost more than all else here.
        let days = Double(Int(minute * (1 / minutesPerDay)))
        let rest = minute - days * minutesPerDay
        return rest < 0 ? rest + minutesPerDay : rest >= minutesPerDay ? rest - minutesPerDay : rest
    }

    /// The way from one clock time to another along the shorter arc, −720 ..< 720 minutes.
    @inline(__always)
    static func difference(_ a: Double, _ b: Double) -> Double {
        let raw = minuteOfDay(a - b + 720)
        return raw - 720
    }
}
