import GRDB
public import KinBandits
import KinChallenges
public import KinCore
package import KinJSON

/// A policy that is kept under a name.
///
/// It belongs to nobody: its state is sums over all that it learned from, without ids. A policy of one person's rewards alone is their
/// challenges' (`ChallengeState`), which is forgotten with them.
public struct NamedPolicy: Sendable, Hashable {
    /// The name, unique in a store, in the normal form of ids (`RecordID`).
    public let name: String
    /// The policy with all that it has learned.
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
    /// The row of a policy has its name alone; the state lies beside it (``PolicyState``).
    static let table = RecordTable<NamedPolicy>("policy", [.text("name", \.name)], order: ["name"]) { policy, writer in
        writer.object { $0.member("name", policy.name) }
    }

    package static let form = RecordForm<NamedPolicy>(
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

    static func exported(_ row: StoredRow) throws(KinError) -> [UInt8] { try row.record(NamedPolicy.self).jsonBytes }
}

extension Store {
    /// All policies that are kept, by ascending name.
    ///
    /// - Throws: `.corruptFile`, `.inputOutput`.
    /// - Complexity: O(bytes of all policies).
    public nonisolated func policies() throws(KinError) -> [NamedPolicy] {
        try read("read the policies") { try RecordQuery<NamedPolicy>("ORDER BY name").all(in: $0) }
    }

    /// Inserts a policy whose name is new.
    ///
    /// - Parameter policy: The policy.
    /// - Throws: `.invalidArgument` when there is one of this name; `.inputOutput`.
    public func insert(_ policy: NamedPolicy) throws(KinError) {
        try write("keep policy \(policy.name)") { transaction in
            guard try Self.stored(policy.name, in: transaction) == nil else {
                throw KinError.field("name", "there is a policy of this name; remove it first, or choose another name")
            }
            try transaction.put(policy)
        }
    }

    /// Changes a policy and stores it, or leaves it as it was when this throws.
    ///
    ///     let choice = try await store.withPolicy(named: "banner") { policy throws(KinError) in try policy.choose(in: context) }
    ///
    /// - Parameters:
    ///   - name: The policy's name.
    ///   - body: The changes.
    /// - Throws: What `body` throws; `.unknownID` for a name that there is not; `.corruptFile`, `.inputOutput`.
    /// - Complexity: A copy of the state in memory and a transaction that writes its changed parts, beside `body`; O(bytes of the policy) when it
    ///   is not in memory, or was changed by another process.
    public func withPolicy<Result: Sendable>(
        named name: String, _ body: @Sendable (inout BanditPolicy) throws(KinError) -> Result
    ) throws(KinError) -> Result {
        let name = try RecordID.checked(name, field: "policy")
        let (result, kept) = try write("change policy \(name)") { transaction in
            guard var kept = try cache.upToDate(KeptPolicy.self, for: name, in: transaction.database).found else {
                throw KinError(.unknownID, "there is no policy of this name; policies lists them").within(
                    "policy", name)
            }
            let result = try body(&kept.policy)
            let state = PolicyState(bytes: kept.policy.encoded())
            let checksum = try state.write(of: kept.number, over: kept.state, in: transaction.database)
            transaction.notePartsChanged(of: NamedPolicy.kind, kept.number, checksum: checksum)
            kept.state = state
            return (result, kept)
        }
        if let version = presentVersion { cache.keep(KeptPolicy(found: kept), for: name, at: version) }
        return result
    }

    private static func stored(_ name: String, in transaction: WriteTransaction) throws -> Int64? {
        try SQLStatement("SELECT number FROM policy WHERE name = ?", in: transaction.database)
            .first([.text(name)]) { $0.integer(0) }
    }
}
