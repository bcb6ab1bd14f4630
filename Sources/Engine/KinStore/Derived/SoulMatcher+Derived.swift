import GRDB
public import KinAffinity
public import KinCore
import KinIndex
import KinJSON
import Synchronization

/// The cached matcher of all souls by one model. The matcher of the store's model is also saved in the index folder.
struct CachedMatcher: SavedValue {
    /// The model of a matcher: weights, rarity and shrinkage that replace the stored values; nil for the stored values.
    struct Key: Hashable, Sendable {
        var weights: AffinityWeights?
        var everyGoalAlike: Bool?
        var shrinksScores: Bool?
        /// The number of threads for making the matcher; not part of the identity.
        var threads = 1

        static func == (a: Key, b: Key) -> Bool {
            a.weights == b.weights && a.everyGoalAlike == b.everyGoalAlike && a.shrinksScores == b.shrinksScores
        }

        func hash(into hasher: inout Hasher) {
            hasher.combine(weights)
            hasher.combine(everyGoalAlike)
            hasher.combine(shrinksScores)
        }
    }

    static var sources: [RecordKind] { [Soul.kind, AffinitySettings.kind] }

    private(set) var matcher: SoulMatcher
    /// The store's rule of connections.
    private(set) var connections: ConnectionRule
    /// The matcher with the store's connections and the quantiles of its scores.
    private(set) var calibrated = CalibratedMatcher(pairs: 1 << 16)
    /// The matcher for explanations. Its quantiles come from fewer pairs and take a tenth as long after a change of a
    /// soul.
    private(set) var explained = CalibratedMatcher(pairs: 1 << 12)
    /// The ids of the people by the row numbers of their souls, to identify the person of a deleted row.
    private var users: RowIDs

    init(for key: Key, in database: Database) throws {
        let settings = try AffinitySettings(in: database).with(key.weights, key.everyGoalAlike, key.shrinksScores)
        let rows = try RecordQuery<Soul>("ORDER BY number").numbered(in: database)
        let souls = rows.map(\.record)
        users = RowIDs(rows.map { ($0.number, $0.record.userID) })
        connections = settings.connections
        matcher = try SoulMatcher(
            souls, model: AffinityModel(weights: settings.weights, shrinksScores: settings.shrinksScores),
            rarity: settings.everyGoalAlike ? .asInModel : .automatic, threads: key.threads
        ).with(connections, calibration: nil)
    }

    mutating func apply(_ changes: [RecordChange], for key: Key, in database: Database) throws -> Bool {
        if changes.contains(where: { $0.kind == AffinitySettings.kind.name }) {
            let settings = try AffinitySettings(in: database).with(key.weights, key.everyGoalAlike, key.shrinksScores)
            // Different weights, rarity or shrinkage change every score.
            guard settings.weights == matcher.model.weights, settings.shrinksScores == matcher.model.shrinksScores,
                settings.everyGoalAlike == (matcher.model.rarity == nil)
            else { return false }
            connections = settings.connections
            forgetCalibrations()
            matcher = matcher.with(connections, calibration: nil)
        }
        guard let rows = try ChangedRows<Soul>(changes, limit: max(1000, users.count / 2), in: database)
        else { return false }
        if !rows.numbers.isEmpty { forgetCalibrations() }
        for number in rows.gone {
            if let user = users.remove(number) { matcher.remove(user) }
        }
        try matcher.upsert(rows.present.map(\.record), threads: key.threads)
        for row in rows.present { users[row.number] = row.record.userID }
        return true
    }

    /// Drops the calibrated matchers, which are copies of the matcher: a change of the matcher would have to copy it.
    private mutating func forgetCalibrations() {
        calibrated = CalibratedMatcher(pairs: calibrated.pairs)
        explained = CalibratedMatcher(pairs: explained.pairs)
    }

    var byteCount: Int { matcher.byteCount + users.byteCount }

    static var savedKeys: [Key] { [Key()] }
    static func fileName(for key: Key) -> String { "matcher" }
    static var fileKind: FourCharacterCode { "SOUL" }
    static var fileVersion: FormatVersion { FormatVersion(major: 3, minor: 0) }
    private static var ruleTag: FourCharacterCode { "RULE" }

    init(for key: Key, file: SectionFile) throws(KinError) {
        matcher = try SoulMatcher(file: file)
        users = try RowIDs(file: file)
        let rule = String(decoding: try file.array(Self.ruleTag, of: UInt8.self), as: UTF8.self)
        connections = try AffinitySettings(parsing: rule).connections
        matcher = matcher.with(connections, calibration: nil)
    }

    func write(to writer: inout SectionFileWriter) throws(KinError) {
        try matcher.write(to: &writer)
        try users.write(to: &writer)
        let rule = Array(AffinitySettings(connections: connections).jsonText.utf8)
        try writer.write(rule.span, to: Self.ruleTag)
    }

    func agrees(with anew: CachedMatcher) throws(KinError) -> Bool {
        guard connections == anew.connections else { return false }
        return try matcher.agrees(with: anew.matcher)
    }
}

/// A matcher with the quantiles of its scores, which are computed on first use.
final class CalibratedMatcher: Sendable {
    /// The largest number of pairs to score.
    let pairs: Int
    private let found = AtomicLazyReference<Found>()
    private let computing = Mutex(())

    private final class Found: Sendable {
        let matcher: SoulMatcher

        init(_ matcher: SoulMatcher) { self.matcher = matcher }
    }

    init(pairs: Int) { self.pairs = pairs }

