import Foundation
import Kin
import KinSamples
import Measuring

/// The selector of a person with a year's history: its creation, the queue, today's challenge, and a completed one.
struct ChallengePart {
    let seed: UInt64

    func run() throws {
        print("\n| challenges | catalogue | selector | suggestions, empty queue | suggestions | today | completed |")
        print("| ---: | ---: | ---: | ---: | ---: | ---: | ---: |")
        for count in [200, 2000] { try row(count) }
    }

    private func row(_ count: Int) throws {
        let challenges = ChallengeGenerator(seed: seed).challenges(count)
        let catalog = try ChallengeCatalog(challenges)
        let preferences = try ChallengePreferences(userID: "u1")
        let zone = try LocalZone(named: "Europe/Berlin")
        let profile = ["mobility": 0.7, "food": 0.2]
        var living = try ChallengeSelector(catalog: catalog, preferences: preferences, zone: zone, profile: profile)
        var now = try Timestamp(parsing: "2025-01-01T08:00:00Z")
        for day in 0..<365 {
            _ = try living.today(at: now)
            if day % 5 < 3 {
                try living.complete(rating: 1 + day % 5, at: now)
            } else if day % 5 == 3 {
                try living.skip(at: now)
            }
            now = try Timestamp(microseconds: now.microseconds + 86_400_000_000)
        }
        let year = living
        let open = year.changes.decisions.values.filter { $0.reward == nil && !$0.isWithdrawn }
        func create() throws -> ChallengeSelector {
            try ChallengeSelector(
                catalog: catalog, preferences: preferences, zone: zone, profile: profile, state: year.state,
                history: year.history, open: Array(open))
        }
        let selector = try create()
        func micros(_ work: () throws -> Void) rethrows -> String {
            String(format: "%.0f µs", try Timing.measure(seconds: 0.5, work).median * 1e6)
        }
        let fresh = try ChallengeSelector(
            catalog: catalog, preferences: preferences, zone: zone, profile: profile, history: year.history)
        let cells = [
            try micros { _ = try ChallengeCatalog(challenges) }, try micros { _ = try create() },
            try micros {
                var copy = fresh
                _ = try copy.suggestions(at: now)
            },
            try micros {
                var copy = selector
                _ = try copy.suggestions(at: now)
            },
            try micros {
                var copy = selector
                _ = try copy.today(at: now)
            },
            try micros {
                var copy = selector
                try copy.complete(rating: 4, at: now)
            },
        ]
        print("| \(count) | \(cells.joined(separator: " | ")) |")
    }
}
