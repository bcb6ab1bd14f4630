extension JSONForm<Double> {
    /// A duration in minutes: a number, or a text like `15 min`.
    static let minutes = JSONForm(
        "number or text such as 15 min", read: { reader throws(KinError) in try reader.minutes() },
        write: { $1.number($0) })
}

extension JSONReader {
    /// Reads a duration in minutes: a number, or a text like `15 min`, `1 h 30 min`, `90 sec`, `10-15 min` (the longest
    /// time) and `all day`.
    package mutating func minutes() throws(KinError) -> Double {
        guard isAtString() else { return try number() }
        return try parsed { text throws(KinError) in try Self.minutes(text) }
    }

    private static func minutes(_ text: String) throws(KinError) -> Double {
        if ["all day", "allday", "whole day"].contains(text.lowercased()) { return 1440 }
        var minutes = 0.0
        // The last number of a range.
        var text = text[...]
        if let dash = text.lastIndex(where: { "-\u{2013}".contains($0) }), text[..<dash].contains(where: \.isNumber) {
            text = text[dash...].dropFirst()
        }
        // Numbers and units, with or without a space between them.
        var parts: [Substring] = []
        for word in text.split(whereSeparator: \.isWhitespace) {
            let unit = word.firstIndex { !$0.isNumber && $0 != "." } ?? word.endIndex
            parts += [word[..<unit], word[unit...]].filter { !$0.isEmpty }
        }
        for place in stride(from: 0, to: parts.count, by: 2) {
            let unit = place + 1 < parts.count ? parts[place + 1].lowercased() : "min"
            let length = [
                "m": 1.0, "min": 1, "mins": 1, "min.": 1, "minute": 1, "minutes": 1, "h": 60, "hr": 60, "hrs": 60,
            ]
            .merging(["hour": 60, "hours": 60, "day": 1440, "days": 1440]) { $1 }
            .merging(["s", "sec", "secs", "second", "seconds"].map { ($0, 1 / 60.0) }) { $1 }[unit]
            guard let number = Double(parts[place]), let length else {
                throw KinError(
                    .malformedInput,
                    "\"\(text.prefix(40))\" is not a length of time; write minutes as a number, or \"15 min\" or \"1 h 30 min\""
                )
            }
            minutes += number * length
        }
        guard !parts.isEmpty else { throw KinError(.malformedInput, "the length of time is empty") }
        return minutes
    }
}
