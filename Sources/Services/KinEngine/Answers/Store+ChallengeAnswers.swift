import KinChallenges
package import KinCore
import KinJSON
import KinPleasure
package import KinStore

extension Store {
    /// Answers a question about challenges or daily content, or executes a command and stores its result.
    ///
    /// - Throws: `.unknownID` for an unknown zone or waiting challenge, and for a command about a person without
    ///   records; the errors of the parts.
    package func answer(_ question: ChallengeQuestion, for context: PersonContext) throws(KinError)
        -> ChallengeAnswer
    {
        let (user, now) = (context.user, context.now)
        let given = try context.zone.map { name throws(KinError) in try LocalZone(named: name) }
        switch question {
        case .suggest:
            var selector = try selector(for: user, in: given, profile: learnedByDimension(of: user, at: now))
            return .suggestions(try selector.suggestions(at: now))
        case .today: return try today(context, in: given)
        case .timeline(let days):
            return .timeline(
                try timeline(of: user, at: now, in: given, days: days), zone: try zone(of: user, given))
        case .assign:
            return .assigned(
                try challenge(of: context, in: given) { selector throws(KinError) in try selector.today(at: now) })
        case .complete(let id, let rating, let minutes):
            return try outcome(of: context, in: given) { selector throws(KinError) in
                try selector.complete(id, rating: rating, minutes: minutes, at: now)
            }
        case .skip(let id):
            return try outcome(of: context, in: given) { selector throws(KinError) in try selector.skip(id, at: now) }
        case .history(let count): return try history(of: user, count: count)
        case .reflect(let isCompleted, let text):
            return .reflection(
                try reflect(
                    user, completed: isCompleted, text: text, at: now, in: given, present: context.present))
        case .progress: return try progress(of: user, at: now, in: given)
        case .rotate(let change): return .rotation(try rotate(context, change, in: given))
        case .prefer(let json): return .preferences(try change(preferencesOf: context, by: json, in: given))
        case .nextNotification(let phase, let seed):
            let rules = NotificationRules(try knownPreferences(of: user))
            let planner = try NotificationPlanner(phase: phase, seed: seed)
            return .notification(
                planner.next(
                    for: user, after: now, in: try zone(of: user, given), rules: rules,
                    past: try notifications(of: user)))
        case .notified(let sent, let wasAnswered):
            try requireKnown(user)
            let record = try NotificationRecord(
                userID: user, sent: sent, in: try zone(of: user, given), wasAnswered: wasAnswered)
            try put(record)
            return .notified(record)
        }
    }

    private func today(_ context: PersonContext, in zone: LocalZone?) throws(KinError) -> ChallengeAnswer {
        let (user, now) = (context.user, context.now)
        guard let entry = try timeline(of: user, at: now, in: zone, days: 1).first else {
            throw KinError(.invalidArgument, "there is no day of content at \(now)")
        }
        let hasBegun = try rotation(of: user) != nil
        guard try !challengeCatalog().isEmpty else { return .today(entry, nil, hasBegun: hasBegun) }
        var selector = try selector(for: user, in: zone, profile: learnedByDimension(of: user, at: now))
        let today = try selector.today(at: now)
        return .today(entry, TodayChallenge(today, isAssigned: selector.changes.given.isEmpty), hasBegun: hasBegun)
    }

    /// Changes a person's challenges and begins their year of content.
    private func challenge<Result: Sendable>(
        of context: PersonContext, in zone: LocalZone?, _ body: (inout ChallengeSelector) throws(KinError) -> Result
    ) throws(KinError) -> Result {
        let profile = try learnedByDimension(of: context.user, at: context.now)
        let result = try withSelector(for: context.user, in: zone, profile: profile, body)
        try keepRotation(of: context.user, at: context.now, in: zone, present: context.present)
        return result
    }

    private func outcome(
        of context: PersonContext, in zone: LocalZone?,
        _ body: (inout ChallengeSelector) throws(KinError) -> UserChallenge
    ) throws(KinError) -> ChallengeAnswer {
        let (given, challenge) = try challenge(of: context, in: zone) { selector throws(KinError) in
            let given = try body(&selector)
            return (given, selector.catalog.challenge(given.challengeID))
        }
        return .outcome(given, challenge)
    }

    private func history(of user: String, count: Int) throws(KinError) -> ChallengeAnswer {
        let catalog = try challengeCatalog()
        let given = try challengeHistory(of: user).reversed().prefix(count)
        return .history(given.map { ($0, catalog.challenge($0.challengeID)) })
    }

    private func progress(of user: String, at now: Timestamp, in given: LocalZone?) throws(KinError) -> ChallengeAnswer
    {
        let today = try zone(of: user, given).day(at: now)
        var counts: [UserChallenge.Status: Int] = [:]
        for challenge in try challengeHistory(of: user) { counts[challenge.status, default: 0] += 1 }
        return .progress(RotationStatistics(try reflections(of: user), today: today), challenges: counts)
    }

    private func rotate(
        _ context: PersonContext, _ change: RotationChange, in zone: LocalZone?
    ) throws(KinError) -> ContentRotation {
        guard !change.isEmpty else { return try rotation(of: context.user, at: context.now, in: zone) }
        return try withRotation(of: context.user, at: context.now, in: zone, present: context.present) {
            rotation, library, _ throws(KinError) in
            if let focus = change.focus { try rotation.setFocus(focus, in: library) }
            if change.startsAdvancedYear { try rotation.startAdvancedYear(in: library) }
            if let refresh = change.refresh { rotation.refresh = refresh }
            if let reminder = change.reminder { rotation.reminder = reminder }
            return rotation
        }
    }

    /// The given time zone, or that of the person's preferences.
    private nonisolated func zone(of user: String, _ given: LocalZone?) throws(KinError) -> LocalZone {
        if let given { return given }
        return try zone(of: user)
    }

    /// The preferences of a person; the default ones when none are stored.
    private nonisolated func knownPreferences(of user: String) throws(KinError) -> ChallengePreferences {
        if let known = try challengePreferences(of: user) { return known }
        return try ChallengePreferences(userID: user)
    }

    /// Replaces some fields of the preferences by the members of an object.
    private func change(
        preferencesOf context: PersonContext, by json: String, in zone: LocalZone?
    ) throws(KinError) -> ChallengePreferences {
        let user = context.user
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
        // An unknown zone is refused before it is stored.
        _ = try LocalZone(named: preferences.timeZone)
        try put(preferences)
        try keepRotation(of: user, at: context.now, in: zone, present: context.present)
        return preferences
    }

    /// The learned profile by the names of dimensions; empty when nothing is known.
    private nonisolated func learnedByDimension(of user: String, at now: Timestamp) throws(KinError) -> [String: Double]
    {
        guard let taste = try TasteProfiles(of: user, at: now, in: self) else { return [:] }
        let pairs = Pleasure.Dimension.allCases.map { ($0.name, Double(taste.learned[$0])) }
        return Dictionary(uniqueKeysWithValues: pairs)
    }
}
