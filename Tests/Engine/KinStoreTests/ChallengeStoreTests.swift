import KinJSON
import KinSamples
import KinTestSupport
import Testing

@testable import KinStore

@Suite struct ChallengeStoreTests {
    private let folder = StoreFolder()
    private let start = try! Timestamp(parsing: "2026-01-05T08:00:00Z")

    private func day(_ number: Int) throws -> Timestamp {
        try start.adding(days: number)
    }

    /// Some weeks of a person.
    private func live(_ user: String, in store: Store, days: Int = 20, skipping every: Int = 3) async throws {
        try await store.put(
            ChallengePreferences(userID: user, categories: ["secret-liking"], timeZone: "Europe/Berlin"))
        for number in 0..<days {
            let now = try day(number)
            try await store.withSelector(for: user) { selector throws(KinError) in
                _ = try selector.today(at: now)
                if number % every == 0 {
                    try selector.skip(at: now)
                } else {
                    try selector.complete(rating: 1 + number % 5, minutes: 5, at: now)
                }
            }
            try await store.reflect(user, completed: number % 4 > 0, text: "secret-reflection", at: now)
            try await store.put(NotificationRecord(userID: user, sent: now, in: .utc, wasAnswered: number % 2 == 0))
        }
    }

    @Test func challengeChangesAreStored() async throws {
        let store = try folder.open()
        let now = start
        let stranger = await #expect(throws: KinError.self) {
            try await store.withSelector(for: "u1") { selector throws(KinError) in try selector.skip(at: now) }
        }
        #expect(stranger?.code == .unknownID && stranger?.message.contains("begins") == true)
        let challenges = ChallengeGenerator(seed: 1).challenges(60)
        try await store.put(challenges)
        try await live("u1", in: store)
        #expect(try store.challengeCatalog().challenges == challenges.sorted { $0.id < $1.id })
        let history = try store.challengeHistory(of: "u1")
        #expect(history.count == 20 && history.count { $0.status == .completed } == 13)
        let decisions = try store.challengeDecisions(of: "u1")
        #expect(decisions.map(\.number) == Array(1...decisions.count) && decisions.count { $0.reward != nil } == 20)
        let later = try day(20)
        let (queue, context) = try await store.withSelector(for: "u1") { selector throws(KinError) in
            (selector.state.queue, selector.context(at: later))
        }
        #expect(queue.count == 3 && context.outcomes.count == 8 && context.streak == 1)
        #expect(try store.rotation(of: "u1")?.day == 20)
        #expect(try store.reflections(of: "u1").count == 20 && store.notifications(of: "u1").count == 20)
        // A call that throws changes nothing.
        let version = try store.version()
        await #expect(throws: KinError.self) {
            try await store.withSelector(for: "u1") { selector throws(KinError) in
                _ = try selector.today(at: try Timestamp(parsing: "2026-03-01"))
                try selector.complete("nothing of that name", at: try Timestamp(parsing: "2026-03-01"))
            }
        }
        #expect(try store.version() == version)
        #expect(try store.check().isIntact)
    }

    @Test func candidatesOfRecentDecisionsAreStored() async throws {
        let store = try folder.open()
        try await store.put(ChallengeGenerator(seed: 1).challenges(20))
        try await store.put(ChallengePreferences(userID: "u1", recoveryDays: 0))
        let days = try (0..<410).map(day)
        try await store.withSelector(for: "u1") { selector throws(KinError) in
            for now in days.prefix(380) { try selector.complete(at: now) }
        }
        #expect(try store.challengeDecisions(of: "u1").allSatisfy { $0.candidates != nil })
        for days in [days[380..<400], days[400...]] {
            try await store.withSelector(for: "u1") { selector throws(KinError) in
                for now in days { try selector.complete(at: now) }
            }
        }
        let decisions = try store.challengeDecisions(of: "u1")
        let last = decisions.count - ChallengeDecision.mostCandidateSets
        #expect(last > 5 && decisions.allSatisfy { ($0.candidates == nil) == ($0.number <= last) })
        #expect(decisions.prefix(last).allSatisfy { $0.reward != nil && $0.learned != nil }, "the rest of them stays")
        try await live("u2", in: store, days: 5)
        var logs: [[ChallengeDecision]] = []
        try store.forEachDecisionLog { log in logs.append(log) }
        #expect(try logs == [decisions, store.challengeDecisions(of: "u2")])
        logs = []
        try store.forEachDecisionLog(of: "u1") { log in logs.append(log) }
        try store.forEachDecisionLog(of: "nobody") { log in logs.append(log) }
        #expect(logs == [decisions])
        #expect(try store.check().isIntact)
    }

    /// An older export changes no logged decision, and numbers are never assigned again.
    @Test func anOlderExportKeepsLaterDecisions() async throws {
        let store = try folder.open()
        try await store.put(ChallengeGenerator(seed: 1).challenges(20))
        try await store.put(ChallengePreferences(userID: "u1", recoveryDays: 0))
        func log() throws -> [ChallengeDecision] { try store.challengeDecisions(of: "u1") }
        func kept(_ old: [ChallengeDecision]) throws -> Bool {
            try zip(log(), old).allSatisfy { $0.number == $1.number && $0.made == $1.made && ($1.isOpen || $0 == $1) }
        }
        for number in 0..<4 { try await complete(number, in: store) }
        var exports = [try EveryKind.export(store, of: "u1")]
        // One export has a decision without its outcome, one a challenge that counts as ignored.
        let (later, last) = (try day(6), try day(9))
        try await store.withSelector(for: "u1") { selector throws(KinError) in _ = try selector.today(at: later) }
        exports.append(try EveryKind.export(store, of: "u1"))
        try await store.withSelector(for: "u1") { selector throws(KinError) in _ = try selector.today(at: last) }
        exports.append(try EveryKind.export(store, of: "u1"))
        try await complete(9, in: store)
        let late = try #require(try store.challengeHistory(of: "u1").first { $0.assigned == later })
        try await store.withSelector(for: "u1") { selector throws(KinError) in
            try selector.complete(late.challengeID, at: later)
        }
        let (decisions, state) = (try log(), try store.selector(for: "u1").state)
        let history = try store.challengeHistory(of: "u1")
        for export in exports {
            let counts = try await store.importLines(export, now: day(9))
            #expect(counts["older"] ?? 0 > 0, "\(counts)")
            #expect(try log() == decisions && store.selector(for: "u1").state == state)
            #expect(try store.challengeHistory(of: "u1") == history)
        }
        #expect(try await store.remove("challenge_state", key: ["user": "u1"]))
        #expect(try store.selector(for: "u1").state.decisions == decisions.count)
        try await complete(10, in: store)
        #expect(try kept(decisions) && log().count > decisions.count)
        #expect(try store.check().isIntact)
    }

    /// If two stores made decisions for the same person, an import changes no outcome of the store that it is put into.
    @Test func decisionsOfAnotherStoreReplaceNoOutcome() async throws {
        let (store, other) = (try folder.open(), try Store())
        try await store.put(ChallengeGenerator(seed: 1).challenges(20))
        try await store.put(ChallengePreferences(userID: "u1", recoveryDays: 3))
        for number in 0..<3 { try await complete(number, in: store) }
        _ = try await other.importLines(EveryKind.export(store), now: day(3))
        for number in 3..<8 { try await complete(number, rating: 5, in: store) }
        for number in 8..<18 { try await complete(number, rating: 1, in: other) }
        let (before, theirs) = (try store.challengeDecisions(of: "u1"), try other.challengeDecisions(of: "u1"))
        let export = try EveryKind.export(other, of: "u1")
        for _ in 0..<2 {
            let counts = try await store.importLines(export, now: day(20))
            let after = try store.challengeDecisions(of: "u1")
            for (old, new) in zip(before, after) { #expect(old.reward == nil || old == new) }
            #expect(after.dropFirst(before.count) == theirs.dropFirst(before.count))
            #expect(counts[Store.conflictingCount] == 5 && before.count { $0.reward != nil } == 8, "\(counts)")
            let others = (counts["challenge_decision"] ?? 0) + (counts[Store.olderCount] ?? 0)
            #expect(others >= theirs.count - 5, "\(counts)")
        }
        // The same choice twice, with and without a difference in when it was made.
        #expect(zip(before, theirs).contains { $0.made == $1.made && $0.reward != $1.reward })
        #expect(zip(before, theirs).contains { $0.made != $1.made && $0.reward != nil })
    }

    private func complete(_ number: Int, rating: Int? = nil, in store: Store) async throws {
        let now = try day(number)
        try await store.withSelector(for: "u1") { selector throws(KinError) in
            try selector.complete(rating: rating, at: now)
        }
    }

    @Test func lateOutcomesReplaceIgnoredOnesAtAnyAge() async throws {
        let store = try folder.open()
        try await store.put(ChallengeGenerator(seed: 1).challenges(60))
        try await store.put(ChallengePreferences(userID: "u1", recoveryDays: 3))
        for number in 0..<40 {
            let now = try day(number)
            try await store.withSelector(for: "u1") { selector throws(KinError) in _ = try selector.today(at: now) }
        }
        let now = try day(40)
        // The last day's challenges do not count as ignored yet.
        for given in try store.challengeHistory(of: "u1").dropLast() {
            let before = try store.challengeDecisions(of: "u1")
            let observations = try store.selector(for: "u1").state.policy.observations
            let settled = try await store.withSelector(for: "u1") { selector throws(KinError) in
                try selector.complete(given.challengeID, rating: 4, at: now)
            }
            let after = try store.challengeDecisions(of: "u1")
            let changed = try #require(zip(before, after).first { $0 != $1 })
            #expect(zip(before, after).count { $0 != $1 } == 1 && before.count == after.count)
            #expect(changed.1.challengeID == settled.challengeID && changed.1.made <= settled.assigned)
            #expect(changed.1.reward == 0.85 && changed.1.weight == 1 && changed.1.candidates == changed.0.candidates)
            #expect(changed.1.ignored == changed.0.learned)
            #expect(try store.selector(for: "u1").state.policy.observations == observations + 1)
        }
        #expect(try store.check().isIntact)
    }

    /// A corrected outcome replaces the reward in the log once, in the words of Kin and of an app, and the history and the
    /// log agree after any reports, late ones among them.
    @Test(arguments: [true, false]) func correctedOutcomesReplaceTheReward(isApp: Bool) async throws {
        var generator = TestSeed().generator
        let store = try folder.open()
        try await store.put(ChallengeGenerator(seed: 1).challenges(8))
        try await store.put(ChallengePreferences(userID: "u1", recoveryDays: 2))
        // 0: pending, 1: skipped, 2: completed without a rating, 3…7: with a rating.
        func report(_ given: UserChallenge, _ outcome: Int, in place: Int) async throws -> [String: Int] {
            let status = outcome < 2 ? ["pending", "skipped"][outcome] : "completed"
            let rating = outcome < 3 ? "null" : "\(outcome - 2)"
            let done = status == "completed" ? "\"\(given.assigned)\"" : "null"
            let record =
                isApp
                ? """
                {"id": "x\(place)", "challenge": "\(given.challengeID)", "assignedDate": "\(given.assigned)", \
                "status": "\(status)", "completedDate": \(done), "userRating": \(rating)}
                """
                : """
                {"user_challenge": {"user_id": "u1", "challenge_id": "\(given.challengeID)", \
                "assigned_date": "\(given.assigned)", "status": "\(status)", "completed_date": \(done), "rating": \(rating)}}
                """
            return try await store.importArray("[\(record)]", now: day(20), options: ShapeOptions(user: "u1"))
        }
        let rewards = [nil, 0, 0.85, 0.4, 0.55, 0.7, 0.85, 1]
        for number in 0..<12 {
            let now = try day(number)
            try await store.withSelector(for: "u1") { selector throws(KinError) in _ = try selector.today(at: now) }
        }
        var truth: [Int: Int] = [:]
        for _ in 0..<60 {
            let history = try store.challengeHistory(of: "u1")
            let (place, outcome) = (generator.below(history.count - 1), generator.below(8))
            let before = try store.selector(for: "u1").state.policy.observations
            let counts = try await report(history[place], outcome, in: place)
            let isLate = outcome == 0 && truth[place] ?? 0 > 0
            #expect(counts == [isLate ? Store.olderCount : "user_challenge": 1])
            let isChange = outcome > 0 && rewards[outcome] != rewards[truth[place] ?? 0]
            if !isLate { truth[place] = outcome }
            #expect(try store.selector(for: "u1").state.policy.observations == before + (isChange ? 1 : 0))
            let now = try store.challengeHistory(of: "u1")
            for challenge in Set(now.map(\.challengeID)) {
                let log = try store.challengeDecisions(of: "u1")
                    .filter { $0.challengeID == challenge && !$0.isOpen && !$0.isWithdrawn }
                let given = now.enumerated().filter { $0.element.challengeID == challenge }
                for (item, decision) in zip(given, log) where truth[item.offset] ?? 0 > 0 {
                    #expect(abs((decision.reward ?? -1) - rewards[truth[item.offset]!]!) < 1e-9)
                    #expect(decision.weight == 1)
                }
            }
        }
        #expect(try store.check().isIntact)
    }
}
