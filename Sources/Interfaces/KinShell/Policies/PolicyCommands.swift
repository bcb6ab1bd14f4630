import Foundation

/// `kin policy`: a policy on labelled rows, on a log of offers, or on the log of a different policy.
enum PolicyCommands {
    static let all = [replay, evaluate]

    private static let replay = Command<Console>(
        "policy replay", "Lets a policy learn from a CSV file, one round per row.",
        details: """
            --label: the arms are the words of that column. The policy sees the other columns, chooses an arm, and learns only
            whether its choice was the label. The result is the mean reward of all rounds, including the earliest, averaged
            over --shuffles orders. Default kind: logistic-ucb, or linucb with --pairwise.

            --arm and --reward: the file is a log of offers. Each row tests the policy before the policy learns from it: by
            the rows in which it chooses the logged arm, by a doubly robust estimate, and by the calibration of its expected
            rewards. It is compared with the best policy that always offers the same arm. Probabilities of the offers come
            from --propensity, or are each arm's share of the rows. Default kind: greedy, because the log already explores.

            A column in which at least half of the fields are numbers is one feature, and its empty fields count as the mean.
            Columns of words, and those named by --categories, become one feature for each word.

            Examples:

              kin policy replay letter.csv --label label --pairwise
              kin policy replay coupons.csv --arm Coupon --reward Y --ignore row
            """, [.required("file", .path, "A CSV file whose first line names the columns; - is standard input.")],
        options: [
            .option("label", .text, "The column of labels."),
            .option("arm", .text, "The column of the offered arm."),
            .option("reward", .text, "The column of the reward of the offer."),
            .option("propensity", .text, "The column of the probability of the offer."),
            .option("ignore", .list("column"), "Columns to leave out."),
            .option("categories", .list("column"), "Columns whose numbers are words."), InputOptions.strict,
            .option(
                "shuffles", .integer(0...1000), default: "5",
                "The number of random orders; 0: once, in the order of the file."),
            .option(
                "learn", .choice(["every", "accepted"]), default: "\"every\"",
                "Of a log: learn from every row, or from accepted ones only."),
            .option("resamples", .integer(1...10_000_000), default: "1000", "Resamples of the intervals."),
            .option("kind", .choice(kindNames), "The kind of policy."),
            .option(
                "exploration", .number(0...1e9, unit: ""),
                "Share, width, scale or gain of the exploration, by the kind."),
            .option(
                "prior_precision", .number(1e-9...1e9, unit: ""), "The precision of each weight before any evidence."),
            .option(
                "effective_window", .number(2...1e15, unit: ""),
                "Observations after which one counts 1/e of a new one. Default: no discount."),
            .flag("pairwise", "Add products of two features, and squares, as features."), .seed(1), .json,
        ]
    ) { console, request in
        let isLog = request.isGiven("arm") && request.isGiven("reward")
        guard request.isGiven("label") != isLog, isLog || !request.isGiven("arm") && !request.isGiven("reward") else {
            throw request.refusal("label", "give --label, or --arm and --reward")
        }
        if request.isGiven("label"), request.isGiven("propensity") {
            throw request.refusal("propensity", "--propensity goes with --arm")
        }
        console.print(try isLog ? replayLog(console, request) : playLabels(console, request), for: request)
    }

    private static func playLabels(_ console: Console, _ request: MethodRequest) throws -> Record {
        let label = request.word("label")
        let table = try ContextTable(
            reading: request.word("file"), settingAside: [label], ignoring: request.texts("ignore"),
            categories: request.texts("categories"))
        try console.note(table.notes, of: request)
        let (names, labels) = table.arms(label)
        // With many mostly irrelevant features, logistic regression learns more slowly than least squares.
        let settings = settings(
            request, standard: request.isOn("pairwise") ? "linucb" : "logistic-ucb", dimension: table.features.count,
            arms: names.count, precision: nil)
        let shuffles = request.int("shuffles")
        let rewards = try (0..<max(1, shuffles)).map { pass in
            var settings = settings
            settings.seed &+= UInt64(pass)
            var generator = SeededGenerator(seed: settings.seed)
            var learner = try BanditPolicy(settings)
            let order = shuffles == 0 ? nil : generator.shuffled(labels.count)
            return try learner.play(table.contexts, labels: labels, order: order).progressiveReward
        }
        return [
            "rows": labels.count, "arms": names.count, "features": table.features.count,
            "pairwise": request.isOn("pairwise"), "progressive_reward": rewards.reduce(0, +) / Double(rewards.count),
            "by_order": rewards,
        ]
    }

