import Foundation
import KinAffinity
import KinTestSupport
import Testing

/// Souls learned from events.
@Suite struct SoulLearningTests {
    private let berlin: LocalZone

    init() throws { berlin = try LocalZone(named: "Europe/Berlin") }

    private func instant(_ text: String) throws -> Timestamp { try Timestamp(parsing: text) }

    @Test func aSessionUpdatesEveryPart() throws {
        var soul = try Soul(userID: "u")
        try soul.learn(
            SoulEvent(
                userID: "u", at: instant("2026-03-01T23:30:00Z"), goals: ["sleep"], realms: ["ocean"],
                objects: ["moon", "water", "moon"], minutes: 20, reaction: 0.5), in: berlin)
        #expect(soul.goals["sleep"] == 1.5 && soul.realms["ocean"] == 1.5 && soul.objects["moon"] == 3)
        let pattern = try #require(soul.pattern)
        // 00:30 in the person's time zone.
        #expect(pattern.hours[0] == 1 && pattern.hours.reduce(0, +) == 1)
        #expect(pattern.minutes == 20 && pattern.sessionsPerWeek == 1 && pattern.streak == 1)
        #expect(soul.valence == 0.5 && soul.eventCount == 7.5)
        #expect(try soul.history?.lastDay == LocalDay(parsing: "2026-03-02"))
        #expect(try Soul(json: soul.json) == soul)
    }

    /// Learning continues from a stored soul and gives the same result as all events at once.
    @Test func learningIsIncremental() throws {
        var random = SeededGenerator(seed: TestSeed.value)
        let names = ["sleep", "Rest", "focus", "dragons"]
        var events: [SoulEvent] = []
        var seconds = 1_767_225_600.0
        for _ in 0..<200 {
            seconds += random.uniform() * 2 * 86_400
            func some() -> [String] { names.filter { _ in random.below(3) == 0 } }
            let (goals, realms) = (some(), some())
            events.append(
                try SoulEvent(
                    userID: "u", at: Timestamp(seconds: seconds.rounded()), goals: goals, realms: realms,
                    minutes: random.below(3) == 0 ? nil : 5 + random.uniform() * 30,
                    reaction: random.below(2) == 0 ? 2 * random.uniform() - 1 : 0))
        }
        var whole = try Soul(userID: "u")
        var parts = try Soul(userID: "u")
        for event in events {
            try whole.learn(event, in: berlin)
            parts = try Soul(json: parts.json)
            try parts.learn(SoulEvent(json: event.json), in: berlin)
        }
        #expect(whole == parts)
        let sessions = events.filter { $0.minutes != nil }
        let pattern = try #require(whole.pattern)
        #expect(pattern.hours.reduce(0, +) == Double(sessions.count))
        let mean = sessions.reduce(0) { $0 + ($1.minutes ?? 0) } / Double(sessions.count)
        #expect(abs(pattern.minutes - mean) < 1e-9 * mean)
        // N ∕ T, by the documented formula.
        let days = sessions.map { Double($0.at.microseconds) / 86_400e6 }
        let (first, last) = (days.min() ?? 0, days.max() ?? 0)
        let recent = days.reduce(0) { $0 + pow(2, ($1 - last) / 28) }
        let time = 28 / log(2) * (1 - pow(2, (first - last) / 28))
        #expect(abs(pattern.sessionsPerWeek - 7 * recent / max(7, time)) < 1e-9)
        // "Rest" was merged into "sleep", or "sleep" into "Rest".
        #expect(whole.goals.list.filter { ["sleep", "Rest"].contains($0.name) }.count == 1)
        let expected = events.reduce(0) {
            $0 + ($1.goals.contains { ["sleep", "Rest"].contains($0) } ? 1 + ($1.reaction ?? 0) : 0)
        }
        #expect(abs((whole.goals["sleep"] + whole.goals["Rest"]) - expected) < 1e-9 * max(1, expected))
    }

    @Test func streaksUseThePersonsLocalDays() throws {
        var soul = try Soul(userID: "u")
        func session(_ text: String) throws -> Double? {
            try soul.learn(SoulEvent(userID: "u", at: instant(text), minutes: 10), in: berlin)
            return soul.pattern?.streak
        }
        // 23:30 and 00:30 in Berlin are two days, though one in UTC. Then follows the day of the clock change.
        #expect(try session("2026-03-27T22:30:00Z") == 1)
        #expect(try session("2026-03-27T23:30:00Z") == 2)
        #expect(try session("2026-03-28T12:00:00Z") == 2)
        #expect(try session("2026-03-29T12:00:00Z") == 3)
        // An earlier day, reported late, does not change the streak.
        #expect(try session("2026-03-20T12:00:00Z") == 3)
        #expect(try session("2026-03-31T12:00:00Z") == 1)
        #expect(soul.history?.sessions == 6 && soul.history?.first != nil)
        #expect(try soul.history?.first == instant("2026-03-20T12:00:00Z"))
    }

