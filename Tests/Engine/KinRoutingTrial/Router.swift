import Foundation
import KinStore

/// A process that routes until no contribution waits.
struct Router {
    let database: String
    let day: Int

    func run() async throws {
        let matcher = try Store(at: database, for: .reading, check: .brief).matcher()
        while true {
            do {
                let store = try Store(at: database, for: .writing, check: .brief)
                // A few at a time, so that the other router also runs.
                let report = try await store.route(with: matcher, at: instant(day: day, minute: 720), limit: 3)
                try await store.close()
                if report.contributions == 0 { return }
            } catch let error as KinError where error.code == .busy {
                // The other router holds the store.
            }
            try await Task.sleep(for: .milliseconds(1))
        }
    }
}

/// A minute of a day.
func instant(day: Int, minute: Int) throws -> Timestamp {
    try Timestamp(seconds: 1_767_225_600 + 86_400 * Double(day) + 60 * Double(minute))
}
