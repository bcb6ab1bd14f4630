import KinTestSupport
import Testing

@testable import KinStore

/// Forgetting several people at once leaves what forgetting one after the other leaves.
@Suite("Forgetting several people")
struct ForgetManyTests {
    /// A store with records of every kind, and a log that some of the people and one other share.
    private func filled() async throws -> EveryKind {
        let sample = try await EveryKind()
        try await sample.store.put([
            BabyRecord(
                userID: EveryKind.person, id: "shared-b",
                baby: RhythmLog.Baby(name: "B", born: LocalDateTime(hour(1), in: .utc)),
                owners: [EveryKind.person, EveryKind.reader, "gran"])
        ])
        for (number, author) in EveryKind.people.enumerated() {
            try await sample.store.put([
                bottle(
                    "e\(number)", of: "gran", baby: "shared-b", by: author, minute: 100 * number, text: "hidden-word")
            ])
        }
        return sample
    }

    /// An export without the random names of forgotten authors.
    private func export(_ store: Store) throws -> String {
        try EveryKind.export(store).replacing(/caregiver-[0-9a-z]+/, with: "caregiver")
    }

    @Test("together as one by one, with unknown and repeated people", arguments: 0..<2)
    func together(round: Int) async throws {
        var random = TestSeed(test: "together \(round)").generator
        let sample = try await filled()
        try sample.store.deriveSavedValues()
        try await sample.store.saveIndexes()
        let people = Array(EveryKind.people.shuffled(using: &random).prefix(2 + round % 2))
        let traces = ["person-to-forget", "author-", "reader-"].filter { trace in
            people.contains { $0.hasPrefix(trace) }
        }
        for trace in traces { #expect(try sample.folder.found([trace]) != nil) }
        try await sample.store.close()
        let other = try sample.folder.copy()
        let (store, single) = (try sample.folder.open(), try other.open())
        var sums: [String: Int] = [:]
        for user in people { sums.merge(try await single.forget(user), uniquingKeysWith: +) }
        let counts = try await store.forget(people: people + ["nobody", people[0]])
        #expect(counts == sums)
        #expect(try export(store) == export(single))
        #expect(try store.users() == single.users() && store.check().isIntact)
        #expect(try sample.folder.found(traces) ?? "" == "")
        #expect(try await store.forget(people: people).isEmpty)
        try await store.close()
        #expect(try sample.folder.found(traces) ?? "" == "")
    }

    @Test("one invalid id, and nobody is forgotten")
    func allOrNothing() async throws {
        let sample = try await filled()
        let before = try EveryKind.export(sample.store)
        await #expect(throws: KinError.self) { try await sample.store.forget(people: [EveryKind.person, "a\u{0}"]) }
        #expect(try EveryKind.export(sample.store) == before)
        #expect(try await sample.store.forget(people: []).isEmpty)
        #expect(try EveryKind.export(sample.store) == before)
    }
}
