import KinJSON
import KinSamples
import KinTestSupport
import Testing

@testable import KinChallenges

@Suite("Outcomes of challenges and their assignments")
struct LateOutcomeTests {
    private let catalog = try! ChallengeCatalog(ChallengeGenerator(seed: 2).challenges(120))
    private let start = try! Timestamp(parsing: "2026-01-05T08:00:00Z")

    private func day(_ number: Int) throws -> Timestamp {
        try start.adding(days: number)
    }

    /// A selector of a person whose state and history are stored, and whose decisions are closed.
    private func kept(_ selector: ChallengeSelector) throws -> ChallengeSelector {
        try ChallengeSelector(
            catalog: selector.catalog, preferences: selector.preferences, zone: .utc, state: selector.state,
            history: selector.history, open: Array(selector.open.values))
    }

    /// Gives an outcome to a challenge: skipped, completed, or completed with a rating.
    private func settle(_ id: String?, _ outcome: Int, _ selector: inout ChallengeSelector, at now: Timestamp) throws {
        if outcome < 0 {
            try selector.skip(id, at: now)
        } else {
            try selector.complete(id, rating: outcome == 0 ? nil : outcome, at: now)
        }
    }

    @Test(
        "a late outcome replaces the ignored one in the log and is learned",
        arguments: [-1, 0, 1, 2, 3, 4, 5], [1, 2, 30])
    func late(outcome: Int, days: Int) throws {
        for isKept in [false, true] {
            var selector = try ChallengeSelector(
                catalog: catalog, preferences: ChallengePreferences(userID: "u1", recoveryDays: 60), zone: .utc)
            for number in 0...days { _ = try selector.today(at: day(number)) }
            let first = try #require(selector.history.first)
            let before = try #require(selector.changes.decisions[1])
            #expect(before.challengeID == first.challengeID && before.countsAsIgnored)
            let log = selector.changes.decisions
            if isKept { selector = try kept(selector) }
            let policy = selector.state.policy
            try settle(first.challengeID, outcome, &selector, at: day(days))
            #expect(selector.changes.late.isEmpty != isKept)
            if isKept { try selector.learnLate(from: Array(log.values)) }
            let after = try #require(selector.changes.decisions[1])
            // The reward equals that of the same outcome on the day itself.
            var prompt = try ChallengeSelector(
                catalog: catalog, preferences: ChallengePreferences(userID: "u1", recoveryDays: 60), zone: .utc)
            _ = try prompt.today(at: start)
            try settle(first.challengeID, outcome, &prompt, at: start)
            let onTime = try #require(prompt.changes.decisions[1])
            #expect(after.reward == onTime.reward && after.weight == 1 && after.learned == days + 1)
            #expect(after.ignored == before.learned && onTime.ignored == nil)
            var expected = policy
            try expected.learn(reward: #require(onTime.reward), for: before.event)
            #expect(selector.state.policy.encoded() == expected.encoded())
            #expect(try ChallengeDecision(parsing: after.jsonText) == after)
            // A settled assignment takes no second outcome, and no outcome is learned twice.
            #expect(throws: KinError.self) { try settle(first.challengeID, 5, &selector, at: day(days)) }
            try selector.learnLate(from: Array(log.values))
            #expect(selector.state.policy.encoded() == expected.encoded())
        }
    }

    @Test("the first outcome of a challenge ignored twice goes to its last assignment")
    func twice() throws {
        let catalog = try ChallengeCatalog([Challenge(id: "c", title: "Walk", category: "body", time: .minutes(30))])
        var selector = try ChallengeSelector(
            catalog: catalog, preferences: ChallengePreferences(userID: "u1", recoveryDays: 0), zone: .utc)
        for number in 0..<3 { _ = try selector.today(at: day(number)) }
        try selector.complete("c", rating: 5, at: day(2))
        try selector.complete("c", rating: 3, at: day(2))
        try selector.skip("c", at: day(2))
        let settled = selector.history.map(\.rating)
        #expect(settled == [nil, 3, 5])
        let decisions = selector.changes.decisions.values.sorted { $0.number < $1.number }
        #expect(decisions.map(\.reward) == [0, 0.7, 1, nil] && decisions.map(\.weight) == [1, 1, 1, 1])
        #expect(decisions.map(\.ignored) == [1, 2, nil, nil] && decisions.map(\.learned) == [5, 4, 3, nil])
    }

    @Test("an outcome without an id belongs to today's challenge", arguments: [-1, 0, 4], [1, 2, 3, 9])
    func ofToday(outcome: Int, days: Int) throws {
        for isAssigned in [false, true] {
            var selector = try ChallengeSelector(
                catalog: catalog, preferences: ChallengePreferences(userID: "u1", recoveryDays: 60), zone: .utc)
            _ = try selector.today(at: start)
            let now = try day(days)
            var question = selector
            guard case .given(let shown, _) = try question.today(at: now) else {
                throw KinError(.unknownID, "nothing was given")
            }
            if isAssigned { _ = try selector.today(at: now) }
            try settle(nil, outcome, &selector, at: now)
            try #require(selector.history.count == 2)
            #expect(selector.history[0].status == .pending)
            #expect(selector.history[1].challengeID == shown.challengeID && selector.history[1].status != .pending)
            guard outcome >= 0 else { continue }
            // Today's challenge is done; the challenge of the first day still waits for an outcome.
            let before = selector.history
            #expect(throws: KinError.self) { try settle(nil, outcome, &selector, at: now) }
            #expect(selector.history == before)
            try settle(before[0].challengeID, outcome, &selector, at: now)
            #expect(selector.history.allSatisfy { $0.status == .completed })
        }
    }
}
