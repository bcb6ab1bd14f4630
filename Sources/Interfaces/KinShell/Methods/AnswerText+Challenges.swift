import Foundation

// Challenges and daily content as readable text.

extension AnswerText {
    /// Shows an answer about challenges or daily content; returns false for other answers.
    func showChallenges(_ answer: any JSONWritable & Sendable) throws -> Bool {
        switch answer {
        case let suggestions as ChallengeSelector.Suggestions:
            switch suggestions {
            case .queue(let queue): self.suggestions(queue)
            case .nothing(let report): nothing(report)
            }
        case let offer as DailyOffer:
            content(offer.content)
            console.print()
            if let challenge = offer.challenge {
                today(challenge)
            } else {
                console.hint(
                    "no challenges in the store: kin generate challenges -o challenges.jsonl, then kin store import challenges.jsonl"
                )
            }
            if let note = ContentLibrary.incompleteYear(without: offer.missingDays) { console.note("note: \(note)") }
            if !offer.hasBegun {
                console.hint("\"\(user)\" has not begun: every day is day 1 until kin prefer, or an answer")
            }
        case let offered as OfferedChallenge: today(offered)
        case let entries as [RotationTimelineEntry]: console.print(try timeline(entries))
        case let outcome as ChallengeOutcome: self.outcome(outcome)
        case let history as ChallengeHistory:
            if history.given.isEmpty {
                console.print("\"\(user)\" was given no challenge yet; kin today \(user)")
            } else {
                console.print(try self.history(history.given))
            }
        case let reflection as DailyReflection:
            console.print(
                "day \(reflection.day), \(reflection.domain.rawValue): \(reflection.isCompleted ? "done" : "not done")"
                    + (reflection.text.isEmpty ? "" : ", \"\(reflection.text)\""))
        case let progress as PersonProgress: console.print(self.progress(progress))
        case let evaluation as PolicyEvaluation: self.evaluation(evaluation)
        case let rotation as ContentRotation: console.print(self.rotation(rotation))
        case let preferences as ChallengePreferences: console.print(self.preferences(preferences))
        case let outcome as NotificationPlanner.Outcome: try notification(outcome)
        case let record as NotificationRecord:
            let answered = record.wasAnswered.map { $0 ? "answered" : "not answered" } ?? "open"
            console.print("noted: \(record.weekday.name) \(record.time), \(answered)")
        default: return false
        }
        return true
    }

    private func notification(_ outcome: NotificationPlanner.Outcome) throws {
        switch outcome {
        case .planned(let plan):
            let chance =
                plan.answerProbability.map { ", answered \($0.parts(of: 100)) times in 100" }
                ?? ", drawn by lot"
            console.print("next notification \(plan.day) \(plan.time) in \(try zone().name) (\(plan.instant))\(chance)")
        case .refused(let refusal): console.print("no notification: \(refusal.explanation)")
        }
    }

    // MARK: Challenges

    private func suggestions(_ queue: [ChallengeSuggestion]) {
        console.print(
            [">", "challenge", "category", ">takes", "others", "cost", ">chance", ">propensity", ""],
            of: queue.enumerated()
        ) { place, suggestion in
            let challenge = suggestion.challenge
            return [
                "\(place + 1)", "\(challenge.title) [\(challenge.id)]", challenge.category,
                NumberText.duration(minutes: challenge.time.longestMinutes), challenge.social.rawValue,
                challenge.cost.rawValue, String(format: "%.2f", suggestion.expectedReward),
                NumberText.thousandths(suggestion.decision.propensity),
                suggestion.decision.isExploring ? "exploring" : "",
            ]
        }
        guard request.isOn("explain") else {
            return console.hint("why: kin suggest \(user) --explain; today's: kin today \(user)")
        }
        for (place, suggestion) in queue.enumerated() {
            console.print()
            console.print("  " + console.style.strong("\(place + 1) \(suggestion.challenge.title)"))
            let reasons = TextTable(
                [">", ""],
                suggestion.reasons.prefix(6).map { [String(format: "%+.2f", $0.contribution), $0.name] }
                    + [[String(format: "±%.2f", suggestion.deviation), "of the whole, as far as the evidence goes"]])
            console.print(reasons)
        }
    }

    private func nothing(_ report: ChallengeLimitReport) {
        console.print("nothing to suggest: \(report.explanation)")
        if report.emptiedBy != nil {
            console.hint("limits: kin preferences \(user); kin prefer --help")
        }
    }

    private func today(_ offered: OfferedChallenge) {
        switch offered.today {
        case .given(let given, let challenge):
            let status = offered.isAssigned ? given.status.rawValue : "next"
            console.print("  " + console.style.strong(challenge?.title ?? given.challengeID) + "  " + status)
            if let challenge {
                if !challenge.text.isEmpty { console.print("  \(challenge.text)") }
                console.print(
                    "  \(challenge.category), \(NumberText.duration(minutes: challenge.time.longestMinutes)), "
                        + "\(challenge.social.rawValue), \(challenge.cost.rawValue), \(challenge.difficulty.rawValue)")
            }
            guard given.status == .pending else { return }
            console.hint("then: kin complete \(user) --rating 4, or kin skip \(user)")
        case .nothing(let report): console.print("  no challenge: \(report.explanation)")
        }
    }

    private func outcome(_ outcome: ChallengeOutcome) {
        let given = outcome.given
        let title = outcome.challenge?.title ?? given.challengeID
        let details = [given.rating.map { "\($0) of 5" }, given.minutes.map { NumberText.duration(minutes: $0) }]
            .compactMap(\.self)
        console.print(
            "\(given.status.rawValue): \(title)" + (details.isEmpty ? "" : ", \(details.joined(separator: ", "))"))
        if given.status == .skipped { console.hint("another one: kin today \(user)") }
    }

