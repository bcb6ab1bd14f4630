import KinTestSupport
import Testing

@testable import KinPleasure

/// After any changes, a history of taste equals one learned from scratch from the same records.
@Suite struct TasteHistoryTests {
    private static let day: Int64 = 86_400_000_000
    private func instant(_ day: Double) -> Timestamp {
        Timestamp(unchecked: 1_735_689_600_000_000 + Int64(day * Double(Self.day)))
    }

    /// The version at an instant, with its start moved back to the first version that declared the same pleasures
    /// without a change since.
    private func declaration(at instant: Timestamp, in versions: [ProfileVersion]) -> ProfileVersion? {
        guard let last = versions.lastIndex(where: { $0.since <= instant }) else { return nil }
        let before = versions[..<last].lastIndex { $0.profile.pleasure != versions[last].profile.pleasure }
        return ProfileVersion(since: versions[before.map { $0 + 1 } ?? 0].since, profile: versions[last].profile)
    }

    /// The profiles at an instant by the documented rule: one sum over all sessions that count.
    private func expected(
        _ sessions: [PleasureSession], _ versions: [ProfileVersion], at instant: Timestamp
    ) throws -> TasteProfiles? {
        let version = declaration(at: instant, in: versions)
        let first = version?.since == versions.first?.since ? nil : version?.since
        let counted = sessions.filter { session in
            let end = session.end ?? session.start
            return end <= instant && first.map { end >= $0 } ?? true
        }.sorted { ($0.countedAt, $0.id) < ($1.countedAt, $1.id) }
        guard let since = version?.since ?? counted.map(\.start).min() else { return nil }
        let start = version?.profile.pleasure ?? Pleasure()
        var sums = TasteSums(start: start, at: since, weight: version == nil ? 0 : TasteHistory.startWeight)
        for session in counted {
            let named = PleasureMarks.weights(ofMask: session.pleasure.namedMask)
            sums.add(session.embedding, named: named, at: session.countedAt)
        }
        return TasteProfiles(
            declared: version?.profile, learned: counted.isEmpty ? start : sums.mean, sessionCount: counted.count)
    }

    @Test func changesEqualALearner() throws {
        var random = TestSeed().generator
        var sessions: [String: PleasureSession] = [:]
        var versions: [Timestamp: ProfileVersion] = [:]
        var history = TasteHistory()
        let points = try (0..<3).map { _ in try Pleasure((0..<16).map { _ in Float(random.uniform()) }) }
        func session(_ number: Int, at day: Double) throws -> PleasureSession {
            var session = try PleasureSession(
                id: "s\(number)", userID: "u", start: instant(day),
                pleasure: PleasureMarks(primary: [Pleasure.Dimension.allCases[random.below(16)]]))
            if random.below(4) > 0 {
                try session.advance(to: .drift)
                try session.end(at: instant(day + Double(random.below(20)) / 10))
            }
            return session
        }
        for round in 0..<700 {
            let (snapshot, before) = (history, (sessions, versions))
            switch random.below(12) {
            case 0:
                let id = "s\(random.below(400))"
                #expect(history.remove(session: id) == (sessions.removeValue(forKey: id) != nil))
            case 1 where round > 80:
                let since = instant(Double(random.below(round / 2 + 1)))
                let profile = try PleasureProfile(userID: "u", pleasure: points[random.below(3)])
                versions[since] = ProfileVersion(since: since, profile: profile)
                history.declare(versions[since]!)
            case 2 where !versions.isEmpty && round % 3 == 0:
                let since = versions.keys.sorted()[random.below(versions.count)]
                versions[since] = nil
                #expect(history.removeDeclaration(since: since) && !history.removeDeclaration(since: since))
            case 3:
                let new = try session(random.below(400), at: Double(random.below(350)))
                sessions[new.id] = new
                history.upsert(new)
            default:
                let new = try session(round, at: Double(round) / 2)
                sessions[new.id] = new
                history.upsert(new)
            }
            let declared = versions.values.sorted { $0.since < $1.since }
            for day in [1000, Double(random.below(800)) / 2, -1] {
                let expected = try expected(Array(sessions.values), declared, at: instant(day))
                #expect(history.profiles(at: instant(day)) == expected, "round \(round)")
            }
            if round % 50 == 0 {
                let built = TasteHistory(sessions: before.0.values, declared: before.1.values)
                #expect(snapshot.profiles(at: instant(999)) == built.profiles(at: instant(999)))
                #expect(snapshot.byteCount == built.byteCount && snapshot.sessionCount == built.sessionCount)
            }
        }
        #expect(sessions.count > 250)
    }
}