    private static func replayLog(_ console: Console, _ request: MethodRequest) throws -> Record {
        let (arm, reward, propensity) = (request.word("arm"), request.word("reward"), request.text("propensity"))
        let table = try ContextTable(
            reading: request.word("file"), settingAside: [arm, reward] + (propensity.map { [$0] } ?? []),
            ignoring: request.texts("ignore"), categories: request.texts("categories"))
        try console.note(table.notes, of: request)
        let (names, arms) = table.arms(arm)
        let log: LoggedTable
        do throws(KinError) {
            let propensities: [Double]? = if let propensity { try table.numbers(propensity) } else { nil }
            log = try LoggedTable(
                contexts: table.contexts, arms: arms, armCount: names.count, rewards: try table.numbers(reward),
                propensities: propensities)
        } catch {
            throw Failure(.dataError, error.within("file", request.word("file")))
        }
        // Half the number of columns: with one feature of each column at 1, a score varies by about 1.4 beforehand.
        let settings = settings(
            request, standard: "greedy", dimension: table.features.count, arms: names.count,
            precision: max(1, Double(table.columns) / 2))
        let learning: ReplayLearning = request.word("learn") == "every" ? .everyRound : .acceptedRounds
        let replay = try LogReplay(log, settings: settings, learning: learning, passes: request.int("shuffles"))
        func compare(_ rounds: [LoggedRound], _ estimator: OffPolicyEvaluation.Estimator) throws(KinError) -> Record {
            let (resamples, seed) = (request.int("resamples"), request.seed())
            let own = try OffPolicyEvaluation(rounds)
            var best: (arm: Int, evaluation: OffPolicyEvaluation)?
            for arm in names.indices {
                let always = try OffPolicyEvaluation(replay.rounds(always: arm))
                if best.map({ always.value(estimator) > $0.evaluation.value(estimator) }) ?? true {
                    best = (arm, always)
                }
            }
            guard let best else { throw KinError(.malformedInput, "the log has no arm") }
            return [
                "policy": interval(try own.estimate(estimator, resamples: resamples, seed: seed)),
                "best_arm": names[best.arm],
                "best": interval(
                    try best.evaluation.estimate(estimator, resamples: resamples, seed: seed)),
                "gain": interval(
                    try own.gain(over: best.evaluation, estimator, resamples: resamples, seed: seed)),
            ]
        }
        return [
            "rows": log.rewards.count, "arms": names.count,
            "logged": log.rewards.reduce(0, +) / Double(log.rewards.count), "accepted_rounds": replay.acceptedCount,
            "calibration_error": replay.calibration.error, "rejection": try compare(replay.accepted, .selfNormalized),
            "doubly_robust": try compare(replay.rounds, .doublyRobust),
        ]
    }

    /// A value with its interval at 95 % or the requested confidence, and the estimator's parameter.
    ///
    /// The interval's ends are null if there is too little evidence, and so is a value of 0 ∕ 0.
    private static func interval(_ estimate: OffPolicyEvaluation.Estimate, parameter: Double? = nil) -> Record {
        let value = estimate.isDefined ? estimate.value : nil
        return [
            "value": value as any JSONWritable, "lower": estimate.interval?.lowerBound as any JSONWritable,
            "upper": estimate.interval?.upperBound as any JSONWritable, "parameter": parameter,
        ]
    }

    private static let evaluate = Command<Console>(
        "policy evaluate", "Estimates the reward of a policy from the log of a different one.",
        details: """
            One round per line, as JSON: reward, propensity (the probability of the logged action), and the choice of the
            evaluated policy: probability, or action and the probabilities of all actions. If the lines have a model's
            predictions (estimate and value, or estimates of all actions), the other estimators are shown too. If no line has
            a propensity, propensities are estimated from action and features (numbers). Rounds of one person, named by person
            on all lines, are not independent, so intervals count people. Other members are ignored, and a note lists them.

            ips: inverse propensity scores. snips: the same, self-normalised. dm: the model alone. dr: doubly robust, correct
            if either the propensities or the model are correct. switch-dr, dros, sg-dr: the same with limited weights (the
            parameter is the limit), within a fifth of a standard error of dr. Intervals are score intervals, or bootstrap
            intervals with --resamples. Fewer than 20 effective rounds, slates or people have no interval.

            With likelihoods (of the logged features for each action) and propensities of all actions, features count and not
            actions (MIPS). Rankings: {"slots": [ROUND, ...]} on each line, probabilities given the slots above. sips weighs by the whole
            slate, rips by the slots down to each, iips by each slot alone (give probabilities of the slot alone), cascade-dr by a model
            and its errors.

            Examples:

              kin policy evaluate log.jsonl
              kin policy evaluate log.jsonl --json --resamples 10000
            """, [.required("file", .path, "A file of JSON lines; - is standard input.")],
        options: [
            .option(
                "confidence", .number(0.001...0.999, unit: ""), default: "0.95",
                "The confidence of the intervals."),
            .option(
                "resamples", .integer(0...10_000_000), default: "0",
                "The number of bootstrap resamples. 0: score intervals, which need none."),
            .option(
                "floor", .number(1e-9...1, unit: ""),
                "The minimum estimated propensity, at most an even share. Default: a tenth of it, at most 0.01."),
            .seed(1),
            .json,
        ]
    ) { console, request in
        let log = try PolicyLog(
            reading: request.word("file"),
            estimatingBy: .init(floor: request.optionalNumber("floor"), seed: request.seed()))
        console.noteUnknown(log.ignored)
        let (record, isComplete) = try log.slates.isEmpty ? rounds(of: log, request) : slates(of: log, request)
        if log.estimated != nil {
            console.note("the log has no propensities: they were estimated, and intervals do not show their error")
        }
        if !isComplete { console.note(OffPolicyEvaluation.missingInterval) }
        console.print(record, for: request)
    }

