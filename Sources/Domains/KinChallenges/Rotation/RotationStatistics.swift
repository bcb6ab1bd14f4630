public import KinCore
import KinJSON

/// What a person's reflections add up to.
public struct RotationStatistics: Sendable, Hashable {
    /// Reflections, and those of days whose action was done.
    public struct Share: Sendable, Hashable {
        /// Days that were reflected on.
        public internal(set) var reflected = 0
        /// Of these, the days whose action was done.
        public internal(set) var completed = 0

        /// completed ∕ reflected; nil when nothing was reflected on.
        public var rate: Double? { reflected > 0 ? Double(completed) / Double(reflected) : nil }
    }

    /// All days.
    public let all: Share
    /// The days of each domain that was reflected on.
    public let byDomain: [ContentDomain: Share]
    /// How many dates in a row, up to today or yesterday, were completed.
    public let currentStreak: Int
    /// The most dates in a row that ever were.
    public let longestStreak: Int

    /// - Parameters:
    ///   - reflections: In any order; of several of one date the latest counts, and none of a date after today.
    ///   - today: The date where the person is.
    /// - Complexity: O(n log n).
    public init(_ reflections: some Sequence<DailyReflection>, today: LocalDay) {
        var latest: [LocalDay: DailyReflection] = [:]
        for reflection in reflections where reflection.date <= today {
            if let known = latest[reflection.date], known.time > reflection.time { continue }
            latest[reflection.date] = reflection
        }
        var all = Share()
        var byDomain: [ContentDomain: Share] = [:]
        for reflection in latest.values {
            all.reflected += 1
            byDomain[reflection.domain, default: Share()].reflected += 1
            guard reflection.isCompleted else { continue }
            all.completed += 1
            byDomain[reflection.domain, default: Share()].completed += 1
        }
        var (run, longest, current) = (0, 0, 0)
        var last: LocalDay?
        for date in latest.values.filter(\.isCompleted).map(\.date).sorted() {
            run = last.map { $0.advanced(by: 1) == date } == true ? run + 1 : 1
            longest = max(longest, run)
            last = date
        }
        // Today may still come; a streak ends when a whole date went by.
        if let last, last >= today.advanced(by: -1) { current = run }
        self.all = all
        self.byDomain = byDomain
        currentStreak = current
        longestStreak = longest
    }

    /// The statistics as a JSON object, on one line.
    public var json: String {
        var writer = JSONWriter()
        writer.object { writer in
            all.writeMembers(to: &writer)
            writer.member("current_streak") { $0.integer(currentStreak) }
            writer.member("longest_streak") { $0.integer(longestStreak) }
            writer.member("domains") { writer in
                writer.object { writer in
                    for domain in ContentDomain.allCases {
                        guard let share = byDomain[domain] else { continue }
                        writer.member(domain.rawValue) { $0.object { share.writeMembers(to: &$0) } }
                    }
                }
            }
        }
        return writer.text
    }
}

extension RotationStatistics.Share {
    fileprivate func writeMembers(to writer: inout JSONWriter) {
        writer.member("reflected") { $0.integer(reflected) }
        writer.member("completed") { $0.integer(completed) }
        writer.member("completion_rate") { writer in
            if let rate { writer.number(rate) } else { writer.null() }
        }
    }
}
