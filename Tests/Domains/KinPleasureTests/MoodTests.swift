import Foundation
import KinSamples
import KinTestSupport
import Testing

@testable import KinPleasure

/// Moods change target profiles and missions by their table and by the person's earlier sessions in that mood.
@Suite struct MoodTests {
    private static let day: Int64 = 86_400_000_000
    private func instant(_ day: Int) -> Timestamp {
        Timestamp(unchecked: 1_735_689_600_000_000 + Int64(day) * Self.day)
    }

    @Test func everyMoodHasDistinctEffects() {
        #expect(Mood.neutral.effects.values == .zero)
        #expect(Set(Mood.allCases.map(\.effects)).count == Mood.allCases.count)
        for mood in Mood.allCases where mood != .neutral {
            let effects = mood.effects.values
            #expect(effects.max() > 0 && effects.min() >= -1 && effects.max() <= 1, "\(mood)")
        }
    }

    @Test func wordsAreRecognizedAsMoods() {
        for mood in Mood.allCases {
            for text in [mood.rawValue, mood.rawValue.uppercased(), "  \(mood.rawValue)\n"] {
                #expect(Mood(words: text) == mood)
            }
        }
        #expect(Mood(words: "Tired") == .depleted && Mood(words: "happy") == .joyful)
        for text in ["", " ", "not anxious", "anxious, tired", "state 3", "x", "\u{0}"] {
            #expect(Mood(words: text) == nil)
        }
    }

    @Test func shapingStaysInTheSpaceAndIsInvertible() throws {
        var random = TestSeed().generator
        func point() throws -> Pleasure {
            try Pleasure((0..<16).map { _ in [0, 1, Float(random.uniform())][random.below(3)] })
        }
        for _ in 0..<500 {
            let (p, m) = (try point(), try point())
            #expect(p.shaped(by: Mood.neutral.effects) == p)
            let reached = p.shaped(by: p.effects(leadingTo: m))
            for dimension in Pleasure.Dimension.allCases {
                #expect(abs(reached[dimension] - m[dimension]) < 1e-6)
                let (mood, before) = (Mood.allCases[random.below(Mood.allCases.count)], p[dimension])
                let (effect, after) = (mood.effects[dimension], p.shaped(by: mood.effects)[dimension])
                #expect(effect > 0 ? after >= before : effect < 0 ? after <= before : after == before)
            }
        }
    }

    /// The documented influence, computed from all sessions.
    private func expected(
        _ mood: Mood, _ sessions: [PleasureSession], _ versions: [ProfileVersion], at instant: Timestamp,
        learned: Pleasure
    ) -> (effects: [Double], count: Int) {
        let counted = sessions.filter { session in
            let version = versions.last { $0.since <= session.start }
            return (session.end ?? session.start) <= instant
                && version?.profile.currentState.flatMap(Mood.init(words:)) == mood
        }
        let effects = Pleasure.Dimension.allCases.map { dimension in
            var (n, sum) = (0.0, 0.0)
            for session in counted where session.pleasure.named.contains(dimension) {
                let age = Double(instant.microseconds - (session.end ?? session.start).microseconds) / Double(Self.day)
                n += exp2(-age / 90)
                sum += exp2(-age / 90) * Double(session.embedding[dimension])
            }
            let (p, m) = (Double(learned[dimension]), n > 0 ? sum / n : 0)
            let observed = n == 0 || m == p ? 0 : m > p ? (m - p) / (1 - p) : (m - p) / p
            return (5 * Double(mood.effects[dimension]) + n * observed) / (5 + n)
        }
        return (effects, counted.count)
    }

