import GRDB

extension Store {
    /// Changes one record in a transaction. If this throws, nothing is changed.
    ///
    ///     try await store.change(.session("s1")) { session in try session?.advance(to: .mastery) }
    ///
    /// - Parameters:
    ///   - key: The key of the record.
    ///   - body: Receives the stored record, or nil if it does not exist; setting it to nil removes the record. An
    ///     equal record is not written.
    /// - Returns: The result of the body.
    /// - Throws: The errors of the body (see `KinError.underlying`); `.invalidArgument` if the body changes the key;
    ///   `.corruptFile` for a damaged record; `.inputOutput`.
    /// - Complexity: O(log size); one synchronization of the disk.
    @discardableResult
    public func change<Record, Result: Sendable>(
        _ key: RecordKey<Record>, _ body: @Sendable (inout Record?) throws -> Result
    ) throws(KinError) -> Result {
        try write("change a \(key.noun)") { transaction in
            try key.change(in: transaction) { record in try callingBack { try body(&record) } }
        }
    }

    /// Changes any number of records in one transaction. If this throws, nothing is changed.
    ///
    ///     let today = try await store.transaction { transaction in
    ///         try transaction.withSelector(for: "u42") { selector in try selector.today(at: now) }
    ///     }
    ///
    /// No other command writes until the body returns. Do work of more than 10 ms outside the transaction.
    ///
    /// - Parameters:
    ///   - action: The action, for messages: "cannot `action`: the disk is full".
    ///   - body: Reads and changes through the transaction, not through the store.
    /// - Returns: The result of the body.
    /// - Throws: The errors of the body (see `KinError.underlying`); `.corruptFile`; `.inputOutput`.
    @discardableResult
    public func transaction<Result: Sendable>(
        _ action: String = "change records", _ body: @Sendable (borrowing StoreTransaction) throws -> Result
    ) throws(KinError) -> Result {
        try write(action) { transaction in
            do {
                return try body(StoreTransaction(transaction))
            } catch let error as DatabaseError {
                throw error
            } catch {
                throw KinError(thrownByCaller: error)
            }
        }
    }

    /// Computes from records while other commands continue, then writes in a transaction if none of the records has
    /// changed. If one has, computes again.
    ///
    /// - Parameters:
    ///   - sources: The kinds of records that the computation reads.
    ///   - people: The people whose records it reads; nil for all people.
    ///   - action: The action, for messages.
    ///   - compute: Reads the store and computes the draft for the transaction; called again after a change.
    ///   - body: Writes.
    /// - Throws: The errors of `compute` and `body`; `.busy` if a different process changes the records during each
    ///   computation.
    nonisolated func write<Draft: Sendable, Result: Sendable>(
        _ action: String, after sources: [RecordKind], of people: [String]? = nil,
        compute: @Sendable () throws(KinError) -> Draft, _ body: @Sendable (Draft, WriteTransaction) throws -> Result
    ) async throws(KinError) -> Result {
        for _ in 0..<4 {
            let (version, draft) = try computed(compute)
            let written = try await write(draft, action, unlessChanged: sources, of: people, since: version, body)
            if let written { return written }
        }
        return try await writeAlone(action, sources, people, compute, body)
    }

    /// Computes and writes while the commands of this process wait. Used after they changed the records during every
    /// attempt.
    private func writeAlone<Draft: Sendable, Result: Sendable>(
        _ action: String, _ sources: [RecordKind], _ people: [String]?, _ compute: () throws(KinError) -> Draft,
        _ body: (Draft, WriteTransaction) throws -> Result
    ) throws(KinError) -> Result {
        try requireWriting()
        let (version, draft) = try computed(compute)
        let written = try write(draft, action, unlessChanged: sources, of: people, since: version, body)
        guard let written else {
            throw KinError(.busy, "cannot \(action): another process is writing to the store; try again")
        }
        return written
    }

    /// A draft, and a version of the store no later than the records that the draft was computed from.
    private nonisolated func computed<Draft>(
        _ compute: () throws(KinError) -> Draft
    ) throws(KinError) -> (StoreVersion, Draft) {
        try CommandScope.computing { () throws(KinError) -> (StoreVersion, Draft) in
            let version = try version()
            return (version, try compute())
        }
    }

    /// Writes a draft; nil if its source records have changed.
    private func write<Draft, Result>(
        _ draft: Draft, _ action: String, unlessChanged sources: [RecordKind], of people: [String]?,
        since version: StoreVersion, _ body: (Draft, WriteTransaction) throws -> Result
    ) throws(KinError) -> Result? {
        try write(action) { transaction in
            guard try !ChangeLog.hasForgotten(since: version, in: transaction.database) else { return nil }
            let owners: [String?] = people ?? [nil]
            for person in owners {
                let changes = try ChangeLog.changes(
                    of: sources, person: person, since: version, in: transaction.database)
                guard changes?.isEmpty == true else { return nil }
            }
            return try body(draft, transaction)
        }
    }
}

/// The records of a store inside a write transaction, for a command to read and change. It ends with the body that
/// receives it.
public struct StoreTransaction: ~Copyable {
    let writer: WriteTransaction

    init(_ writer: WriteTransaction) { self.writer = writer }

    /// Changes one record, as ``Store/change(_:_:)``.
    ///
    /// - Throws: The errors of the body; `.invalidArgument` if the body changes the key; `.corruptFile`; `.inputOutput`.
    @discardableResult
    public func change<Record, Result>(
        _ key: RecordKey<Record>, _ body: (inout Record?) throws -> Result
    ) throws -> Result {
        try key.change(in: writer, body)
    }

    /// The stored record with a key; nil if there is no such record.
    ///
    /// - Throws: `.corruptFile`; `.inputOutput`.
    public func record<Record>(_ key: RecordKey<Record>) throws -> Record? { try key.find(in: writer.database) }

    /// Requires that a person has a record, so that a mistyped id adds no person.
    ///
    /// - Throws: `.unknownID`; `.inputOutput`.
    public func requireKnown(_ user: String) throws { try People.require(user, in: writer.database) }
}
