import KinTestSupport
import Testing

@testable import KinChallenges

/// Choices of new people, and the share of choices for variety.
@Suite("Challenges that nothing distinguishes")
struct ChallengeFairnessTests {
    private let start = try! Timestamp(parsing: "2026-01-05T08:00:00Z")
    private let words = ["calm", "focus", "sleep", "breath", "outdoors", "walk", "music", "friends", "books"]

    /// The number of people of 240 whose first challenge has each property.
    private func firsts(_ catalog: ChallengeCatalog, by property: (Challenge) -> String) throws -> [String: Int] {
        var counts: [String: Int] = [:]
        for person in 0..<240 {
            let preferences = try ChallengePreferences(userID: "u\(person)")
            var selector = try ChallengeSelector(catalog: catalog, preferences: preferences, zone: .utc)
            guard case .given(_, let challenge?) = try selector.today(at: start) else { continue }
            counts[property(challenge), default: 0] += 1
        }
        return counts
    }

    @Test("new people get challenges with few and with many tags equally often")
    func tags() throws {
        let catalog = try ChallengeCatalog(
            ["a", "b", "c", "d"].flatMap { category in
                try [0, 1, 3, 6].map { count in
                    try Challenge(
                        id: "\(category)\(count)", title: "t", category: category, time: .minutes(10),
                        tags: Array(words.prefix(count)))
                }
            })
        let counts = try firsts(catalog) { "\($0.tags.count)" }
        #expect(counts.count == 4 && counts.values.allSatisfy { (30...90).contains($0) }, "\(counts)")
    }

    @Test("a tag whose hash meets its category's does not hide a category")
    func collisions() throws {
        let catalog = try ChallengeCatalog(
            words.flatMap { category in
                try (0..<6).map {
                    try Challenge(
                        id: "\(category)\($0)", title: "t", category: category, time: .minutes(10),
                        tags: [category, "\($0)"])
                }
            })
        let counts = try firsts(catalog, by: \.category)
        #expect(counts.count == words.count && counts.values.allSatisfy { $0 >= 8 }, "\(counts)")
    }

    @Test("variety is the share of choices that avoid categories, and at most a sixth avoid four")
    func varietyIsAShare() {
        let count = 6000
        for percent in 0...100 {
            let value = Double(percent) / 100
            let variety = ChallengeVariety(value)
            let avoided = (1...count).map { variety.avoidedCount(byDecision: $0) }
            let (any, four) = (avoided.count { $0 > 0 }, avoided.count { $0 == 4 })
            #expect(abs(Double(any) - value * Double(count)) <= 1, "\(value): \(any)")
            #expect(abs(Double(four) - min(value, 1.0 / 6) * Double(count)) <= 2, "\(value): \(four)")
        }
    }

    @Test("the order of a suggestion says what was chosen, and among what")
    func orders() throws {
        let catalog = try ChallengeCatalog(
            words.map { try Challenge(id: $0, title: "t", category: $0, time: .minutes(10)) })
        for selection in ChallengePreferences.Selection.allCases {
            for variety in [nil, 0] as [Double?] {
                let preferences = try ChallengePreferences(userID: "u", selection: selection, variety: variety)
                var selector = try ChallengeSelector(catalog: catalog, preferences: preferences, zone: .utc)
                guard case .queue(let queue) = try selector.suggestions(at: start) else {
                    Issue.record("no queue")
                    continue
                }
                let origin = variety == nil ? "until a challenge is completed" : "set by the preferences"
                for suggestion in queue {
                    #expect(suggestion.order.contains("a random choice") == (selection == .random))
                    #expect(suggestion.order.hasSuffix("(\(origin))"), "\(suggestion.order)")
                }
                // All places but the one that was filled first leave the categories of the queue out.
                let all = queue.filter { $0.order.contains("of all categories") }
                #expect(all.count == 1 && all[0].decision.number == 1, "\(queue.map(\.order))")
                #expect(queue.allSatisfy { $0.avoided.isEmpty == ($0.decision.number == 1) })
            }
        }
    }
}
