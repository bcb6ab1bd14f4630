public import KinAffinity
import KinCore
import KinJSON

/// The settings of a store's affinity: the weights of the blocks, and whether rare goals count more.
///
/// The rarity of goals is not stored but counted among the souls in the store (`Store.affinityModel()`), so that
/// nothing of an erased person stays in it.
public struct AffinitySettings: Sendable, Hashable {
    /// The weight of each block, in any unit.
    public var weights: AffinityWeights
    /// Whether all goals weigh the same, whatever their rarity.
    public var everyGoalAlike: Bool

    /// The default: the standard weights, rare goals counting more.
    public static let standard = AffinitySettings()

    /// Creates settings from weights and the choice of rarity.
    public init(weights: AffinityWeights = .standard, everyGoalAlike: Bool = false) {
        self.weights = weights
        self.everyGoalAlike = everyGoalAlike
    }
}

extension RecordKind {
    static let affinityModelTable = """
        CREATE TABLE affinity_model (
            number INTEGER PRIMARY KEY,
            id TEXT NOT NULL UNIQUE,
            body TEXT NOT NULL,
            seal INTEGER NOT NULL
        ) STRICT;
        """
}

extension AffinitySettings: StoredRecord, DeclaredRecord {
    static let table = RecordTable<AffinitySettings>("affinity_model", .text("id") { _ in id }, order: ["id"])

    /// The key of the only row.
    static let id = "current"

    static let form = RecordForm<AffinitySettings>(
        "affinity_model",
        .standard("weights", \.weights, .object, default: .standard),
        .standard("every_goal_alike", \.everyGoalAlike, .boolean, default: false)
    ) { weights, everyGoalAlike in AffinitySettings(weights: weights, everyGoalAlike: everyGoalAlike) }
}
