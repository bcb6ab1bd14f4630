import GRDB
public import KinAffinity
public import KinCore
import KinIndex

/// The matcher of all souls by one model, kept ready; that of the store's model is saved beside the database.
struct KeptMatcher: SavedValue {
    /// The model of a matcher: weights and rarity in place of the stored ones; nil for those.
    struct Key: Hashable, Sendable {
        var weights: AffinityWeights?
        var everyGoalAlike: Bool?
        /// The number of threads to use when the matcher has to be made; not a part of its identity.
        var threads = 1

        static func == (a: Key, b: Key) -> Bool { a.weights == b.weights && a.everyGoalAlike == b.everyGoalAlike }

        func hash(into hasher: inout Hasher) {
            hasher.combine(weights)
            hasher.combine(everyGoalAlike)
        }
    }

    static var sources: [RecordKind] { [Soul.kind, AffinitySettings.kind] }

    private(set) var matcher: SoulMatcher
    /// The ids of the people by the row number of their souls, to tell whose a deleted row was.
    private var users: RowIDs

    init(for key: Key, in database: Database) throws {
        let settings = try AffinitySettings(in: database).with(key.weights, key.everyGoalAlike)
        let rows = try RecordQuery<Soul>("ORDER BY number").numbered(in: database)
        let souls = rows.map(\.record)
        users = RowIDs(rows.map { ($0.number, $0.record.userID) })
        matcher = try SoulMatcher(
            souls, model: AffinityModel(weights: settings.weights),
            rarity: settings.everyGoalAlike ? .asInModel : .automatic, threads: key.threads)
    }

    mutating func apply(_ changes: [RecordChange], for key: Key, in database: Database) throws -> Bool {
        // The settings change every score.
        guard !changes.contains(where: { $0.kind == AffinitySettings.kind.name }),
            let rows = try ChangedRows<Soul>(changes, limit: max(1000, users.count / 2), in: database)
        else { return false }
        for number in rows.gone {
            if let user = users.remove(number) { matcher.remove(user) }
        }
        try matcher.upsert(rows.present.map(\.record), threads: key.threads)
        for row in rows.present { users[row.number] = row.record.userID }
        return true
    }

    var byteCount: Int { matcher.byteCount + users.byteCount }

    static var savedKeys: [Key] { [Key()] }
    static func fileName(for key: Key) -> String { "matcher" }
    static var fileKind: FourCharacterCode { "SOUL" }
    static var fileVersion: FormatVersion { FormatVersion(major: 1, minor: 0) }

    init(for key: Key, file: SectionFile) throws(KinError) {
        matcher = try SoulMatcher(file: file)
        users = try RowIDs(file: file)
    }

    func write(to writer: inout SectionFileWriter) throws(KinError) {
        try matcher.write(to: &writer)
        try users.write(to: &writer)
    }

    func agrees(with anew: KeptMatcher) throws(KinError) -> Bool { try matcher.agrees(with: anew.matcher) }
}

extension Store {
    /// The affinity model of the store: its settings and the rarity of goals among its souls.
    ///
    /// Matchers, routing and all queries use it; comparing two souls by it gives the same score to the bit.
    ///
    /// - Parameters:
    ///   - weights: Weights in place of the stored ones; nil for those.
    ///   - everyGoalAlike: The choice of rarity in place of the stored one; nil for that.
    /// - Throws: `.corruptFile` when a record is not as it was written; `.inputOutput`.
    /// - Complexity: As ``matcher(weights:everyGoalAlike:threads:)``, whose model it is.
    public nonisolated func affinityModel(
        weights: AffinityWeights? = nil, everyGoalAlike: Bool? = nil
    ) throws(KinError) -> AffinityModel {
        try matcher(weights: weights, everyGoalAlike: everyGoalAlike).model
    }

    /// The matcher of all souls in the store by its model, kept ready.
    ///
    /// - Parameters:
    ///   - weights: Weights in place of the stored ones; nil for those.
    ///   - everyGoalAlike: The choice of rarity in place of the stored one; nil for that.
    ///   - threads: The most threads to use when the matcher has to be made, 1 or more.
    /// - Throws: As ``souls()`` and `SoulMatcher`.
    /// - Complexity: O(1), and O(changes) after changes; O(souls) when it is not in memory.
    public nonisolated func matcher(
        weights: AffinityWeights? = nil, everyGoalAlike: Bool? = nil, threads: Int = 1
    ) throws(KinError) -> SoulMatcher {
        try derived(
            KeptMatcher.self,
            for: KeptMatcher.Key(weights: weights, everyGoalAlike: everyGoalAlike, threads: threads)
        ).matcher
    }
}
