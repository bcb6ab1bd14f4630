import Foundation
import KinJSON
import KinSamples
import KinTestSupport
import Testing

@testable import KinChallenges

@Suite("Challenge selector")
struct ChallengeSelectorTests {
    let catalog = try! ChallengeCatalog(ChallengeGenerator(seed: 2).challenges(120))
    let start = try! Timestamp(parsing: "2026-01-05T08:00:00Z")

    func selector(_ preferences: ChallengePreferences, catalog: ChallengeCatalog? = nil) throws
        -> ChallengeSelector
    {
        try ChallengeSelector(catalog: catalog ?? self.catalog, preferences: preferences, zone: .utc)
    }

    private func day(_ number: Int) throws -> Timestamp {
        try start.adding(days: number)
    }

    private func given(_ today: ChallengeSelector.Today) throws -> (UserChallenge, Challenge) {
        guard case .given(let given, let challenge?) = today else { throw KinError(.unknownID, "nothing was given") }
        return (given, challenge)
    }

    @Test("each day has one challenge, replaced after a skip, and outcomes are learned")
    func day() throws {
        var selector = try selector(ChallengePreferences(userID: "u1"))
        let first = try given(selector.today(at: start))
        #expect(try given(selector.today(at: start)).0 == first.0)
        #expect(selector.state.queue.count == 3)
        let skipped = try selector.skip(at: start)
        #expect(skipped.challengeID == first.1.id && skipped.status == .skipped)
        let second = try given(selector.today(at: start))
        #expect(second.1.id != first.1.id)
        let done = try selector.complete(rating: 4, minutes: 12.5, at: day(0))
        #expect(done.status == .completed && done.rating == 4)
        #expect(try given(selector.today(at: start)).0 == done)
        #expect(selector.state.policy.observations == 2)
        #expect(selector.changes.decisions.values.compactMap(\.reward).sorted() == [0, 0.85])
        let third = try given(selector.today(at: day(1)))
        // It stays unanswered: two days later it counts as ignored, once.
        _ = try selector.today(at: day(3))
        _ = try selector.today(at: day(3))
        #expect(selector.state.policy.observations == 3)
        #expect(selector.history.filter { $0.status == .pending }.count == 2)
        #expect(kinError { try selector.complete(first.1.id, at: start) }.says("skipped already"))
        // A late outcome is recorded, and learned in addition to the one learned when the challenge counted as ignored.
        try selector.complete(third.1.id, rating: 5, at: day(4))
        #expect(selector.state.policy.observations == 4)
    }

    @Test("a queued challenge that limits drop and offer again is ignored once")
    func ignoredOnce() throws {
        let catalog = try ChallengeCatalog([Challenge(id: "long", title: "Walk", category: "body", time: .minutes(30))])
        var selector = try selector(ChallengePreferences(userID: "u1"), catalog: catalog)
        guard case .queue = try selector.suggestions(at: start) else { throw KinError(.unknownID, "nothing waits") }
        var log = selector.changes.decisions
        /// The same person after a change of preferences, restored as from a store.
        func next(_ preferences: ChallengePreferences) throws -> ChallengeSelector {
            log.merge(selector.changes.decisions) { $1 }
            let open = try log.values.map { try ChallengeDecision(parsing: $0.jsonText) }.filter(\.isOpen)
            return try ChallengeSelector(
                catalog: catalog, preferences: preferences, zone: .utc, state: selector.state,
                history: selector.history,
                open: open)
        }
        selector = try next(ChallengePreferences(userID: "u1", longestMinutes: 10))
        guard case .nothing = try selector.suggestions(at: start) else {
            throw KinError(.unknownID, "it was not dropped")
        }
        #expect(selector.changes.decisions[1]?.isWithdrawn == true)
        selector = try next(ChallengePreferences(userID: "u1"))
        _ = try given(selector.today(at: start))
        #expect(selector.state.decisions == 2)
        for number in 1...3 {
            selector = try next(ChallengePreferences(userID: "u1"))
            _ = try selector.today(at: day(number))
            #expect(selector.state.policy.observations == 1, "day \(number)")
        }
        selector = try next(ChallengePreferences(userID: "u1"))
        #expect(log.values.map(\.isWithdrawn).count(where: { $0 }) == 1 && log.values.compactMap(\.reward) == [0])
    }

