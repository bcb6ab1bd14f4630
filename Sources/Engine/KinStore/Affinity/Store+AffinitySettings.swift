import GRDB

extension Store {
    /// The affinity settings of the store; the standard settings if none are stored.
    ///
    /// - Throws: `.corruptFile`, `.inputOutput`.
    public nonisolated func affinitySettings() throws(KinError) -> AffinitySettings {
        try read("read the model of affinity") { try AffinitySettings(in: $0) }
    }

    /// Changes the affinity settings of the store.
    ///
    /// - Parameter body: Changes the stored settings; it is called again if souls or settings changed during the
    ///   computation.
    /// - Returns: The new model, with the quantiles of scores.
    /// - Throws: The errors of the body (see `KinError.underlying`); `.invalidArgument` for a number outside its range;
    ///   `.corruptFile`, `.inputOutput`.
    /// - Complexity: O(souls), while other commands continue.
    @discardableResult
    public nonisolated func changeAffinitySettings(
        _ body: @Sendable (inout AffinitySettings) throws -> Void
    ) async throws(KinError) -> AffinityModel {
        try await write("keep the model of affinity", after: [Soul.kind, AffinitySettings.kind]) {
            () throws(KinError) in
            var settings = try affinitySettings()
            try callingBack { try body(&settings) }
            settings = try settings.checked()
            return (settings, try affinityModel(AffinityChoice(settings)))
        } _: { changed, transaction in
            try transaction.put(changed.0)
            return changed.1
        }
    }
}

extension AffinitySettings {
    /// Reads the settings from a database; the standard settings if none are stored.
    init(in database: Database) throws {
        let query = RecordQuery<AffinitySettings>("WHERE id = ?", [.text(Self.id)])
        self = try query.first(in: database) ?? .standard
    }
}
