/// A kind of policy with its name in other languages and files: a model and an exploration with their defaults.
///
/// The cases are in the order of the C interface's constants `KIN_POLICY_…`.
package enum PolicyKind: String, Sendable, Hashable, CaseIterable {
    case standard
    case epsilonGreedy = "epsilon-greedy"
    case linUCB = "linucb"
    case thompson
    case logisticThompson = "logistic-thompson"
    case logisticUCB = "logistic-ucb"
    case squareCB = "squarecb"
    case regCB = "regcb"

    /// The algorithm of the kind.
    ///
    /// - Parameters:
    ///   - dimension: The number of input features.
    ///   - hasPairs: Whether products of two features are also features.
    ///   - hasArms: Whether each arm has its own model.
    package func algorithm(dimension: Int, hasPairs: Bool, hasArms: Bool) -> PolicyAlgorithm {
        let features = FeatureMap(dimension: dimension, hasPairs: hasPairs).width
        return switch self {
        case .standard: hasArms ? .standardPerArm : .standard
        case .epsilonGreedy: .epsilonGreedy()
        case .linUCB: hasArms ? .linUCB(features: features) : .linUCB()
        case .thompson: .thompson()
        case .logisticThompson: .logisticThompson()
        case .logisticUCB: hasArms ? .logisticUCB(features: features) : .logisticUCB()
        case .squareCB: .squareCB()
        case .regCB: .regCB()
        }
    }
}