    @Test("a decision left open by release 0.1.0 for an unqueued challenge is not learned")
    func openDecisionsOfEarlierReleases() throws {
        let catalog = try ChallengeCatalog([Challenge(id: "long", title: "Walk", category: "body", time: .minutes(30))])
        var selector = try selector(ChallengePreferences(userID: "u1"), catalog: catalog)
        _ = try given(selector.today(at: start))
        let decision = try #require(selector.changes.decisions[1])
        let stale = try ChallengeDecision(
            parsing: decision.jsonText.replacing("\"number\":1,", with: "\"number\":2,"))
        var again = try ChallengeSelector(
            catalog: catalog, preferences: ChallengePreferences(userID: "u1"), zone: .utc, state: selector.state,
            history: selector.history, open: [decision, stale])
        for number in 1...3 { _ = try again.today(at: day(number)) }
        #expect(again.state.policy.observations == 1)
    }

    @Test("a streak counts completion dates, whenever the challenges were assigned")
    func streaks() throws {
        func streak(_ completions: [(given: Int, completed: Int)], on today: Int) throws -> Int {
            let history = try completions.enumerated().map { number, days in
                try UserChallenge(
                    userID: "u1", challengeID: "c\(number)", assigned: day(days.given), status: .completed,
                    completed: day(days.completed))
            }
            return try ChallengeSelector(
                catalog: catalog, preferences: ChallengePreferences(userID: "u1"), zone: .utc, history: history
            ).context(at: day(today)).streak
        }
        #expect(try streak([], on: 3) == 0 && streak([(0, 0), (1, 1), (2, 2)], on: 2) == 3)
        #expect(try streak([(0, 0), (1, 1)], on: 2) == 2 && streak([(0, 0), (1, 1)], on: 3) == 0)
        // The challenge that was given first was completed last.
        #expect(try streak([(0, 2), (1, 1)], on: 2) == 2 && streak([(0, 2), (1, 1), (1, 3)], on: 3) == 3)
        #expect(try streak([(0, 1), (0, 1), (1, 2), (1, 4)], on: 2) == 2)
    }

    @Test("limits, recovery, diversity and exploration hold for a year", arguments: [1, 2, 3] as [UInt64])
    func limits(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let preferences = try ChallengePreferences(
            userID: "u\(seed)", categories: ["calm", "home"], longestMinutes: 40, budget: .low, social: .partner,
            recoveryDays: 10, variety: 1)
        var selector = try selector(preferences)
        var last: [String: Timestamp] = [:]
        for number in 0..<365 {
            let now = try day(number)
            let (user, challenge) = try given(selector.today(at: now))
            #expect(challenge.isActive && challenge.time.longestMinutes <= 40)
            #expect(challenge.cost <= .low && challenge.social <= .partner)
            if let before = last[challenge.id] {
                #expect(now.microseconds - before.microseconds >= 10 * 86_400_000_000, "seed \(seed)")
            }
            last[challenge.id] = user.assigned
            #expect(selector.state.queue.count == 3 && selector.state.queue.count(where: \.isExploring) <= 1)
            #expect(Set(selector.state.queue.map { catalog.challenge($0.challengeID)!.category }).count == 3)
            #expect(Set(selector.state.queue.map(\.challengeID)).count == 3)
            switch generator.below(4) {
            case 0: try selector.skip(at: now)
            case 1: break
            default: try selector.complete(rating: 1 + generator.below(5), at: now)
            }
        }
        #expect(selector.changes.decisions.values.allSatisfy { $0.propensity > 0 && $0.propensity <= 1 })
        #expect(Set(selector.changes.decisions.keys) == Set(1...selector.state.decisions))
    }

