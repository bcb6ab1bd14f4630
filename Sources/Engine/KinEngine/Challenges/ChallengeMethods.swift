/// The methods of challenges, daily content and notifications.
enum ChallengeMethods {
    static let group = MethodGroup(
        title: "Challenges and daily content",
        prose: """
            `put` takes `{"challenge": …}` and `{"content_day": …}`, or either bare, and `{"challenge_preferences": …}`. The records of a person
            (`user_challenge`, `challenge_decision`, `challenge_state`, `notification`, `rotation`, `reflection`) are exported, imported and forgotten like all
            others. Without content in the store, and while its year is incomplete, the year of content that comes with Kin is shown.

            A challenge that a person's preferences forbid is never assigned, and no challenge or content that needs a newer app than their `app_version` is
            shown. The version is the `minimum_app_version` of a challenge or a day, or of a document `{"minimum_app_version", "content": […], "challenges":
            […]}`, which `put` takes as one record. A day whose content needs a newer app shows the next content that the app can show, and `instead_of` is the
            day it replaces. An answer without a challenge has `nothing` with `emptied_by`, `explanation`, and `left`: the number of challenges left after each
            limit (`inactive`, `newer_app`, `too_long`, `too_dear`, `too_social`, `given_recently`). A challenge given on a date returns `recovery_days`
            dates later, at midnight.

            The three queued challenges have different categories while the limits allow them, and at most one is an exploration; none with `selection`
            random. Categories are compared without case, blanks, hyphens, underscores and points.

            `variety` is the share of choices that avoid the last two categories, given or queued. One choice in six (if `variety` is less, that share)
            avoids the last four, so a month has five categories if the limits allow five. These choices go to the end of the queue, the others to its
            front. Without the preference it is learned from the last 60
            challenges: the completion rate outside the category completed most readily, divided by the rate in it, from 1/6 to 1. `suggest` explains each
            position with `order`, and `evaluate_policy` estimates the loss as `variety_cost`.

            If the content lacks the advanced days of a person's focus, all days of the focus are shown, and if it lacks the focus, all days.

            The day of the content follows from the date, so `today`, `timeline` and `rotation` answer any day, past or future, and store nothing. A person's
            year begins with the first `prefer`, `rotation` with a change, `reflect`, `assign`, `complete` or `skip`. Until then every day is day 1, and
            `has_begun` is false. The year begins, and the focus changes, on the date of the command's `at`; a change that arrives late, with an earlier `at`
            than the last one, lasts until the next change. A day that a command reached stays until a new date begins, even after travel to an earlier date or
            with a later refresh time: its `start` is then the instant of the last command. The challenge of such a day stays with its content: `date` in
            `user_challenge` is the day for which it was assigned. An app's assignment without `date` counts on its date in the present zone. So `start` ≤ `at` < `end` for `today`. A reminder before the refresh
            time belongs to the night at the end of the day. A date more than two days ahead comes from a wrong clock: the next of these commands replaces it
            by its own date or, if the focus changed after that date, by the present date. A clock that was ahead does not change the date of later calls
            with an earlier `at`. Challenges that such a clock dated ahead do not count before their date.

            `put` and `import` never replace a `challenge_state` by one with fewer decisions or learned rewards, nor the outcome of a `challenge_decision` or
            a `user_challenge` by none. Later decisions continue after the highest stored number. Preferences have no time: the last call counts, whatever
            its `at`. If two stores made decisions for one person, the same numbers name different decisions: a stored decision with an outcome stays, and
            one with a different outcome is left out and counts in `conflicting`.

            To correct an outcome, such as a challenge skipped by mistake or a wrong rating, `put` the `user_challenge` with the same user, challenge and
            `assigned_date` and its true outcome. It replaces the reward in the log of decisions once. The policy cannot unlearn the wrong reward, and learns
            the true one in addition.
            """,
        methods: [
            suggest, today, assign, timeline, complete, skip, history, decisions, evaluatePolicy, reflect, reflections,
            progress,
            rotation, prefer, preferences, nextNotification, notificationPrior, notified, checkContent,
        ])

    private static let user = Parameter<String>("user", .id, "The person.")

    private static let suggest = EngineMethod(
        "suggest", "Suggests the next three challenges, as `assign` would choose them.",
        user, Parameter<Timestamp?>.at, Parameter<LocalZone?>.zone,
        Parameter<[String]>(
            "exclude", .ids(of: "challenge"), default: [], "Challenges to leave out, such as those seen elsewhere.")
    ) { engine, user, instant, zone, excluded throws(KinError) in
        try engine.suggest(for: user, at: instant, in: zone, excluding: Set(excluded))
    }

