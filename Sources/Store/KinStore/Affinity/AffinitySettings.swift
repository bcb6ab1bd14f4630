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
    static let affinityModel = RecordKind("affinity_model", columns: ["id", "body"], key: ["id"], order: ["id"])

    static let affinityModelTable = """
        CREATE TABLE affinity_model (
            number INTEGER PRIMARY KEY,
            id TEXT NOT NULL UNIQUE,
            body TEXT NOT NULL,
            seal INTEGER NOT NULL
        ) STRICT;
        """
}

extension AffinitySettings: StoredRecord, JSONRecord {
    static var kind: RecordKind { .affinityModel }
    static let idPaths: [[String]] = []
    static let recordName = "affinity_model"

    var owner: String? { nil }

    /// The key of the only row.
    static let id = "current"

    var values: [SQLValue] { [.text(Self.id), .utf8(jsonBytes)] }

    private static let keys = JSONKeys(["weights", "every_goal_alike"], required: [])

    init(from reader: inout JSONReader) throws(KinError) {
        self.init()
        try reader.members(of: Self.keys) { reader, key throws(KinError) in
            switch key {
            case 0: weights = try AffinityWeights(from: &reader)
            default: everyGoalAlike = try reader.boolean()
            }
        }
    }

    func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("weights") { weights.write(to: &$0) }
            writer.member("every_goal_alike") { $0.boolean(everyGoalAlike) }
        }
    }
}
