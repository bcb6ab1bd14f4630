import Foundation
import Kin
import KinEngine

/// Challenges and daily content as a person reads them.
struct ChallengeText {
    let user: String
    let zone: LocalZone

    func show(_ answer: ChallengeAnswer, on console: Console) {
        switch answer {
        case .suggestions(.queue(let queue)): suggestions(queue, isExplaining: false, on: console)
        case .suggestions(.nothing(let report)): nothing(report, on: console)
        case .today(let entry, let challenge, let hasBegun):
            content(entry, on: console)
            console.print()
            today(challenge, on: console)
            if !hasBegun {
                console.note(
                    console.style.faint(
                        "  \"\(user)\" has not begun: every day is day 1 until kin challenge prefer, or an answer"))
            }
        case .assigned(let given): today(given, isAssigned: true, on: console)
        case .timeline(let entries, _): console.print(timeline(entries))
        case .outcome(let given, let challenge): outcome(given, challenge, on: console)
        case .history(let all):
            if all.isEmpty {
                console.print("\"\(user)\" was given no challenge yet; kin today \(user)")
            } else {
                console.print(history(all))
            }
        case .reflection(let reflection):
            console.print(
                "day \(reflection.day), \(reflection.domain.rawValue): \(reflection.isCompleted ? "done" : "not done")"
                    + (reflection.text.isEmpty ? "" : ", \"\(reflection.text)\""))
        case .progress(let statistics, let challenges): console.print(progress(statistics, challenges))
        case .rotation(let rotation): console.print(self.rotation(rotation))
        case .preferences(let preferences): console.print(self.preferences(preferences))
        case .notification(.planned(let plan)):
            let chance =
                plan.answerProbability.map { ", answered \(Int(($0 * 100).rounded())) times in 100" }
                ?? ", drawn by lot"
            console.print("next notification \(plan.day) \(plan.time) in \(zone.name) (\(plan.instant))\(chance)")
        case .notification(.refused(let refusal)): console.print("no notification: \(refusal.explanation)")
        case .notified(let record):
            let answered = record.wasAnswered.map { $0 ? "answered" : "not answered" } ?? "open"
            console.print("noted: \(record.weekday.name) \(record.time), \(answered)")
        }
    }

    // MARK: Challenges

    func suggestions(_ queue: [ChallengeSuggestion], isExplaining: Bool, on console: Console) {
        var table = TextTable([
            ("", .right), ("challenge", .left), ("category", .left), ("takes", .right), ("others", .left),
            ("cost", .left),
            ("chance", .right), ("chosen with", .right), ("", .left),
        ])
        for (place, suggestion) in queue.enumerated() {
            let challenge = suggestion.challenge
            table.append([
                "\(place + 1)", "\(challenge.title) [\(challenge.id)]", challenge.category,
                ForecastText.duration(challenge.time.longestMinutes), challenge.social.rawValue,
                challenge.cost.rawValue,
                String(format: "%.2f", suggestion.expectedReward),
                String(format: "%.3f", suggestion.decision.propensity),
                suggestion.decision.isExploring ? "to find out" : "",
            ])
        }
        console.print(table)
        guard isExplaining else {
            return console.note(console.style.faint("  why: kin suggest \(user) --explain; today's: kin today \(user)"))
        }
        for (place, suggestion) in queue.enumerated() {
            console.print()
            console.print("  " + console.style.strong("\(place + 1) \(suggestion.challenge.title)"))
            var reasons = TextTable([("", .right), ("", .left)])
            for reason in suggestion.reasons.prefix(6) {
                reasons.append([String(format: "%+.2f", reason.contribution), reason.name])
            }
            reasons.append([String(format: "±%.2f", suggestion.deviation), "of the whole, as far as the evidence goes"])
            console.print(reasons)
        }
    }

    private func nothing(_ report: ChallengeLimitReport, on console: Console) {
        console.print("nothing to suggest: \(report.explanation)")
        if report.emptiedBy != nil {
            console.note(console.style.faint("  limits: kin challenge prefer \(user) --help"))
        }
    }

    private func today(_ challenge: TodayChallenge?, on console: Console) {
        if let challenge { return today(challenge.today, isAssigned: challenge.isAssigned, on: console) }
        console.note(
            console.style.faint(
                "  no challenges in the store: kin generate challenges -o challenges.jsonl, then kin store import challenges.jsonl"
            ))
    }

    private func today(_ today: ChallengeSelector.Today, isAssigned: Bool, on console: Console) {
        switch today {
        case .given(let given, let challenge):
            let status = isAssigned ? given.status.rawValue : "next"
            console.print("  " + console.style.strong(challenge?.title ?? given.challengeID) + "  " + status)
            if let challenge {
                if !challenge.text.isEmpty { console.print("  \(challenge.text)") }
                console.print(
                    "  \(challenge.category), \(ForecastText.duration(challenge.time.longestMinutes)), "
                        + "\(challenge.social.rawValue), \(challenge.cost.rawValue), \(challenge.difficulty.rawValue)")
            }
            guard given.status == .pending else { return }
            console.note(console.style.faint("  then: kin complete \(user) --rating 4, or kin skip \(user)"))
        case .nothing(let report): console.print("  no challenge: \(report.explanation)")
        }
    }

