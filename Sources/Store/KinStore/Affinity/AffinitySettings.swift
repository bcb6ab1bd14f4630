public import KinAffinity
import KinCore
import KinJSON

/// What a store's affinity is to be: the weights of the blocks, and whether rare goals count more.
///
/// How rare each goal is, is not kept but counted among the souls that the store holds (`Store.affinityModel()`), so that it is always that of
/// the people who are there, and nothing of somebody forgotten stays in it.
public struct AffinitySettings: Sendable, Hashable {
    /// How much each block counts.
    public var weights: AffinityWeights
    /// Whether every goal counts the same, however rare.
    public var everyGoalAlike: Bool

    /// What a store has unless it is told otherwise: the standard weights, rare goals counting more.
    public static let standard = AffinitySettings()

    /// A choice.
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

    /// There is one in a store.
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
