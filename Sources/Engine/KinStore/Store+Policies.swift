import GRDB

/// A policy stored under a name.
///
/// It belongs to no person: its state is sums over all its observations, without ids. The policy of
/// one person's rewards is part of the person's challenges (`ChallengeState`) and is erased with the person.
public struct NamedPolicy: Sendable, Hashable {
    /// The name, unique in a store, in the normal form of ids (`RecordID`).
    public let name: String
    /// The policy with everything that it has learned.
    public internal(set) var policy: BanditPolicy

    /// Creates a named policy from its parts.
    ///
    /// - Parameters:
    ///   - name: The name, in the form of an id.
    ///   - policy: The policy.
    /// - Throws: `.invalidArgument` for the name.
    public init(name: String, policy: BanditPolicy) throws(KinError) {
        self.name = try RecordID.checked(name, field: "name")
        self.policy = policy
    }
}

extension NamedPolicy: StoredRecord, DeclaredRecord {
    /// A policy's row contains only its name; the state is stored in a separate table (``PolicyState``).
    static let table = RecordTable<NamedPolicy>("policy", [.text("name", \.name)], order: ["name"]) { policy, writer in
        writer.object { $0.member("name", policy.name) }
    }

    package static let form = RecordSchema<NamedPolicy>(
        "policy", id: "name",
        .required("name", \.name, .id),
        .required("policy", \.policy, .policy),
        make: NamedPolicy.init(name:policy:))

    init(row: StoredRow, body: [UInt8]) throws(KinError) {
        let state = try PolicyState(of: row.number, in: row.database)
        try self.init(name: row.text("name"), policy: BanditPolicy(decoding: state.bytes))
    }

    static let writeParts: (@Sendable (NamedPolicy, Int64, Database) throws -> UInt32)? = { record, number, database in
        try PolicyState.remove(of: number, in: database)
        return try PolicyState(bytes: record.policy.encoded()).write(of: number, in: database)
    }

    static func exported(_ row: StoredRow) throws(KinError) -> [UInt8] {
        Array(try row.record(NamedPolicy.self).jsonText.utf8)
    }
}

extension Store {
    /// All stored policies, by ascending name.
    ///
    /// - Throws: `.corruptFile`, `.inputOutput`.
    /// - Complexity: O(bytes of all policies).
    public nonisolated func policies() throws(KinError) -> [NamedPolicy] {
        try read("read the policies") { try RecordQuery<NamedPolicy>("ORDER BY name").all(in: $0) }
    }
}

extension RecordKey<NamedPolicy> {
    /// The policy with a name.
    ///
    /// - Throws: `.invalidArgument` for a malformed name.
    public static func policy(_ name: String) throws(KinError) -> RecordKey { RecordKey(try .id(name, "policy")) }
}

extension StoreTransaction {
    /// Changes a policy and stores the changed parts of its state.
    ///
    ///     let choice = try await store.transaction { transaction in
    ///         try transaction.withPolicy(named: "banner") { policy in try policy.choose(in: context) }
    ///     }
    ///
    /// - Parameters:
    ///   - name: The policy's name.
    ///   - body: The changes.
    /// - Returns: The result of the body.
    /// - Throws: The errors of the body; `.unknownID` for an unknown name; `.corruptFile`, `.inputOutput`.
    /// - Complexity: A copy of the state in memory and the writing of its changed parts; O(bytes of the policy) if it
    ///   is not in memory.
    public func withPolicy<Result>(
        named name: String, _ body: (inout BanditPolicy) throws -> Result
    ) throws -> Result {
        let name = try RecordID.checked(name, field: "policy")
        guard var found = try writer.derived(CachedPolicy.self, for: name).found else {
            throw KinError(.unknownID, "there is no policy of this name; policies lists them").within("policy", name)
        }
        let result = try body(&found.policy)
        let state = PolicyState(bytes: found.policy.encoded())
        let checksum = try state.write(of: found.number, over: found.state, in: writer.database)
        writer.noteChanged(NamedPolicy.kind, found.number, checksum: checksum)
        found.state = state
        writer.cache(CachedPolicy(found: found), for: name)
        return result
    }
}
