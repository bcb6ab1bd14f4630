import KinEngine
import Testing

/// `import KinEngine` brings the types of its interface: no other import is needed here.
@Suite("Re-exported modules") struct ExportTests {
    @Test("a program with an engine imports one module") func oneImport() async throws {
        let engine = Engine()
        let point: Pleasure = [.order: 1]
        let start: Timestamp = try Timestamp(seconds: 0)
        try await engine.store.put([PleasureSession(id: "a", userID: "u", start: start)])
        let found: [SessionMatch] = try engine.store.nearestSessions(
            to: point, k: 3, where: .user("u") && .state(.idle))
        #expect(found.map(\.session.id) == ["a"])
        let others: (Store, Soul?, Challenge?, RealmLibrary?, RhythmLog?, Matrix<Float>?) = (
            try engine.store, nil, nil, nil, nil, nil
        )
        #expect(others.1 == nil)
        let error: KinError? = KinError(.unknownID, "")
        #expect(error?.code == .unknownID)
    }
}
