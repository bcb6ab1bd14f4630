import ArgumentParser
import Kin

/// `kin policy`: the commands on policies.
struct PolicyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "policy",
        abstract: "Try a policy on labelled rows or on a log of offers, or evaluate one on another's log.",
        discussion: """
            Examples:

              kin policy replay letter.csv --label label
              kin policy replay letter.csv --label label --pairwise
              kin policy replay coupons.csv --arm Coupon --reward Y --ignore row
              kin policy evaluate log.jsonl
            """,
        subcommands: [PolicyReplayCommand.self, PolicyEvaluateCommand.self]
    )
}

/// The kind of a policy, by its name on the command line.
enum PolicyKind: String, CaseIterable, ExpressibleByArgument {
    case standard
    case greedy
    case epsilonGreedy = "epsilon-greedy"
    case linUCB = "linucb"
    case thompson
    case logisticThompson = "logistic-thompson"
    case logisticUCB = "logistic-ucb"
    case squareCB = "squarecb"

    /// The algorithm for a model per arm of so many features.
    func algorithm(features: Int) -> PolicyAlgorithm {
        switch self {
        case .standard: .standard(features: features)
        case .greedy: PolicyAlgorithm(.logistic, .epsilonGreedy(epsilon: 0))
        case .epsilonGreedy: .epsilonGreedy()
        case .linUCB: .linUCB(features: features)
        case .thompson: .thompson()
        case .logisticThompson: .logisticThompson()
        case .logisticUCB: .logisticUCB(features: features)
        case .squareCB: .squareCB()
        }
    }
}

/// The settings of a policy on the command line.
struct PolicyOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "standard, greedy, epsilon-greedy, linucb, thompson, logistic-thompson, logistic-ucb or squarecb.",
            valueName: "kind"))
    var kind: PolicyKind?

    @Option(help: ArgumentHelp("Share, width, scale or gain of the exploration, by the kind.", valueName: "x"))
    var exploration: Double?

    @Option(help: ArgumentHelp("The precision of each weight before any evidence.", valueName: "x"))
    var priorPrecision: Double?

    @Option(
        name: [.long, .customLong("memory")],
        help: ArgumentHelp(
            "Observations after which one counts 1/e of a new one; none is discounted by default.", valueName: "n"))
    var effectiveWindow: Double?

    @Flag(help: "Products of features in pairs are features too.")
    var pairwise = false

    @Option(help: ArgumentHelp("The seed of choices, orders and intervals.", valueName: "n"))
    var seed: UInt64 = 1

    /// The settings for a model per arm.
    func settings(_ standard: PolicyKind, dimension: Int, arms: Int, precision: Double?) -> PolicySettings {
        let pairs = pairwise ? dimension * (dimension + 1) / 2 : 0
        var algorithm = (kind ?? standard).algorithm(features: dimension + pairs + 1)
        if let exploration { algorithm.exploration.amount = exploration }
        return PolicySettings(
            algorithm, dimension: dimension, arms: arms, hasPairs: pairwise,
            priorPrecision: priorPrecision ?? precision, effectiveWindow: effectiveWindow ?? .infinity, seed: seed)
    }
}
