/// Sleeps whose end other rows contradict, such as a nap logged from 11:30 to 23:50 instead of 11:50, with naps and
/// meals in between.
///
/// Other sleeps that begin within a sleep are evidence unless the two rows have different authors. A sleep of 4.5 to 16
/// hours has a wrong end in one of these cases:
/// - A nap by day begins and ends within it, and the other sleeps cover less than half of it.
/// - The sleep begins by day. After a feed within it another sleep begins, covers at least half of it, and ends later
///   or has no end.
/// - The sleep begins by day, and contains two meals but no other sleep.
///
/// All evidence comes before the end, so that a forecast does not depend on later rows. Feeds in a night that is logged
/// as one sleep are not evidence, and neither are the pieces of such a night.
enum WrongEnd {
    /// The evidence against an end, in words.
    static let evidence = "other sleeps or meals"
    /// The least length of a sleep with a wrong end, in minutes. In eight logs recorded by parents, shorter sleeps with
    /// rows inside are right often enough that ignoring their ends makes forecasts worse.
    private static let shortest = 270.0

    /// The sleeps of a log with wrong ends, by position, and these ends.
    ///
    /// - Parameter rows: The counted rows, by ascending beginning.
    /// - Complexity: O(n · rows of a sleep).
    static func ends(in rows: [RhythmRecord]) -> [(place: Int, end: LoggedTime)] {
        rows.indices.compactMap { place in isWrong(place, in: rows) ? rows[place].end.map { (place, $0) } : nil }
    }

    /// Whether the row at a position is a sleep with a wrong end.
    static func isWrong(_ place: Int, in rows: [RhythmRecord]) -> Bool {
        let row = rows[place]
        guard case .sleep(let sleep) = row.event, let end = sleep.end else { return false }
        let (start, length) = (row.start.minute, end.minutes(since: row.start))
        guard length >= shortest, length <= RhythmModels.longestSleep else { return false }
        let isByDay = RhythmModels.isByDay(row.start.localMinutes)
        var (covered, reached) = (0.0, start)
        var (hasNap, hasNight) = (false, false)
        var meals: [Double] = []
        for other in rows[(place + 1)...] {
            if other.start >= end { break }
            if other.note?.isRemoved == true || other.start == row.start { continue }
            let begin = other.start.minute
            switch other.event {
            case .feed:
                if begin - (meals.last ?? -.infinity) >= RhythmModels.feedGap { meals.append(begin) }
            case .sleep(let inner):
                if let author = row.note?.author, let second = other.note?.author, author != second { continue }
                if !meals.isEmpty, inner.end.map({ $0 > end }) ?? true, end.minute - begin >= length / 2 {
                    hasNight = true
                }
                guard let until = inner.end?.minute, until - begin >= RhythmModels.shortestSleep else { continue }
                hasNap = hasNap || until < end.minute && RhythmModels.isByDay(other.start.localMinutes)
                covered += max(0, min(until, end.minute) - max(begin, reached))
                reached = max(reached, until)
            case .diaper, .milestone: break
            }
        }
        return hasNap && covered < length / 2
            || isByDay && (hasNight || meals.count > 1 && covered == 0)
    }
}
