import GRDB
public import KinAffinity
public import KinCore
import Synchronization

extension Store {
    /// What affinity is in this store: the weights that it keeps, and how rare each goal is among the souls that it holds now.
    ///
    /// Matchers, routing and every question to the store use it. Comparing two souls by it gives the same score to the bit.
    ///
    /// - Parameters:
    ///   - weights: Others than the store keeps.
    ///   - everyGoalAlike: Other than the store keeps.
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

    /// What the store keeps of the model of affinity: the standard choice unless another was kept.
    ///
    /// - Throws: `.corruptFile`, `.inputOutput`.
    public nonisolated func affinitySettings() throws(KinError) -> AffinitySettings {
        try read("read the model of affinity") { try AffinitySettings(in: $0) }
    }

    /// Keeps weights and whether rare goals count more; every answer from now on goes by them, and what was routed stays where it is.
    ///
    /// - Throws: `.inputOutput`; `.invalidArgument` when the store was opened for reading.
    public func put(_ settings: AffinitySettings) throws(KinError) {
        try write("keep the model of affinity") { _ = try $0.put(settings) }
    }

    /// A matcher of everybody in the store as they are now, by the store's model: `SoulMatcher.model` is
    /// ``affinityModel(weights:everyGoalAlike:)`` of that moment.
    ///
    /// - Parameters:
    ///   - weights: Others than the store keeps.
    ///   - everyGoalAlike: Other than the store keeps.
    ///   - threads: How many threads may work on it.
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

/// How rare goals were at the state of a store that was last asked about.
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
    /// The choice that a database keeps.
    init(in database: Database) throws {
        let query = RecordQuery<AffinitySettings>("WHERE id = ?", [.text(Self.id)])
        self = try query.first(in: database) ?? .standard
    }

    /// The choice with what somebody wants otherwise.
    func with(_ weights: AffinityWeights?, _ everyGoalAlike: Bool?) -> AffinitySettings {
        AffinitySettings(weights: weights ?? self.weights, everyGoalAlike: everyGoalAlike ?? self.everyGoalAlike)
    }

    /// The model among some people.
    func model(among souls: [Soul]) -> AffinityModel {
        AffinityModel(weights: weights, rarity: everyGoalAlike ? nil : GoalRarity(among: souls))
    }
}