    /// The estimates of a log of slates, and whether all have intervals.
    private static func slates(of log: PolicyLog, _ request: MethodRequest) throws -> (Record, Bool) {
        let evaluation = try SlateEvaluation(log.slates)
        let estimators = SlateEvaluation.Estimator.allCases.filter { log.hasModel || !$0.needsModel }
        let (estimates, isComplete) = try estimates(estimators, request, by: evaluation.estimate)
        let record: Record = [
            "slates": log.slates.count,
            "logged": log.rounds.reduce(0) { $0 + $1.reward } / Double(log.slates.count), "estimates": estimates,
        ]
        return (record, isComplete)
    }

    /// The estimates of a log of rounds, and whether all have intervals.
    private static func rounds(of log: PolicyLog, _ request: MethodRequest) throws -> (Record, Bool) {
        let evaluation = try OffPolicyEvaluation(
            log.rounds, groups: log.groups, hasEstimatedPropensities: log.estimated != nil)
        let estimators = OffPolicyEvaluation.Estimator.allCases.filter { log.hasModel || !$0.needsModel }
        let (estimates, isComplete) = try estimates(estimators, request, parameter: evaluation.parameter) {
            try evaluation.estimate($0, confidence: $1, resamples: $2, seed: $3)
        }
        let record: Record = [
            "rounds": log.rounds.count, "logged": log.rounds.reduce(0) { $0 + $1.reward } / Double(log.rounds.count),
            "effective_rounds": evaluation.effectiveRounds,
            "estimated_propensities": log.estimated.map { found -> Record in
                ["clipped": found.clippedCount, "floor": found.floor, "calibration_error": found.calibration.error]
            },
            "estimates": estimates,
        ]
        return (record, isComplete)
    }

    /// The estimates by each estimator with its parameter, and whether all have intervals.
    private static func estimates<Estimator: RawRepresentable<String>>(
        _ estimators: [Estimator], _ request: MethodRequest, parameter: (Estimator) -> Double? = { _ in nil },
        by estimate: (Estimator, Double, Int, UInt64) throws -> OffPolicyEvaluation.Estimate
    ) throws -> (estimates: Record, isComplete: Bool) {
        let found = try estimators.map {
            try estimate($0, request.number("confidence"), request.int("resamples"), request.seed())
        }
        let records = zip(estimators, found).map { estimator, found in
            // An infinite limit is not shown.
            (estimator.rawValue, interval(found, parameter: parameter(estimator).flatMap { $0.isFinite ? $0 : nil }))
        }
        return (Record(records), found.allSatisfy { $0.interval != nil })
    }

    // MARK: Settings

    /// A policy that always chooses the best-looking arm, without exploration; a baseline for replays.
    private static let greedy = "greedy"
    private static let kindNames = PolicyKind.allCases.map(\.rawValue) + [greedy]

    /// The settings for a model per arm.
    private static func settings(
        _ request: MethodRequest, standard: String, dimension: Int, arms: Int, precision: Double?
    ) -> PolicySettings {
        let isPairwise = request.isOn("pairwise")
        let name = request.text("kind") ?? standard
        var algorithm =
            name == greedy
            ? PolicyAlgorithm(.logistic, .epsilonGreedy(epsilon: 0))
            : (PolicyKind(rawValue: name) ?? .standard).algorithm(
                dimension: dimension, hasPairs: isPairwise, hasArms: true)
        if let exploration = request.optionalNumber("exploration") { algorithm.exploration.amount = exploration }
        return PolicySettings(
            algorithm, dimension: dimension, arms: arms, hasPairs: isPairwise,
            priorPrecision: request.optionalNumber("prior_precision") ?? precision,
            effectiveWindow: request.optionalNumber("effective_window") ?? .infinity,
            seed: request.seed())
    }
}

extension OffPolicyEvaluation {
    /// The note about missing intervals.
    static var missingInterval: String {
        "too little evidence for some intervals: each takes \(Int(leastEffectiveRounds)) effective rounds, slates or people whose rewards differ"
    }
}