    @Test(
        "a queue has different categories and at most one exploration with any variety and selection",
        arguments: [nil, 0, 0.5, 1] as [Double?], ChallengePreferences.Selection.allCases)
    func diverseQueues(variety: Double?, selection: ChallengePreferences.Selection) throws {
        let spelled = try ChallengeCatalog(
            catalog.challenges.enumerated().map { number, challenge in
                try Challenge(
                    id: challenge.id, title: challenge.title,
                    category: number % 2 == 0 ? challenge.category.uppercased() : " \(challenge.category)",
                    time: challenge.time, tags: challenge.tags)
            })
        let preferences = try ChallengePreferences(
            userID: "u", categories: ["calm"], recoveryDays: 0, selection: selection, variety: variety)
        var selector = try selector(preferences, catalog: spelled)
        for number in 0..<60 {
            let (_, challenge) = try given(selector.today(at: day(number)))
            let words = Set(selector.state.queue.map { Spelling.plain(spelled.challenge($0.challengeID)!.category) })
            #expect(words.count == 3 && selector.state.queue.count(where: \.isExploring) <= 1, "day \(number)")
            if Spelling.plain(challenge.category) == "calm" { try selector.complete(rating: 5, at: day(number)) }
        }
        // Two categories are enough for two places.
        let few = try ChallengeCatalog(
            (0..<9).map { try Challenge(id: "c\($0)", title: "t", category: $0 < 6 ? "a" : "b", time: .minutes(5)) })
        var other = try self.selector(preferences, catalog: few)
        _ = try other.today(at: start)
        #expect(other.state.queue.count == 3)
        #expect(Set(other.state.queue.map { few.challenge($0.challengeID)!.category }).count == 2)
    }

    @Test("categories and the dimensions of tags are compared in any spelling")
    func spelledCategories() throws {
        func rows(_ categories: [String], _ category: String, tag: String, profile: String) throws -> [Double] {
            let one = try ChallengeCatalog([
                Challenge(id: "c", title: "t", category: category, time: .minutes(5), tags: [tag])
            ])
            var context = try selector(ChallengePreferences(userID: "u"), catalog: one).context(at: start)
            context.profile = [profile: 0.9, "order": 0.1]
            let preferences = try ChallengePreferences(userID: "u", categories: categories)
            let features = ChallengeFeatures(preferences: preferences, context: context)
            // The tags' own buckets depend on their spelling.
            return try Array(features.rows(of: [0], in: one).row(0).prefix(20))
        }
        let usual = try rows(["outdoor_activity"], "outdoor_activity", tag: "nature_mirror", profile: "nature_mirror")
        #expect(usual[0] == 1 && usual[5] > 0)
        for word in [".outdoorActivity", "Outdoor Activity", "outdoor-activity "] {
            #expect(try rows([word], "outdoor_activity", tag: "natureMirror", profile: "nature_mirror") == usual)
            #expect(try rows(["outdoor_activity"], word, tag: "Nature Mirror", profile: "nature_mirror") == usual)
        }
    }

    @Test("queued challenges that no longer fit are not assigned")
    func offlineQueue() throws {
        var preferences = try ChallengePreferences(userID: "u1")
        var first = try selector(preferences)
        _ = try first.today(at: start)
        try first.skip(at: start)
        let queue = first.state.queue
        // The queue is unchanged after it was written and read.
        let state = try ChallengeState(parsing: first.state.jsonText)
        #expect(state == first.state)
        let open = first.changes.decisions.values.filter { $0.reward == nil }
        for decision in first.changes.decisions.values {
            #expect(try ChallengeDecision(parsing: decision.jsonText) == decision)
        }
        var second = try ChallengeSelector(
            catalog: catalog, preferences: preferences, zone: .utc, state: state, history: first.history,
            open: Array(open))
        #expect(try given(second.today(at: start)).1.id == queue[0].challengeID)
        // The rest of the queue becomes inactive in the catalogue, and then too expensive.
        let inactive = try ChallengeCatalog(
            catalog.challenges.map { challenge in
                var challenge = challenge
                challenge.isActive = !queue.map(\.challengeID).contains(challenge.id)
                return challenge
            })
        var third = try ChallengeSelector(
            catalog: inactive, preferences: preferences, zone: .utc, state: state, history: first.history,
            open: Array(open))
        #expect(try !queue.map(\.challengeID).contains(given(third.today(at: start)).1.id))
        preferences.budget = .free
        var fourth = try ChallengeSelector(
            catalog: catalog, preferences: preferences, zone: .utc, state: state, history: first.history,
            open: Array(open))
        #expect(try given(fourth.today(at: start)).1.cost == .free)
        #expect(fourth.state.queue.allSatisfy { catalog.challenge($0.challengeID)!.cost == .free })
    }

