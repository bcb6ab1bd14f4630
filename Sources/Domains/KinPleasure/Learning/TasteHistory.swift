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

    /// A span of time with one starting profile for learning, and the sums after every ``stride`` of its sessions.
    private struct Epoch: Sendable {
        let start: Pleasure
        /// The first instant of the epoch; nil for the epoch before any declaration.
        let since: Timestamp?
        /// Whether sessions before the epoch count in it too.
        let countsEarlier: Bool
        var checkpoints: [TasteSums] = []
    }

    /// The sessions by ascending instant of counting, then by id.
    private var entries: [Entry] = []
    /// When each session counts, by session id.
    private var times: [String: Timestamp] = [:]
    /// The declared versions by ascending start.
    private var versions: [ProfileVersion] = []
    /// The epochs in order; the first one is before any declaration.
    private var epochs: [Epoch] = [Epoch(start: Pleasure(), since: nil, countsEarlier: true)]

    /// The number of sessions between two checkpoints; replaying them takes about two microseconds.
    private static let stride = 64

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
        divide()
    }

    /// The number of sessions in the history.
    public var sessionCount: Int { entries.count }

    /// The declared versions by ascending start.
    public var declared: [ProfileVersion] { versions }

    /// An estimate of the memory that the history takes, in bytes.
    public var byteCount: Int {
        let entry = MemoryLayout<Entry>.stride + 2 * MemoryLayout<(String, Timestamp)>.stride + 32
        let checkpoints = epochs.reduce(0) { $0 + $1.checkpoints.count } * MemoryLayout<TasteSums>.stride
        return entries.count * entry + checkpoints + versions.count * 512
    }

    /// Adds a session, or replaces the one with its id.
    ///
    /// - Complexity: O(1) amortised for the latest session, O(sessions since) for an earlier one.
    public mutating func upsert(_ session: PleasureSession) {
        let time = session.countedAt
        let entry = Entry(session)
        if let known = times[session.id] {
            let position = position(of: session.id, at: known)
            guard known != time else {
                entries[position] = entry
                return update(from: position, at: time)
            }
            remove(session: session.id)
        }
        times[session.id] = time
        let position = position(of: session.id, at: time)
        entries.insert(entry, at: position)
        update(from: position, at: time)
    }

    /// Removes a session and its influence.
    ///
    /// - Returns: Whether the session was there.
    /// - Complexity: As ``upsert(_:)``.
    @discardableResult
    public mutating func remove(session id: String) -> Bool {
        guard let time = times.removeValue(forKey: id) else { return false }
        let position = position(of: id, at: time)
        entries.remove(at: position)
        update(from: position, at: time)
        return true
    }

    /// Adds a declared profile, or replaces the one with its start.
    ///
    /// - Complexity: O(sessions).
    public mutating func declare(_ version: ProfileVersion) {
        let place = versions.partition { $0.since < version.since }
        if place < versions.count, versions[place].since == version.since {
            versions[place] = version
        } else {
            versions.insert(version, at: place)
        }
        divide()
    }

    /// Removes the declared profile with a start.
    ///
    /// - Returns: Whether there was one.
    /// - Complexity: O(sessions).
    @discardableResult
    public mutating func removeDeclaration(since: Timestamp) -> Bool {
        guard let place = versions.firstIndex(where: { $0.since == since }) else { return false }
        versions.remove(at: place)
        divide()
        return true
    }

    /// The profiles at an instant; nil if no profile or session is known by then.
    ///
    /// - Complexity: O(log n).
    public func profiles(at instant: Timestamp) -> TasteProfiles? {
        let number = epochs.partition { $0.since.map { $0 <= instant } ?? true } - 1
        let declared = versions.partition { $0.since <= instant }
        let sessions = range(of: number, until: entries.partition { $0.time <= instant })
        guard declared > 0 || !sessions.isEmpty else { return nil }
        return TasteProfiles(
            declared: declared > 0 ? versions[declared - 1].profile : nil,
            learned: sessions.isEmpty ? epochs[number].start : sums(of: number, over: sessions).mean,
            sessionCount: sessions.count)
    }

    /// Calls a function with each session that counts by an instant. The arguments are the session's start, when it
    /// counts, its point, and a vector with 1 in the named dimensions.
    func forEachSession(until instant: Timestamp, _ body: (Timestamp, Timestamp, Pleasure, SIMD16<Double>) -> Void) {
        for entry in entries.prefix(entries.partition { $0.time <= instant }) {
            body(entry.start, entry.time, entry.point, PleasureMarks.weights(ofMask: entry.mask))
        }
    }

    /// The positions of an epoch's sessions before a position.
    private func range(of number: Int, until end: Int) -> Range<Int> {
        let epoch = epochs[number]
        guard !epoch.countsEarlier, let since = epoch.since else { return 0..<end }
        let first = entries.partition { $0.time < since }
        return first..<max(first, end)
    }

    /// The sums over a prefix of an epoch's sessions, computed from the last checkpoint.
    private func sums(of number: Int, over sessions: Range<Int>) -> TasteSums {
        let checkpoints = epochs[number].checkpoints
        let known = min(sessions.count / Self.stride, checkpoints.count)
        var sums = known > 0 ? checkpoints[known - 1] : start(of: number)
        for entry in entries[(sessions.lowerBound + known * Self.stride)..<sessions.upperBound] {
            sums.add(entry.point, named: PleasureMarks.weights(ofMask: entry.mask), at: entry.time)
        }
        return sums
    }

    /// The sums before the sessions of an epoch. Without a declared profile the start has no weight, so its instant has
    /// no effect.
    private func start(of number: Int) -> TasteSums {
        let (start, since) = (epochs[number].start, epochs[number].since)
        return TasteSums(
            start: start, at: since ?? Timestamp(unchecked: 0), weight: since == nil ? 0 : Self.startWeight)
    }

    private func position(of id: String, at time: Timestamp) -> Int {
        entries.partition { ($0.time, $0.id) < (time, id) }
    }

    /// Divides the time into epochs. An epoch begins at each version whose pleasures differ from the previous ones.
    private mutating func divide() {
        epochs = [Epoch(start: Pleasure(), since: nil, countsEarlier: true)]
        for (place, version) in versions.enumerated() {
            if place > 0, versions[place - 1].profile.pleasure == version.profile.pleasure { continue }
            epochs.append(Epoch(start: version.profile.pleasure, since: version.since, countsEarlier: place == 0))
        }
        for number in epochs.indices { extendCheckpoints(of: number) }
    }

    /// Recomputes the checkpoints from a position on, in all epochs that include its instant.
    private mutating func update(from position: Int, at time: Timestamp) {
        for number in epochs.indices {
            let epoch = epochs[number]
            if number + 1 < epochs.count, let end = epochs[number + 1].since, time >= end { continue }
            let first = range(of: number, until: entries.count).lowerBound
            if let since = epoch.since, !epoch.countsEarlier, time < since { break }
            let valid = max(0, position - first) / Self.stride
            if valid < epoch.checkpoints.count {
                epochs[number].checkpoints.removeLast(epoch.checkpoints.count - valid)
            }
            extendCheckpoints(of: number)
        }
    }

    /// Appends the missing checkpoints of an epoch.
    private mutating func extendCheckpoints(of number: Int) {
        var end = entries.count
        if number + 1 < epochs.count, let next = epochs[number + 1].since { end = entries.partition { $0.time < next } }
        let sessions = range(of: number, until: end)
        while (epochs[number].checkpoints.count + 1) * Self.stride <= sessions.count {
            let count = (epochs[number].checkpoints.count + 1) * Self.stride
            let prefix = sessions.lowerBound..<sessions.lowerBound + count
            epochs[number].checkpoints.append(sums(of: number, over: prefix))
        }
    }
}

extension PleasureSession {
    /// When the session counts for the taste: at its end, or at its start while it lasts.
    var countedAt: Timestamp { end ?? start }
}
