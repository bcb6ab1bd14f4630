package import KinCore

/// Times of a log: the local clock's, whatever offset they carry.
package enum LocalClock {
    /// Reads ISO 8601 and leaves out what follows the clock (Z, +02:00): a baby's day goes by the clock on the wall.
    package static func instant(_ text: String) throws(KinError) -> Timestamp {
        let trimmed = text.filter { !$0.isWhitespace || $0 == " " }
        guard let mark = trimmed.firstIndex(where: { $0 == "T" || $0 == "t" || $0 == " " }) else {
            return try Timestamp(parsing: trimmed)
        }
        let offset = trimmed[mark...].firstIndex { $0 == "Z" || $0 == "z" || $0 == "+" || $0 == "-" }
        return try Timestamp(parsing: String(trimmed[..<(offset ?? trimmed.endIndex)]))
    }

    /// `2026-01-01T06:30:00`, without an offset.
    package static func text(_ instant: Timestamp) -> String {
        String(instant.description.dropLast())
    }

    /// A day of birth: `2026-01-01`, with the time of day where one was given.
    package static func birth(_ instant: Timestamp) -> String {
        instant.microseconds % 86_400_000_000 == 0 ? date(instant) : text(instant)
    }

    /// `2026-01-01`.
    package static func date(_ instant: Timestamp) -> String { String(text(instant).prefix(10)) }

    /// `06:30`.
    package static func clock(_ instant: Timestamp) -> String { String(text(instant).dropFirst(11).prefix(5)) }
}
