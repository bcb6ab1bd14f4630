// Policies stored under a name: they choose among actions or arms, learn from rewards, and continue in later processes.

extension Engine {
    /// Creates a policy without observations and stores it under a name.
    ///
    /// - Parameters:
    ///   - name: The name, which must be new in the store.
    ///   - settings: The model, the exploration and their parameters.
    /// - Throws: `.invalidArgument` if the name exists; `.invalidArgument`, `.dimensionMismatch` or `.capacityExceeded`
    ///   for the settings; `.inputOutput`.
    @discardableResult
    public func createPolicy(_ name: String, _ settings: PolicySettings) async throws(KinError) -> NamedPolicy {
        let policy = try NamedPolicy(name: name, policy: BanditPolicy(settings))
        try await store.change(.policy(name)) { stored in
            guard stored == nil else {
                throw KinError.field(
                    "policy", "there is a policy of this name; remove it first, or choose another name")
            }
            stored = policy
        }
        return policy
    }

    /// Chooses one of several actions by a policy with one model for all.
    ///
    /// - Parameters:
    ///   - name: The policy's name.
    ///   - actions: A row of features for each action, at least one row; the row length is the policy's number of
    ///     features.
    /// - Returns: The choice with the event for ``learn(_:reward:for:)``, once the reward is known.
    /// - Throws: `.unknownID` for the name; `.dimensionMismatch`, `.invalidArgument` or `.notFinite` for the rows; `.inputOutput`.
    /// - Complexity: As `BanditPolicy.choose(from:)` and `StoreTransaction.withPolicy(named:_:)`, because the state of
    ///   the draws is stored.
    @discardableResult
    public func chooseAction(by name: String, from actions: [[Double]]) async throws(KinError) -> BanditPolicy.Choice {
        try await change(policy: name) { policy throws(KinError) in
            guard let odd = actions.firstIndex(where: { $0.count != policy.dimension }) else {
                return try policy.choose(from: Matrix(rows: actions))
            }
            throw KinError(
                .dimensionMismatch, "row \(odd) has \(actions[odd].count) numbers; the policy takes \(policy.dimension)"
            )
        }
    }

    /// Chooses an arm in a context by a policy with a model per arm.
    ///
    /// - Parameters:
    ///   - name: The policy's name.
    ///   - context: The features of the context; their number is the policy's number of features.
    ///   - arms: The arms to choose from, counted from 0; nil for all arms.
    /// - Returns: The choice with the event for ``learn(_:reward:for:)``, once the reward is known.
    /// - Throws: As ``chooseAction(by:from:)``.
    /// - Complexity: As ``chooseAction(by:from:)``.
    @discardableResult
    public func chooseArm(
        by name: String, in context: [Double], among arms: [Int]? = nil
    ) async throws(KinError) -> BanditPolicy.Choice {
        try await change(policy: name) { policy throws(KinError) in try policy.choose(in: context, among: arms) }
    }

    /// Learns the reward of a choice, immediately or days later.
    ///
    /// - Parameters:
    ///   - name: The policy's name.
    ///   - reward: The reward; 0 to 1 for a logistic model.
    ///   - event: The event of the choice.
    /// - Returns: The number of rewards learned so far.
    /// - Throws: `.unknownID` for the name; `.dimensionMismatch`, `.invalidArgument` or `.notFinite` for reward and event; `.inputOutput`.
    /// - Complexity: O(D²) for D features, plus that of `StoreTransaction.withPolicy(named:_:)`.
    @discardableResult
    public func learn(_ name: String, reward: Double, for event: BanditPolicy.Event) async throws(KinError) -> Int {
        try KinError.check(event.propensity, "propensity", "above 0 and at most 1") { $0 > 0 && $0 <= 1 }
        return try await change(policy: name) { policy throws(KinError) in
            try policy.learn(reward: reward, for: event)
            return Int(clamping: policy.observations)
        }
    }

    /// Changes a stored policy.
    private func change<Result: Sendable>(
        policy name: String, _ body: @Sendable (inout BanditPolicy) throws(KinError) -> Result
    ) async throws(KinError) -> Result {
        try await store.transaction("change policy \(name)") { transaction in
            try transaction.withPolicy(named: name, body)
        }
    }
}
