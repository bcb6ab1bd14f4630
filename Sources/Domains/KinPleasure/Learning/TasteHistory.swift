/// A person's taste over time: declared profiles, sessions, and the taste learned from both at any instant.
///
/// A profile that declares different pleasures restarts learning from them, with the sessions that end afterwards; the
/// first profile includes all earlier sessions. Before the first profile, the taste is learned from sessions alone. A
/// history is a value: a copy is a snapshot.
///
/// The taste in a dimension after sessions with intensities xᵢ at times tᵢ is their exponentially weighted mean. A
/// declared profile counts as n₀ sessions at its own time:
///
///     p = (n₀ w(t₀) p₀ + Σ w(tᵢ) xᵢ) ∕ (n₀ w(t₀) + Σ w(tᵢ)),    w(t) = 2^(t ∕ half-life)
///
/// The half-life is ``halfLifeDays``, and n₀ is ``startWeight``. A session counts at its end, or at its start while it
/// lasts. The sums are over the sessions that name the dimension (``PleasureMarks/named``): a dimension that a session
/// does not mention is unknown and teaches nothing. A dimension that neither the profile nor a session names is 0.
///
/// As a weighted mean the taste stays in 0…1. It changes only at sessions, and does not depend on their order of
/// addition.
///
///     var history = TasteHistory(sessions: sessions, declared: versions)
///     history.upsert(session)                      // O(1) for the latest session
///     history.profiles(at: now)?.target(at: TimeOfDay(hour: 12))
public struct TasteHistory: Sendable {
    /// The half-life of a session's weight, in days.
    public static let halfLifeDays: Double = 90
    /// The weight of a declared profile, in sessions.
    public static let startWeight: Double = 5

    /// A session: when it counts, the start, the point and the named dimensions.
    private struct Entry: Sendable {
        let time: Timestamp
        let start: Timestamp
        let id: String
        let point: Pleasure
        let mask: UInt16

        init(_ session: PleasureSession) {
            time = session.countedAt
            start = session.start
            id = session.id
            point = session.embedding
            mask = session.pleasure.namedMask
        }
    }

    /// The sessions by ascending instant of counting, then by id.
    private var entries: [Entry] = []
    /// When each session counts, by session id.
    private var times: [String: Timestamp] = [:]
    /// The declared versions by ascending start.
    private var versions: [ProfileVersion] = []

    /// Creates a history of one person.
    ///
    /// - Parameters:
    ///   - sessions: The person's sessions, in any order; the last of several with one id counts.
    ///   - declared: The declared profiles, in any order; the last of several with one start counts.
    /// - Complexity: O(n log n).
    public init(
        sessions: some Sequence<PleasureSession> = EmptyCollection(),
        declared: some Sequence<ProfileVersion> = EmptyCollection()
    ) {
        var last: [String: Entry] = [:]
        for session in sessions {
            last[session.id] = Entry(session)
        }
        entries = last.values.sorted { ($0.time, $0.id) < ($1.time, $1.id) }
        times = last.mapValues(\.time)
        var latest: [Timestamp: ProfileVersion] = [:]
        for version in declared { latest[version.since] = version }
        versions = latest.values.sorted { $0.since < $1.since }
    }

    /// The number of sessions in the history.
    public var sessionCount: Int { entries.count }

    /// The declared versions by ascending start.
    public var declared: [ProfileVersion] { versions }

    /// An estimate of the memory that the history takes, in bytes.
    public var byteCount: Int {
        let entry = MemoryLayout<Entry>.stride + 2 * MemoryLayout<(String, Timestamp)>.stride + 32
        return entries.count * entry + versions.count * 512
    }

    /// Adds a session, or replaces the one with its id.
    ///
    /// - Complexity: O(log n) for the latest session, O(sessions since) for an earlier one.
    public mutating func upsert(_ session: PleasureSession) {
        remove(session: session.id)
        let entry = Entry(session)
        times[entry.id] = entry.time
        entries.insert(entry, at: position(of: entry.id, at: entry.time))
    }

    /// Removes a session and its influence.
    ///
    /// - Returns: Whether the session was there.
    /// - Complexity: As ``upsert(_:)``.
    @discardableResult
    public mutating func remove(session id: String) -> Bool {
        guard let time = times.removeValue(forKey: id) else { return false }
        entries.remove(at: position(of: id, at: time))
        return true
    }

    /// Adds a declared profile, or replaces the one with its start.
    public mutating func declare(_ version: ProfileVersion) {
        let place = versions.partition { $0.since < version.since }
        if place < versions.count, versions[place].since == version.since {
            versions[place] = version
        } else {
            versions.insert(version, at: place)
        }
    }

    /// Removes the declared profile with a start.
    ///
    /// - Returns: Whether there was one.
    @discardableResult
    public mutating func removeDeclaration(since: Timestamp) -> Bool {
        guard let place = versions.firstIndex(where: { $0.since == since }) else { return false }
        versions.remove(at: place)
        return true
    }

    /// The profiles at an instant; nil if no profile or session is known by then.
    ///
    /// - Complexity: O(sessions), about 30 ns each.
    public func profiles(at instant: Timestamp) -> TasteProfiles? {
        let known = versions[..<versions.partition { $0.since <= instant }]
        // Learning restarts at each version whose pleasures differ from the previous ones.
        let place = known.indices.last { $0 == 0 || known[$0 - 1].profile.pleasure != known[$0].profile.pleasure }
        let start = place.map { known[$0] }
        // The first profile includes all earlier sessions.
        let earliest = place == 0 ? nil : start?.since
        let first = earliest.map { earliest in entries.partition { $0.time < earliest } } ?? 0
        let sessions = entries[first..<max(first, entries.partition { $0.time <= instant })]
        guard !known.isEmpty || !sessions.isEmpty else { return nil }
        let pleasure = start?.profile.pleasure ?? Pleasure()
        // Without a declared profile the start has no weight, so its instant has no effect.
        var sums = TasteSums(
            start: pleasure, at: start?.since ?? Timestamp(unchecked: 0), weight: start == nil ? 0 : Self.startWeight)
        for entry in sessions {
            sums.add(entry.point, named: PleasureMarks.weights(ofMask: entry.mask), at: entry.time)
        }
        return TasteProfiles(
            declared: known.last?.profile, learned: sessions.isEmpty ? pleasure : sums.mean,
            sessionCount: sessions.count)
    }

    /// Calls a function with each session that counts by an instant. The arguments are the session's start, when it
    /// counts, its point, and a vector with 1 in the named dimensions.
    func forEachSession(until instant: Timestamp, _ body: (Timestamp, Timestamp, Pleasure, SIMD16<Double>) -> Void) {
        for entry in entries.prefix(entries.partition { $0.time <= instant }) {
            body(entry.start, entry.time, entry.point, PleasureMarks.weights(ofMask: entry.mask))
        }
    }

    private func position(of id: String, at time: Timestamp) -> Int {
        entries.partition { ($0.time, $0.id) < (time, id) }
    }
}

extension PleasureSession {
    /// When the session counts for the taste: at its end, or at its start while it lasts.
    var countedAt: Timestamp { end ?? start }
}
