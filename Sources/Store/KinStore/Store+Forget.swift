import GRDB
public import KinCore

extension Store {
    /// Erases a person: their records of every kind, their id, and the bytes of both from the database, its log, its
    /// free pages and the index files.
    ///
    /// When this has returned, no file of the store has the bytes; after an interruption either nothing was erased or
    /// the next opening completes it. It rewrites the database, which takes time and disk space in proportion to its
    /// size. Copies made elsewhere and blocks that a file system keeps are not reached.
    ///
    /// - Parameter user: The person; nothing happens when there are no records.
    /// - Returns: The number of erased records by kind.
    /// - Throws: `.busy` when a reader holds an older version for more than five seconds (the records are gone then;
    ///   call again to remove the bytes); `.inputOutput`, likewise, when an index file cannot be removed (``check()``
    ///   reports what is pending); `.invalidArgument` when the store was opened for reading.
    @discardableResult
    public func forget(_ user: String) throws(KinError) -> [String: Int] {
        try requireWriting()
        let outcome = try attempting("forget \(user)", at: paths) {
            try pool.write { database -> (counts: [String: Int], version: StoreVersion)? in
                guard let person = try People.number(of: user, in: database) else { return nil }
                var counts: [String: Int] = [:]
                for kind in RecordKind.all where kind.isOwned {
                    counts[kind.name] = try Int.fetchOne(
                        database, sql: "SELECT count(*) FROM \(kind.name) WHERE person = ?", arguments: [person])
                }
                try RowNumbers.keep(for: RecordKind.all, in: database)
                try database.execute(sql: "DELETE FROM person WHERE number = ?", arguments: [person])
                try Erasure.begin(in: database)
                return (counts.filter { $0.value > 0 }, try ChangeLog.restart(in: database))
            }
        }
        if let outcome { try acknowledge(outcome.version) }
        cache.drop()
        try Erasure(paths: paths, pool: pool, files: files).finish()
        return outcome?.counts ?? [:]
    }
}
