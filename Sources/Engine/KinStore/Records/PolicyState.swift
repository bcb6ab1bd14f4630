import GRDB

/// The state of a stored policy, in rows of 4 KiB in a separate table, so that a call writes only the rows that it
/// changed.
///
/// The state of the standard policy with 10 arms and 16 features takes 1 MB. A choice changes the counter in it, an
/// observation the model of one arm. Each row has a checksum like the rows of records (``StoredRow``).
struct PolicyState: Sendable {
    /// The bytes of `BanditPolicy.encoded()`.
    let bytes: [UInt8]

    /// The number of bytes in each part except the last.
    private static let partLength = 4096

    init(bytes: [UInt8]) { self.bytes = bytes }

    /// Reads the state of the policy with a row number.
    ///
    /// - Throws: `.corruptFile` if a part is missing or damaged.
    init(of policy: Int64, in database: Database) throws(KinError) {
        do {
            var bytes: [UInt8] = []
            var count = 0
            let query = try SQLStatement(
                "SELECT bytes, seal FROM policy_state WHERE policy = ? ORDER BY part", in: database)
            try query.query([.integer(policy)]) { row in
                let part = row.bytes(0)
                // The checksum covers the part number, so a part stored under a different number fails here.
                guard row.integer(1) == Int64(Self.checksum(policy, count, part)) else {
                    throw KinError(
                        .corruptFile,
                        "part \(count) of its state is not what was written; restore a copy of the database")
                }
                bytes += part
                count += 1
            }
            self.bytes = bytes
        } catch {
            throw KinError(error, doing: "read the state of a policy")
        }
    }

    /// Deletes the parts of a policy.
    static func remove(of policy: Int64, in database: Database) throws {
        try SQLStatement("DELETE FROM policy_state WHERE policy = ?", in: database).run([.integer(policy)])
    }

    /// Writes the parts that differ from those of an earlier state. Default: all parts.
    ///
    /// - Returns: A checksum of the written parts.
    func write(of policy: Int64, over before: PolicyState = PolicyState(bytes: []), in database: Database) throws
        -> UInt32
    {
        let put = try SQLStatement("INSERT OR REPLACE INTO policy_state VALUES (?, ?, ?, ?)", in: database)
        var written = CRC32C()
        for part in 0..<count {
            let (new, old) = (self[part], before[part])
            guard !new.elementsEqual(old) else { continue }
            let bytes = Array(new)
            let seal = Self.checksum(policy, part, bytes)
            try put.run([.integer(policy), .integer(Int64(part)), .bytes(bytes), .integer(Int64(seal))])
            written.update(.integer(Int64(seal)))
        }
        if count < before.count {
            try SQLStatement("DELETE FROM policy_state WHERE policy = ? AND part >= ?", in: database)
                .run([.integer(policy), .integer(Int64(count))])
            written.update(.integer(Int64(count)))
        }
        return written.value
    }

    /// The number of parts.
    private var count: Int { bytes.count.dividedRoundingUp(by: Self.partLength) }

    /// A part; empty after the last one.
    private subscript(part: Int) -> ArraySlice<UInt8> {
        let start = min(part * Self.partLength, bytes.count)
        return bytes[start..<min(start + Self.partLength, bytes.count)]
    }

    private static func checksum(_ policy: Int64, _ part: Int, _ bytes: [UInt8]) -> UInt32 {
        StoredRow.checksum(number: policy, [.integer(Int64(part)), .bytes(bytes)])
    }
}

/// The cached policy with a name.
struct CachedPolicy: DerivedValue {
    static var sources: [RecordKind] { [NamedPolicy.kind] }

    /// A policy with its row number and its state.
    struct Found: Sendable {
        let number: Int64
        var policy: BanditPolicy
        var state: PolicyState
    }

    /// The policy; nil if no policy has the name.
    let found: Found?

    init(found: Found) { self.found = found }

    init(for name: String, in database: Database) throws {
        let row = try RecordQuery<NamedPolicy>("WHERE name = ?", [.text(name)]).numbered(in: database).first
        // The stored bytes, not an encoding of the policy: a different release may have encoded the same policy
        // differently.
        found = try row.map {
            try Found(
                number: $0.number, policy: $0.record.policy, state: PolicyState(of: $0.number, in: database))
        }
    }

    mutating func apply(_ changes: [RecordChange], for name: String, in database: Database) throws -> Bool {
        guard let found else { return false }
        return !changes.contains { $0.numbers.contains(found.number) }
    }

    /// The state in two forms, as bytes and as models, including a mean for each feature.
    var byteCount: Int { 256 + 2 * (found?.state.bytes.count ?? 0) }
}
