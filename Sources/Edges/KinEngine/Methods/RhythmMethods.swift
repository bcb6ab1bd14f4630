import KinCore
import KinJSON
import KinRhythms

/// The next nap and feed of a baby whose log comes with the call; no store is needed.
enum RhythmMethods {
    static let all = [forecast, backtest, rhythm]

    private static let forecast = EngineMethod("forecast") { _, request throws(KinError) in
        let log = try log(&request)
        let kind = try kind(&request)
        let now = try localInstant("now", &request)
        let coverage = try request.optional("coverage") { reader throws(KinError) in try reader.number() }
        try request.finish()
        guard let instant = now ?? log.latest else {
            throw KinError(.invalidArgument, "the log is empty; say when it is by \"now\"")
        }
        return try log.forecast(kind, at: instant, coverage: coverage ?? 0.8)?.json
            ?? RhythmForecast.missingJSON(at: instant)
    }

    private static let backtest = EngineMethod("backtest") { _, request throws(KinError) in
        let log = try log(&request)
        let kind = try kind(&request)
        let instants = try request.optional("at") { reader throws(KinError) in
            var instants: [Timestamp] = []
            try reader.array { reader throws(KinError) in instants.append(try reader.localInstant()) }
            return instants
        }
        let seed = try request.count("seed", default: 1)
        try request.finish()
        if let instants {
            let told = try log.forecasts(kind, at: instants)
            return list(zip(instants, told).map { $1?.json ?? RhythmForecast.missingJSON(at: $0) })
        }
        let test = try Backtest(log, kind: kind)
        let measures = try test.json(of: log, seed: UInt64(seed))
        return "{\"measures\":\(measures),\"forecasts\":\(list(test.trials.map(\.forecast.json)))}"
    }

    private static let rhythm = EngineMethod("rhythm") { _, request throws(KinError) in
        let log = try log(&request)
        try request.finish()
        return list(RhythmAnalysis(log).insights.map(\.json))
    }

    private static func log(_ request: inout EngineRequest) throws(KinError) -> RhythmLog {
        let log = try request.required("log") { reader throws(KinError) in try RhythmLog(from: &reader) }
        guard let born = try localInstant("born", &request) else { return log }
        return RhythmLog(log.records, baby: Baby(name: log.baby.name, born: born))
    }

    private static func kind(_ request: inout EngineRequest) throws(KinError) -> RhythmKind {
        try request.choice("kind", of: RhythmKind.allCases, named: RhythmKind.allCases.map(\.rawValue)) ?? .nap
    }

    /// A time by the clock on the baby's wall; an offset behind it is left out.
    private static func localInstant(_ name: String, _ request: inout EngineRequest) throws(KinError) -> Timestamp? {
        try request.optional(name) { reader throws(KinError) in try reader.localInstant() }
    }

    private static func list(_ values: [String]) -> String { "[\(values.joined(separator: ","))]" }
}