    @Test(
        "a random selection is uniform among allowed challenges and is learned from"
    )
    func randomSelection() throws {
        let names = (0..<12).map { "c\($0)" }
        let catalog = try ChallengeCatalog(
            names.map {
                try Challenge(id: $0, title: $0, category: "one", time: .minutes($0 < "c5" ? 90 : 10))
            })
        let allowed = names.filter { $0 >= "c5" }
        var counts: [String: Int] = [:]
        for person in 0..<700 {
            // Preferences and the policy's expectations have no influence.
            let preferences = try ChallengePreferences(
                userID: "u\(person)", longestMinutes: 30, selection: .random)
            var selector = try selector(preferences, catalog: catalog)
            let (first, challenge) = try given(selector.today(at: start))
            counts[challenge.id, default: 0] += 1
            let decisions = selector.changes.decisions.values.sorted { $0.number < $1.number }
            let left = (0..<4).map { 1 / Double(allowed.count - $0) }
            // The first of the queue was assigned, so three are chosen among the remaining ones.
            #expect(
                zip(decisions, left).allSatisfy { abs($0.propensity - $1) < 1e-12 }, "\(decisions.map(\.propensity))")
            var again = try self.selector(preferences, catalog: catalog)
            #expect(try given(again.today(at: start)).0 == first)
        }
        #expect(Set(counts.keys) == Set(allowed))
        // Chi-squared with 4 degrees of freedom: 18.5 in one of a thousand.
        let expected = 700 / Double(allowed.count)
        let squares = counts.values.reduce(0) { $0 + (Double($1) - expected) * (Double($1) - expected) / expected }
        #expect(squares < 18.5, "\(counts)")
        var selector = try selector(
            ChallengePreferences(userID: "u", recoveryDays: 0, selection: .random), catalog: catalog)
        for number in 0..<20 {
            _ = try selector.today(at: day(number))
            try selector.complete(rating: 4, at: day(number))
        }
        #expect(selector.state.policy.observations == 20)
        let learned = try ChallengeSelector(
            catalog: catalog, preferences: ChallengePreferences(userID: "u", recoveryDays: 0), zone: .utc,
            state: selector.state, history: selector.history,
            open: selector.changes.decisions.values.filter { $0.reward == nil && !$0.isWithdrawn })
        #expect(learned.state.policy.observations == 20)
    }

    @Test("a known app version excludes challenges for newer apps")
    func appVersions() throws {
        let catalog = try ChallengeCatalog(
            ["1.9", "2", "2.0.1", "10.0", nil].map { version in
                try Challenge(
                    id: version ?? "any", title: "t", category: "c", time: .minutes(10),
                    minimumAppVersion: version.map { try AppVersion(parsing: $0) })
            })
        func ids(_ version: String?) throws -> [String] {
            let preferences = try ChallengePreferences(
                userID: "u", appVersion: version.map { try AppVersion(parsing: $0) })
            let limits = try selector(preferences, catalog: catalog).limits(at: start)
            return catalog.challenges.filter { limits.broken(by: $0) == nil }.map(\.id)
        }
        #expect(try ids(nil).count == 5 && ids("10").count == 5)
        #expect(
            try ids("2.0.0") == ["1.9", "2", "any"] && ids("1.8.9") == ["any"]
                && ids("9.9") == ["1.9", "2", "2.0.1", "any"])
        let new = try ChallengeCatalog(catalog.challenges.filter { $0.id != "any" })
        var old = try selector(
            ChallengePreferences(userID: "u", appVersion: AppVersion(parsing: "1")), catalog: new)
        guard case .nothing(let report) = try old.today(at: start) else { throw KinError(.unknownID, "one was given") }
        #expect(report.emptiedBy == .app && report.explanation.contains("none of 4"))
    }

    @Test("a reason names the category and tags of its challenge but no bucket")
    func reasonsNameTheirChallenge() throws {
        let mixed = try Challenge(
            id: "x", title: "t", category: "late night", time: .minutes(10), tags: (0..<30).map { "tag\($0)" })
        for challenge in catalog.challenges + [mixed] where challenge.isActive {
            let one = try ChallengeCatalog([challenge])
            var chooser = try selector(ChallengePreferences(userID: "u1"), catalog: one)
            guard case .queue(let queue) = try chooser.suggestions(at: start) else {
                throw KinError(.unknownID, "nothing waits")
            }
            let row = try #require(queue.first).decision.event.features
            let names = (0..<ChallengeFeatures.count).map { ChallengeFeatures.name(of: $0, in: challenge) }
            #expect(names.contains("category \(challenge.category)"))
            var found: [String] = []
            for (name, value) in zip(names, row) {
                #expect(!name.contains("group") && (value == 0 || !["its category", "its tags"].contains(name)))
                guard name.hasPrefix("tag ") || name.hasPrefix("tags ") else { continue }
                found += name.split(separator: " ", maxSplits: 1)[1].components(separatedBy: ", ")
            }
            #expect(found.sorted() == challenge.tags.sorted(), "\(challenge.id)")
        }
        var selector = try selector(ChallengePreferences(userID: "u1"))
        for number in 0..<20 {
            _ = try selector.today(at: day(number))
            try selector.complete(rating: 1 + number % 5, at: day(number))
        }
        guard case .queue(let queue) = try selector.suggestions(at: day(20)) else { return }
        for suggestion in queue {
            let names = suggestion.reasons.map(\.name)
            #expect(names.contains("category \(suggestion.challenge.category)"), "\(names)")
            #expect(names.allSatisfy { !$0.contains("group") })
        }
    }

    @Test("preferences and profile decide first, and outcomes decide later")
    func learning() throws {
        var preferred = 0
        for person in 0..<40 {
            var selector = try selector(ChallengePreferences(userID: "p\(person)", categories: ["calm", "making"]))
            let (_, challenge) = try given(selector.today(at: start))
            preferred += ["calm", "making"].contains(challenge.category) ? 1 : 0
        }
        #expect(
            preferred > 18, "\(preferred) of 40 first challenges are of preferred categories; by chance it would be 10")
        // A person who only ever does outdoor challenges.
        var (early, late) = (0, 0)
        for person in 0..<10 {
            var selector = try selector(ChallengePreferences(userID: "n\(person)", recoveryDays: 3))
            for number in 0..<120 {
                let (_, challenge) = try given(selector.today(at: day(number)))
                if challenge.tags.contains("nature_mirror") {
                    early += number < 20 ? 1 : 0
                    late += number >= 100 ? 1 : 0
                    try selector.complete(rating: 5, at: day(number))
                } else {
                    try selector.skip(at: day(number))
                }
            }
        }
        #expect(late > early + 20 && late > 100, "\(early) of the first 200, \(late) of the last 200")
    }

    @Test("the same history gives the same choices, and reasons explain them")
    func explanations() throws {
        let preferences = try ChallengePreferences(userID: "u1", categories: ["nature"])
        func suggestions() throws -> [ChallengeSuggestion] {
            var selector = try ChallengeSelector(
                catalog: catalog, preferences: preferences, zone: .utc, profile: ["nature_mirror": 0.9, "order": 0.2])
            guard case .queue(let queue) = try selector.suggestions(at: start) else { return [] }
            #expect(selector.history.isEmpty)
            return queue
        }
        let told = try suggestions()
        #expect(try suggestions() == told && told.count == 3)
        for suggestion in told where suggestion.challenge.category == "nature" {
            #expect(suggestion.reasons.contains { $0.name == "preferred category" && $0.contribution == 1 })
        }
        #expect(told.allSatisfy { (0...1).contains($0.expectedReward) && !$0.reasons.isEmpty })
    }

    @Test("records of two people do not mix")
    func strangers() throws {
        let other = try UserChallenge(userID: "u2", challengeID: "c1", assigned: start)
        #expect(throws: KinError.self) {
            try ChallengeSelector(
                catalog: catalog, preferences: ChallengePreferences(userID: "u1"), zone: .utc, history: [other])
        }
    }
}
