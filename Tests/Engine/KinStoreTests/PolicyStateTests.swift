import GRDB
import KinJSON
import KinTestSupport
import Testing

@testable import KinStore

/// A stored policy's state has parts, and a call writes only the changed ones.
@Suite("Stored policies") struct PolicyStateTests {
    private let folder = StoreFolder()

    /// The standard policy with a model of pairs for each of some arms, after 70 rounds, when its standardization is
    /// final.
    private func policy(_ name: String, arms: Int, rounds: Int = 70) throws -> NamedPolicy {
        var policy = try BanditPolicy(dimension: 12, arms: arms, seed: 3)
        var random = TestSeed().generator
        for _ in 0..<rounds {
            let choice = try policy.choose(in: (0..<12).map { _ in random.uniform() })
            try policy.learn(reward: random.uniform(), for: choice.event)
        }
        return try NamedPolicy(name: name, policy: policy)
    }

    /// All parts of all states, by policy and part number.
    private func parts(_ store: Store) throws -> [[Int64]: [UInt8]] {
        try store.read("look at states") { database in
            var parts: [[Int64]: [UInt8]] = [:]
            try SQLStatement("SELECT policy, part, bytes FROM policy_state", in: database).query { row in
                parts[[row.integer(0), row.integer(1)]] = row.bytes(2)
            }
            return parts
        }
    }

    private func countOfChanged(_ before: [[Int64]: [UInt8]], _ after: [[Int64]: [UInt8]]) -> Int {
        after.count { before[$0.key] != $0.value } + before.count { after[$0.key] == nil }
    }

    @Test func aCallWritesWhatItChanged() async throws {
        let store = try folder.open()
        try await store.insert(policy("p", arms: 8))
        try await store.insert(policy("q", arms: 2))
        let whole = try parts(store)
        // A model of pairs takes 4 (91 + 3) 91 bytes; eight models take 67 parts.
        #expect(whole.count > 60)
        let context = [Double](repeating: 0.3, count: 12)
        let choice = try await store.withPolicy(named: "p") { policy throws(KinError) in try policy.choose(in: context)
        }
        let chosen = try parts(store)
        #expect(countOfChanged(whole, chosen) == 1)
        try await store.withPolicy(named: "p") { policy throws(KinError) in
            try policy.learn(reward: 1, for: choice.event)
        }
        let learned = try parts(store)
        #expect((2...20).contains(countOfChanged(chosen, learned)))
        #expect(try store.check().isIntact)
    }

    /// Two processes write alternately, and each sees the other's changes.
    @Test func alternatingWritersShareOnePolicy() async throws {
        var alone = try policy("p", arms: 3, rounds: 50)
        let first = try folder.open()
        try await first.insert(alone)
        var random = TestSeed().generator
        for round in 0..<12 {
            try await first.suspend()
            let store = round % 3 == 0 ? first : try folder.open()
            let context = (0..<12).map { _ in random.uniform() }
            for _ in 0..<2 {
                let choice = try await store.withPolicy(named: "p") { policy throws(KinError) in
                    let choice = try policy.choose(in: context)
                    try policy.learn(reward: 0.5, for: choice.event)
                    return choice
                }
                #expect(try alone.policy.choose(in: context) == choice, "round \(round)")
                try alone.policy.learn(reward: 0.5, for: choice.event)
            }
            if round % 3 != 0 { try await store.close() }
        }
        #expect(try first.policies() == [alone])
    }

    @Test func aFailedChangeLeavesThePolicy() async throws {
        let store = try folder.open()
        let made = try policy("p", arms: 2)
        try await store.insert(made)
        for _ in 0..<2 {
            await #expect(throws: KinError.self) {
                try await store.withPolicy(named: "p") { policy throws(KinError) in
                    _ = try policy.choose(in: [Double](repeating: 1, count: 12))
                    throw KinError(.invalidArgument, "no")
                }
            }
        }
        #expect(try store.policies() == [made])
        let choice = try await store.withPolicy(named: "p") { policy throws(KinError) in
            try policy.choose(in: [Double](repeating: 1, count: 12))
        }
        var alone = made.policy
        #expect(try alone.choose(in: [Double](repeating: 1, count: 12)) == choice)
    }

    /// An import replaces a longer state and the one cached in memory. A removed policy leaves nothing.
    @Test func importsReplaceAndRemovalDeletesPolicies() async throws {
        let store = try folder.open()
        let (long, short) = (try policy("p", arms: 6), try policy("p", arms: 2))
        try await store.insert(long)
        try await store.withPolicy(named: "p") { policy throws(KinError) in
            _ = try policy.choose(in: [Double](repeating: 1, count: 12))
        }
        try await store.importLines("{\"policy\":\(short.jsonText)}\n", now: hour(0))
        #expect(try store.policies() == [short])
        let choices = try await store.withPolicy(named: "p") { policy throws(KinError) in policy.choices }
        #expect(choices == short.policy.choices)
        #expect(try store.check().isIntact)
        #expect(try await store.remove("policy", key: ["name": "p"]))
        #expect(try parts(store).isEmpty)
        #expect(
            await errorCode { try await store.withPolicy(named: "p") { policy throws(KinError) in policy.choices } }
                == .unknownID)
    }

    /// Any part changed, exchanged or removed directly in the database.
    @Test(arguments: [
        "UPDATE policy_state SET bytes = zeroblob(length(bytes)) WHERE part = 1",
        "UPDATE policy_state SET seal = seal + 1 WHERE part = 0", "DELETE FROM policy_state WHERE part = 2",
        "DELETE FROM policy_state WHERE part = (SELECT max(part) FROM policy_state)", "DELETE FROM policy_state",
        "UPDATE policy_state SET part = part + 1000 WHERE part = 3",
        """
        UPDATE policy_state SET part = -1 WHERE part = 1; UPDATE policy_state SET part = 1 WHERE part = 2;
        UPDATE policy_state SET part = 2 WHERE part = -1
        """,
    ])
    func damageIsDetected(sql: String) async throws {
        let store = try folder.open()
        try await store.insert(policy("p", arms: 4))
        try await store.close()
        try await DatabaseQueue(path: folder.database).write { try $0.execute(sql: sql) }
        let damaged = try folder.open()
        #expect(try !damaged.check().isIntact)
        #expect(
            await errorCode { try await damaged.withPolicy(named: "p") { policy throws(KinError) in policy.choices } }
                == .corruptFile)
        #expect(throws: KinError.self) { try damaged.policies() }
    }
}