    /// The length is the mean of the known lengths, in any order.
    @Test func unknownLengthsDoNotCount() throws {
        for lengths in [[0, 0, 0, 20, 40], [20, 0, 0, 0, 40], [20, 40, 0, 0, 0], [0, 20, 0, 40, 0]] as [[Double]] {
            var soul = try Soul(userID: "u")
            for (day, minutes) in lengths.enumerated() {
                let event = try SoulEvent(userID: "u", at: instant("2026-03-0\(1 + day)T12:00:00Z"), minutes: minutes)
                try soul.learn(event, in: berlin)
                soul = try Soul(json: soul.json)
            }
            #expect(soul.pattern?.minutes == 30 && soul.history?.sessions == 5, "\(lengths)")
        }
    }

    @Test func goalsOfAnEventCountOnce() throws {
        var soul = try Soul(userID: "u")
        let goals = ["sleep", "sleep", "Sleep ", "insomnia"]
        try soul.learn(SoulEvent(userID: "u", at: instant("2026-03-01T12:00:00Z"), goals: goals), in: berlin)
        #expect(soul.goals["sleep"] == 1 && soul.goals.list.count == 1)
    }

    @Test func learningStartsFromTheAppsValues() throws {
        var soul = try Soul(
            userID: "u",
            pattern: SessionPattern(hours: Array(repeating: 1, count: 24), minutes: 30, sessionsPerWeek: 5, streak: 9),
            valence: -1)
        try soul.learn(SoulEvent(userID: "u", at: instant("2026-03-01T12:00:00Z"), minutes: 5, reaction: 1), in: berlin)
        let pattern = try #require(soul.pattern)
        #expect(pattern.minutes == 29 && pattern.streak == 9 && abs(pattern.sessionsPerWeek - 6) < 0.6)
        #expect(soul.valence == 0 && soul.history?.reactions == 1)
    }

    /// A learned soul is stored and read back: hours may be shares or counts of any size.
    @Test(arguments: [0.01, 1, 1e13, 1e18, 1e300]) func learnedSoulsSurviveARoundTrip(_ hour: Double) throws {
        var soul = try Soul(userID: "u", pattern: SessionPattern(hours: Array(repeating: hour, count: 24), minutes: 30))
        try soul.learn(SoulEvent(userID: "u", at: instant("2026-03-01T12:00:00Z"), minutes: 5), in: berlin)
        #expect(try Soul(json: soul.json) == soul)
    }

    @Test func reactionsMoveValenceAndAmounts() throws {
        var soul = try Soul(userID: "u")
        func react(_ reaction: Double) throws {
            try soul.learn(
                SoulEvent(userID: "u", at: instant("2026-03-01T12:00:00Z"), objects: ["owl"], reaction: reaction),
                in: berlin)
        }
        try react(-1)
        #expect(soul.objects.isEmpty && soul.valence == -1 && soul.pattern == nil)
        for _ in 0..<200 { try react(1) }
        #expect(soul.objects["owl"] == 400 && (soul.valence ?? 0) > 0.99 && (soul.valence ?? 2) <= 1)
    }

    @Test func wrongEventsAreRefused() throws {
        var soul = try Soul(userID: "u")
        let before = soul
        #expect(
            errorCode { try soul.learn(SoulEvent(userID: "v", at: instant("2026-03-01"), goals: ["x"]), in: berlin) }
                == .invalidArgument)
        #expect(soul == before)
        for json in [
            #"{"uid":"u","at":"2026-03-01T12:00:00Z"}"#, #"{"uid":"u","goals":["x"]}"#,
            #"{"uid":"","at":"2026-03-01","goals":["x"]}"#, #"{"uid":"u","at":"2026-03-01","goals":[""]}"#,
            #"{"uid":"u","at":"2026-03-01","minutes":-1}"#, #"{"uid":"u","at":"2026-03-01","reaction":1.5}"#,
            #"{"uid":"u","at":"2026-03-01","minutes":1e999}"#, #"{"uid":"u","at":"2026-03-01","moons":["x"]}"#,
        ] { #expect(throws: KinError.self, "\(json)") { try SoulEvent(json: json) } }
        #expect(throws: KinError.self) { try Soul(json: #"{"uid":"u","history":{"recent":-1}}"#) }
    }
}
