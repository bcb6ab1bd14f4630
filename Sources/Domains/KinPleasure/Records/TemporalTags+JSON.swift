import KinCore
import KinJSON

extension TemporalTags {
    private static let keys = JSONKeys(["best_times", "duration_range", "seasonal"], required: [])
    private static let range = JSONKeys(["min", "max"])
    /// The names of the seasons, and the word for all of them.
    private static let seasons = JSONKeys(TemporalTags.Season.names + ["all"])

    init(from reader: inout JSONReader) throws(KinError) {
        var bestTimes: [DayPart] = []
        var minutes: (Double, Double)?
        var seasons = TemporalTags.Season.allCases
        try reader.members(of: Self.keys) { reader, key throws(KinError) in
            switch key {
            case 0:
                bestTimes = try reader.list { reader throws(KinError) in try DayPart(from: &reader) }
            case 1:
                if try reader.takesNull() { return }
                var ends = (0.0, 0.0)
                try reader.members(of: Self.range) { reader, key throws(KinError) in
                    if key == 0 { ends.0 = try reader.number() } else { ends.1 = try reader.number() }
                }
                guard ends.0 <= ends.1 else {
                    throw reader.error("min \(ends.0) is more than max \(ends.1)", code: .invalidArgument)
                }
                minutes = ends
            default: seasons = try Self.seasons(from: &reader)
            }
        }
        try self.init(bestTimes: bestTimes, durationRange: minutes.map { $0.0...$0.1 }, seasons: seasons)
    }

    /// Reads an array of seasons or `all`, or `all` without an array.
    private static func seasons(from reader: inout JSONReader) throws(KinError) -> [TemporalTags.Season] {
        var found: [TemporalTags.Season] = []
        func read(_ reader: inout JSONReader) throws(KinError) {
            let word = try reader.choice(of: Self.seasons, "season")
            found +=
                word == TemporalTags.Season.allCases.count
                ? TemporalTags.Season.allCases : [TemporalTags.Season.allCases[word]]
        }
        if reader.isAtString() {
            try read(&reader)
        } else {
            try reader.array { reader throws(KinError) in try read(&reader) }
        }
        return TemporalTags.Season.allCases.filter { found.contains($0) }
    }

    func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("best_times") { $0.array(bestTimes.map(\.name)) }
            writer.member("duration_range") { writer in
                guard let durationRange else { return writer.null() }
                writer.object { writer in
                    writer.member("min") { $0.number(durationRange.lowerBound) }
                    writer.member("max") { $0.number(durationRange.upperBound) }
                }
            }
            writer.member("seasonal") {
                $0.array(seasons == TemporalTags.Season.allCases ? ["all"] : seasons.map(\.name))
            }
        }
    }
}
