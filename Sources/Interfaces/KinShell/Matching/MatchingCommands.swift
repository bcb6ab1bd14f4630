import Foundation

/// `kin match` and `kin fit weights`: similar people in a file of souls or in a store.
enum MatchingCommands {
    static let all = [match, FitWeights.command]

    static let souls = ParameterDescription.required(
        "souls", .path, "A file of JSON lines, one soul a line, - for standard input, or a store.")
    static let everyGoalAlike = ParameterDescription.flag(
        "every_goal_alike", "Count every goal the same, regardless of its rarity.")

    private static let match = Command<Console>(
        "match", "Finds the people who are most similar to each other, and explains why.",
        details: """
            SOULS is a file of JSON lines, one soul a line, - for standard input, or a store:

              {"uid":"u42","goals":{"anxiety":5,"sleep":2},"realms":{"ocean":4},
               "objects":{"water":3,"moon":1},"patterns":{"hours":[…24…],"minutes":20,
               "sessions_per_week":4,"streak":9},"valence":0.3}

            Unknown parts are left out and never compared. A connection needs 60 % of the weight to be compared, a soul
            mirror 75 %. Rare goals count more, and more so the more people there are; --every-goal-alike turns that
            off. A store uses its own weights (kin fit weights --keep). Results are exact.

            Examples:

              kin generate souls --count 10000 -o souls.jsonl
              kin match souls.jsonl --user u42
              kin match souls.jsonl --user u42 --with u77 --explain
              kin match souls.jsonl -k 5 --json > similar.jsonl
              kin match souls.jsonl --above 0.95

            The people are listed by ascending id.
            """, [souls],
        options: [
            .option("user", .id, "The person whose similar people to find. Default: every person in turn."),
            .option("with", .id, "Compare --user with this person only."), .k(10, "The number of similar people."),
            .option(
                "above", .number(0...1, unit: ""), "All matches with at least this affinity, instead of the best k."),
            .option(
                "coverage", .number(0...1, unit: ""), default: "0",
                "The minimum share of all weight that must be compared."),
            .option(
                "weights", .list("number"),
                "Weights of goals, realms, objects, patterns and valence, in any unit. Default: the store's, or 0.40,0.25,0.20,0.10,0.05."
            ),
            everyGoalAlike, .flag("explain", "Show the parts of each affinity."), .threads,
        ] + ParameterDescription.jsonList
    ) { console, request in
        let (user, other, above) = (request.text("user"), request.text("with"), request.optionalNumber("above"))
        if other != nil && user == nil { throw request.refusal("with", "--with needs --user") }
        if other != nil && above != nil { throw request.refusal("with", "give --with or --above, not both") }
        let matcher = try matcher(request, on: console, weights: try weights(request))
        if matcher.model.rarity != nil, !request.isJSON {
            console.note(
                "note: goals count by their rarity among \(matcher.count, "person"); "
                    + "--every-goal-alike turns that off")
        }
        let coverage = request.number("coverage")
        var answer = MatchAnswer(matcher: matcher, request: request, console: console)
        switch (user, other, above) {
        case (let user?, let other?, _):
            let affinity = try matcher.affinity(between: user, and: other)
            let pair = ScoredSoulPair(first: user, match: ScoredSoul(userID: other, affinity))
            request.isJSON ? console.print(json: pair.json(with: affinity)) : console.print(affinity)
            return
        case (let user?, nil, let above?):
            try answer.show(user, matcher.matches(of: user, above: above, minimumCoverage: coverage))
        case (let user?, nil, nil):
            try answer.show(user, matcher.mostSimilar(to: user, k: request.int("k"), minimumCoverage: coverage))
        case (nil, _, let above?): try answer.pairs(above: above, coverage: coverage)
        case (nil, _, nil): try answer.everybody(coverage: coverage)
        }
        if request.isJSON { answer.list.finish() }
    }

    /// A matcher of the souls: of a store with its own model, of a file with the standard model.
    ///
    /// - Parameter weights: Weights that replace the model's.
    static func matcher(
        _ request: MethodRequest, on console: Console, weights: AffinityWeights? = nil
    ) throws -> SoulMatcher {
        let (path, alike) = (request.word("souls"), request.isOn("every_goal_alike"))
        guard path != "-", try FileContent(of: path).isDatabase else {
            let souls = try SoulFile.read(path, others: console.noteOtherRecords)
            guard !souls.isEmpty else { throw KinError(.malformedInput, "there are no souls").within("file", path) }
            return try SoulMatcher(
                souls, model: AffinityModel(weights: weights ?? .standard, shrinksScores: true),
                rarity: alike ? .asInModel : .automatic, threads: request.threads)
        }
        let store = try Store(at: path, for: .reading, check: .brief, in: StoreOptions.environment)
        let matcher = try store.matcher(
            AffinityChoice(weights: weights, everyGoalAlike: alike ? true : nil), threads: request.threads)
        guard matcher.count > 0 else {
            throw KinError(.unknownID, "the store has no souls; import some").within("file", path)
        }
        return matcher
    }

    private static func weights(_ request: MethodRequest) throws -> AffinityWeights? {
        guard request.isGiven("weights") else { return nil }
        let values = request.numbers("weights")
        guard values.count == 5, values.allSatisfy(\.isFinite) else {
            throw request.refusal("weights", "--weights must be five numbers, separated by commas")
        }
        return try AffinityWeights(
            goals: values[0], realms: values[1], objects: values[2], patterns: values[3], valence: values[4])
    }
}

/// Matches as text or JSON, one person after the other.
private struct MatchAnswer {
    let matcher: SoulMatcher
    let request: MethodRequest
    let console: Console
    /// The answer as JSON.
    lazy var list = JSONList(request, on: console)

    mutating func show(_ user: String, _ souls: [ScoredSoul]) throws {
        func affinity(_ found: ScoredSoul) throws(KinError) -> Affinity? {
            request.isOn("explain") ? try matcher.affinity(between: user, and: found.userID) : nil
        }
        if request.isJSON {
            return try souls.forEach {
                list.append(ScoredSoulPair(first: user, match: $0).json(with: try affinity($0)))
            }
        }
        console.print(console.style.strong(user))
        console.print(souls)
        for found in souls {
            guard let affinity = try affinity(found) else { continue }
            console.print("")
            console.print("\(user) and \(found.userID)")
            console.print(affinity)
        }
    }

    mutating func everybody(coverage: Double) throws {
        var found: [(user: String, souls: [ScoredSoul])] = []
        try matcher.forEachMostSimilar(k: request.int("k"), minimumCoverage: coverage, threads: request.threads) {
            found.append(($0, $1))
        }
        // The matcher uses the order of its index.
        for (user, souls) in found.sorted(by: { $0.user < $1.user }) { try show(user, souls) }
    }

    mutating func pairs(above: Double, coverage: Double) throws {
        let found = try matcher.pairs(above: above, minimumCoverage: coverage, threads: request.threads)
        for pair in found {
            let affinity = request.isOn("explain") ? try matcher.affinity(between: pair.first, and: pair.second) : nil
            if request.isJSON {
                list.append(pair.json(with: affinity))
                continue
            }
            console.print(
                "  \(pair.first)  \(pair.second)  \(AffinityText.score(pair.affinity))  \(AffinityText.words(pair.connection))"
            )
            if let affinity { console.print(affinity) }
        }
        if !request.isJSON { console.note("note: \(found.count, "pair") from \(above) on") }
    }
}
