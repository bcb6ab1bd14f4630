import KinCore
import KinJSON
import KinRhythms
import KinStore

/// The methods of rhythms, for a log in the request or in the store.
enum RhythmMethods {
    static let all = [forecast, backtest, rhythm, repairs]

    private static let forecast = EngineMethod("forecast") { call, request throws(KinError) in
        let log = try log(&request, call)
        let kind = try kind(&request)
        let now = try localInstant("now", &request)
        let coverage = try request.number("coverage", in: 0.001...0.999)
        try request.finish()
        guard let instant = now ?? log.latest else {
            throw KinError(.invalidArgument, "the log is empty; say when it is by \"now\"")
        }
        return try log.outlook(kind, at: instant, coverage: coverage ?? 0.8).json
    }

    private static let backtest = EngineMethod("backtest") { call, request throws(KinError) in
        let log = try log(&request, call)
        let kind = try kind(&request)
        let instants = try request.optionalList("at") { reader throws(KinError) in try reader.localInstant() }
        let seed = try request.seed(default: 1)
        try request.finish()
        if let instants {
            return list(try log.outlooks(kind, at: instants).map(\.json))
        }
        let test = try RhythmBacktest(log, kind: kind)
        let measures = try test.json(of: log, seed: seed)
        return "{\"measures\":\(measures),\"forecasts\":\(list(test.trials.map(\.forecast.json)))}"
    }

    private static let rhythm = EngineMethod("rhythm") { call, request throws(KinError) in
        let log = try log(&request, call)
        try request.finish()
        return list(RhythmAnalysis(log).insights.map(\.json))
    }

    private static let repairs = EngineMethod("repairs") { call, request throws(KinError) in
        let log = try log(&request, call)
        try request.finish()
        return list(log.repairs.map(\.json))
    }

    private static func log(_ request: inout EngineRequest, _ call: EngineCall) throws(KinError) -> RhythmLog {
        let given = try request.optional("log") { reader throws(KinError) in try RhythmLog(from: &reader) }
        let (user, baby) = (try request.optionalID("user"), try request.optionalID("baby"))
        let log: RhythmLog
        switch (given, user, baby) {
        case (let given?, nil, nil): log = given
        case (nil, let user?, let baby?):
            guard let stored = try call.store.rhythmLog(of: user, baby: baby) else {
                throw KinError(.unknownID, "nothing is known of a baby \(baby) of \(user)")
            }
            log = stored
        default:
            throw KinError(
                .invalidArgument,
                "give a \"log\", or name the \"user\" and \"baby\" whose log is in the store; one is missing")
        }
        guard let born = try localInstant("born", &request) else { return log }
        return log.with(born: born)
    }

    private static func kind(_ request: inout EngineRequest) throws(KinError) -> RhythmKind {
        try request.choice("kind", of: RhythmKind.allCases, named: RhythmKind.allCases.map(\.rawValue)) ?? .nap
    }

    /// Reads a local time; an offset from UTC behind it is ignored.
    private static func localInstant(_ name: String, _ request: inout EngineRequest) throws(KinError) -> LocalDateTime?
    {
        try request.optional(name) { reader throws(KinError) in try reader.localInstant() }
    }

    private static func list(_ values: [String]) -> String { "[\(values.joined(separator: ","))]" }
}