    @Test func effectsAreLearnedFromSessionsInTheMood() throws {
        var random = TestSeed().generator
        let words = Mood.allCases.map(\.rawValue) + ["Tired", nil, "no mood at all"]
        for round in 0..<30 {
            let versions = try (0..<random.below(6)).map { number in
                ProfileVersion(
                    since: instant(20 * number),
                    profile: try PleasureProfile(
                        userID: "u", pleasure: [.food: 0.5], currentState: words[random.below(words.count)]))
            }
            let sessions = try (0..<random.below(120)).map { number in
                let named = Pleasure.Dimension.allCases.filter { _ in random.below(3) == 0 }
                var session = try PleasureSession(
                    id: "s\(number)", userID: "u", start: instant(random.below(140)),
                    pleasure: PleasureMarks(
                        primary: [],
                        intensities: Dictionary(uniqueKeysWithValues: named.map { ($0, Float(random.uniform())) })))
                if random.below(2) == 0 { try session.end(at: instant(140 + random.below(5))) }
                return session
            }
            let history = TasteHistory(sessions: sessions, declared: versions)
            let learned = try Pleasure((0..<16).map { _ in Float(random.uniform()) })
            for _ in 0..<8 {
                let moods = Set(Mood.allCases.shuffled(using: &random).prefix(1 + random.below(4)))
                let now = instant(100 + random.below(60))
                let influence = history.influence(of: moods, at: now, learned: learned, target: learned)
                guard moods != [.neutral] else {
                    #expect(influence == nil)
                    continue
                }
                let found = try #require(influence)
                let parts = moods.subtracting([.neutral]).map {
                    expected($0, sessions, versions, at: now, learned: learned)
                }
                #expect(Set(found.moods) == moods && found.moods.count == moods.count)
                #expect(found.sessionCount == parts.reduce(0) { $0 + $1.count }, "round \(round), \(moods)")
                for dimension in Pleasure.Dimension.allCases {
                    // A neutral mood has no effect, but counts in the mean.
                    let mean = parts.reduce(0) { $0 + $1.effects[dimension.rawValue] } / Double(moods.count)
                    #expect(abs(Double(found.effects[dimension]) - mean) < 1e-5, "\(moods), \(dimension)")
                }
                #expect(found.targetBefore == learned && found.target == learned.shaped(by: found.effects))
            }
            #expect(history.influence(of: [], at: instant(200), learned: learned, target: learned) == nil)
        }
    }

    /// The sum of a mood's effects over the dimensions that the missions offer.
    private func fit(_ missions: [Mission], _ mood: Mood) -> Double {
        missions.reduce(0) { sum, mission in
            let given = Set(mission.tool.pleasures + mission.space.pleasures)
            return sum + given.reduce(0) { $0 + Double(mood.effects[$1]) }
        }
    }

    @Test func changingTheMoodChangesMissions() throws {
        let centre = try GeographicCoordinates(latitude: 52.37, longitude: 4.9)
        var (pairs, different, better) = (0, 0, 0)
        for person in 0..<6 {
            let generator = PersonGenerator(seed: 31 + UInt64(person))
            let index = try InventoryIndex(generator.inventory(count: 2000, around: centre, kilometers: 3))
            let taste = generator.person(person, sessions: 0).profile.pleasure
            func missions(_ mood: Mood) throws -> [Mission] {
                let influence = TasteHistory().influence(of: [mood], at: instant(0), learned: taste, target: taste)
                let request = MissionRequest(
                    target: influence?.target ?? taste, mood: influence, state: .idle, slot: .evening, minutes: 120,
                    location: centre)
                return try index.missions(for: request, k: 10)
            }
            let plain = try missions(.neutral)
            #expect(plain.count == 10 && plain.allSatisfy { $0.mood == nil })
            let all = try Mood.allCases.map { try missions($0) }
            for (number, mood) in Mood.allCases.enumerated() where mood != .neutral {
                #expect(fit(all[number], mood) >= fit(plain, mood), "\(mood), person \(person)")
                better += fit(all[number], mood) > fit(plain, mood) ? 1 : 0
                for mission in all[number] {
                    let change = try #require(mission.mood)
                    #expect(change.moods == [mood] && abs(change.change) <= Mission.Name.target.weight)
                    #expect(abs(mission.score - mission.parts.reduce(0) { $0 + $1.contribution }) < 1e-12)
                }
                for other in 0..<number {
                    pairs += 1
                    if all[other].map(\.tool.id) != all[number].map(\.tool.id) { different += 1 }
                }
            }
        }
        // A few moods change the missions, but not the sum of what they offer.
        #expect(better >= 6 * (Mood.allCases.count - 1) - 3, "\(better)")
        #expect(different == pairs, "\(pairs - different) of \(pairs) pairs of moods have the same missions")
    }
}
