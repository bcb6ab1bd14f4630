import KinChallenges
package import KinCore
import KinJSON
import KinPleasure
package import KinStore

extension Store {
    /// Answers a question about challenges or daily content, and keeps what it changes.
    ///
    /// - Throws: `.unknownID` for a zone or a waiting challenge that there is not; what the parts of the answer throw.
    package func answer(_ question: ChallengeQuestion, for asker: ChallengeAsker) throws(KinError) -> ChallengeAnswer {
        let (user, now) = (asker.user, asker.now)
        let given = try asker.zone.map { name throws(KinError) in try LocalZone(named: name) }
        switch question {
        case .suggest:
            return .suggestions(
                try withChallenges(of: user, in: given, profile: tasteByDimension(of: user, at: now)) {
                    engine throws(KinError) in try engine.suggestions(at: now)
                })
        case .today: return try today(asker, in: given)
        case .timeline(let days):
            let (entries, zone) = try timeline(of: user, at: now, in: given, days: days)
            return .timeline(entries, zone: zone)
        case .complete(let id, let rating, let minutes):
            return try outcome(of: user, in: given) { engine throws(KinError) in
                try engine.complete(id, rating: rating, minutes: minutes, at: now)
            }
        case .skip(let id):
            return try outcome(of: user, in: given) { engine throws(KinError) in try engine.skip(id) }
        case .history(let count): return try history(of: user, count: count)
        case .reflect(let isCompleted, let text):
            return .reflection(try reflect(user, completed: isCompleted, text: text, at: now, in: given))
        case .progress: return try progress(of: user, at: now, in: given)
        case .rotate(let change): return .rotation(try rotate(user, change, at: now, in: given))
        case .prefer(let json): return .preferences(try change(preferencesOf: user, by: json))
        case .nextNotification(let phase, let seed):
            let rules = NotificationRules(try knownPreferences(of: user))
            let planner = try NotificationPlanner(phase: phase, seed: seed)
            return .notification(
                planner.next(
                    after: now, in: try place(of: user, given), rules: rules, past: try notifications(of: user)))
        case .notified(let sent, let wasAnswered):
            let record = try NotificationRecord(
                userID: user, sent: sent, in: try place(of: user, given), wasAnswered: wasAnswered)
            try put(record)
            return .notified(record)
        }
    }

    private func today(_ asker: ChallengeAsker, in zone: LocalZone?) throws(KinError) -> ChallengeAnswer {
        let (user, now) = (asker.user, asker.now)
        let entries = try timeline(of: user, at: now, in: zone, days: 1).entries
        guard let entry = entries.first else {
            throw KinError(.invalidArgument, "there is no day of content at \(now)")
        }
        guard try !challengeCatalog().isEmpty else { return .today(entry, nil) }
        let today = try withChallenges(of: user, in: zone, profile: tasteByDimension(of: user, at: now)) {
            engine throws(KinError) in try engine.today(at: now)
        }
        return .today(entry, today)
    }

    private func timeline(
        of user: String, at now: Timestamp, in zone: LocalZone?, days: Int
    ) throws(KinError) -> (entries: [TimelineEntry], zone: LocalZone) {
        try withRotation(of: user, at: now, in: zone) { rotation, library, zone throws(KinError) in
            (try rotation.timeline(at: now, in: zone, library: library, count: days), zone)
        }
    }

    private func outcome(
        of user: String, in zone: LocalZone?, _ body: (inout ChallengeEngine) throws(KinError) -> UserChallenge
    ) throws(KinError) -> ChallengeAnswer {
        try withChallenges(of: user, in: zone) { engine throws(KinError) in
            let given = try body(&engine)
            return .outcome(given, engine.catalog.challenge(given.challengeID))
        }
    }

    private func history(of user: String, count: Int) throws(KinError) -> ChallengeAnswer {
        let catalog = try challengeCatalog()
        let given = try challengeHistory(of: user).reversed().prefix(count)
        return .history(given.map { ($0, catalog.challenge($0.challengeID)) })
    }

    private func progress(of user: String, at now: Timestamp, in given: LocalZone?) throws(KinError) -> ChallengeAnswer
    {
        let today = try place(of: user, given).day(at: now)
        var counts: [UserChallenge.Status: Int] = [:]
        for challenge in try challengeHistory(of: user) { counts[challenge.status, default: 0] += 1 }
        return .progress(RotationStatistics(try reflections(of: user), today: today), challenges: counts)
    }

    private func rotate(
        _ user: String, _ change: RotationChange, at now: Timestamp, in zone: LocalZone?
    ) throws(KinError) -> Rotation {
        try withRotation(of: user, at: now, in: zone) { rotation, library, _ throws(KinError) in
            if let focus = change.focus { try rotation.setFocus(focus, in: library) }
            if change.startsAdvancedYear { try rotation.startAdvancedYear(in: library) }
            if let refresh = change.refresh { rotation.refresh = refresh }
            if let reminder = change.reminder { rotation.reminder = reminder }
            return rotation
        }
    }

    /// Where a person is, as was said or as their preferences say.
    private nonisolated func place(of user: String, _ given: LocalZone?) throws(KinError) -> LocalZone {
        if let given { return given }
        return try zone(of: user)
    }

    /// A person's preferences, or those of somebody who has not said anything.
    private nonisolated func knownPreferences(of user: String) throws(KinError) -> ChallengePreferences {
        if let known = try challengePreferences(of: user) { return known }
        return try ChallengePreferences(userID: user)
    }

    /// Changes some preferences: the members of an object take the place of those that are there.
    private func change(preferencesOf user: String, by json: String) throws(KinError) -> ChallengePreferences {
        let known = try knownPreferences(of: user)
        let changed = try JSONReader.read(json) { reader throws(KinError) in try reader.rawMembers() }
        guard !changed.isEmpty else { return known }
        if let named = changed.first(where: { $0.name == "user_id" || $0.name == "userId" }) {
            throw KinError(.invalidArgument, "preferences stay with their person").inField(named.name)
        }
        let kept = try JSONReader.read(known.json) { reader throws(KinError) in try reader.rawMembers() }
        var writer = JSONWriter()
        writer.object { writer in
            for (name, value) in kept
            where !changed.contains(where: { ChallengePreferences.isSameField($0.name, name) }) {
                writer.member(name) { $0.raw(value) }
            }
            for (name, value) in changed { writer.member(name) { $0.raw(value) } }
        }
        let preferences = try ChallengePreferences(json: writer.text)
        // A zone that there is not would be noticed too late.
        _ = try LocalZone(named: preferences.timeZone)
        try put(preferences)
        return preferences
    }

    /// What is known of a person's taste, by the names of the dimensions; empty when nothing is.
    private nonisolated func tasteByDimension(of user: String, at now: Timestamp) throws(KinError) -> [String: Double] {
        guard let taste = try LivedTaste(of: user, at: now, in: self) else { return [:] }
        let pairs = Pleasure.Dimension.allCases.map { ($0.name, Double(taste.lived[$0])) }
        return Dictionary(uniqueKeysWithValues: pairs)
    }
}
