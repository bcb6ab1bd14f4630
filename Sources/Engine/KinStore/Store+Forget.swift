import GRDB
public import KinCore
import KinRhythms

extension Store {
    /// Erases a person: their records of every kind, their id, and the bytes of both from the database, its log, its
    /// free pages and the index files.
    ///
    /// Events that the person entered in others' logs stay with their times and amounts. Their notes are deleted, and a random name
    /// replaces the author. The name differs from log to log and is stored nowhere else.
    ///
    /// When this has returned, no file of the store has the bytes; after an interruption either nothing was erased or
    /// the next opening completes it. It rewrites the database, which takes time and free space in the store's folder in
    /// proportion to its size. Backups, copies made elsewhere and blocks that a file system keeps are not reached.
    ///
    /// - Parameter user: The person; nothing happens when there are no records.
    /// - Returns: The number of erased records by kind, and under ``sharedEventCount`` the number of others' events that the person
    ///   had entered.
    /// - Throws: `.busy` when a reader holds an older version for more than five seconds (the records are gone then;
    ///   call again to remove the bytes); `.inputOutput`, likewise, when an index file cannot be removed (``check()``
    ///   reports what is pending), and with nothing erased when the folder lacks room; `.corruptFile` when an event of theirs in
    ///   another's log is not as it was written; `.invalidArgument` when the store was opened for reading.
    @discardableResult
    public func forget(_ user: String) throws(KinError) -> [String: Int] {
        try requireWriting()
        let erasure = Erasure(paths: paths, pool: pool, files: files)
        let outcome = try attempting("forget \(user)", at: paths) {
            try pool.write { database -> (counts: [String: Int], version: StoreVersion)? in
                let person = try People.number(of: user, in: database)
                let events = try CareEvent.numbers(by: user, in: database)
                guard person != nil || !events.isEmpty else { return nil }
                try erasure.requireRoom(in: database)
                try RowNumbers.keep(for: RecordKind.all, in: database)
                var counts = [Self.sharedEventCount: events.count]
                try CareEvent.disown(events, in: WriteTransaction(database, naming: naming))
                if let person {
                    for kind in RecordKind.all where kind.isOwned {
                        counts[kind.name] = try Int.fetchOne(
                            database, sql: "SELECT count(*) FROM \(kind.name) WHERE person = ?", arguments: [person])
                    }
                    try NameRecord.removeTraces(of: user, in: database)
                    try database.execute(sql: "DELETE FROM person WHERE number = ?", arguments: [person])
                }
                try Erasure.begin(in: database)
                return (counts.filter { $0.value > 0 }, try ChangeLog.restart(in: database))
            }
        }
        if let outcome { try acknowledge(outcome.version) }
        cache.drop()
        // On the connections of now: a log that was put back opened the database again.
        try Erasure(paths: paths, pool: pool, files: files).finish()
        return outcome?.counts ?? [:]
    }

    /// The key in the answer of ``forget(_:)`` for the number of events that the person had entered in others' logs.
    public static let sharedEventCount = "shared_event"
}
