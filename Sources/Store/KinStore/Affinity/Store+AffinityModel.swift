import GRDB
public import KinAffinity
public import KinCore
import Synchronization

extension Store {
    /// The affinity model of the store: its settings and the rarity of goals among its souls.
    ///
    /// Matchers, routing and all queries use it; comparing two souls by it gives the same score to the bit.
    ///
    /// - Parameters:
    ///   - weights: Weights in place of the stored ones; nil for those.
    ///   - everyGoalAlike: The choice of rarity in place of the stored one; nil for that.
    /// - Throws: `.corruptFile` when a record is not as it was written; `.inputOutput`.
    /// - Complexity: O(souls) after a change of the store, O(1) otherwise.
    public nonisolated func affinityModel(
        weights: AffinityWeights? = nil, everyGoalAlike: Bool? = nil
    ) throws(KinError) -> AffinityModel {
        try read("read the model of affinity") { database in
            let settings = try AffinitySettings(in: database).with(weights, everyGoalAlike)
            guard !settings.everyGoalAlike else { return AffinityModel(weights: settings.weights) }
            let version = try ChangeLog.version(in: database)
            let rarity = try goalRarities.rarity(at: version) {
                GoalRarity(among: try RecordQuery<Soul>().all(in: database))
            }
            return AffinityModel(weights: settings.weights, rarity: rarity)
        }
    }

    /// The affinity settings of the store; the standard ones when none were stored.
    ///
    /// - Throws: `.corruptFile`, `.inputOutput`.
    public nonisolated func affinitySettings() throws(KinError) -> AffinitySettings {
        try read("read the model of affinity") { try AffinitySettings(in: $0) }
    }

    /// Inserts or replaces the affinity settings. Later queries use them; contributions that were routed stay where
    /// they are.
    ///
    /// - Throws: `.inputOutput`; `.invalidArgument` when the store was opened for reading.
    public func put(_ settings: AffinitySettings) throws(KinError) {
        try write("keep the model of affinity") { _ = try $0.put(settings) }
    }

    /// A matcher of all souls in the store by its model: `SoulMatcher.model` is ``affinityModel(weights:everyGoalAlike:)``
    /// at that moment.
    ///
    /// - Parameters:
    ///   - weights: Weights in place of the stored ones; nil for those.
    ///   - everyGoalAlike: The choice of rarity in place of the stored one; nil for that.
    ///   - threads: The most threads to use, 1 or more.
    /// - Throws: As ``souls()`` and `SoulMatcher`.
    public nonisolated func matcher(
        weights: AffinityWeights? = nil, everyGoalAlike: Bool? = nil, threads: Int = 1
    ) throws(KinError) -> SoulMatcher {
        let (souls, model) = try read("read the souls") { database in
            let settings = try AffinitySettings(in: database).with(weights, everyGoalAlike)
            let souls = try RecordQuery<Soul>("ORDER BY number").all(in: database)
            return (souls, settings.model(among: souls))
        }
        return try SoulMatcher(souls, model: model, rarity: .asInModel, threads: threads)
    }
}

/// The rarity of goals at the last version that was queried.
final class GoalRarityCache: Sendable {
    private let known = Mutex<(version: StoreVersion, rarity: GoalRarity)?>(nil)

    func rarity(at version: StoreVersion, else count: () throws -> GoalRarity) throws -> GoalRarity {
        if let found = known.withLock({ $0?.version == version ? $0?.rarity : nil }) { return found }
        let rarity = try count()
        known.withLock { $0 = (version, rarity) }
        return rarity
    }
}

extension AffinitySettings {
    /// Reads the settings of a database; the standard ones when there are none.
    init(in database: Database) throws {
        let query = RecordQuery<AffinitySettings>("WHERE id = ?", [.text(Self.id)])
        self = try query.first(in: database) ?? .standard
    }

    /// The settings with some values replaced.
    func with(_ weights: AffinityWeights?, _ everyGoalAlike: Bool?) -> AffinitySettings {
        AffinitySettings(weights: weights ?? self.weights, everyGoalAlike: everyGoalAlike ?? self.everyGoalAlike)
    }

    /// The affinity model of these settings among some souls.
    func model(among souls: [Soul]) -> AffinityModel {
        AffinityModel(weights: weights, rarity: everyGoalAlike ? nil : GoalRarity(among: souls))
    }
}
