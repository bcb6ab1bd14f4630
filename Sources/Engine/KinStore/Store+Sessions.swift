extension Store {
    /// Inserts or replaces sessions by id. If this throws, no session is stored.
    ///
    /// - Parameters:
    ///   - sessions: The sessions.
    ///   - threads: The most threads to use, 1 or more. With 2 or more, sessions are encoded while earlier sessions are
    ///     written. Nothing else depends on it.
    /// - Returns: The sessions' ids in ``sessionIndex(metric:)``, in the order given.
    /// - Throws: `.invalidArgument` if an id belongs to a session of a different person, and for an `extra` that is not a
    ///   JSON object; `.inputOutput`, also for a full disk.
    /// - Complexity: O(n log size); one synchronization of the disk.
    @discardableResult
    public func put(_ sessions: [PleasureSession], threads: Int = 1) throws(KinError) -> [VectorID] {
        try requireThreads(threads)
        return try write("put in \(sessions.count) sessions") { transaction in
            var ids: [VectorID] = []
            ids.reserveCapacity(sessions.count)
            // Sessions refer to no other record.
            var (rest, late) = (sessions[...], RecordBatch?.none)
            try forEachBatch(threads: threads) { () throws(KinError) in
                defer { rest = rest.dropFirst(Self.sessionsAtOnce) }
                return rest.isEmpty ? nil : rest.prefix(Self.sessionsAtOnce)
            } make: { sessions, batch in
                batch.replaceAll(with: sessions)
            } write: { batch in
                try batch.write(to: transaction, late: &late) { _, number in ids.append(VectorID(UInt64(number))) }
            }
            return ids
        }
    }

    /// The number of sessions that are encoded at once: about a megabyte.
    private static let sessionsAtOnce = 1024

    /// Removes a session by id.
    ///
    /// Its bytes in the database are overwritten, but copies may remain in the log until ``forget(_:)`` removes them.
    ///
    /// - Returns: Whether the session existed.
    /// - Throws: `.inputOutput`.
    @discardableResult
    public func removeSession(_ id: String) throws(KinError) -> Bool {
        try write("remove session \(id)") { try $0.remove(PleasureSession.kind, key: [.id(id, "session")]) }
    }

    /// The session with this id; nil if there is no such session.
    ///
    /// - Throws: `.corruptFile` if it is damaged; `.inputOutput`.
    public nonisolated func session(_ id: String) throws(KinError) -> PleasureSession? {
        try read("read session \(id)") {
            try RecordQuery<PleasureSession>("WHERE session.id = ?", [.id(id, "session")]).first(in: $0)
        }
    }

    /// The sessions of a person by descending start, then descending id.
    ///
    /// - Parameters:
    ///   - user: The person's id.
    ///   - limit: The largest number of sessions, 0 or more.
    ///   - last: The last session of the previous page, which may have been removed since; nil for the first page.
    /// - Throws: As ``session(_:)``, and `.invalidArgument` for a negative limit.
    /// - Complexity: O(limit + log size).
    public nonisolated func sessions(
        of user: String, limit: Int = 50, after last: PleasureSession? = nil
    ) throws(KinError) -> [PleasureSession] {
        try KinError.requireCount(limit, "limit")
        let start: [SQLValue] = last.map { [.integer($0.start.microseconds), .text($0.id)] } ?? []
        return try read("list the sessions of \(user)") {
            try RecordQuery(
                of: user, "\(last == nil ? "" : "AND (start, id) < (?, ?)") ORDER BY start DESC, id DESC LIMIT ?",
                start + [.integer(Int64(limit))]
            ).all(in: $0)
        }
    }
}
