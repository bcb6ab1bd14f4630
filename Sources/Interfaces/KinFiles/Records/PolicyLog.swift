/// The rounds in a policy's log, to evaluate a different policy.
///
/// A file has one round per line, as JSON:
///
///     {"reward":1,"propensity":0.2,"probability":0.5}
///     {"reward":0,"propensity":0.2,"action":2,"probabilities":[0.1,0.4,0.5],"estimates":[0.3,0.2,0.6]}
///
/// `probability` is the probability of the logged action under the evaluated policy. Instead, `probabilities` can have
/// the probabilities of all actions, with the index of the logged one in `action`. A model's expectations are
/// `estimate` (of the logged action) and `value` (under the evaluated policy), or `estimates` of all actions. A reward
/// may be true or false. Other members, such as a context, are ignored and counted.
///
/// For rounds of features (MIPS), `likelihoods` has the probability of the logged action's features for each action,
/// and `propensities` those of all actions; `action` and `propensity` are not needed. If all lines lack `propensity`,
/// propensities are estimated from `action` and `features`, the numbers of the context (`EstimatedPropensities`). With
/// `person` on all lines, the units of intervals and folds are people, not rounds. A log of slates has `{"slots":
/// [ROUND, …]}` on every line, the top slot first.
public struct PolicyLog: Sendable {
    /// The rounds in order.
    public private(set) var rounds: [LoggedRound] = []
    /// The slates of a log of slates, in order; ``rounds`` then has all their slots.
    public private(set) var slates: [[LoggedRound]] = []
    /// Whether every round has a model's expectations.
    public private(set) var hasModel = true
    /// The index of each round's person; nil if no line names one.
    public private(set) var groups: [Int]?
    /// The estimated propensities of a log without propensities; nil if they were logged.
    public private(set) var estimated: EstimatedPropensities?
    /// The number of ignored members by name.
    public private(set) var ignored: [String: Int] = [:]

    /// Reads the rounds of a log.
    ///
    /// - Parameters:
    ///   - path: The file; `-` is standard input.
    ///   - settings: The settings for estimated propensities, if the log has none.
    /// - Throws: `.inputOutput` for a file that cannot be read, `.malformedInput` with the line; also for a log without
    ///   rounds, and if only some lines have propensities, features or people.
    public init(
        reading path: String, estimatingBy settings: EstimatedPropensities.Settings = .init(seed: 1)
    ) throws(KinError) {
        let reader = try ByteReader(path: path)
        var first: LoggedLine?
        var (actions, features) = ([Int](), [Double]())
        var (people, numbers) = ([String: Int](), [Int]())
        try reader.forEachJSONLine { reader throws(KinError) in
            let line = try LoggedLine(from: &reader)
            try line.check(against: first ?? line)
            first = first ?? line
            let slots = line.slots ?? [line]
            for name in line.ignored + (line.slots ?? []).flatMap(\.ignored) { ignored[name, default: 0] += 1 }
            let slate = try slots.map { slot throws(KinError) in try slot.round(isEstimated: line.isEstimated) }
            guard !slate.isEmpty else { throw KinError(.malformedInput, "slots are empty") }
            rounds += slate
            if line.slots != nil { slates.append(slate) }
            if line.isEstimated {
                actions.append(try line.loggedAction())
                features += line.features ?? []
            }
            if let person = line.person, line.slots == nil {
                let number = people[person] ?? people.count
                people[person] = number
                numbers.append(number)
            }
            hasModel = hasModel && slots.allSatisfy(\.hasModel)
        }
        guard let first else { throw reader.malformed("the log has no rounds") }
        groups = numbers.isEmpty ? nil : numbers
        guard first.isEstimated else { return }
        do throws(KinError) {
            let table = try Matrix(rows: rounds.count, columns: first.features?.count ?? 0, elements: features)
            let found = try EstimatedPropensities(of: actions, in: table, groups: groups, settings: settings)
            rounds = zip(rounds, found.values).map { round, propensity in
                LoggedRound(
                    reward: round.reward, propensity: propensity, probability: round.probability,
                    estimate: round.estimate, value: round.value)
            }
            estimated = found
        } catch {
            throw KinError(.malformedInput, error.message).within("file", reader.name)
        }
    }
}

/// One line of a log.
private struct LoggedLine {
    private var reward, propensity, probability, estimate, value: Double?
    private var action: Int?
    private var probabilities, estimates, likelihoods, propensities: [Double]?
    /// The numbers of the context.
    private(set) var features: [Double]?
    private(set) var person: String?
    /// The slots of a slate.
    private(set) var slots: [LoggedLine]?
    /// The names of other members.
    private(set) var ignored: [String] = []