    private static let today = EngineMethod(
        "today", "Returns today's content and challenge.",
        user, Parameter<Timestamp?>.at, Parameter<LocalZone?>.zone
    ) { engine, user, instant, zone throws(KinError) in try engine.today(of: user, at: instant, in: zone) }

    private static let assign = EngineMethod(
        command: "assign", "Assigns today's challenge, unless one is already assigned.",
        answer: """
            the challenge, or `nothing`. An unanswered challenge of an earlier day counts as ignored until it is completed or skipped
            """,
        user, Parameter<Timestamp?>.at, Parameter<LocalZone?>.zone
    ) { engine, user, instant, zone in try await engine.assign(to: user, at: instant, in: zone) }

    private static let timeline = EngineMethod(
        "timeline", "Lists the days of content from today on.",
        answer: """
            list of days; the first is the day of `at`
            """,
        user, Parameter<Int>("days", .integer(1...1000), default: 7, "The number of days."),
        Parameter<Timestamp?>.at, Parameter<LocalZone?>.zone
    ) { engine, user, days, instant, zone throws(KinError) in
        try engine.timeline(of: user, days: days, at: instant, in: zone)
    }

    private static let complete = EngineMethod(
        command: "complete", "Marks a challenge of a person as completed.", answer: "the challenge with its status",
        user,
        challenge,
        Parameter<Int?>("rating", .integer(1...5), "The person's rating."),
        Parameter<Double?>("minutes", .number(ParameterRange.minutes, unit: "min"), "The time taken."),
        Parameter<Timestamp?>.at, Parameter<LocalZone?>.zone
    ) { engine, user, challenge, rating, minutes, instant, zone in
        try await engine.complete(
            challenge, by: user, rating: rating, minutes: minutes, at: instant, in: zone)
    }

    private static let skip = EngineMethod(
        command: "skip", "Skips a challenge. `today` then has a different one, if one fits.",
        answer: "the challenge with its status", user,
        Parameter<String?>(
            "challenge", .id,
            "The challenge, assigned on any day. Default: the challenge of `today`, unless the last challenge of the day was skipped: a repeated call skips no other."
        ), Parameter<Timestamp?>.at, Parameter<LocalZone?>.zone
    ) { engine, user, challenge, instant, zone in
        try await engine.skip(challenge, by: user, at: instant, in: zone)
    }

    private static let challenge = Parameter<String?>(
        "challenge", .id, "The challenge, assigned on any day. Default: the challenge of `today`.")

    private static let history = EngineMethod(
        "history", "Lists the challenges given to a person, newest first.", user,
        Parameter<Set<UserChallenge.Status>?>(
            "status", .wordSet(UserChallenge.Status.allCases.map(\.rawValue)),
            "The statuses to list. Default: all."),
        Parameter<String?>("category", .text, "The category to list, such as `nature`. Default: all."),
        Parameter<Int>("count", .count, default: 20, "The largest number of challenges.")
    ) { engine, user, statuses, category, count throws(KinError) in
        ChallengeHistory(
            given: try engine.history(of: user, statuses: statuses, category: category, count: count))
    }

    private static let decisions = EngineMethod(
        "decisions", "Lists the decisions made for a person, oldest first: a log for off-policy evaluation.",
        answer: """
            list of `number`, `made`, `challenge_id`, `features`, `propensity`, `is_exploring`, `expected_reward`, `reward` if known, and for \
            `evaluate_policy`: `learned`, `weight`, `candidates`, and `ignored` if the outcome came after the challenge counted as ignored
            """,
        user
    ) { engine, user throws(KinError) in try engine.store.challengeDecisions(of: user) }

    private static let evaluatePolicy = EngineMethod(
        "evaluate_policy", "Estimates the reward of a different policy from the log of decisions.",
        Parameter<String?>("user", .id, "The person. Default: all people."),
        Parameter<PolicyAlgorithm>.policy,
        Parameter<Int>(
            "resamples", .integer(0...100_000), default: 0,
            "The number of bootstrap resamples, 2 or more. 0: score intervals, with 1,000 resamples for the gains."),
        Parameter<UInt64>.seed(default: 1)
    ) { engine, user, algorithm, resamples, seed throws(KinError) in
        try engine.evaluatePolicy(algorithm, of: user, resamples: resamples, seed: seed)
    }

