/// The merge of rows about the same event: duplicates, rows of several caregivers who logged it independently, and
/// sleeps that two apps recorded.
///
/// Two rows of one type by different authors are about the same event under these conditions:
/// - sleeps: they overlap by half of the shorter one; if the first has no end, the second begins within
///   ``nearestOpenMinutes``. Authors may be equal or missing if neither sleep is longer than 16 hours and the first has
///   an end or the second begins within ``maximumStartDifference``;
/// - feeds: they begin at most ``maximumStartDifference`` apart, or one during the other, and their methods do not
///   differ;
/// - diapers: they are at most ``maximumStartDifference`` apart;
/// - milestones: they have the same title and date.
///
/// A caregiver has at most one row for a feed, so two bottles logged by one person are two feeds. A merged sleep
/// begins with the first of its rows and ends with the last. All other fields come from the most recently updated row,
/// or from the other row if they are missing there. Forecasts observe all rows, since they join overlapping sleeps, and
/// near feeds into meals.
struct CaregiverMerge {
    /// The events by ascending beginning.
    private(set) var records: [RhythmRecord] = []
    private(set) var repairs: [RhythmRepair] = []
    /// The rows of the last instant read, without identity, each as it was before a merge.
    private var seen: Set<RhythmRecord> = []
    private var seenStart: LoggedTime?
    /// The authors of each merged event, by its index in ``records``.
    private var authors: [Int: Set<String>] = [:]

    /// The largest difference between the beginnings of two rows about one feed or diaper, in minutes.
    static let maximumStartDifference = 10.0
    /// The largest difference between the beginnings of two rows about one sleep if the first has no end, in minutes.
    static let nearestOpenMinutes = 30.0

    /// Merges rows about the same event.
    ///
    /// - Parameter rows: The rows by ascending beginning.
    /// - Complexity: O(n · rows of a day).
    init(_ rows: [RhythmRecord]) {
        records.reserveCapacity(rows.count)
        for row in rows {
            if isDuplicate(row) {
                repairs.append(RhythmRepair(row, .duplicate, "the same as an earlier row; counted once"))
            } else if let (place, isByAnother) = event(of: row) {
                let (other, author) = (records[place], row.author ?? "")
                authors[place, default: Set([other.author].compactMap(\.self))].insert(author)
                repairs.append(
                    isByAnother
                        ? RhythmRepair(
                            row, .severalCaregivers,
                            "by \(author), is of one event with \(other.label) by \(other.author ?? ""); counted once")
                        : RhythmRepair(row, .overlap, "begins before \(other.label) ends; counted as one sleep"))
                records[place] = other.merged(with: row)
            } else {
                records.append(row)
            }
        }
    }

    /// Whether a row equals an earlier one, apart from its id and times of writing; remembers the row.
    private mutating func isDuplicate(_ row: RhythmRecord) -> Bool {
        if seenStart != row.start { (seen, seenStart) = ([], row.start) }
        return !seen.insert(row.withoutIdentity).inserted
    }

    /// The index of the event that a row is about, and whether a different caregiver logged it; nil for a new event.
    private func event(of row: RhythmRecord) -> (place: Int, isByAnother: Bool)? {
        let earliest = row.start.minute - row.longestDistance
        for place in records.indices.reversed() {
            let other = records[place]
            guard other.start.minute >= earliest else { return nil }
            guard other.isOfOneEvent(with: row) else { continue }
            var isByAnother = false
            if let first = other.author, let author = row.author {
                isByAnother = !(authors[place]?.contains(author) ?? (first == author))
            }
            if isByAnother || other.isOfOneSleep(with: row) { return (place, isByAnother) }
        }
        return nil
    }
}

extension RhythmRecord {
    /// The author of the row; nil for none.
    fileprivate var author: String? { note?.author.flatMap { $0.isEmpty ? nil : $0 } }

    /// The row without its number, its id and its times of writing.
    fileprivate var withoutIdentity: RhythmRecord {
        var plain = self
        plain.row = 0
        var note = note ?? Note()
        (note.id, note.created, note.updated) = (nil, nil, nil)
        plain.note = note
        return plain
    }

    /// The longest time, in minutes, from a row's beginning to a later row about the same event.
    fileprivate var longestDistance: Double {
        switch event {
        case .sleep: RhythmModels.longestSleep
        case .feed: RhythmCleaning.longestFeed
        case .diaper: CaregiverMerge.maximumStartDifference
        case .milestone: 1440
        }
    }

    /// Whether this row and a later one may be about the same event, ignoring their authors.
    fileprivate func isOfOneEvent(with later: RhythmRecord) -> Bool {
        let (a, b) = (start.minute, later.start.minute)
        switch (event, later.event) {
        case (.sleep(let first), .sleep(let second)):
            guard let firstEnd = first.end?.minute else { return b - a <= CaregiverMerge.nearestOpenMinutes }
            let secondEnd = second.end?.minute ?? .infinity
            let shared = min(firstEnd, secondEnd) - b
            return shared > 0 && 2 * shared >= min(firstEnd - a, secondEnd - b)
        case (.feed(let first), .feed(let second)):
            let isNear = b - a <= CaregiverMerge.maximumStartDifference || b < first.end?.minute ?? a
            return isNear && (first.method == nil || second.method == nil || first.method == second.method)
        case (.diaper, .diaper): return b - a <= CaregiverMerge.maximumStartDifference
        case (.milestone(let first, _), .milestone(let second, _)):
            return first.lowercased() == second.lowercased() && start.reading.date == later.start.reading.date
        default: return false
        }
    }

    /// Whether this row and a later one about the same event are one sleep even if one person logged both.
    fileprivate func isOfOneSleep(with later: RhythmRecord) -> Bool {
        guard case .sleep = event else { return false }
        let isPossible = [self, later].allSatisfy {
            ($0.end?.minutes(since: $0.start) ?? 0) <= RhythmModels.longestSleep
        }
        return isPossible && (end != nil || later.start.minutes(since: start) <= CaregiverMerge.maximumStartDifference)
    }

    /// The event's row, merged with a later row of a different caregiver.
    fileprivate func merged(with later: RhythmRecord) -> RhythmRecord {
        var merged = self
        let isNewer =
            (later.note?.updated?.microseconds ?? .min, later.row) >= (note?.updated?.microseconds ?? .min, row)
        let (new, old) = isNewer ? (later, self) : (self, later)
        merged.note = new.note
        switch (new.event, old.event) {
        case (.sleep(let new), .sleep(let old)):
            merged.event = .sleep(
                Sleep(
                    end: [new.end, old.end].compactMap(\.self).max(), quality: new.quality ?? old.quality,
                    napNumber: new.napNumber ?? old.napNumber, isNight: new.isNight ?? old.isNight))
        case (.feed(let new), .feed(let old)):
            merged.event = .feed(
                Feed(
                    end: new.end ?? old.end, method: new.method ?? old.method, side: new.side ?? old.side,
                    millilitres: new.millilitres ?? old.millilitres, minutes: new.minutes ?? old.minutes,
                    food: new.food ?? old.food))
        default: merged.event = new.event
        }
        return merged
    }
}
