import Foundation
import KinEngine
import KinSamples
import KinTestSupport
import Testing

@Suite("Rhythms through the JSON interface")
struct RhythmMethodTests {
    private let log = BabyGenerator(seed: 4).log(0, days: 20, age: 90)

    /// The events of the log, with ids.
    private func events() throws -> [String] {
        try CareEvent.events(of: log, userID: "u1", babyID: "b1").map(\.record.json)
    }

    @Test("the engine gives the library's answers", arguments: RhythmKind.allCases)
    func answers(kind: RhythmKind) throws {
        let engine = Engine()
        let request = "{\"log\": \(log.json), \"kind\": \"\(kind.rawValue)\", \"now\": \"2026-01-15T12:00:00Z\"}"
        let now = try LoggedTime(parsing: "2026-01-15T12:00:00")
        #expect(try engine.call("forecast", request) == log.outlook(kind, at: now).json)
        let at =
            "{\"log\": \(log.json), \"kind\": \"\(kind.rawValue)\", \"at\": [\"2025-01-01\", \"2026-01-15T12:00\"]}"
        let told = try engine.call("backtest", at)
        #expect(told.hasPrefix("[{\"now\":\"2025-01-01T00:00:00\",\"kind\":\"\(kind.rawValue)\",\"reason\":"))
        #expect(told.hasSuffix(try log.outlook(kind, at: now).json + "]"))
        let measured = try engine.call("backtest", "{\"log\": \(log.json), \"kind\": \"\(kind.rawValue)\"}")
        let answer = try jsonObject(measured)
        let measures = try #require(answer["measures"] as? [String: Any])
        #expect((answer["forecasts"] as? [Any])?.count == measures["count"] as? Int)
        #expect(measures["mean_absolute_error"] is Double && measures["baselines"] is [String: Any])
    }

