// Parameters of many methods, and the ranges of numbers.

extension Parameter<Int> {
    /// The number of threads. Default: 1. No result depends on it.
    static var threads: Parameter {
        Parameter("threads", .integer(1...65_536), default: 1, "The largest number of threads to use.")
    }
}

extension Parameter<UInt64> {
    /// The parameter `seed`, an unsigned 64-bit number.
    static func seed(default value: UInt64) -> Parameter {
        Parameter("seed", .seed, default: value, "The seed of random numbers.")
    }
}

extension Parameter<Timestamp?> {
    /// The parameter `at`: the instant of a query. Default: now.
    static var at: Parameter { Parameter("at", .instant, "The instant of the call. Default: now.") }
}

extension Parameter<LocalZone?> {
    /// The parameter `zone`: a person's time zone. Default: the zone in their preferences.
    static var zone: Parameter {
        Parameter("zone", .zone, "The person's time zone. Default: the zone of their preferences, else UTC.")
    }
}

/// The ranges of numbers in requests; every number has a range.
enum ParameterRange {
    /// The largest number of results of a call.
    static let mostResults = 1_000_000_000
    /// Distances on the ground in km; 20,015 km is half the earth's circumference.
    static let kilometers = 0.0...100_000
    /// Durations in minutes; the upper end is almost two years.
    static let minutes = 0.0...1_000_000
    /// Shares and scores, 0…1.
    static let unit = 0.0...1

    /// Reads a number in a range.
    ///
    /// - Throws: `.invalidArgument` with the range.
    static func number(_ reader: inout JSONReader, in range: ClosedRange<Double>) throws(KinError) -> Double {
        let number = try reader.number()
        guard range.contains(number) else { throw outside(range, number) }
        // Negative zero becomes zero, so that no answer has "-0".
        return number == 0 ? 0 : number
    }

    /// Reads a whole number in a range.
    ///
    /// - Throws: `.invalidArgument` with the range.
    static func integer(_ reader: inout JSONReader, in range: ClosedRange<Int>) throws(KinError) -> Int {
        let number = try reader.integer()
        guard let integer = Int(exactly: number), range.contains(integer) else { throw outside(range, number) }
        return integer
    }

    private static func outside<Number>(_ range: ClosedRange<Number>, _ number: some Any) -> KinError {
        func text(_ number: some Any) -> Substring {
            let text = "\(number)"
            return text.dropLast(text.hasSuffix(".0") ? 2 : 0)
        }
        return KinError(
            .invalidArgument,
            "must be from \(text(range.lowerBound)) to \(text(range.upperBound)), not \(text(number))")
    }
}