    private func outcome(_ given: UserChallenge, _ challenge: Challenge?, on console: Console) {
        let title = challenge?.title ?? given.challengeID
        let details = [given.rating.map { "\($0) of 5" }, given.minutes.map { ForecastText.duration($0) }].compactMap {
            $0
        }
        console.print(
            "\(given.status.rawValue): \(title)" + (details.isEmpty ? "" : ", \(details.joined(separator: ", "))"))
        if given.status == .skipped { console.note(console.style.faint("  another one: kin today \(user)")) }
    }

    private func history(_ all: [(given: UserChallenge, challenge: Challenge?)]) -> TextTable {
        var table = TextTable([
            ("given", .left), ("challenge", .left), ("status", .left), ("rating", .right), ("took", .right),
        ])
        for (given, challenge) in all {
            table.append([
                clock(given.assigned), challenge?.title ?? given.challengeID, given.status.rawValue,
                given.rating.map(String.init) ?? "", given.minutes.map { ForecastText.duration($0) } ?? "",
            ])
        }
        return table
    }

    // MARK: Daily content

    private func content(_ entry: RotationTimelineEntry, on console: Console) {
        let item = entry.item
        console.print(
            "  "
                + console.style.faint(
                    "day \(entry.day), \(entry.date), \(item.domain.rawValue), \(item.difficulty.rawValue)"))
        console.print("  " + console.style.strong(item.quote))
        console.print("  " + console.style.faint(item.source))
        console.print("  \(item.action) (\(ForecastText.duration(item.minutes)))")
    }

    private func timeline(_ entries: [RotationTimelineEntry]) -> TextTable {
        var table = TextTable([
            ("day", .right), ("date", .left), ("begins", .left), ("shown", .left), ("reminder", .left),
            ("domain", .left), ("action", .left),
        ])
        for entry in entries {
            table.append([
                "\(entry.day)", "\(entry.date)", entry.start.description, entry.refresh.description,
                entry.reminder?.description ?? "", entry.item.domain.rawValue, entry.item.action,
            ])
        }
        return table
    }

    private func progress(_ statistics: RotationStatistics, _ challenges: [UserChallenge.Status: Int]) -> TextTable {
        func share(_ share: RotationStatistics.Share) -> String {
            guard let rate = share.rate else { return "nothing yet" }
            return "\(share.completed) of \(share.reflected) days, \(NumberText.percent(rate))"
        }
        var table = TextTable([("", .left), ("", .left)])
        table.append(["content", share(statistics.all)])
        for domain in ContentDomain.allCases {
            if let one = statistics.byDomain[domain] { table.append(["  \(domain.rawValue)", share(one)]) }
        }
        table.append([
            "streak", "\(NumberText.count(statistics.currentStreak, "day")), longest \(statistics.longestStreak)",
        ])
        for status in UserChallenge.Status.allCases {
            table.append(["challenges \(status.rawValue)", NumberText.count(challenges[status] ?? 0)])
        }
        return table
    }

    // MARK: Settings

    private func rotation(_ rotation: ContentRotation) -> TextTable {
        var table = TextTable([("", .left), ("", .left)])
        table.append(["day", "\(rotation.day) on \(rotation.date), \(rotation.daysInAll) in all"])
        table.append(["focus", rotation.focus?.rawValue ?? "all domains"])
        table.append([
            "year",
            rotation.isAdvanced
                ? "advanced" : "first" + (rotation.mayStartAdvancedYear ? "; --advanced begins the next" : ""),
        ])
        table.append(["shown at", "\(rotation.refresh)"])
        table.append(["reminder at", rotation.reminder?.description ?? "none"])
        return table
    }

    private func preferences(_ preferences: ChallengePreferences) -> TextTable {
        var table = TextTable([("", .left), ("", .left)])
        table.append(["time window", "\(preferences.window) in \(preferences.timeZone)"])
        table.append([
            "quiet hours",
            preferences.quietHours.isEmpty ? "none" : preferences.quietHours.map(\.description).joined(separator: ", "),
        ])
        table.append([
            "notifications", preferences.wantsNotifications ? "\(preferences.dailyBudget) a day at most" : "off",
        ])
        table.append([
            "categories", preferences.categories.isEmpty ? "any" : preferences.categories.joined(separator: ", "),
        ])
        table.append([
            "takes at most", preferences.longestMinutes.map { ForecastText.duration($0) } ?? "as long as it likes",
        ])
        table.append(["costs at most", preferences.budget.rawValue])
        table.append(["needs at most", preferences.social.rawValue])
        table.append(["not again for", NumberText.count(preferences.recoveryDays, "day")])
        return table
    }

    private func clock(_ instant: Timestamp) -> String { "\(zone.day(at: instant)) \(zone.timeOfDay(at: instant))" }
}
