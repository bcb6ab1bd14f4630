import KinLibC

extension Soul {
    /// The half-life, in days, of a session in the number of sessions a week.
    private static let halfLife = 28.0
    /// The largest number of reactions that valence averages; older ones fade.
    private static let reactionMemory = 20

    /// Learns from an event of the person.
    ///
    /// - Goals, realms and objects: each name gains 1 + reaction: from 0 (disliked) to 2 (liked), and 1 without a
    ///   reaction. It is added to the trait with the same word (`TraitWord`) if the soul has one. Goals of an
    ///   event with the same word count once.
    /// - A session: its hour by the person's clock is counted, and the length is the mean of the known lengths.
    ///   Sessions a week are N ∕ T with N = Σ 2^(−age ∕ 28 days) and T = ∫ 2^(−age ∕ 28 days) since the first session,
    ///   at least a week. The streak grows with a session on the day after the last one, and restarts after a day
    ///   without a session.
    /// - A reaction: valence moves by (reaction − valence) ∕ n, with n the number of reactions, at most 20.
    ///
    /// Learning starts from the pattern and the valence that the app has set. Events may arrive late: the streak
    /// ignores a session before the day of the last one, and above 20 reactions the valence depends on the order in which
    /// they arrive. An event counts each time it is passed.
    ///
    /// - Parameters:
    ///   - event: An event of this person.
    ///   - zone: The person's time zone.
    /// - Throws: `.invalidArgument` for an event of a different person; `.capacityExceeded` for more than 65,535 names
    ///   in a block. The soul is then unchanged.
    /// - Complexity: O(traits).
    public mutating func learn(_ event: SoulEvent, in zone: LocalZone) throws(KinError) {
        guard event.userID == userID else {
            throw KinError(.invalidArgument, "the event belongs to \"\(event.userID)\"").within("user", userID)
        }
        let amount = 1 + (event.reaction ?? 0)
        let goals = try goals.adding(event.goals, amount, in: .goals)
        let realms = try realms.adding(event.realms, amount, in: .realms)
        let objects = try objects.adding(event.objects, amount, in: .objects)
        var history = history ?? SoulHistory()
        if let minutes = event.minutes { pattern = try learned(minutes, event.at, zone, &history) }
        (self.goals, self.realms, self.objects) = (goals, realms, objects)
        if let reaction = event.reaction {
            let known = valence == nil ? 0 : max(1, history.reactions)
            let before = valence ?? 0
            valence = min(max(before + (reaction - before) / Double(min(known + 1, Self.reactionMemory)), -1), 1)
            history.reactions = min(history.reactions + 1, SoulHistory.highestCount)
        }
        self.history = history
    }

    /// The pattern with one more session, which is also added to the history.
    private func learned(
        _ minutes: Double, _ at: Timestamp, _ zone: LocalZone, _ history: inout SoulHistory
    ) throws(KinError) -> SessionPattern {
        let day = zone.day(at: at)
        var hours = pattern?.hours ?? []
        if hours.isEmpty { hours = Array(repeating: 0, count: 24) }
        if history.sessions == 0, let pattern {
            // The app's pattern counts as that many sessions, and as that many in the week before.
            history.sessions = Int(min(max(1, hours.reduce(0, +)), Double(SoulHistory.highestCount)).rounded())
            if pattern.sessionsPerWeek > 0 {
                history.recent = pattern.sessionsPerWeek
                history.first = try? Timestamp(microseconds: at.microseconds - 7 * CivilDate.microsecondsPerDay)
                history.last = at
            }
        }
        hours[Int(zone.timeOfDay(at: at).minute) / 60] += 1
        var streak = max(pattern?.streak ?? 0, 1)
        if let last = history.lastDay, day > last { streak = day == last.advanced(by: 1) ? streak + 1 : 1 }
        let length = pattern?.minutes ?? 0
        if length == 0 { history.untimed = history.sessions }
        let known = Double(history.sessions - history.untimed)
        let mean = minutes > 0 ? length + (minutes - length) / (known + 1) : length
        if minutes == 0, history.sessions < SoulHistory.highestCount { history.untimed += 1 }
        history.count(at, on: day, halfLife: Self.halfLife)
        return try SessionPattern(
            hours: hours, minutes: mean, sessionsPerWeek: history.perWeek(halfLife: Self.halfLife), streak: streak)
    }
}

extension SoulHistory {
    /// Counts one more session that began at an instant.
    fileprivate mutating func count(_ at: Timestamp, on day: LocalDay, halfLife: Double) {
        let latest = max(last ?? at, at)
        recent *= exp2(-latest.days(since: last ?? at) / halfLife)
        recent += exp2(-latest.days(since: at) / halfLife)
        sessions = min(sessions + 1, Self.highestCount)
        first = min(first ?? at, at)
        last = latest
        lastDay = max(lastDay ?? day, day)
    }

    /// The number of sessions a week.
    fileprivate func perWeek(halfLife: Double) -> Double {
        guard let first, let last else { return 0 }
        let time = halfLife / log(2) * (1 - exp2(-last.days(since: first) / halfLife))
        return 7 * recent / max(7, time)
    }
}

extension SoulTraits {
    /// Adds an amount to the trait of each name, or to the trait with the same word.
    fileprivate func adding(_ names: [String], _ amount: Double, in block: SoulBlock) throws(KinError) -> SoulTraits {
        guard !names.isEmpty else { return self }
        var amounts = Dictionary(uniqueKeysWithValues: list.map { ($0.name, $0.amount) })
        var words = Dictionary(
            list.map { (TraitWord.compared($0.name, in: block), $0.name) }, uniquingKeysWith: { first, _ in first })
        var seen: Set<String> = []
        for name in names {
            let word = TraitWord.compared(name, in: block)
            guard block != .goals || seen.insert(word).inserted else { continue }
            let known = words[word] ?? name
            words[word] = known
            amounts[known, default: 0] = min((amounts[known] ?? 0) + amount, .greatestFiniteMagnitude)
        }
        return try SoulTraits(amounts)
    }
}
