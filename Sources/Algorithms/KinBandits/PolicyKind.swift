/// A kind of policy as other languages, files and people name it: a model and an exploration with their defaults.
///
/// The order of the cases is that of the constants `KIN_POLICY_…` of the C interface.
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
    ///   - dimension: The number of given features.
    ///   - hasPairs: Whether products of two features are features too.
    ///   - hasArms: Whether each arm has a model of its own.
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
