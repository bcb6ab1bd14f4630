import KinEngine
import KinSamples
import KinTestSupport
import Testing

/// A date that a command reached stays after travel, with its content and its challenge.
@Suite("Travel with challenges")
struct ChallengeTravelTests {
    @Test("a date has one content and one challenge, wherever it is spent", arguments: [1, 2, 3] as [UInt64])
    func oneChallengePerDate(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let zones = try [
            "Pacific/Kiritimati", "Pacific/Auckland", "Asia/Tokyo", "Europe/Berlin", "Asia/Kathmandu",
            "America/Los_Angeles", "Pacific/Pago_Pago",
        ].map { name throws(KinError) in try PinnedZones.zone(name) }
        let engine = Engine()
        try engine.put(
            ChallengeGenerator(seed: 3).challenges(200).map(\.json) + [#"{"soul":{"uid":"u","goals":{"calm":4}}}"#])
        var now = try Timestamp(parsing: "2026-12-20T10:00:00Z")
        var zone = zones[0]
        var given: [LocalDay: UserChallenge] = [:]
        for _ in 0..<150 {
            now = try Timestamp(microseconds: now.microseconds + Int64(random.below(16 * 3600)) * 1_000_000)
            if random.below(2) == 0 { zone = zones[random.below(zones.count)] }
            let offer = try engine.today(of: "u", at: now, in: zone)
            let (date, challenge) = (offer.content.date, try #require(offer.challenge))
            guard case .given(let next, _) = challenge.today else { throw KinError(.unknownID, "there is none") }
            #expect(challenge.isAssigned == (given[date] != nil), "seed \(seed), \(now), \(zone.name)")
            if let known = given[date] { #expect(next == known, "seed \(seed), \(now), \(zone.name)") }
            switch random.below(5) {
            case 0: try await engine.reflect("u", at: now, in: zone)
            case 1 where next.status == .pending:
                try await engine.skip(next.challengeID, by: "u", at: now, in: zone)
                given[date] = nil
            case 2 where next.status == .pending:
                given[date] = try await engine.complete(by: "u", rating: 4, at: now, in: zone).given
            case 3, 4:
                guard case .given(let known, _) = try await engine.assign(to: "u", at: now, in: zone).today else {
                    break
                }
                given[date] = known
            default: break
            }
        }
        let progress = try engine.progress(of: "u", at: now, in: zone)
        let today = try engine.today(of: "u", at: now, in: zone).content.date
        let completed = given.filter { $0.value.status == .completed }.keys
        #expect(progress.challengeStreaks == DateStreaks(completed, today: today), "seed \(seed)")
        // A report without the date does not change it.
        let (before, history) = try (engine.call("export"), engine.history(of: "u", count: 1000))
        #expect(history.allSatisfy { $0.given.date != nil })
        let undated = history.map { $0.given.json.replacing(/,"date":"[^"]*"/, with: "") }
        try engine.put(undated.map { "{\"user_challenge\":\($0)}" })
        #expect(try engine.call("export") == before, "seed \(seed)")
    }
}
