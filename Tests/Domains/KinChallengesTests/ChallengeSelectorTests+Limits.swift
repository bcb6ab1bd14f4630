import KinJSON
import KinTestSupport
import Testing

@testable import KinChallenges

extension ChallengeSelectorTests {
    @Test("an empty result names the limit that emptied it")
    func emptied() throws {
        func limit(_ preferences: ChallengePreferences, _ catalog: ChallengeCatalog? = nil) throws -> ChallengeLimit? {
            var selector = try selector(preferences, catalog: catalog)
            guard case .nothing(let report) = try selector.suggestions(at: start) else { return nil }
            guard case .nothing(report) = try selector.today(at: start) else { return nil }
            #expect(report.explanation.contains("none of") || report.explanation.contains("recently"))
            return report.emptiedBy
        }
        #expect(try limit(ChallengePreferences(userID: "u", longestMinutes: 1)) == .time)
        let dear = try ChallengeCatalog(catalog.challenges.filter { $0.cost > .free })
        #expect(try limit(ChallengePreferences(userID: "u", budget: .free), dear) == .cost)
        let social = try ChallengeCatalog(catalog.challenges.filter { $0.social > .optional })
        #expect(try limit(ChallengePreferences(userID: "u", social: .solo), social) == .social)
        let none = try ChallengeCatalog(
            catalog.challenges.prefix(3).map { challenge in
                var challenge = challenge
                challenge.isActive = false
                return challenge
            })
        #expect(try limit(ChallengePreferences(userID: "u"), none) == .inactive)
        var few = try selector(
            ChallengePreferences(userID: "u"), catalog: ChallengeCatalog(catalog.challenges.prefix(2)))
        for _ in 0..<2 {
            _ = try few.today(at: start)
            try few.skip(at: start)
        }
        guard case .nothing(let report) = try few.today(at: start) else {
            throw KinError(.unknownID, "something was given")
        }
        #expect(report.emptiedBy == .recovery && report.all == 2)
        var empty = try selector(ChallengePreferences(userID: "u"), catalog: ChallengeCatalog([Challenge]()))
        guard case .nothing(let nothing) = try empty.today(at: start) else {
            throw KinError(.unknownID, "something was given")
        }
        #expect(nothing.emptiedBy == nil && nothing.explanation.contains("import"))
    }

    @Test("a skipped challenge is not offered again on its date while a different one fits", arguments: [0, 1, 14])
    func skippedToday(recoveryDays: Int) throws {
        var random = TestSeed().generator
        for count in [1, 2, 3, 5, 9] {
            let preferences = try ChallengePreferences(userID: "u", recoveryDays: recoveryDays)
            let few = try ChallengeCatalog(catalog.challenges.prefix(count))
            var selector = try selector(preferences, catalog: few)
            for day in 0..<12 {
                var skipped: Set<String> = []
                for hour in 0..<count + 2 {
                    let now = try Timestamp(
                        microseconds: start.adding(days: day).microseconds + Int64(hour) * 3_600_000_000)
                    let recent = selector.history.filter {
                        LocalZone.utc.day(at: now).number - LocalZone.utc.day(at: $0.assigned).number < recoveryDays
                    }
                    let limits = ChallengeLimits(preferences, recent: Set(recent.map(\.challengeID)))
                    let allowed = few.challenges.filter { limits.broken(by: $0) == nil }.map(\.id)
                    let others = allowed.filter { !skipped.contains($0) }
                    var copy = selector
                    let suggestions = try copy.suggestions(at: now)
                    guard case .given(let given, _) = try selector.today(at: now) else {
                        #expect(allowed.isEmpty)
                        break
                    }
                    let id = given.challengeID
                    #expect((others.isEmpty ? allowed : others).contains(id), "\(count) challenges, day \(day)")
                    if case .queue(let queue) = suggestions {
                        #expect(queue.first?.challenge.id == id)
                        #expect(others.isEmpty || !queue.contains { skipped.contains($0.challenge.id) })
                    }
                    if random.below(5) == 0 {
                        try selector.complete(rating: 5, at: now)
                        break
                    }
                    try selector.skip(id, at: now)
                    skipped.insert(id)
                }
            }
        }
    }

    @Test("a limit report counts the rest in plain words and snake-case keys")
    func limitReports() throws {
        for limit in ChallengeLimit.allCases {
            #expect(limit.rawValue.allSatisfy { $0.isLowercase || $0 == "_" })
        }
        var selector = try selector(ChallengePreferences(userID: "u", longestMinutes: 1))
        guard case .nothing(let report) = try selector.today(at: start) else {
            throw KinError(.unknownID, "something was given")
        }
        #expect(
            report.explanation
                == "none of 120 challenges is short enough (120 active, 120 for this app, 0 short enough, 0 within the budget, 0 with few "
                + "enough others, 0 not given recently); allow more time", "\(report.explanation)")
        var writer = JSONWriter()
        report.write(to: &writer)
        #expect(
            writer.text.contains(
                "\"left\":{\"inactive\":120,\"newer_app\":120,\"too_long\":0,\"too_dear\":0,\"too_social\":0,\"given_recently\":0}"
            ))
        #expect(writer.text.contains("\"emptied_by\":\"too_long\""))
    }

    @Test("a date has one challenge from midnight to midnight, and a challenge returns after the recovery days")
    func wholeDay() throws {
        var random = TestSeed().generator
        let zone = try LocalZone(named: "Europe/Berlin")
        for (count, recoveryDays) in [(1, 0), (2, 1), (3, 2), (3, 5), (8, 5), (8, 8), (8, 14)] {
            let preferences = try ChallengePreferences(
                userID: "u", recoveryDays: recoveryDays, selection: random.below(2) == 0 ? .random : .learned)
            var selector = try ChallengeSelector(
                catalog: ChallengeCatalog(catalog.challenges.prefix(count)), preferences: preferences, zone: zone)
            var last: [String: LocalDay] = [:]
            for day in 0..<40 {
                let date = try LocalDay(parsing: "2026-03-10").advanced(by: day)
                var answers: Set<String?> = []
                let assigning = random.below(5)
                for (number, hour) in [0, 7, 13, 19, 23].enumerated() {
                    let now = zone.instant(on: date, at: try TimeOfDay(hour: hour, minute: 1))
                    var copy = selector
                    var today = try copy.today(at: now)
                    if number == assigning { today = try selector.today(at: now) }
                    if case .given(let given, _) = today {
                        answers.insert(given.challengeID)
                    } else {
                        answers.insert(nil)
                    }
                }
                #expect(answers.count == 1, "\(count) challenges, \(recoveryDays) days, \(date): \(answers)")
                let open = selector.catalog.challenges.filter { challenge in
                    last[challenge.id].map { date.number - $0.number >= recoveryDays } ?? true
                }
                #expect(answers.contains(nil) == open.isEmpty)
                guard let id = answers.first ?? nil else { continue }
                #expect(open.contains { $0.id == id }, "\(id) on \(date) after \(last[id].map(\.description) ?? "")")
                last[id] = date
                if random.below(2) == 0 {
                    try selector.complete(rating: 3, at: zone.instant(on: date, at: TimeOfDay(hour: 23, minute: 59)))
                }
            }
        }
    }
}
