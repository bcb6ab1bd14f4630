/// The methods of policies that are stored under a name.
enum PolicyMethods {
    static let group = MethodGroup(
        title: "Policies",
        prose: """
            A policy chooses among actions or arms, reports the probability of each choice, and learns from the reward of its choices. It is stored under a
            name, is exported and imported like other records, and continues in the next process. `remove` with the kind `policy` and its name removes it. With
            `arms`, each arm has its own model, and a choice uses the features of a context. Without `arms`, an action is a list of features, and one model
            serves all actions. Features need a meaningful zero: any factor gives the same choices, but only `standard` with `arms` observes the mean. So pass
            degrees above the usual temperature and not kelvins, an age and not a year. Keep the `event` of a choice until its reward is known, and pass both to `learn`. An event has no id,
            so each call counts: repeat `learn` only if the first call failed. The state stays in memory. Each call is a
            transaction that writes only the changed part: for an observation the model of an arm, 4 D (D + 3) bytes for D features. For thousands of choices
            per second, use a policy in memory (`BanditPolicy`, `kin_policy`, `kin.Policy`) and store it during pauses.
            """,
        methods: [createPolicy, policies, chooseAction, chooseArm, learn])

    private static let name = Parameter<String>("policy", .id, "The name of the policy.")

    private static let createPolicy = EngineMethod(
        command: "create_policy", "Creates an untrained policy under a new name.",
        name,
        Parameter<PolicyKind>(
            "kind", .words, default: .standard,
            "The model and the exploration. For 10 arms of 16 features, standard takes 1 MB, logistic-ucb 14 KB."),
        Parameter<Int>(
            "dimension", .integer(1...4095), "The number of features of an action, or of the context."),
        Parameter<Int?>(
            "arms", .integer(1...65_536),
            "The number of arms, each with its own model. Default: one model for all actions."),
        Parameter<Bool>(
            "pairs", .boolean, default: false, "Whether to add products of two features, and squares, as features."),
        Parameter<UInt64>.seed(default: 0),
        Parameter<Int>(
            "megabytes", .integer(1...2048), default: 128, "The largest size of the models. Larger models are an error."
        )
    ) { engine, name, kind, dimension, arms, hasPairs, seed, megabytes in
        let algorithm = kind.algorithm(dimension: dimension, hasPairs: hasPairs, hasArms: arms != nil)
        let settings = PolicySettings(algorithm, dimension: dimension, arms: arms, hasPairs: hasPairs, seed: seed)
        let bytes = try settings.modelBytes()
        guard bytes <= megabytes << 20 else {
            throw KinError(
                .capacityExceeded,
                """
                the models take \(bytes >> 20) MB, more than \(megabytes): use fewer arms or features, a kind without pairs, or raise \
                `megabytes`
                """)
        }
        return PolicySummary(policy: try await engine.createPolicy(name, settings))
    }

    private static let policies = EngineMethod(
        "policies", "Lists the stored policies.",
        answer: "list of policies, by ascending name"
    ) { engine throws(KinError) in try engine.store.policies().map { PolicySummary(policy: $0) } }

    private static let chooseAction = EngineMethod(
        command: "choose_action", "Chooses one of several actions by a policy with one model for all.", name,
        Parameter<[[Double]]>(
            "actions", .list("list of numbers", JSONForm.list(of: .number()).read),
            "A list of features for each action.")
    ) { engine, name, actions in try await engine.chooseAction(by: name, from: actions) }

    private static let chooseArm = EngineMethod(
        command: "choose_arm", "Chooses an arm in a context by a policy with a model per arm.", name,
        Parameter<[Double]>("context", .list("number", JSONForm.number().read), "The features of the context."),
        Parameter<[Int]?>(
            "arms", .list("number", JSONForm.integer(in: 0...65_535).read),
            "The arms to choose from, counted from 0. Default: all.")
    ) { engine, name, context, arms in try await engine.chooseArm(by: name, in: context, among: arms) }

    private static let learn = EngineMethod(
        command: "learn", "Learns the reward of a choice, at once or days later.",
        answer: "`observations`: the number of rewards learned so far", name,
        Parameter<Double>("reward", .number(-1e9...1e9), "The reward; 0 to 1 for the logistic kinds."),
        Parameter<BanditPolicy.Event>(
            "event", .object("event", JSONForm(BanditPolicy.Event.form).read), "The `event` of the choice.")
    ) { engine, name, reward, event in
        Members(["observations": try await engine.learn(name, reward: reward, for: event)])
    }
}

extension BanditPolicy.Event {
    /// The event in requests and answers.
    fileprivate static let form = RecordSchema<BanditPolicy.Event>(
        "event",
        .required("features", \.features, .list(of: .number())),
        .optional("arm", \.arm, .integer(in: 0...65_535), writesNull: true),
        .required("propensity", \.propensity, .number("above 0, at most 1"))
    ) { features, arm, propensity in BanditPolicy.Event(features: features, arm: arm, propensity: propensity) }
}

extension BanditPolicy.Choice: DeclaredObject {
    package static let schema = ObjectSchema<BanditPolicy.Choice>(
        .field("action", \.action, "the index of the action or arm, from 0"),
        .field("propensity", \.propensity),
        .field("expected_reward", \.expectedReward),
        .field("is_exploring", \.isExploring),
        .field("event", \.event, as: JSONForm(BanditPolicy.Event.form), "the value to pass to `learn`"))
}

/// A policy in a list, without its state.
private struct PolicySummary: DeclaredObject, Sendable {
    let policy: NamedPolicy

    static let schema = ObjectSchema<PolicySummary>(
        .field("policy", { $0.policy.name }),
        .field("dimension", \.policy.policy.dimension),
        .field("arms", \.policy.policy.arms, "null for one model"),
        .field("choices", \.policy.policy.choices),
        .field("observations", \.policy.policy.observations))
}
