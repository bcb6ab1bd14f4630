import GRDB
import Synchronization

/// The cached matcher of all souls by one model. The matcher of the store's model is also saved in the index folder.
struct CachedMatcher: SavedValue {
    /// The model of a matcher, whose connections are those of the store.
    struct Key: Hashable, Sendable {
        let choice: AffinityChoice
        /// The number of threads for making the matcher; not part of the identity.
        let threads: Int

        init(_ choice: AffinityChoice = AffinityChoice(), threads: Int = 1) {
            self.choice = AffinityChoice(
                weights: choice.weights, everyGoalAlike: choice.everyGoalAlike, shrinksScores: choice.shrinksScores)
            self.threads = threads
        }

        static func == (a: Key, b: Key) -> Bool { a.choice == b.choice }
        func hash(into hasher: inout Hasher) { hasher.combine(choice) }
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
        let settings = try AffinitySettings(in: database).with(key.choice)
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
            let settings = try AffinitySettings(in: database).with(key.choice)
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
    /// Version 4 has traits in snake case.
    static var fileVersion: FormatVersion { FormatVersion(major: 4, minor: 0) }
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
    /// - Parameter choice: Settings that replace the stored ones.
    /// - Throws: `.corruptFile` if a record is damaged; `.inputOutput`.
    /// - Complexity: As ``matcher(_:isExplained:threads:)``, whose model it is.
    public nonisolated func affinityModel(
        _ choice: AffinityChoice = AffinityChoice()
    ) throws(KinError) -> AffinityModel {
        try matcher(choice, isExplained: true).model
    }

    /// The cached matcher of all souls in the store, by the store's model.
    ///
    /// - Parameters:
    ///   - choice: Settings that replace the stored ones.
    ///   - isExplained: Whether the model has the quantiles of scores even if the rule of connections has fixed bounds.
    ///   - threads: The most threads to use if the matcher must be made, 1 or more.
    /// - Throws: As ``souls()`` and `SoulMatcher`.
    /// - Complexity: O(1); O(changes) after changes; O(souls) if the matcher is neither in memory nor in a file. After
    ///   a change of souls, quantiles take the time of `SoulMatcher.calibration(pairs:)`, with 65,536 pairs if the rule
    ///   of connections has quantiles, else 4,096.
    public nonisolated func matcher(
        _ choice: AffinityChoice = AffinityChoice(), isExplained: Bool = false, threads: Int = 1
    ) throws(KinError) -> SoulMatcher {
        try requireThreads(threads)
        return try withMatcher(choice, isExplained: isExplained, threads: threads) { $0 }
    }

    /// Runs a body on the matcher of
    /// ``matcher(_:isExplained:threads:)``, made on one thread. If the
    /// matcher is cached, this takes no lock and makes no copy.
    ///
    /// - Throws: As ``matcher(_:isExplained:threads:)``; the errors of the body (see `KinError.underlying`).
    public nonisolated func withMatcher<Answer, Failure: Error>(
        _ choice: AffinityChoice = AffinityChoice(), isExplained: Bool = false,
        _ body: (SoulMatcher) throws(Failure) -> Answer
    ) throws(KinError) -> Answer {
        try withMatcher(choice, isExplained: isExplained, threads: 1) { (matcher) throws(KinError) in
            try callingBack { try body(matcher) }
        }
    }

    private nonisolated func withMatcher<Answer>(
        _ choice: AffinityChoice, isExplained: Bool, threads: Int, _ body: (SoulMatcher) throws(KinError) -> Answer
    ) throws(KinError) -> Answer {
        let key = CachedMatcher.Key(choice, threads: threads)
        return try derived(CachedMatcher.self, for: key) { (kept) throws(KinError) in
            let rule = try choice.connections(over: kept.connections)
            func answer(_ matcher: SoulMatcher) throws(KinError) -> Answer {
                guard rule != kept.connections else { return try body(matcher) }
                return try body(matcher.with(rule, calibration: matcher.model.calibration))
            }
            guard isExplained || rule.quantiles != nil else { return try answer(kept.matcher) }
            let calibrated = rule.quantiles == nil ? kept.explained : kept.calibrated
            return try calibrated.read(kept.matcher, kept.connections, answer)
        }
    }
}
