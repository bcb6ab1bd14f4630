extension RhythmAnalysis {
    /// The largest p-value of a reported finding, 5.7e-6.
    ///
    /// It spends an error probability of 0.05 on a year of daily looks, in equal parts (Bonferroni, whatever the
    /// dependence of looks and tests). A look has at most 24 tests: shifts of five quantities in three windows, the
    /// growth of six wake windows and of the nights, and two relations. More than one look a day adds nothing, because
    /// the tests see whole days.
    static let largestP = 0.05 / (365 * 24)
    /// The number of wake windows whose growth is tested.
    private static let growingWindows = 6
    /// The number of nights that a record needs.
    private static let nightsForRecord = 21
    /// The number of days for which a shift is reported.
    private static let shiftDays = 35.0

    /// The findings at the end of the log.
    ///
    /// Wake windows need 14 of the last 28 days, and a record three weeks of complete nights. Shifts, trends and relations
    /// are those of a test for daily looks: with a probability of at most 0.05, a year of them finds any in a log
    /// without.
    public var insights: [RhythmInsight] {
        guard let created = latest else { return [] }
        return wakeWindows.flatMap { window in
            [pattern(window, created: created), growth(window, created: created)].compactMap(\.self)
        } + shifts.compactMap { shift($0, created: created) }
            + [
                relation(feedsAndSleep, of: "feeds", unit: "feeds a day", created: created),
                relation(drinkingAndSleep, of: "milk", unit: "millilitres a day", created: created),
                longestNight(created: created), consolidating(created: created), tidiness(created: created),
            ].compactMap(\.self)
    }

    private func pattern(_ window: WakeWindow, created: LoggedTime) -> RhythmInsight? {
        guard window.count >= 14 else { return nil }
        let ordinal = InsightText.ordinal(window.napNumber)
        return RhythmInsight(
            "wake_window_\(window.napNumber)", .pattern, "Awake before the \(ordinal) sleep",
            "Asleep for the \(ordinal) time about \(InsightText.duration(window.quartiles.middle)) after waking, "
                + "between \(InsightText.duration(window.quartiles.lower)) and "
                + "\(InsightText.duration(window.quartiles.upper)) on half of \(window.count) days.",
            substance: (window.quartiles.middle, 20),
            confidence: window.nearShare,
            numbers: [
                "nap_number": Double(window.napNumber), "days": Double(window.count),
                "lower_quartile_minutes": window.quartiles.lower, "median_minutes": window.quartiles.middle,
                "upper_quartile_minutes": window.quartiles.upper, "share_within_30_minutes": window.nearShare,
            ], created: created, days: 7)
    }

    private func growth(_ window: WakeWindow, created: LoggedTime) -> RhythmInsight? {
        guard window.count >= 14, window.napNumber <= Self.growingWindows, let trend = window.weeklyTrend, trend >= 3,
            window.trendP <= Self.largestP
        else { return nil }
        let ordinal = InsightText.ordinal(window.napNumber)
        // The median refers to two weeks ago.
        let now = window.quartiles.middle + 2 * trend
        return RhythmInsight(
            "later_sleep_\(window.napNumber)", .recommendation, "A later \(ordinal) sleep",
            "The time awake before it has grown by \(Int(trend.rounded())) min a week: allow "
                + "\(InsightText.duration(now)) now instead of \(InsightText.duration(window.quartiles.middle)).",
            substance: (now, 30),
            confidence: 1 - window.trendP,
            numbers: [
                "nap_number": Double(window.napNumber), "days": Double(window.count), "weekly_minutes": trend,
                "p": window.trendP, "median_minutes": window.quartiles.middle, "minutes_now": now,
            ], created: created, days: 7)
    }

    private func shift(_ leap: Leap, created: LoggedTime) -> RhythmInsight? {
        let age = (created.localMinutes - leap.date.localMinutes) / DayCycle.minutesPerDay
        let change = leap.change
        guard age < Self.shiftDays else { return nil }
        let (id, title) = leap.quantity.name(isMore: change.size > 0)
        func shown(_ value: Double) -> String {
            switch leap.quantity {
            case .sleep, .stretch: InsightText.duration(value)
            case .naps, .wakings: "\((value * 10).rounded() / 10)"
            case .bedtime: InsightText.clock(value)
            }
        }
        return RhythmInsight(
            id, .pattern, title,
            "Since \(leap.date.date): \(shown(change.after)) instead of \(shown(change.before)).",
            substance: (leap.date.localMinutes / DayCycle.minutesPerDay, Self.shiftDays / 2),
            confidence: change.confidence,
            numbers: [
                "before": change.before, "after": change.after, "size": change.size, "days_ago": age.rounded(.down),
            ], created: created, days: Self.shiftDays - age)
    }

    private func relation(
        _ found: PartialCorrelation?, of what: String, unit: String, created: LoggedTime
    ) -> RhythmInsight? {
        guard let found, found.count >= 30, found.p <= Self.largestP else { return nil }
        return RhythmInsight(
            "\(what)_and_\(found.r > 0 ? "longer" : "shorter")_nights", .pattern,
            "\(what == "milk" ? "Milk" : "Feeds") and the night",
            "Days with more \(what) go before \(found.r > 0 ? "longer" : "shorter") first sleeps of the night: "
                + "r = \((found.r * 100).rounded() / 100) in \(unit), adjusted for age, over \(found.count) days. "
                + "A log cannot show which of them causes the other, if any.",
            confidence: 1 - found.p,
            numbers: ["r": found.r, "p": found.p, "days": Double(found.count)],
            created: created, days: 14)
    }

    private func longestNight(created: LoggedTime) -> RhythmInsight? {
        let nights = days.filter(\.isWhole).compactMap { day in
            day.longestNightStretch.map { (date: day.date, minutes: $0) }
        }
        guard nights.count >= Self.nightsForRecord, let best = nights.max(by: { $0.minutes < $1.minutes }),
            created.localMinutes - best.date.localMinutes <= 8 * DayCycle.minutesPerDay
        else { return nil }
        let earlier = nights.filter { $0.date < best.date }.map(\.minutes).max() ?? 0
        guard best.minutes >= earlier + 10 else { return nil }
        return RhythmInsight(
            "longest_sleep", .achievement, "The longest sleep yet",
            "\(InsightText.duration(best.minutes)) without a waking of 15 minutes in the night of \(best.date.date); "
                + "the longest before was \(InsightText.duration(earlier)).",
            substance: (best.minutes, 0),
            confidence: 1,
            numbers: [
                "minutes": best.minutes, "longest_before_minutes": earlier, "nights": Double(nights.count),
            ], created: created, days: 7)
    }

    private func consolidating(created: LoggedTime) -> RhythmInsight? {
        guard let consolidation, consolidation.weeklyMinutes >= 5, consolidation.p <= Self.largestP else { return nil }
        return RhythmInsight(
            "longer_nights", .achievement, "Nights grow together",
            "The longest sleep of the night has grown by \(Int(consolidation.weeklyMinutes.rounded())) min a week over "
                + "\(consolidation.count) nights.",
            confidence: 1 - consolidation.p,
            numbers: [
                "weekly_minutes": consolidation.weeklyMinutes, "nights": Double(consolidation.count),
                "p": consolidation.p,
            ], created: created, days: 14)
    }

    private func tidiness(created: LoggedTime) -> RhythmInsight? {
        guard recentSleepRows >= 14, unstoppedTimers >= 3 else { return nil }
        let share = Double(unstoppedTimers) / Double(recentSleepRows)
        return RhythmInsight(
            "running_timers", .recommendation, "Timers left running",
            "\(unstoppedTimers) of the last two weeks' \(recentSleepRows) sleeps have no end or one after more than 16 "
                + "hours: ending them makes forecasts better.",
            confidence: 1,
            numbers: [
                "sleeps": Double(recentSleepRows), "without_end": Double(unstoppedTimers), "share": share,
            ], created: created, days: 14)
    }
}
