import GRDB

extension Store {
    /// Erases a person: their records of every kind, their id, and the bytes of both from the database, its log, its
    /// free pages and the index files.
    ///
    /// Events that the person entered in other people's logs remain with their times and amounts. Their notes and the
    /// app's members are deleted, and a random name replaces the author. The name differs between logs and is stored
    /// nowhere else. The logs of babies with other owners remain with these owners in the same way, and the person is
    /// no owner any more. In the babies and the other events of these logs, the app's members that contain the person's
    /// id are removed.
    ///
    /// After this call returns, no file of the store contains the bytes. After an interruption either nothing was
    /// erased, or the next opening completes the erasure. The erasure rewrites the database, which takes time and free
    /// space in the store's folder in proportion to its size. It does not reach backups, copies made elsewhere and
    /// blocks that a file system retains.
    ///
    /// - Parameter user: The person. If they have no records, nothing happens, except that the bytes of removed people are
    ///   erased.
    /// - Returns: The number of erased records by kind; also ``sharedEventCount``, ``sharedBabyCount`` and
    ///   ``sharedExtraCount``.
    /// - Throws:
    ///   - `.busy` if a reader holds an older version for more than five seconds. The records are gone; call again to
    ///     remove the bytes.
    ///   - `.inputOutput` with the records gone if an index file cannot be removed (``check()`` reports the pending
    ///     erasure), or with nothing erased if the folder lacks space.
    ///   - `.corruptFile` if a record in a log that the person shared or entered events in is damaged.
    ///   - `.invalidArgument` if the store was opened for reading, or if a person blocked this one and the store was
    ///     opened without its naming key.
    @discardableResult
    public func forget(_ user: String) throws(KinError) -> [String: Int] { try forget(people: [user]) }

    /// Erases several people in one transaction, and rewrites the database once; otherwise as ``forget(_:)``.
    ///
    /// - Parameter users: The people, in any order.
    /// - Returns: The sums of the counts that one call for each person returns.
    /// - Throws: As ``forget(_:)``. With nothing erased, this holds for all of them.
    @discardableResult
    public func forget(people users: [String]) throws(KinError) -> [String: Int] {
        try requireWriting()
        let erasure = Erasure(paths: paths, pool: pool, files: files)
        let names = users.count == 1 ? users[0] : "\(users.count) people"
        let outcome = try attempting("forget \(names)", at: paths) {
            try pool.write { database -> (counts: [String: Int], version: StoreVersion)? in
                let transaction = WriteTransaction(database, naming: naming)
                try transaction.noteRecipients(where: "TRUE")
                var (counts, people) = ([String: Int](), [Int64]())
                let authors = try CareEvent.authors(in: database)
                for user in users {
                    let person = try People.number(of: user, in: database)
                    let shared = try transaction.leaveSharedLogs(user)
                    let events = try CareEvent.numbers(by: user, among: authors, in: database)
                    guard person != nil || !events.isEmpty else { continue }
                    let logs = try CareEvent.disown(events, in: transaction).union(shared)
                    counts[Self.sharedEventCount, default: 0] += events.count
                    counts[Self.sharedBabyCount, default: 0] += shared.count
                    counts[Self.sharedExtraCount, default: 0] += try transaction.removeTraces(of: user, from: logs)
                    guard let person else { continue }
                    people.append(person)
                    try RowNumbers.keep(for: RecordKind.all, in: database)
                    for kind in RecordKind.all where kind.isOwned {
                        let rows = try SQLStatement(
                            "SELECT number FROM \(kind.name) WHERE person = ? ORDER BY number", in: database
                        ).all([.integer(person)]) { $0.integer(0) }
                        for number in rows { transaction.noteChanged(kind, number) }
                        counts[kind.name, default: 0] += rows.count
                    }
                    try transaction.removeName(of: user)
                    try database.execute(sql: "DELETE FROM person WHERE number = ?", arguments: [person])
                }
                guard !counts.isEmpty else {
                    try Erasure.beginAfterRemoval(in: database)
                    return nil
                }
                try erasure.requireRoom(in: database)
                try Erasure.begin(in: database)
                _ = try transaction.finish()
                return (counts.filter { $0.value > 0 }, try ChangeLog.noteForgetting(of: people, in: database))
            }
        }
        if let outcome { try acknowledge(outcome.version) }
        if (try? pool.read { cache.followForgetting(in: $0) }) == nil { cache.drop() }
        // The connections are read again: if a log was restored, the database was reopened.
        try Erasure(paths: paths, pool: pool, files: files).finish()
        return outcome?.counts ?? [:]
    }

    /// The key for the number of events that the person had entered in other people's logs, in the result of
    /// ``forget(_:)``.
    public static let sharedEventCount = "shared_event"

    /// The key for the number of babies that other owners keep, in the result of ``forget(_:)``.
    public static let sharedBabyCount = "shared_baby"

    /// The key for the number of babies and events that lost a member with the person's id, in the result of
    /// ``forget(_:)``.
    public static let sharedExtraCount = "shared_extra"
}