    private static let reflect = EngineMethod(
        command: "reflect", "Stores a reflection on the content of a day. One with a later `at` on the same day stays.",
        answer: "the reflection on the content of the day of `at`", user,
        Parameter<Bool>("completed", .boolean, default: true, "Whether the day's action was done."),
        Parameter<String?>("text", .text, "The reflection. Default: the text stored for the day, if any."),
        Parameter<Timestamp?>.at,
        Parameter<LocalZone?>.zone
    ) { engine, user, completed, text, instant, zone in
        try await engine.reflect(user, text, completed: completed, at: instant, in: zone)
    }

    private static let reflections = EngineMethod(
        "reflections", "Lists the reflections of a person on daily content, newest first.",
        answer: "list of reflections. For the next page, set `to` to the day before the `date` of the last one",
        user, Parameter<LocalDay?>("from", .date, "The first date. Default: any."),
        Parameter<LocalDay?>("to", .date, "The last date. Default: any."),
        Parameter<Int>("count", .count, default: 50, "The largest number of reflections.")
    ) { engine, user, first, last, count throws(KinError) in
        try engine.reflections(of: user, from: first, to: last, count: count)
    }

    private static let progress = EngineMethod(
        "progress", "Counts a person's reflections and challenges.",
        user, Parameter<Timestamp?>.at, Parameter<LocalZone?>.zone
    ) { engine, user, instant, zone throws(KinError) in try engine.progress(of: user, at: instant, in: zone) }

    private static let rotation = EngineMethod(
        command: "rotation", "Changes or shows the rotation of daily content.",
        answer: "the rotation after the change; without a change, the rotation at `at`", user,
        Parameter<RotationChange>.rotationChange, Parameter<Timestamp?>.at, Parameter<LocalZone?>.zone
    ) { engine, user, change, instant, zone in try await engine.rotate(user, change, at: instant, in: zone) }

    private static let prefer = EngineMethod(
        command: "prefer", "Changes a person's preferences.",
        answer: "all preferences. Without a preference to change, nothing is stored", user,
        Parameter<[RawMember]>(
            "preferences", .object("preferences") { reader throws(KinError) in try reader.rawMembers() },
            """
            The preferences to change: `time_window` (`09:00-21:00`, also over midnight; two equal times are the whole day), `quiet_hours`, `daily_budget`, `notifications`, `preferred_categories`, `max_time`, \
            `budget_level`, `social_comfort`, `time_zone`, `recovery_days`, `selection` (`learned` or `random`), `app_version`, `variety` (0 to 1, null: learned). `current_day`, \
            `domain_focus`, `refresh_time` and `evening_reminder` change the rotation. Null sets a preference to its default.
            """),
        Parameter<Timestamp?>.at, Parameter<LocalZone?>.zone
    ) { engine, user, changes, instant, zone in
        try await engine.prefer(user, changes, at: instant, in: zone)
    }

    private typealias RawMember = (name: String, value: String)

    private static let preferences = EngineMethod(
        "preferences", "Returns a person's preferences, or the defaults.", answer: "all preferences", user
    ) { engine, user throws(KinError) in try engine.preferences(of: user) }

    private static let nextNotification = EngineMethod(
        "next_notification", "Plans the next notification of a person, at least an hour from all others.",
        user,
        Parameter<NotificationPlanner.Phase>(
            "phase", .words, default: .learned,
            "The choice of the minute: learned from past answers, or uniform."),
        Parameter<UInt64>.seed(default: 1), Parameter<NotificationPrior?>.notificationPrior,
        Parameter<Timestamp?>.at, Parameter<LocalZone?>.zone
    ) { engine, user, phase, seed, prior, instant, zone throws(KinError) in
        try engine.nextNotification(
            for: user, phase: phase, seed: seed, prior: prior ?? .uniform, at: instant, in: zone)
    }

    private static let notificationPrior = EngineMethod(
        "notification_prior", "Counts when people answer notifications. The counts contain no individual answers.",
        answer: """
            `people`; `centres`: the expected number of people by the half hour of their best time; `shapes`: the same by width and height of \
            their answer curve. Answers of several stores may be added up and passed to `next_notification` as `prior`
            """,
        Parameter<String?>(
            "user", .id, "The only person to count, with 10 answers or more. Default: up to 1,000 people."),
        Parameter<NotificationPrior?>.notificationPrior
    ) { engine, user, prior throws(KinError) in try engine.notificationPrior(of: user, from: prior ?? .uniform) }