    private func history(_ all: [ChallengeOutcome]) throws -> TextTable {
        let zone = try zone()
        return TextTable(["given", "challenge", "status", ">rating", ">took"], of: all) { entry in
            let given = entry.given
            return [
                "\(zone.day(at: given.assigned)) \(zone.timeOfDay(at: given.assigned))",
                entry.challenge?.title ?? given.challengeID, given.status.rawValue,
                given.rating.map(String.init) ?? "", given.minutes.map { NumberText.duration(minutes: $0) } ?? "",
            ]
        }
    }

    /// Prints the estimated reward of a different policy.
    private func evaluation(_ evaluation: PolicyEvaluation) {
        let people = NumberText.count(evaluation.people, "person")
        console.print(
            "judged by \(evaluation.rounds, "round") of \(people); left out: \(evaluation.openCount) not answered, "
                + "\(evaluation.unknownCount) without candidates, \(evaluation.certainCount) certain")
        guard let behaviour = evaluation.behaviour else { return }
        func text(_ estimate: OffPolicyEvaluation.Estimate, _ format: String) -> String {
            guard estimate.isDefined else { return "none" }
            guard let interval = estimate.interval else { return String(format: format, estimate.value) }
            let numbers = [estimate.value, interval.lowerBound, interval.upperBound]
            return String(format: "\(format) (\(format) to \(format))", arguments: numbers)
        }
        let policies = evaluation.estimates.map {
            [$0.estimator.rawValue, text($0.value, "%.3f"), text($0.gain, "%+.3f")]
        }
        console.print(
            TextTable(
                ["mean reward", "with its interval", "gain"], [["as it was", text(behaviour, "%.3f"), ""]] + policies))
        if evaluation.estimates.contains(where: { $0.value.interval == nil }) {
            console.hint(OffPolicyEvaluation.missingInterval)
        }
        console.hint(String(format: "as good as %.1f rounds of the policy's own choices", evaluation.effectiveRounds))
    }

    // MARK: Daily content

    private func content(_ entry: RotationTimelineEntry) {
        let item = entry.item
        console.print(
            "  "
                + console.style.faint(
                    "day \(entry.day), \(entry.date), \(item.domain.rawValue), \(item.difficulty.rawValue)"))
        console.print("  " + console.style.strong(item.quote))
        console.print("  " + console.style.faint(item.source))
        console.print("  \(item.action) (\(NumberText.duration(minutes: item.minutes)))")
    }

    /// A table of days with local times, which fits into 80 columns; the instants are in the JSON.
    private func timeline(_ entries: [RotationTimelineEntry]) throws -> TextTable {
        let zone = try zone()
        return TextTable([">day", "date", "shown", "reminder", "domain", "action"], of: entries) { entry in
            [
                "\(entry.day)", "\(entry.date)", "\(zone.timeOfDay(at: entry.refresh))",
                entry.reminder.map { "\(zone.timeOfDay(at: $0))" } ?? "", entry.item.domain.rawValue, entry.item.action,
            ]
        }
    }

    private func progress(_ progress: PersonProgress) -> TextTable {
        let statistics = progress.content
        func share(_ share: RotationStatistics.Share) -> String {
            guard let rate = share.rate else { return "nothing yet" }
            return "\(share.completed) of \(share.reflected, "day"), \(NumberText.percent(rate))"
        }
        let domains = ContentDomain.allCases.compactMap { domain in
            statistics.byDomain[domain].map { ["  \(domain.rawValue)", share($0)] }
        }
        let streak = "\(statistics.currentStreak, "day"), longest \(statistics.longestStreak)"
        return TextTable(
            ["", ""],
            [["content", share(statistics.all)]] + domains + [["streak", streak]]
                + UserChallenge.Status.allCases.map {
                    ["challenges \($0.rawValue)", NumberText.count(progress.challenges[$0] ?? 0)]
                }
                + [
                    [
                        "challenge streak",
                        "\(progress.challengeStreaks.current, "day"), the longest \(NumberText.count(progress.challengeStreaks.longest))",
                    ]
                ])
    }

    // MARK: Settings

    private func rotation(_ rotation: ContentRotation) -> TextTable {
        TextTable(facts: [
            "day": "\(rotation.day) on \(rotation.date), \(rotation.daysInAll) in all",
            "focus": rotation.focus?.rawValue ?? "all domains",
            "year": rotation.isAdvanced
                ? "advanced" : "first" + (rotation.mayStartAdvancedYear ? "; --advanced begins the next" : ""),
            "shown at": "\(rotation.refresh)", "reminder at": rotation.reminder?.description ?? "none",
        ])
    }

    private func preferences(_ preferences: ChallengePreferences) -> TextTable {
        TextTable(facts: [
            "time window": "\(preferences.window) in \(preferences.timeZone)",
            "quiet hours": preferences.quietHours.isEmpty
                ? "none" : preferences.quietHours.map(\.description).joined(separator: ", "),
            "notifications": preferences.wantsNotifications ? "\(preferences.dailyBudget) a day at most" : "off",
            "categories": preferences.categories.isEmpty ? "any" : preferences.categories.joined(separator: ", "),
            "takes at most": preferences.longestMinutes.map { NumberText.duration(minutes: $0) }
                ?? "any length",
            "costs at most": preferences.budget.rawValue, "needs at most": preferences.social.rawValue,
            "not again for": NumberText.count(preferences.recoveryDays, "day"),
            "chosen": preferences.selection == .random ? "at random" : "by what was learned",
            "app version": preferences.appVersion?.description ?? "any",
        ])
    }
}
