import Foundation
import KinCore
import KinEngine
import KinRhythms
import KinSamples
import Testing

@Suite("Rhythms by name, in JSON")
struct RhythmMethodTests {
    private let log = BabyGenerator(seed: 4).log(0, days: 20, age: 90)

    @Test("what the engine tells is what the library tells", arguments: RhythmKind.allCases)
    func answers(kind: RhythmKind) throws {
        let engine = Engine()
        let request = "{\"log\": \(log.json), \"kind\": \"\(kind.rawValue)\", \"now\": \"2026-01-15T12:00:00Z\"}"
        let now = try LocalDateTime(parsing: "2026-01-15T12:00:00")
        #expect(try engine.call("forecast", request) == (try log.forecast(kind, at: now)?.json))
        let at =
            "{\"log\": \(log.json), \"kind\": \"\(kind.rawValue)\", \"at\": [\"2025-01-01\", \"2026-01-15T12:00\"]}"
        let told = try engine.call("backtest", at)
        #expect(told.hasPrefix("[{\"now\":\"2025-01-01T00:00:00\",\"reason\":"))
        #expect(told.hasSuffix((try log.forecast(kind, at: now)?.json ?? "") + "]"))
        let measured = try engine.call("backtest", "{\"log\": \(log.json), \"kind\": \"\(kind.rawValue)\"}")
        let answer = try #require(JSONSerialization.jsonObject(with: Data(measured.utf8)) as? [String: Any])
        let measures = try #require(answer["measures"] as? [String: Any])
        #expect((answer["forecasts"] as? [Any])?.count == measures["count"] as? Int)
        #expect(measures["mean_absolute_error"] is Double && measures["baselines"] is [String: Any])
    }

    @Test("insights come as a list; a log of nothing has none")
    func insights() throws {
        let told = try Engine().call("rhythm", "{\"log\": \(log.json)}")
        let insights = try #require(JSONSerialization.jsonObject(with: Data(told.utf8)) as? [[String: Any]])
        #expect(insights.count == RhythmAnalysis(log).insights.count)
        #expect(try Engine().call("rhythm", "{\"log\": []}") == "[]")
    }

    @Test("a log's repairs come as a list, the rows left out among them")
    func repairs() throws {
        let request = #"{"log": [{"type":"bath"},{"type":"feed","start":"2026-01-05T10:00","volume":-50}]}"#
        let told = try Engine().call("repairs", request)
        let repairs = try #require(JSONSerialization.jsonObject(with: Data(told.utf8)) as? [[String: Any]])
        #expect(repairs.map { $0["problem"] as? String } == ["unknown_type", "impossible_amount"], "\(told)")
        #expect(repairs.map { $0["row"] as? Int } == [1, 2])
    }

    @Test(
        "mistakes name their place",
        arguments: [
            ("forecast", "{}", "log"), ("forecast", "{\"log\": []}", "now"),
            ("forecast", "{\"log\": [{\"type\": \"nap\", \"start\": \"2026-01-01\"}]}", "event 1"),
            ("forecast", "{\"log\": [], \"now\": \"noon\"}", "now"),
            ("forecast", "{\"log\": [], \"now\": \"2026-01-01\", \"kind\": \"bath\"}", "kind"),
            ("forecast", "{\"log\": [], \"now\": \"2026-01-01\", \"coverage\": 2}", "coverage"),
            ("backtest", "{\"log\": [], \"when\": 1}", "when"),
        ])
    func mistakes(method: String, request: String, word: String) {
        do throws(KinError) {
            _ = try Engine().call(method, request)
            Issue.record("\(request) was answered")
        } catch {
            #expect("\(error)".contains(word), "\(error)")
        }
    }
}