    private static let notified = EngineMethod(
        command: "notified", "Stores that a notification was sent, or answered.", answer: "the notification", user,
        Parameter<Timestamp>("sent", .instant, "The instant of the notification, at most an hour after `at`."),
        Parameter<Bool?>("answered", .boolean, "Whether it was answered. Default: the stored answer, or unknown."),
        Parameter<Timestamp?>.at, Parameter<LocalZone?>.zone
    ) { engine, user, sent, answered, instant, zone in
        try await engine.notified(user, sent: sent, answered: answered, at: instant, in: zone)
    }

    private static let checkContent = EngineMethod(
        "check_content", "Checks a file of daily content or challenges.",
        Parameter<String>(
            "text", .text(as: .document), "The text, in Kin's form or an app's: one record per line, or one array."),
        Parameter<Bool>(
            "kind", .words([true, false], ["content", "challenges"]), default: true, "The kind of records.")
    ) { _, text, isContent throws(KinError) in
        isContent
            ? ContentReport(ContentCheck.content(text, read: RecordShape.read))
            : ContentReport(ContentCheck.challenges(text, read: RecordShape.read))
    }
}

extension Parameter<PolicyAlgorithm> {
    /// A policy of challenges: a kind, or the current default, with changes.
    fileprivate static var policy: Parameter {
        combining(
            Parameter<PolicyKind?>("kind", .words, "The model and the exploration. Default: those in use."),
            Parameter<Double?>(
                "exploration", .number(0...1e9),
                "The share, width, scale or gain of the exploration. Default: the standard of `kind`."),
            Parameter<Double?>(
                "epsilon", .number(0...1),
                "The share of choices made uniformly at random. Default: the standard of `kind`.")
        ) { kind, amount, epsilon throws(KinError) in
            let algorithm = kind?.algorithm(dimension: ChallengeState.featureCount, hasPairs: false, hasArms: false)
            return (algorithm ?? ChallengeState.standardAlgorithm).with(amount: amount, epsilon: epsilon)
        }
    }
}

extension Parameter<NotificationPrior?> {
    /// The parameter `prior`: a population's counts of answer times.
    fileprivate static var notificationPrior: Parameter {
        Parameter(
            "prior", .object("notification prior", NotificationPrior.init(from:)),
            "Counts of when people answer, from `notification_prior`. Default: a uniform prior.")
    }
}

extension Parameter<RotationChange> {
    /// The changes of a rotation; "none" removes focus and reminder.
    fileprivate static var rotationChange: Parameter {
        combining(
            Parameter<ContentDomain??>(
                "focus",
                ParameterForm(.choice(ContentDomain.allCases.map(\.rawValue) + ["none"])) { reader throws(KinError) in
                    try ContentDomain.named(reader.string())
                }, "The domain to show, or `none`."),
            Parameter<TimeOfDay?>(
                "refresh",
                ParameterForm(.timeOfDay) { reader throws(KinError) in try TimeOfDay(parsing: reader.string()) },
                "The time of day at which the content changes."),
            Parameter<TimeOfDay??>(
                "reminder",
                ParameterForm<TimeOfDay?>(.timeOfDay) { reader throws(KinError) in
                    let text = try reader.string()
                    return text == "none" ? nil : try TimeOfDay(parsing: text)
                }, "The time of day of a reminder, or `none`."),
            Parameter<Bool>("start_advanced_year", .boolean, default: false, "Whether to begin the advanced year."),
            Parameter<Int?>(
                "day", .integer(1...ContentRotation.mostDays),
                "The new number of the day of `at`. Later days count from it; after 364 the content begins again.")
        ) { focus, refresh, reminder, startsAdvancedYear, day throws(KinError) in
            var change = RotationChange()
            change.focus = focus
            change.refresh = refresh
            change.reminder = reminder
            change.startsAdvancedYear = startsAdvancedYear
            change.day = day
            return change
        }
    }
}

extension ContentDomain {
    /// The domain of a name; nil for "none".
    package static func named(_ name: String) throws(KinError) -> ContentDomain? {
        let word = Spelling.plain(name)
        if word == "none" { return nil }
        if let domain = ContentDomain(rawValue: word) { return domain }
        let names = allCases.map(\.rawValue)
        let near = Spelling.nearest(to: name, in: names)
        throw KinError(
            .invalidArgument,
            "there is no domain \"\(name.prefix(40))\"; "
                + (near.map { "did you mean \"\($0)\"?" } ?? "there are \(names.joined(separator: ", ")) and none"))
    }
}
