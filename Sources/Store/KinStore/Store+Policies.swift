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
    static let table = RecordTable<NamedPolicy>("policy", .text("name", \.name), order: ["name"])

    package static let form = RecordForm<NamedPolicy>(
        "policy", id: "name",
        .required("name", \.name, .id),
        .required("policy", \.policy, .policy),
        make: NamedPolicy.init(name:policy:))

    /// The table of policies, added by the migration "policies".
    static let sql = """
        CREATE TABLE policy (
            number INTEGER PRIMARY KEY,
            name TEXT NOT NULL UNIQUE,
            body TEXT NOT NULL,
            seal INTEGER NOT NULL
        ) STRICT;
        """
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
                throw KinError(
                    .invalidArgument, "there is a policy of this name; remove it first, or choose another name"
                ).within("field", "name")
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
    /// - Complexity: O(bytes of the policy) beside `body`, and a transaction.
    public func withPolicy<Result: Sendable>(
        named name: String, _ body: @Sendable (inout BanditPolicy) throws(KinError) -> Result
    ) throws(KinError) -> Result {
        let name = try RecordID.checked(name, field: "policy")
        return try write("change policy \(name)") { transaction in
            guard var stored = try Self.stored(name, in: transaction) else {
                throw KinError(.unknownID, "there is no policy of this name; policies lists them").within(
                    "policy", name)
            }
            let result = try body(&stored.policy)
            try transaction.put(stored)
            return result
        }
    }

    private static func stored(_ name: String, in transaction: WriteTransaction) throws -> NamedPolicy? {
        try RecordQuery<NamedPolicy>("WHERE name = ?", [.text(name)]).first(in: transaction.database)
    }
}
