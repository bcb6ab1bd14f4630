import Foundation
import KinEngine
import KinSamples
import KinTestSupport
import Testing

@Suite("Challenges through the JSON interface")
struct ChallengeMethodTests {
    private func engine() throws -> Engine {
        let engine = Engine.standing(at: "2026-03-28T20:00:00Z")
        try engine.put(ChallengeGenerator(seed: 3).challenges(50).map(\.json))
        return engine
    }

    /// While days are missing, every daily method answers as in a store without content, and says which are missing.
    @Test("an incomplete year of content leaves the year that comes with Kin in use")
    func incompleteYear() throws {
        let year = ContentGenerator(seed: 9).library().items
        let requests = [
            ("prefer", #"{"user":"u","preferences":{"time_zone":"Europe/Rome"}}"#),
            ("prefer", #"{"user":"u","preferences":{"domain_focus":"health"}}"#),
            ("rotation", #"{"user":"u","focus":"wealth","day":3}"#), ("rotation", #"{"user":"u"}"#),
            ("today", #"{"user":"u"}"#), ("timeline", #"{"user":"u","days":400}"#), ("reflect", #"{"user":"u"}"#),
            ("assign", #"{"user":"u"}"#), ("complete", #"{"user":"u"}"#),
            ("reflections", #"{"user":"u"}"#), ("progress", #"{"user":"u"}"#),
        ]
        let without = try engine()
        let expected = try requests.map { try without.call($0.0, $0.1) }
        for present in [[5], [1, 364], Array(2...364), Array(1...363), Array(1...364)] {
            let engine = try engine()
            let counts = try jsonObject(engine.put(year.filter { present.contains($0.id) }.map(\.json)))
            let missing = (1...364).filter { !present.contains($0) }
            #expect(counts["missing_content_days"] as? Int == (missing.isEmpty ? nil : missing.count))
            #expect(try engine.call("check").contains("year of content is incomplete") == !missing.isEmpty)
            for ((method, request), expected) in zip(requests, expected) {
                let answer = try engine.call(method, request)
                guard method == "today" else {
                    #expect(answer == expected || missing.isEmpty, "\(method) \(request)")
                    continue
                }
                #expect(try jsonObject(answer)["missing_content_days"] as? [Int] == (missing.isEmpty ? nil : missing))
                let content = try #require(jsonObject(answer)["content"] as? [String: Any])
                let bundled = try #require(jsonObject(expected)["content"] as? [String: Any])
                #expect(content as NSDictionary == bundled as NSDictionary || missing.isEmpty)
                let item = try #require(content["item"] as? [String: Any])
                let imported = try year[#require(item["id"] as? Int) - 1]
                #expect(missing.isEmpty == (item["quote"] as? String == imported.quote))
            }
        }
    }

    @Test("a person's days run from preferences to progress")
    func days() throws {
        let engine = try engine()
        let told = try jsonObject(
            engine.call(
                "prefer",
                #"{"user":"u1","preferences":{"time_zone":"Europe/Berlin","maxTime":45,"social_comfort":"solo"}}"#))
        #expect(told["max_time"] as? Double == 45 && told["time_zone"] as? String == "Europe/Berlin")
        #expect(
            try jsonObject(engine.call("prefer", #"{"user":"u1","preferences":{"max_time":30}}"#))["social_comfort"]
                as? String == "solo")
        let queue = try jsonList(engine.call("suggest", #"{"user":"u1"}"#))
        #expect(queue.count == 3 && queue.count { $0["is_exploring"] as? Bool == true } <= 1)
        let today = try jsonObject(engine.call("today", #"{"user":"u1"}"#))
        let content = try #require(today["content"] as? [String: Any])
        #expect(content["date"] as? String == "2026-03-28" && content["start"] as? String == "2026-03-27T23:00:00Z")
        let first = try #require((today["challenge"] as? [String: Any])?["challenge"] as? [String: Any])
        let suggested = try #require(queue[0]["challenge"] as? [String: Any])
        #expect(first["id"] as? String == suggested["id"] as? String)
        #expect(try jsonObject(engine.call("skip", #"{"user":"u1"}"#))["status"] as? String == "skipped")
        // A repeated call does not skip the next challenge.
        #expect(throws: KinError.self) { try engine.call("skip", #"{"user":"u1"}"#) }
        let left = try jsonObject(engine.call("today", #"{"user":"u1"}"#))["challenge"] as? [String: Any]
        #expect(left?["is_assigned"] as? Bool != true)
        #expect(
            try jsonObject(engine.call("complete", #"{"user":"u1","rating":5,"minutes":12}"#))["rating"] as? Int == 5)
        // Summer time begins in the night to the 29th.
        let timeline = try jsonList(engine.call("timeline", #"{"user":"u1"}"#))
        #expect(timeline.map { $0["start"] as? String }[1...2] == ["2026-03-28T23:00:00Z", "2026-03-29T22:00:00Z"])
        _ = try engine.call("rotation", #"{"user":"u1","focus":"health","reminder":"20:30"}"#)
        #expect(
            try jsonObject(engine.call("reflect", #"{"user":"u1","text":"good"}"#))["domain"] as? String == "health")
        let progress = try jsonObject(engine.call("progress", #"{"user":"u1"}"#))
        #expect((progress["content"] as? [String: Any])?["current_streak"] as? Int == 1)
        #expect((progress["challenges"] as? [String: Any])?["completed"] as? Int == 1)
        let next = try jsonObject(engine.call("next_notification", #"{"user":"u1"}"#))
        let at = try Timestamp(parsing: try #require(next["at"] as? String))
        #expect(try (480..<1260).contains(LocalZone(named: "Europe/Berlin").timeOfDay(at: at).minute))
        _ = try engine.call("notified", "{\"user\":\"u1\",\"sent\":\"\(at)\",\"answered\":true,\"at\":\"\(at)\"}")
        // One answer is too few to count.
        let prior = try engine.call("notification_prior", #"{"user":"u1"}"#)
        #expect(try jsonObject(prior)["people"] as? Double == 0)
        let planned = try jsonObject(engine.call("next_notification", "{\"user\":\"u1\",\"prior\":\(prior)}"))
        #expect(
            planned["at"] as? String == (try jsonObject(engine.call("next_notification", #"{"user":"u1"}"#)))["at"]
                as? String)
        #expect(try engine.call("history", #"{"user":"u1"}"#).contains("completed"))
        #expect(try engine.call("decisions", #"{"user":"u1"}"#).contains("\"propensity\""))
        _ = try engine.call("prefer", #"{"user":"u1","preferences":{"max_time":1}}"#)
        let nothing = try jsonObject(engine.call("suggest", #"{"user":"u1"}"#))
        #expect((nothing["nothing"] as? [String: Any])?["emptied_by"] as? String == "too_long")
    }

    @Test("the log estimates the reward of another policy, for one person and for all")
    func otherPolicies() async throws {
        let engine = try engine()
        for user in ["u1", "u2"] {
            _ = try engine.call("prefer", "{\"user\":\"\(user)\",\"preferences\":{\"selection\":\"random\"}}")
            for day in 1...24 {
                let request = "{\"user\":\"\(user)\",\"at\":\"2026-03-\(day < 10 ? "0" : "")\(day)T10:00:00Z\"}"
                _ = try engine.call(day % 3 == 0 ? "skip" : "complete", request)
            }
        }
        let one = try engine.evaluatePolicy(of: "u1", resamples: 50)
        #expect(one.people == 1 && one.rounds == 24 && one.openCount == 3 && one.unknownCount + one.certainCount == 0)
        #expect(abs(try #require(one.behaviour).value - 0.85 * 16 / 24) < 1e-12)
        let all = try engine.evaluatePolicy(.epsilonGreedy(1), resamples: 50)
        #expect(all.people == 2 && all.rounds == 48 && abs(all.effectiveRounds - 48) < 1e-9)
        // A random policy, like the log's, would have earned the log's reward.
        let weighted = all.estimates.filter { !$0.estimator.needsModel }
        #expect(weighted.count == 2 && weighted.allSatisfy { abs($0.gain.value) < 1e-12 })
        #expect(all.estimates.map(\.estimator) == OffPolicyEvaluation.Estimator.allCases)
        let answer = try jsonObject(
            engine.call("evaluate_policy", #"{"kind":"epsilon-greedy","exploration":1,"resamples":50}"#))
        #expect(answer["rounds"] as? Int == 48 && (answer["estimates"] as? [[String: Any]])?.count == 7)
        let nobody = try jsonObject(engine.call("evaluate_policy", #"{"user":"u3"}"#))
        #expect(nobody["people"] as? Int == 0 && nobody["behaviour"] is NSNull)
        #expect((nobody["estimates"] as? [Any])?.isEmpty == true)
        // The numbers of all people contain nothing about a single person.
        #expect(try !engine.call("evaluate_policy", "{}").contains("u1"))
    }

    @Test("a challenge completed a day late is logged with its reward and judges policies")
    func lateOutcomes() throws {
        let engine = try engine()
        _ = try engine.call("prefer", #"{"user":"u1","preferences":{"selection":"random"}}"#)
        func given(_ method: String, _ more: String) throws -> [String: Any] {
            let answer = try jsonObject(engine.call(method, "{\"user\":\"u1\",\(more)}"))
            return try #require(answer["given"] as? [String: Any] ?? answer)
        }
        let monday = try #require(try given("assign", #""at":"2026-03-02T10:00:00Z""#)["challenge_id"] as? String)
        let today = try jsonObject(engine.call("today", #"{"user":"u1","at":"2026-03-03T09:00:00Z"}"#))
        let shown = ((today["challenge"] as? [String: Any])?["challenge"] as? [String: Any])?["id"] as? String
        let skipped = try given("skip", #""at":"2026-03-03T10:00:00Z""#)
        #expect(
            skipped["challenge_id"] as? String == shown && shown != monday && skipped["status"] as? String == "skipped")
        let done = try given("complete", "\"challenge\":\"\(monday)\",\"rating\":5,\"at\":\"2026-03-03T11:00:00Z\"")
        #expect(done["challenge_id"] as? String == monday && done["rating"] as? Int == 5)
        let log = try engine.store.challengeDecisions(of: "u1").filter { $0.reward != nil }
        #expect(
            log.map(\.challengeID) == [monday, shown] && log.map(\.reward) == [1, 0] && log.map(\.weight) == [1, 1])
        #expect(log.map(\.ignored) == [1, nil])
        let evaluation = try engine.evaluatePolicy(of: "u1")
        #expect(evaluation.rounds == 2 && evaluation.behaviour?.value == 0.5)
        let exported = try engine.call("export", #"{"user":"u1"}"#)
        let other = Engine()
        _ = try other.call("put", "{\"records\":\(exported)}")
        #expect(try other.store.challengeDecisions(of: "u1") == engine.store.challengeDecisions(of: "u1"))
    }

    @Test(
        "score intervals are the default and need twenty rounds or people"
    )
    func intervals() throws {
        func ends(_ engine: Engine, _ request: String) throws -> [(lower: Double?, upper: Double?)] {
            let answer = try jsonObject(engine.call("evaluate_policy", request))
            let estimates = try #require(answer["estimates"] as? [[String: Any]])
            let means = try estimates.flatMap { [try #require($0["value"]), try #require($0["gain"])] }
            return try ([#require(answer["behaviour"])] + means).map { mean in
                let mean = try #require(mean as? [String: Any])
                #expect(mean["value"] is Double && mean.keys.sorted() == ["lower", "upper", "value"])
                return (mean["lower"] as? Double, mean["upper"] as? Double)
            }
        }
        for count in [19, 24] {
            let rounds = try engine()
            let people = try engine()
            for number in 1...count {
                for (engine, user) in [(rounds, "u"), (people, "u\(number)")] {
                    _ = try engine.call("prefer", "{\"user\":\"\(user)\",\"preferences\":{\"selection\":\"random\"}}")
                    let days = user == "u" ? [number] : [1, 2]
                    for day in days {
                        let request = "{\"user\":\"\(user)\",\"at\":\"2026-03-\(day < 10 ? "0" : "")\(day)T10:00:00Z\"}"
                        _ = try engine.call((number + day) % 3 == 0 ? "skip" : "complete", request)
                    }
                }
            }
            for (engine, units) in [(rounds, count), (people, count)] {
                for more in ["", #","resamples":0"#, #","resamples":50"#] {
                    let found = try ends(engine, "{\"seed\":3\(more)}")
                    #expect(found.count == 15)
                    #expect(found.allSatisfy { ($0.lower == nil) == ($0.upper == nil) })
                    #expect((found[0].lower != nil) == (units >= 20), "\(units)")
                    #expect(units >= 20 || found.allSatisfy { $0.lower == nil })
                }
            }
            let request = "{\"seed\":3}"
            #expect(
                try rounds.call("evaluate_policy", request)
                    == rounds.call("evaluate_policy", #"{"seed":3,"resamples":0}"#))
            guard count >= 20 else { continue }
            let score = try ends(rounds, request)
            let bootstrap = try ends(rounds, #"{"seed":3,"resamples":50}"#)
            #expect(score[0].lower != bootstrap[0].lower || score[0].upper != bootstrap[0].upper)
            #expect(errorCode { try rounds.call("evaluate_policy", #"{"resamples":1}"#) } == .invalidArgument)
        }
    }

    @Test("the policy in use gains nothing on its own log")
    func ownGain() throws {
        let engine = try engine()
        var random = TestSeed().generator
        _ = try engine.call("prefer", #"{"user":"u1","preferences":{"time_zone":"UTC"},"at":"2026-01-01T00:00:00Z"}"#)
        for day in 0..<45 {
            let date = try LocalDay(number: 20_460 + day)
            let request = "{\"user\":\"u1\",\"at\":\"\(date)T10:00:00Z\"}"
            _ = try engine.call(random.below(2) == 0 ? "skip" : "complete", request)
        }
        let found = try engine.evaluatePolicy(of: "u1")
        let behaviour = try #require(found.behaviour)
        #expect(found.rounds > 20 && abs(found.effectiveRounds - Double(found.rounds)) < 1e-6)
        for estimate in found.estimates where estimate.estimator != .directMethod {
            #expect(abs(estimate.value.value - behaviour.value) < 1e-12 && abs(estimate.gain.value) < 1e-12)
            #expect(estimate.gain.interval == nil, "\(estimate)")
        }
    }

    @Test("content preferences change the rotation, alone or with other preferences")
    func contentPreferences() throws {
        let engine = try engine()
        let told = try jsonObject(
            engine.call(
                "prefer",
                #"{"user":"u1","preferences":{"currentDay":40,"domainFocus":"Health","refreshTime":"07:00","eveningReminder":"20:30","maxTime":"30 min"}}"#
            ))
        #expect(told["max_time"] as? Double == 30 && told["current_day"] == nil)
        let rotation = try jsonObject(engine.call("rotation", #"{"user":"u1"}"#))
        #expect(rotation["current_day"] as? Int == 40 && rotation["domain_focus"] as? String == "health")
        #expect(rotation["refresh_time"] as? String == "07:00" && rotation["evening_reminder"] as? String == "20:30")
        _ = try engine.call("prefer", #"{"user":"u1","preferences":{"domain_focus":null,"evening_reminder":null}}"#)
        let changed = try jsonObject(engine.call("rotation", #"{"user":"u1"}"#))
        #expect(changed["domain_focus"] is NSNull && changed["evening_reminder"] is NSNull)
        #expect(changed["current_day"] as? Int == 1 && changed["refresh_time"] as? String == "07:00")
        for (wrong, field) in [
            (#""current_day":0"#, "current_day"), (#""domainFocus":"helth""#, "domainFocus"),
            (#""refresh_time":"7""#, "refresh_time"),
        ] {
            let request = #"{"user":"u1","preferences":{\#(wrong),"max_time":5}}"#
            #expect(kinError { try engine.call("prefer", request) }.says(field))
            // A refused call changes nothing.
            #expect(try jsonObject(engine.call("preferences", #"{"user":"u1"}"#))["max_time"] as? Double == 30)
        }
    }

    @Test("a content document is one record, and old apps get the items they support")
    func documents() throws {
        let engine = try engine()
        let days = ContentGenerator().library().items.map { item in
            item.id == 2 ? item.json.replacing("}", with: ",\"minimumAppVersion\":\"3\"}") : item.json
        }
        let challenge = #"{"id":"new","title":"t","category":"x","timeInvestment":"Quick"}"#
        let document =
            #"{"minimumAppVersion":"1.5","content":[\#(days.joined(separator: ",\n"))],"challenges":[\#(challenge)]}"#
        let counts = try jsonObject(engine.call("put", "{\"records\":[\(document)]}"))
        #expect(counts["content_day"] as? Int == 364 && counts["challenge"] as? Int == 1)
        _ = try engine.call("prefer", #"{"user":"u1","preferences":{"app_version":"2.0","current_day":2}}"#)
        func content() throws -> [String: Any] {
            try #require(try jsonObject(engine.call("today", #"{"user":"u1"}"#))["content"] as? [String: Any])
        }
        #expect(try content()["instead_of"] as? Int == 2 && content()["day"] as? Int == 2)
        #expect(try (content()["item"] as? [String: Any])?["id"] as? Int == 3)
        let reflection = try jsonObject(engine.call("reflect", #"{"user":"u1"}"#))
        let shown = try #require(try (content()["item"] as? [String: Any])?["domain"] as? String)
        #expect(reflection["domain"] as? String == shown)
        _ = try engine.call("prefer", #"{"user":"u1","preferences":{"app_version":"3"}}"#)
        #expect(try content()["instead_of"] == nil && (content()["item"] as? [String: Any])?["id"] as? Int == 2)
        _ = try engine.call("prefer", #"{"user":"u1","preferences":{"app_version":"1.4"}}"#)
        #expect(kinError { try engine.call("today", #"{"user":"u1"}"#) }.says("1.4"))
        // A forgotten person has no version left.
        _ = try engine.call("forget", #"{"user":"u1"}"#)
        #expect(try jsonObject(engine.call("preferences", #"{"user":"u1"}"#))["app_version"] == nil)
    }

    @Test("streaks count local dates, and a late completion counts for its assigned day")
    func streaks() throws {
        let engine = try engine()
        _ = try engine.call("prefer", #"{"user":"u1","preferences":{"time_zone":"Europe/Berlin"}}"#)
        let ids = ChallengeGenerator(seed: 3).challenges(4).map(\.id)
        // The last one is on the 27th in Berlin.
        let given = ["2026-03-24T08:00:00Z", "2026-03-25T08:00:00Z", "2026-03-26T08:00:00Z", "2026-03-26T23:30:00Z"]
        for (number, instant) in given.enumerated() {
            let start = try Timestamp(parsing: instant)
            let isDone = number != 1
            let record = try UserChallenge(
                userID: "u1", challengeID: ids[number], assigned: start, status: isDone ? .completed : .pending,
                completed: isDone ? Timestamp(seconds: Double(start.microseconds) / 1e6 + 1800) : nil)
            _ = try engine.call("put", "{\"records\":[{\"user_challenge\":\(record.json)}]}")
        }
        func streaks() throws -> [Int?] {
            let progress = try jsonObject(engine.call("progress", #"{"user":"u1"}"#))
            let counts = try #require(progress["challenges"] as? [String: Any])
            return [counts["current_streak"] as? Int, counts["longest_streak"] as? Int]
        }
        #expect(try streaks() == [2, 2])
        _ = try engine.call("complete", "{\"user\":\"u1\",\"challenge\":\"\(ids[1])\",\"rating\":4}")
        #expect(try streaks() == [4, 4])
    }

    @Test(
        "errors name the cause",
        arguments: [
            ("today", #"{}"#, "user"), ("today", #"{"user":"u1","zone":"Europe/Berlim"}"#, "Europe/Berlin"),
            ("complete", #"{"user":"u1","challenge":"nothing"}"#, "today"),
            ("complete", #"{"user":"u2"}"#, "u2"),
            ("prefer", #"{"user":"u1","preferences":{"max_tme":3}}"#, "max_time"),
            ("prefer", #"{"user":"u1","preferences":{"user_id":"u2"}}"#, "user_id"),
            ("rotation", #"{"user":"u1","focus":"helth"}"#, "health"),
            ("rotation", #"{"user":"u1","start_advanced_year":true}"#, "364 days"),
            ("notified", #"{"user":"u1"}"#, "sent"),
            ("complete", #"{"user":"u1","rating":9,"challenge":"c1"}"#, "rating"),
        ])
    func mistakes(method: String, request: String, word: String) throws {
        let engine = try engine()
        _ = try engine.call("prefer", #"{"user":"u1","preferences":{"max_time":60}}"#)
        #expect(kinError { try engine.call(method, request) }.says(word))
    }

    @Test("a wrong preference is named without a position in a text that the caller did not write")
    func wrongPreferences() throws {
        let engine = try engine()
        let fields = [
            "time_window", "quiet_hours", "daily_budget", "notifications", "preferred_categories", "max_time",
            "budget_level",
            "social_comfort", "recovery_days", "selection", "app_version", "variety", "current_day", "domain_focus",
            "refresh_time", "evening_reminder",
        ]
        for (field, value) in fields.flatMap({ field in [#""?""#, "-1", "{}"].map { (field, $0) } }) {
            let request = "{\"user\":\"u1\",\"preferences\":{\"\(field)\":\(value)}}"
            let error = try #require(kinError { try engine.call("prefer", request) }, "\(field) \(value)")
            #expect(
                "\(error)".contains(field) && !error.context.contains { ["line", "column"].contains($0.name) },
                "\(error)")
        }
        #expect(try engine.call("users") == "[]")
        let empty = Engine()
        #expect(kinError { try empty.call("suggest", #"{"user":"u1"}"#) }?.message.contains("datasets") == false)
    }

    @Test("content is checked without a store")
    func check() throws {
        let told = try jsonObject(Engine().call("check_content", #"{"text":"{}"}"#))
        #expect(told["is_sound"] as? Bool == false && (told["problems"] as? [Any])?.count == 2)
    }
}
