extension TemporalTags: DeclaredRecord {
    package static let form = RecordSchema<TemporalTags>(
        "temporal_tags",
        .standard("best_times", \.bestTimes, .list(of: .dayPart), default: []),
        .optional("duration_range", \.durationRange, JSONForm(range), writesNull: true),
        .standard("seasonal", \.seasons, seasons, default: Season.allCases),
        make: TemporalTags.init(bestTimes:durationRange:seasons:))

    private static let range = RecordSchema<ClosedRange<Double>>(
        "duration_range",
        .required("min", \.lowerBound, .number("0 or more", unit: "min")),
        .required("max", \.upperBound, .number("min or more", unit: "min"))
    ) { min, max throws(KinError) in
        guard min <= max else { throw KinError(.invalidArgument, "min \(min) is more than max \(max)") }
        return min...max
    }

    /// An array of seasons or `all`, or `all` without an array.
    private static let seasons = JSONForm<[Season]>(
        "list of \(Season.names.joined(separator: ", ")); or all",
        read: { reader throws(KinError) in
            var found: [Season] = []
            func read(_ reader: inout JSONReader) throws(KinError) {
                let word = try reader.choice(of: words, "season")
                found += word == Season.allCases.count ? Season.allCases : [Season.allCases[word]]
            }
            if reader.isAtString() {
                try read(&reader)
            } else {
                try reader.array { reader throws(KinError) in try read(&reader) }
            }
            return Season.allCases.filter { found.contains($0) }
        }, write: { $1.array($0 == Season.allCases ? ["all"] : $0.map(\.name)) })

    /// The names of the seasons, and the word for all of them.
    private static let words = JSONKeys(Season.names + ["all"], aliases: Season.synonyms)
}