    @Test("predictions include all forecasts, for a stored or a given log")
    func predictions() throws {
        let engine = Engine.standing(at: "2026-01-15T11:00:00Z")
        let born = try #require(log.baby.born)
        try engine.put([#"{"baby":{"user_id":"u1","id":"b1","date_of_birth":"\#(born)"}}"#])
        try engine.putEvents(events())
        let now = try LoggedTime(parsing: "2026-01-15T12:00:00")
        let told = try engine.call("predictions", #"{"user":"u1","baby":"b1","now":"2026-01-15T12:00"}"#)
        #expect(try told == log.state(at: now).predictions(at: now).json)
        #expect(try told == engine.call("predictions", "{\"log\":\(log.json),\"now\":\"2026-01-15T12:00\"}"))
        #expect(try told == engine.call("predictions", #"{"user":"u1","baby":"b1","zone":"Europe/Berlin"}"#))
        let last = try engine.call("predictions", #"{"user":"u1","baby":"b1"}"#)
        let latest = try #require(log.latest(by: Timestamp(parsing: "2026-01-15T11:00:00Z")))
        #expect(last.hasPrefix("{\"now\":\"\(latest)\""))
        let answer = try jsonObject(told)
        let nap = try #require(answer["nap"] as? [String: Any])
        #expect(nap["duration_lower"] is Double && (nap["probability_within"] as? [String: Any])?.count == 5)
    }

    @Test("predictions and insights in the app's shape have the values of the plain answers")
    func shapes() throws {
        let engine = Engine()
        func answers(_ method: String, _ more: String) throws -> (plain: String, shaped: String) {
            let request = "\"log\":\(log.json)\(more)"
            return try (
                engine.call(method, "{\(request)}"), engine.call(method, "{\(request),\"shape\":\"babysync\"}")
            )
        }
        let predictions = try answers("predictions", ",\"now\":\"2026-01-15T12:00\"")
        let (plain, shaped) = try (jsonObject(predictions.plain), jsonObject(predictions.shaped))
        let (nap, feed) = (plain["nap"] as? [String: Any], plain["feed"] as? [String: Any])
        let minutes = try #require(nap?["duration_minutes"] as? Double)
        let expected: [String: Any] = try [
            "nextNapTime": #require(nap?["point"]), "nextNapConfidence": #require(nap?["confidence"]),
            "nextNapDuration": Int(minutes.rounded()), "nextFeedTime": #require(feed?["point"]),
            "nextFeedConfidence": #require(feed?["confidence"]), "updatedAt": #require(plain["now"]),
        ]
        #expect(shaped as NSDictionary == expected as NSDictionary)
        let insights = try answers("rhythm", "")
        let (found, told) = try (jsonList(insights.plain), jsonList(insights.shaped))
        #expect(!found.isEmpty && found.count == told.count)
        let names = [
            "type": "kind", "title": "title", "description": "text", "confidence": "confidence", "data": "numbers",
            "createdAt": "created", "expiresAt": "expires",
        ]
        for (insight, app) in zip(found, told) {
            let expected = names.compactMapValues { insight[$0] }.merging(["dismissed": false]) { first, _ in first }
            #expect(app as NSDictionary == expected as NSDictionary)
        }
    }

    @Test("in the app's shape, times are instants if a zone is known, and only a nap is a next nap")
    func shapedInstants() throws {
        let engine = Engine()
        var kinds: Set<String> = []
        for now in ["2026-01-15T12:00", "2026-01-15T18:45", "2026-01-16T00:30"] {
            let request = "\"log\":\(log.json),\"now\":\"\(now)\",\"zone\":\"Europe/Berlin\""
            let plain = try jsonObject(engine.call("predictions", "{\(request)}"))
            let app = try jsonObject(engine.call("predictions", "{\(request),\"shape\":\"babysync\"}"))
            let nap = try #require(plain["nap"] as? [String: Any])
            let kind = try #require(nap["kind"] as? String)
            kinds.insert(kind)
            func instant(_ value: Any?) -> String? { (value as? String).map { $0 + "+01:00" } }
            #expect(app["nextNapTime"] as? String == (kind == "nap" ? instant(nap["point"]) : nil))
            #expect((app["nextNapConfidence"] is Double) == (kind == "nap"))
            #expect((app["nextNapDuration"] is Int) == (kind == "nap") && app.count == 6)
            #expect(app["nextFeedTime"] as? String == instant((plain["feed"] as? [String: Any])?["point"]))
            #expect(app["updatedAt"] as? String == instant(plain["now"]))
        }
        #expect(kinds.count > 1 && kinds.contains("nap"), "\(kinds)")
        let insights = try jsonList(
            engine.call("rhythm", "{\"log\":\(log.json),\"zone\":\"Europe/Berlin\",\"shape\":\"babysync\"}"))
        #expect(!insights.isEmpty)
        for name in ["createdAt", "expiresAt"] {
            #expect(insights.allSatisfy { ($0[name] as? String)?.hasSuffix("+01:00") == true }, "\(name)")
        }
    }

    @Test("a date of birth after the forecast is refused, and a missing event is named")
    func birthsAndMissingEvents() throws {
        let engine = Engine()
        let (middle, last) = (log.records[log.records.count / 2].start, try #require(log.records.last).start.reading)
        for method in ["forecast", "predictions", "sleep_state", "day_plan"] {
            let request = "{\"log\":\(log.json),\"now\":\"\(middle)\",\"born\":\"\(last.date)\"}"
            #expect(kinError { try engine.call(method, request) }.says("born", "\(last.date)"), "\(method)")
        }
        for method in ["forecast", "predictions", "sleep_state", "day_plan", "days", "rhythm", "backtest"] {
            let born = #""born":"2027-01-01""#
            #expect(
                kinError { try engine.call(method, "{\"log\":\(log.json),\(born)}") }.says("born", "2027-01-01"),
                "\(method)")
            #expect(throws: Never.self) { try engine.call(method, "{\"log\":\(log.json),\"born\":\"2025-12-01\"}") }
        }
        for (event, kinds) in [("feed", ["nap"]), ("sleep", ["feed"]), ("diaper", ["nap", "feed"])] {
            for kind in kinds {
                let log = #"[{"type":"\#(event)","start":"2026-01-01T08:00","end":"2026-01-01T08:20"}]"#
                let answer = try engine.call("forecast", #"{"log":\#(log),"kind":"\#(kind)","now":"2026-01-01T09:00"}"#)
                #expect(answer.contains("no \(kind == "feed" ? "feed" : "sleep") has been logged yet"), "\(answer)")
            }
        }
    }

    @Test("recorded predictions are the predictions, and are measured once their events are logged")
    func recordedPredictions() throws {
        let engine = Engine()
        let events = try events()
        let baby = #""user":"u1","baby":"b1""#
        #expect(throws: KinError.self) { try engine.call("record_predictions", "{\(baby)}") }
        #expect(throws: KinError.self) { try engine.call("forecast_scores", "{\(baby)}") }
        // Each forecast is made when the log has only the events until then.
        let half = events.count / 2
        for count in half..<events.count {
            try engine.putEvents(events[(count == half ? 0 : count)...count])
            #expect(
                try engine.call("record_predictions", "{\(baby),\"coverage\":0.5}")
                    == engine.call("predictions", "{\(baby),\"coverage\":0.5}"))
        }
        let scores = try jsonList(engine.call("forecast_scores", "{\(baby)}"))
        #expect(scores.compactMap { $0["kind"] as? String } == RhythmKind.allCases.map(\.rawValue))
        let feed = try #require(scores.first { $0["kind"] as? String == "feed" })
        #expect(try #require(feed["count"] as? Int) > 50 && feed["nominal_coverage"] as? Double == 0.5)
        #expect(try #require(feed["mean_absolute_error"] as? Double) < 90)
        #expect(scores.allSatisfy { ($0["misses"] as? [[String: Any]]) != nil })
        // The person's ledger goes with the person.
        #expect(try engine.call("export", #"{"user":"u1"}"#).contains("forecast_ledger"))
        #expect(try engine.call("forget", #"{"user":"u1"}"#).contains("\"forecast_ledger\":1"))
        #expect(throws: KinError.self) { try engine.call("forecast_scores", "{\(baby)}") }
    }

    @Test("insights are new once, stay dismissed for all owners, and go with the log")
    func recordedInsights() throws {
        let engine = Engine()
        let baby = #""user":"u1","baby":"b1""#
        #expect(throws: KinError.self) { try engine.call("record_insights", "{\(baby)}") }
        try engine.putEvents(events())
        func report(_ owner: String = "u1") throws -> (ids: [String], statuses: Set<String>, gone: [[String: String]]) {
            let answer = try jsonObject(engine.call("record_insights", "{\"user\":\"\(owner)\",\"baby\":\"b1\"}"))
            let insights = try #require(answer["insights"] as? [[String: Any]])
            return try (
                insights.compactMap { $0["id"] as? String }, Set(insights.compactMap { $0["status"] as? String }),
                #require(answer["gone"] as? [[String: String]])
            )
        }
        let all = RhythmAnalysis(log).insights.map(\.id)
        let first = try report()
        #expect(first.ids == all && first.statuses == ["new"] && first.gone.isEmpty && all.count > 1)
        #expect(try report().statuses == ["new"])
        let dismissal = "{\(baby),\"insight\":\"\(all[0])\"}"
        #expect(try engine.call("dismiss_insight", dismissal) == "{\"dismissed\":[\"\(all[0])\"]}")
        #expect(throws: KinError.self) { try engine.call("dismiss_insight", "{\(baby),\"insight\":\"none\"}") }
        _ = try engine.call("share_baby", "{\(baby),\"other\":\"u2\"}")
        for owner in ["u1", "u2"] { #expect(try report(owner).ids == Array(all.dropFirst())) }
        let shaped = try jsonList(engine.call("rhythm", "{\(baby),\"shape\":\"babysync\"}"))
        #expect(shaped.map { $0["dismissed"] as? Bool } == all.map { $0 == all[0] })
        // The log moves to the other owner.
        _ = try engine.call("unshare_baby", "{\(baby),\"other\":\"u1\"}")
        #expect(try report("u2").ids == Array(all.dropFirst()))
        let later = #"{"user":"u2","baby":"b1","now":"2027-01-01"}"#
        let gone = try jsonObject(engine.call("record_insights", later))["gone"] as? [[String: String]]
        #expect(gone?.compactMap { $0["id"] } == Array(all.dropFirst()))
        #expect(gone?.allSatisfy { $0["reason"] == "expired" } == true)
        #expect(try engine.call("export", #"{"user":"u2"}"#).contains("insight_ledger"))
        #expect(try engine.call("forget", #"{"user":"u2"}"#).contains("\"insight_ledger\":1"))
    }

    @Test("a removed event does not count, and an older version cannot restore it")
    func removedEvents() throws {
        let engine = Engine()
        func put(_ ml: Int, updated: String, more: String = "") throws -> String {
            let event =
                #"{"id":"e1","type":"feed","start":"2026-01-05T10:00","volume":\#(ml),"updated":"\#(updated)"\#(more)}"#
            return try engine.call(
                "put", #"{"records":[{"care_event":{"user_id":"u1","baby":"b1","event":\#(event)}}]}"#)
        }
        func drunk() throws -> Bool {
            try engine.call("days", #"{"user":"u1","baby":"b1"}"#).contains("\"millilitres\":90")
        }
        _ = try put(90, updated: "2026-01-05T10:10")
        #expect(try drunk())
        _ = try put(90, updated: "2026-01-05T12:00", more: #","removed":true"#)
        #expect(try !drunk() && engine.call("days", #"{"user":"u1","baby":"b1"}"#) == "[]")
        #expect(try put(90, updated: "2026-01-05T11:00") == #"{"older":1}"#)
        #expect(try !drunk())
        #expect(try engine.call("repairs", #"{"user":"u1","baby":"b1"}"#).contains(#""id":"e1""#))
        _ = try put(90, updated: "2026-01-05T13:00")
        #expect(try drunk())
        let key = #"{"kind":"care_event","user":"u1","baby":"b1","id":"e1"}"#
        #expect(try engine.call("remove", key) == #"{"removed":true}"#)
        #expect(try engine.call("export", #"{"user":"u1"}"#) == "[]")
    }

    @Test("correlations and consolidation have counts, and null for too few data")
    func relations() throws {
        let told = try Engine().call("correlations", "{\"log\":\(log.json)}")
        let answer = try jsonObject(told)
        #expect(
            Set(answer.keys) == [
                "drinking_and_sleep", "feeds_and_sleep", "amount_and_length", "amount_and_quality", "wait_and_length",
                "wait_and_quality",
            ])
        #expect((answer["wait_and_length"] as? [String: Any])?["count"] as? Int ?? 0 > 30)
        let nights = try Engine().call("consolidation", "{\"log\":\(log.json)}")
        #expect(nights.contains("\"longest_minutes\":") && !nights.contains("\"longest_minutes\":null"))
        let none = #"{"longest_minutes":null,"date":null,"weekly_minutes":null,"p":null,"nights":null}"#
        #expect(try Engine().call("consolidation", #"{"log":[]}"#) == none)
    }

    @Test("answers about a stored log in UTC say so unless a zone is known", arguments: ["Z", "+01:00", ""])
    func utc(offset: String) throws {
        let engine = Engine()
        func put(_ baby: String, _ zone: String = "") throws {
            let events = (0..<40).map { hour in
                let day = "2026-01-\(hour / 8 + 10)T\(hour % 8 + 10)"
                let times = #""start":"\#(day):00\#(offset)","end":"\#(day):40\#(offset)""#
                let event = #"{"id":"\#(hour)","type":"sleep",\#(times)}"#
                return #"{"care_event":{"user_id":"u","baby":"\#(baby)","event":\#(event)}}"#
            }
            let record = #"{"baby":{"user_id":"u","id":"\#(baby)"\#(zone)}}"#
            _ = try engine.call("put", #"{"records":[\#(([record] + events).joined(separator: ","))]}"#)
        }
        try put("b")
        try put("z", #","time_zone":"Europe/London""#)
        for method in ["forecast", "predictions", "repairs"] {
            func isNoted(_ request: String) throws -> Bool {
                try engine.call(method, request).contains("times are in UTC and the log names no zone")
            }
            #expect(try isNoted(#"{"user":"u","baby":"b"}"#) == (offset == "Z"), "\(method)")
            #expect(try !isNoted(#"{"user":"u","baby":"z"}"#), "\(method)")
            #expect(try !isNoted(#"{"user":"u","baby":"b","zone":"Europe/Berlin"}"#), "\(method)")
        }
    }

    @Test("repairs are a list that includes the omitted rows")
    func repairs() throws {
        let request = #"{"log": [{"type":"bath"},{"type":"feed","start":"2026-01-05T10:00","volume":-50}]}"#
        let told = try Engine().call("repairs", request)
        let repairs = try jsonList(told)
        #expect(repairs.map { $0["problem"] as? String } == ["unknown_type", "impossible_amount"], "\(told)")
        #expect(repairs.map { $0["row"] as? Int } == [1, 2])
    }

    @Test(
        "errors name their location",
        arguments: [
            ("forecast", "{}", "log"), ("forecast", "{\"log\": []}", "now"),
            ("forecast", "{\"log\": [{\"type\": \"nap\", \"start\": \"2026-01-01\"}]}", "event 1"),
        ])
    func mistakes(method: String, request: String, word: String) {
        let told = kinError { try Engine().call(method, request) }?.description ?? "it was answered"
        #expect(told.contains(word), "\(told)")
    }
}