    /// Runs a body on a matcher with the quantiles of its scores; without quantiles if there are too few pairs.
    func read<Answer>(
        _ matcher: SoulMatcher, _ connections: ConnectionRule, _ body: (SoulMatcher) throws(KinError) -> Answer
    ) throws(KinError) -> Answer {
        let made =
            found.load()
            ?? computing.withLock { _ in
                found.load()
                    ?? found.storeIfNil(
                        Found(matcher.with(connections, calibration: matcher.calibration(pairs: pairs))))
            }
        // Otherwise the matcher is copied, with all its reference counts.
        return try unsafe Unmanaged.passUnretained(made)._withUnsafeGuaranteedRef { made in
            Result { () throws(KinError) in try body(made.matcher) }
        }.get()
    }
}

extension Store {
    /// The affinity model of the store: its settings and the rarity of goals among its souls.
    ///
    /// Matchers, routing and all queries use this model; comparing two souls by it gives a bit-identical score. It has
    /// the quantiles of scores among the store's souls if there are enough pairs (`AffinityCalibration.leastPairs`).
    ///
    /// - Parameters:
    ///   - weights: Weights that replace the stored weights; nil for the stored weights.
    ///   - everyGoalAlike: A choice of rarity that replaces the stored choice; nil for the stored choice.
    ///   - shrinksScores: Whether scores shrink if few events are behind the souls; nil for the stored choice.
    ///   - connections: A rule of connections that replaces the stored rule; nil for the stored rule.
    /// - Throws: `.corruptFile` if a record is damaged; `.inputOutput`.
    /// - Complexity: As ``matcher(weights:everyGoalAlike:shrinksScores:connections:isExplained:threads:)``, whose model it is.
    public nonisolated func affinityModel(
        weights: AffinityWeights? = nil, everyGoalAlike: Bool? = nil, shrinksScores: Bool? = nil,
        connections: ConnectionRule? = nil
    ) throws(KinError) -> AffinityModel {
        try matcher(
            weights: weights, everyGoalAlike: everyGoalAlike, shrinksScores: shrinksScores, connections: connections,
            isExplained: true
        ).model
    }

    /// The cached matcher of all souls in the store, by the store's model.
    ///
    /// - Parameters:
    ///   - weights: Weights that replace the stored weights; nil for the stored weights.
    ///   - everyGoalAlike: A choice of rarity that replaces the stored choice; nil for the stored choice.
    ///   - shrinksScores: Whether scores shrink if few events are behind the souls; nil for the stored choice.
    ///   - connections: A rule of connections that replaces the stored rule; nil for the stored rule.
    ///   - isExplained: Whether the model has the quantiles of scores even if the rule of connections has fixed bounds.
    ///   - threads: The most threads to use if the matcher must be made, 1 or more.
    /// - Throws: As ``souls()`` and `SoulMatcher`.
    /// - Complexity: O(1); O(changes) after changes; O(souls) if the matcher is neither in memory nor in a file. After
    ///   a change of souls, quantiles take the time of `SoulMatcher.calibration(pairs:)`, with 65,536 pairs if the rule
    ///   of connections has quantiles, else 4,096.
    public nonisolated func matcher(
        weights: AffinityWeights? = nil, everyGoalAlike: Bool? = nil, shrinksScores: Bool? = nil,
        connections: ConnectionRule? = nil, isExplained: Bool = false, threads: Int = 1
    ) throws(KinError) -> SoulMatcher {
        let key = CachedMatcher.Key(
            weights: weights, everyGoalAlike: everyGoalAlike, shrinksScores: shrinksScores, threads: threads)
        return try withMatcher(for: key, connections: connections, isExplained: isExplained) { $0 }
    }

    /// Runs a body on the matcher of
    /// ``matcher(weights:everyGoalAlike:shrinksScores:connections:isExplained:threads:)``, made on one thread. If the
    /// matcher is cached, this takes no lock and makes no copy.
    ///
    /// - Throws: As ``matcher(weights:everyGoalAlike:shrinksScores:connections:isExplained:threads:)``; the errors of
    ///   the body.
    public nonisolated func withMatcher<Answer>(
        weights: AffinityWeights? = nil, everyGoalAlike: Bool? = nil, shrinksScores: Bool? = nil,
        connections: ConnectionRule? = nil, isExplained: Bool = false,
        _ body: (SoulMatcher) throws(KinError) -> Answer
    ) throws(KinError) -> Answer {
        let key = CachedMatcher.Key(weights: weights, everyGoalAlike: everyGoalAlike, shrinksScores: shrinksScores)
        return try withMatcher(for: key, connections: connections, isExplained: isExplained, body)
    }

    private nonisolated func withMatcher<Answer>(
        for key: CachedMatcher.Key, connections: ConnectionRule?, isExplained: Bool,
        _ body: (SoulMatcher) throws(KinError) -> Answer
    ) throws(KinError) -> Answer {
        try derived(CachedMatcher.self, for: key) { (kept) throws(KinError) in
            let rule = connections ?? kept.connections
            guard isExplained || rule.quantiles != nil else {
                return try connections == nil ? body(kept.matcher) : body(kept.matcher.with(rule, calibration: nil))
            }
            let calibrated = rule.quantiles == nil ? kept.explained : kept.calibrated
            return try calibrated.read(kept.matcher, kept.connections) { (matcher) throws(KinError) in
                try connections == nil
                    ? body(matcher) : body(matcher.with(rule, calibration: matcher.model.calibration))
            }
        }
    }
}
