import KinCore

/// The union of rows that are of one event: duplicates, and what several caregivers logged, each on their own.
///
/// Two rows of one type by different authors are of one event when
/// - sleeps: they overlap by half of the shorter one; after one without an end the other begins within ``nearestOpenMinutes``;
/// - feeds: they begin at most ``maximumStartDifference`` apart, or one during the other, and their methods do not differ;
/// - diapers: they are at most ``maximumStartDifference`` apart;
/// - milestones: they have one title and one date.
///
/// A caregiver has at most one row of an event, so two bottles that one person logs are two. The merged row begins and ends a sleep with the
/// first and the last of its rows; other fields are those of the row that was updated last, or else of the other one. Forecasts observe
/// every row, since overlapping sleeps are one and near feeds one meal there.
struct CaregiverMerge {
    /// The events by ascending beginning.
    private(set) var records: [RhythmRecord] = []
    private(set) var repairs: [RhythmRepair] = []
    /// The rows of the instant that was read last, plain, each as it was before a merge.
    private var seen: Set<RhythmRecord> = []
    private var seenStart: LoggedTime?
    /// The authors of each merged event, by its index in ``records``.
    private var authors: [Int: Set<String>] = [:]

    /// The largest distance of the beginnings of two rows of one feed or diaper, in minutes.
    static let maximumStartDifference = 10.0
    /// The largest distance of the beginnings of two rows of one sleep of which the first has no end, in minutes.
    static let nearestOpenMinutes = 30.0

    /// Merges rows of one event.
    ///
    /// - Parameter rows: The rows by ascending beginning.
    /// - Complexity: O(n · rows of a day).
    init(_ rows: [RhythmRecord]) {
        records.reserveCapacity(rows.count)
        for row in rows {
            if isDuplicate(row) {
                repairs.append(RhythmRepair(row, .duplicate, "the same as an earlier row; counted once"))
            } else if let author = row.author, let place = event(of: row, by: author) {
                let other = records[place]
                authors[place, default: Set([other.author].compactMap(\.self))].insert(author)
                repairs.append(
                    RhythmRepair(
                        row, .severalCaregivers,
                        "by \(author), is of one event with \(other.label) by \(other.author ?? ""); counted once"))
                records[place] = other.merged(with: row)
            } else {
                records.append(row)
            }
        }
    }

    /// Whether a row says what an earlier one said, apart from its id and when it was written; notes the row.
    private mutating func isDuplicate(_ row: RhythmRecord) -> Bool {
        if seenStart != row.start { (seen, seenStart) = ([], row.start) }
        return !seen.insert(row.withoutIdentity).inserted
    }

    /// The index of the event of another caregiver that a row is of.
    private func event(of row: RhythmRecord, by author: String) -> Int? {
        let earliest = row.start.minute - row.longestDistance
        for place in records.indices.reversed() {
            let other = records[place]
            guard other.start.minute >= earliest else { return nil }
            guard let first = other.author, other.isOfOneEvent(with: row) else { continue }
            if !(authors[place]?.contains(author) ?? (first == author)) { return place }
        }
        return nil
    }
}

extension RhythmRecord {
    /// The author of the row; nil for none.
    fileprivate var author: String? { note?.author.flatMap { $0.isEmpty ? nil : $0 } }

    /// The row without its number, its id and the instants of its writing.
    fileprivate var withoutIdentity: RhythmRecord {
        var plain = self
        plain.row = 0
        var note = note ?? Note()
        (note.id, note.created, note.updated) = (nil, nil, nil)
        plain.note = note
        return plain
    }

    /// The minutes before a row in which another one of its event may begin.
    fileprivate var longestDistance: Double {
        switch event {
        case .sleep: RhythmModels.longestSleep
        case .feed: RhythmCleaning.longestFeed
        case .diaper: CaregiverMerge.maximumStartDifference
        case .milestone: 1440
        }
    }

    /// Whether a row and a later one may be of one event, whoever wrote them.
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

    /// The row of an event that a later row of another caregiver is of.
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