    init(from reader: inout JSONReader) throws(KinError) {
        try reader.eachMember { reader, name throws(KinError) in
            switch name {
            case "reward": reward = try reader.isAtBoolean() ? (reader.boolean() ? 1 : 0) : reader.number()
            case "propensity": propensity = try reader.number()
            case "probability": probability = try reader.number()
            case "estimate": estimate = try reader.number()
            case "value": value = try reader.number()
            case "action": action = Int(try reader.integer())
            case "probabilities": probabilities = try Self.numbers(&reader)
            case "estimates": estimates = try Self.numbers(&reader)
            case "likelihoods": likelihoods = try Self.numbers(&reader)
            case "propensities": propensities = try Self.numbers(&reader)
            case "features": features = try Self.numbers(&reader)
            case "person": person = try reader.string()
            case "slots":
                slots = try reader.list { reader throws(KinError) in try LoggedLine(from: &reader) }
            default:
                ignored.append(name)
                try reader.skip()
            }
        }
    }

    private static func numbers(_ reader: inout JSONReader) throws(KinError) -> [Double] {
        try reader.list { reader throws(KinError) in try reader.number() }
    }

    var hasModel: Bool { estimates != nil || (estimate != nil && value != nil) }

    /// Whether the propensity must be estimated: the line has features, but neither its propensity nor those of all
    /// actions.
    var isEstimated: Bool { propensity == nil && likelihoods == nil && slots == nil && features != nil }

    /// Checks that a line has the same members as the first line.
    func check(against first: LoggedLine) throws(KinError) {
        guard (slots == nil) == (first.slots == nil) else {
            throw refused("a log is of rounds or of slates; slots are missing here or before")
        }
        guard isEstimated == first.isEstimated else {
            let isGiven = propensity != nil || likelihoods != nil
            throw refused(
                !first.isEstimated
                    ? "propensity is missing, which the lines before have"
                    : isGiven
                        ? "propensity is given here and missing before; give it on all lines or on none"
                        : "features are missing, which the propensity is estimated from")
        }
        guard !isEstimated || features?.count == first.features?.count else {
            throw refused("features are \(features?.count ?? 0) numbers, and \(first.features?.count ?? 0) before")
        }
        guard (person == nil) == (first.person == nil) else {
            throw refused("person is missing here or before; name it on all lines or on none")
        }
    }

    /// The logged action of a line whose propensity is estimated.
    func loggedAction() throws(KinError) -> Int {
        guard let action else { throw refused("action is missing; the propensity is estimated from it") }
        return action
    }

    /// The round of a line, with its values checked; a propensity that is not yet estimated is 1.
    func round(isEstimated: Bool) throws(KinError) -> LoggedRound {
        let reward = try needed(reward, "reward")
        if let likelihoods { return try round(reward, ofFeatures: likelihoods) }
        let propensity = isEstimated ? 1 : try needed(propensity, "propensity")
        guard propensity > 0, propensity <= 1 else {
            throw refused("propensity must be above 0 and at most 1, not \(propensity)")
        }
        guard let probabilities else {
            let probability = try needed(probability, "probability")
            guard (0...1).contains(probability) else {
                throw refused("probability must be 0 to 1, not \(probability)")
            }
            return LoggedRound(
                reward: reward, propensity: propensity, probability: probability, estimate: estimate ?? 0,
                value: value ?? 0)
        }
        try checkDistribution(probabilities, "probabilities")
        guard let action, probabilities.indices.contains(action) else {
            throw refused("action must be an index into probabilities, 0 to \(probabilities.count - 1)")
        }
        try checkCount(estimates, "estimates", of: probabilities)
        return LoggedRound(
            reward: reward, propensity: propensity, action: action, probabilities: probabilities,
            estimates: estimates ?? [])
    }

    /// The round for the features of an action.
    private func round(_ reward: Double, ofFeatures likelihoods: [Double]) throws(KinError) -> LoggedRound {
        guard let propensities, let probabilities else {
            throw refused("likelihoods need the propensities and probabilities of all actions")
        }
        try checkDistribution(probabilities, "probabilities")
        try checkDistribution(propensities, "propensities")
        for (list, name) in [(likelihoods, "likelihoods"), (propensities, "propensities")] {
            try checkCount(list, name, of: probabilities)
        }
        try checkCount(estimates, "estimates", of: probabilities)
        let round = LoggedRound(
            reward: reward, likelihoods: likelihoods, propensities: propensities, probabilities: probabilities,
            estimates: estimates ?? [])
        guard likelihoods.allSatisfy({ (0...1).contains($0) }), round.propensity > 0 else {
            throw refused("likelihoods are not from 0 to 1, or no action of any propensity has the features")
        }
        return round
    }

    private func checkDistribution(_ numbers: [Double], _ name: String) throws(KinError) {
        if let wrong = numbers.first(where: { !(0...1).contains($0) }) {
            throw refused("\(name) must be from 0 to 1, not \(wrong)")
        }
        let sum = numbers.reduce(0, +)
        guard abs(sum - 1) < 1e-6 else { throw refused("\(name) must add up to 1, not \(sum)") }
    }

    private func checkCount(_ numbers: [Double]?, _ name: String, of probabilities: [Double]) throws(KinError) {
        guard numbers.map({ $0.count == probabilities.count }) ?? true else {
            throw refused("\(name) must be as many as probabilities")
        }
    }

    private func needed(_ value: Double?, _ name: String) throws(KinError) -> Double {
        guard let value else { throw refused("\(name) is missing") }
        return value
    }

    private func refused(_ reason: String) -> KinError { KinError(.malformedInput, reason) }
}
