import GRDB
import KinAffinity
public import KinCore

extension Store {
    /// The affinity settings of the store; the standard ones when none were stored.
    ///
    /// - Throws: `.corruptFile`, `.inputOutput`.
    public nonisolated func affinitySettings() throws(KinError) -> AffinitySettings {
        try read("read the model of affinity") { try AffinitySettings(in: $0) }
    }

    /// Inserts or replaces the affinity settings. Later queries use them; contributions that were routed stay where
    /// they are.
    ///
    /// - Throws: `.inputOutput`; `.invalidArgument` for a number outside of its range, and when the store was opened for reading.
    public func put(_ settings: AffinitySettings) throws(KinError) {
        try write("keep the model of affinity") { _ = try $0.put(settings.checked()) }
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
        var settings = self
        settings.weights = weights ?? settings.weights
        settings.everyGoalAlike = everyGoalAlike ?? settings.everyGoalAlike
        return settings
    }
}
