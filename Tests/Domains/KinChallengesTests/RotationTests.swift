import KinChallenges
import KinJSON
import KinTestSupport
import Testing

@Suite("Rotation of daily content")
struct RotationTests {
    let library = ContentGenerator().library()

    func rotation(from date: String, focus: ContentDomain? = nil) throws -> ContentRotation {
        try ContentRotation(
            userID: "u1", from: LocalDay(parsing: date), focus: focus, refresh: TimeOfDay(parsing: "06:00"),
            reminder: TimeOfDay(parsing: "20:30"))
    }

    @Test("day d shows item ((d - 1) mod 364) + 1, even within a domain")
    func formula() throws {
        for focus in [nil] + ContentDomain.allCases.map(Optional.some) {
            var rotation = try rotation(from: "2026-01-01", focus: focus)
            let items = library.items.filter { focus == nil || $0.domain == focus }
            for day in 1...800 {
                #expect(rotation.day == day)
                #expect(try rotation.item(in: library) == items[(day - 1) % items.count])
                rotation.advance(to: rotation.date.advanced(by: 1))
            }
        }
    }

    @Test("an old app shows the next item it supports and the day it replaces")
    func appVersions() throws {
        let (old, new) = (try AppVersion(parsing: "1.2"), try AppVersion(parsing: "1.10"))
        let items = try library.items.map { item in
            try ContentItem(
                id: item.id, quote: item.quote, source: item.source, action: item.action, minutes: item.minutes,
                domain: item.domain, difficulty: item.difficulty,
                minimumAppVersion: [3, 4, 5, 364].contains(item.id) ? AppVersion(parsing: "1.3") : nil)
        }
        let library = try ContentLibrary(items)
        let rotation = try rotation(from: "2026-01-01")
        func days(_ version: AppVersion?) throws -> [[Int?]] {
            try rotation.timeline(
                at: Timestamp(parsing: "2026-01-02T12:00:00Z"), in: .utc, library: library, count: 4, for: version
            ).map { [$0.day, $0.item.id, $0.insteadOf] }
        }
        #expect(try days(new) == [[2, 2, nil], [3, 3, nil], [4, 4, nil], [5, 5, nil]])
        #expect(try days(nil) == days(new))
        #expect(try days(old) == [[2, 2, nil], [3, 6, 3], [4, 6, 4], [5, 6, 5]])
        // On the last day of the year, the replacement is the first item.
        #expect(library.item(day: 364, for: old)?.id == 1)
        let all = try ContentLibrary(
            items.map { item in
                try ContentItem(
                    parsing: item.json.replacing("}", with: ",\"minimumAppVersion\":2}")
                        .replacing(",\"minimum_app_version\":\"1.3\"", with: ""))
            })
        #expect(kinError { try rotation.item(in: all, for: old) }.says("newer than 1.2"))
        #expect(try rotation.item(in: all).minimumAppVersion?.description == "2.0")
    }

    @Test("a year without the focus or without advanced days shows the nearest content that it has")
    func contentWithoutTheFocus() throws {
        let items = try library.items.map { item in
            try ContentItem(
                id: item.id, quote: item.quote, source: item.source, action: item.action, minutes: item.minutes,
                domain: item.id % 2 == 0 ? .health : .consciousness, difficulty: .beginner)
        }
        let plain = try ContentLibrary(items)
        #expect(plain.item(day: 5, focus: .wealth)?.id == 5 && plain.item(day: 6, advancedOnly: true)?.id == 6)
        #expect(plain.item(day: 5, focus: .health, advancedOnly: true)?.id == 10)
        var rotation = try rotation(from: "2026-01-01")
        #expect(kinError { try rotation.setFocus(.wealth, in: plain) }.says("no content about wealth"))
        try rotation.setFocus(.wealth, in: library)
        let now = try Timestamp(parsing: "2026-01-02T12:00:00Z")
        #expect(try rotation.timeline(at: now, in: .utc, library: plain).map(\.item.id) == Array(2...8))
    }

    @Test("a new focus starts at day 1, and an advanced year follows a full one")
    func restarts() throws {
        var rotation = try rotation(from: "2026-01-01")
        rotation.advance(to: try LocalDay(parsing: "2026-01-10"))
        try rotation.setFocus(.health, in: library)
        #expect(rotation.day == 1 && rotation.daysInAll == 10)
        rotation.advance(to: try LocalDay(parsing: "2026-01-12"))
        try rotation.setFocus(.health, in: library)
        #expect(rotation.day == 3)
        rotation.advance(to: try LocalDay(parsing: "2026-12-30"))
        #expect(rotation.daysInAll == 364 && !rotation.mayStartAdvancedYear)
        #expect(throws: KinError.self) { try rotation.startAdvancedYear(in: library) }
        rotation.advance(to: try LocalDay(parsing: "2026-12-31"))
        try rotation.startAdvancedYear(in: library)
        #expect(rotation.day == 1 && rotation.isAdvanced)
        let advanced = library.items.filter { $0.domain == .health && $0.difficulty == .advanced }
        for day in 0..<60 {
            #expect(try rotation.item(in: library) == advanced[day % advanced.count])
            rotation.advance(to: rotation.date.advanced(by: 1))
        }
        #expect(throws: KinError.self) { try rotation.startAdvancedYear(in: library) }
        #expect(try ContentRotation(json: rotation.json) == rotation)
    }

    @Test("in every zone the day advances once a date at the refresh time")
    func everyZone() throws {
        let first = try LocalDay(parsing: "2026-01-01")
        for (place, name) in PinnedZones.references.map(\.name).enumerated() {
            let zone = try PinnedZones.zone(name)
            var rotation = try rotation(from: "2026-01-01")
            for number in stride(from: 1, to: 365, by: place % 4 == 0 ? 1 : 7) {
                let start = zone.instant(on: first.advanced(by: number), at: rotation.refresh)
                rotation.advance(to: try Timestamp(microseconds: start.microseconds - 1), in: zone)
                #expect(rotation.day == number, "\(name)")
                let timeline = try rotation.timeline(at: start, in: zone, library: library)
                rotation.advance(to: start, in: zone)
                #expect(rotation.day == number + 1, "\(name)")
                #expect(timeline.count == 7 && timeline[0].start == start && timeline[0].day == number + 1)
                for (entry, next) in zip(timeline, timeline.dropFirst()) {
                    #expect(entry.end == next.start && entry.day + 1 == next.day && entry.date < next.date)
                    #expect(entry.start == entry.refresh && entry.refresh < entry.end)
                    #expect(zone.timeOfDay(at: entry.refresh).description == "06:00")
                    #expect(entry.reminder.map { zone.timeOfDay(at: $0).description } == "20:30")
                }
            }
        }
    }

    @Test("travel never moves the day back or repeats a date", arguments: [1, 2, 3, 4] as [UInt64])
    func travel(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let names = [
            "Asia/Tokyo", "America/Los_Angeles", "Europe/Berlin", "Pacific/Auckland", "Pacific/Kiritimati",
            "Pacific/Pago_Pago", "Asia/Kathmandu",
        ]
        let zones = try names.map { name throws(KinError) in try PinnedZones.zone(name) }
        var now = try Timestamp(parsing: "2026-02-20T10:00:00Z")
        var zone = zones[0]
        var rotation = try ContentRotation(userID: "u", from: zone.day(at: now))
        var often = rotation
        var latest = rotation.date
        for _ in 0..<3000 {
            now = try Timestamp(microseconds: now.microseconds + Int64(generator.below(30 * 3600)) * 1_000_000)
            if generator.below(4) == 0 { zone = zones[generator.below(zones.count)] }
            let before = rotation
            rotation.advance(to: now, in: zone)
            for _ in 0..<3 { often.advance(to: now, in: zone) }
            let date = zone.day(at: now)
            latest = max(latest, date)
            #expect(rotation.date == latest && rotation == often, "seed \(seed)")
            #expect(rotation.day - before.day == latest.number - before.date.number)
            #expect(rotation.day >= before.day)
            let timeline = try rotation.timeline(at: now, in: zone, library: library)
            #expect(timeline.count == 7 && timeline[0].day == rotation.day)
            #expect(timeline[0].start <= now && now < timeline[0].end)
        }
    }

    @Test("a date keeps its day whenever it is queried, and earlier segments stay")
    func anyDate() throws {
        var rotation = try rotation(from: "2026-01-01")
        rotation.advance(to: try LocalDay(parsing: "2026-01-10"))
        try rotation.setFocus(.health, in: library)
        rotation.advance(to: try LocalDay(parsing: "2027-05-01"))
        #expect(rotation.day == 477 && rotation.daysInAll == 486)
        for (date, day, inAll, focus) in [
            ("2026-01-04", 4, 4, nil), ("2026-01-09", 9, 9, nil), ("2026-01-10", 1, 10, ContentDomain.health),
            ("2026-02-01", 23, 32, .health), ("2030-01-10", 1462, 1471, .health), ("2025-12-30", 1, 1, nil),
        ] {
            let then = rotation.on(try LocalDay(parsing: date))
            #expect(then.day == day && then.daysInAll == inAll && then.focus == focus, "\(date)")
        }
        #expect(rotation.day == 477)
        // A query for an earlier instant returns that day; a journey west does not.
        let tokyo = try LocalZone(named: "Asia/Tokyo")
        let hawaii = try LocalZone(named: "Pacific/Honolulu")
        let now = try Timestamp(parsing: "2027-05-10T22:00:00Z")
        rotation.advance(to: now, in: tokyo)
        #expect(rotation.date.description == "2027-05-11")
        #expect(rotation.at(try Timestamp(parsing: "2027-05-10T23:00:00Z"), in: hawaii).date == rotation.date)
        #expect(
            rotation.at(try Timestamp(parsing: "2027-05-10T21:00:00Z"), in: hawaii).date.description == "2027-05-10")
        #expect(try ContentRotation(json: rotation.json) == rotation)
    }

    @Test("a wrong future clock is corrected, and crossing the date line changes nothing")
    func wrongClock() throws {
        let now = try Timestamp(parsing: "2026-03-05T12:00:00Z")
        // Begun in 2031, with a different focus, and in an advanced year that the user had not reached.
        var rotation = try rotation(from: "2026-03-01")
        rotation.advance(to: try Timestamp(parsing: "2031-01-01T00:00:00Z"), in: .utc)
        try rotation.setFocus(.wealth, in: library)
        rotation.advance(to: try LocalDay(parsing: "2031-01-03"))
        try rotation.startAdvancedYear(in: library)
        rotation.correctClock(at: now, in: .utc)
        #expect(rotation.date.description == "2026-03-05" && rotation.day == 1 && rotation.daysInAll == 5)
        #expect(rotation.focus == .wealth && !rotation.isAdvanced && rotation.reached == now)
        #expect(rotation.on(try LocalDay(parsing: "2026-03-04")).day == 4)
        var late = try self.rotation(from: "2031-03-01")
        late.correctClock(at: now, in: .utc)
        #expect(late.date.description == "2026-03-05" && late.day == 1 && late.segments.count == 1)
        // A user who had completed a year stays in the advanced one.
        var year = try self.rotation(from: "2025-01-01")
        year.advance(to: try LocalDay(parsing: "2031-01-01"))
        try year.startAdvancedYear(in: library)
        year.correctClock(at: now, in: .utc)
        #expect(year.isAdvanced && year.day == 1 && year.daysInAll == 429)
        // For two hours a day, the date on Kiritimati is two days later than on Baker Island.
        let kiritimati = try LocalZone(named: "Pacific/Kiritimati")
        let instant = try Timestamp(parsing: "2026-03-05T10:30:00Z")
        var traveller = try ContentRotation(userID: "u", from: kiritimati.day(at: instant))
        traveller.advance(to: instant, in: kiritimati)
        let before = traveller
        let baker = try LocalZone(named: "Etc/GMT+12")
        #expect(baker.day(at: instant).number + 2 == before.date.number)
        traveller.correctClock(at: instant, in: baker)
        #expect(traveller == before)
    }

    @Test("a day set by the user counts towards the advanced year in every segment")
    func setDaysCount() throws {
        let first = try LocalDay(parsing: "2026-01-01")
        for began in [0, 1, 30, 400] {
            for day in [1, 2, 300, 363, 364, 365, 366, 1000] {
                for focus in [nil, ContentDomain.health] {
                    var rotation = try rotation(from: "2026-01-01")
                    rotation.advance(to: first.advanced(by: began))
                    try rotation.setFocus(focus, in: library)
                    try rotation.setDay(day)
                    let days = max(began + 1, day)
                    #expect(rotation.day == day && rotation.daysInAll == days, "\(began) \(day)")
                    #expect(rotation.mayStartAdvancedYear == (days > 364))
                    #expect(try ContentRotation(json: rotation.json).daysInAll == days)
                    let tomorrow = rotation.on(rotation.date.advanced(by: 1))
                    #expect(tomorrow.daysInAll == days + 1)
                    #expect(rotation.on(first).daysInAll == (began == 0 ? days : 1))
                    guard days > 364 else {
                        #expect(throws: KinError.self) { try rotation.startAdvancedYear(in: library) }
                        continue
                    }
                    try rotation.startAdvancedYear(in: library)
                    #expect(rotation.isAdvanced && rotation.day == 1)
                    // A clock that was ahead changes the focus: the advanced year continues.
                    let date = rotation.date
                    rotation.advance(to: date.advanced(by: 900))
                    try rotation.setFocus(focus == nil ? .wealth : nil, in: library)
                    let noon = LocalZone.utc.instant(on: date, at: TimeOfDay(minute: 720))
                    rotation.correctClock(at: noon, in: .utc)
                    #expect(rotation.isAdvanced && rotation.date <= date.advanced(by: 1), "\(began) \(day)")
                }
            }
        }
    }

    @Test("a rotation of release 0.1.0 is read, even after a query moved it")
    func earlierRelease() throws {
        let old = try ContentRotation(
            json: """
                {"user_id":"u1","current_day":400,"date":"2027-04-04","domain_focus":null,"is_advanced":false,"days_in_all":400,\
                "refresh_time":"06:00","evening_reminder":null}
                """)
        #expect(old.day == 400 && old.daysInAll == 400 && old.segments.count == 1)
        #expect(old.at(try Timestamp(parsing: "2026-03-03T10:00:00Z"), in: .utc).day == 3)
        let other = try ContentRotation(
            json: #"{"user_id":"u1","current_day":3,"date":"2026-01-12","domain_focus":"health","days_in_all":12}"#)
        #expect(other.day == 3 && other.daysInAll == 12 && other.segments.count == 2)
        #expect(try ContentRotation(json: other.json) == other)
        for (wrong, word) in [
            (#"{"user_id":"u1","current_day":3,"date":"2026-01-12","days_in_all":2}"#, "days_in_all"),
            (#"{"user_id":"u1","current_day":1099511627776,"date":"2026-01-12"}"#, "current_day"),
            (
                #"{"user_id":"u1","current_day":3,"date":"2026-01-12","segments":[{"from":"2026-01-10"},{"from":"2026-01-09"}]}"#,
                "segments"
            ),
        ] {
            #expect(kinError { try ContentRotation(json: wrong) }.says(word))
        }
    }

    @Test("a day set by the user is counted from its date on")
    func setsTheDay() throws {
        var random = TestSeed().generator
        for _ in 0..<60 {
            let first = try LocalDay(parsing: "2026-01-01")
            var rotation = try rotation(from: "2026-01-01")
            // The expected day of each date.
            var expected: [Int: Int] = [:]
            var day = 1
            for number in 0..<200 {
                rotation.advance(to: first.advanced(by: number))
                if random.below(40) == 0 {
                    day = 1 + random.below(ContentRotation.mostDays)
                    try rotation.setDay(day)
                } else if random.below(60) == 0,
                    let focus = ContentDomain.allCases.first(where: { $0 != rotation.focus })
                {
                    try rotation.setFocus(focus, in: library)
                    day = 1
                }
                #expect(rotation.day == day)
                let item = try rotation.item(in: library)
                #expect(library.item(day: day, focus: rotation.focus, advancedOnly: false) == item)
                expected[number] = day
                day += 1
            }
            let read = try ContentRotation(json: rotation.json)
            #expect(read == rotation)
            for number in 0..<200 { #expect(read.on(first.advanced(by: number)).day == expected[number]) }
        }
        for wrong in [0, -3, ContentRotation.mostDays + 1, .max] {
            var rotation = try rotation(from: "2026-01-01")
            #expect(errorCode { try rotation.setDay(wrong) } == .invalidArgument)
        }
        #expect(try ContentRotation(userID: "u", from: LocalDay(parsing: "2026-01-01")).refresh.minutes == 0)
    }

    @Test("streaks are runs of consecutive dates")
    func streaks() throws {
        var random = TestSeed().generator
        let first = try LocalDay(parsing: "2026-02-20")
        for _ in 0..<200 {
            let done = (0..<30).map { _ in random.below(4) > 0 }
            let today = random.below(30)
            let dates = done.indices.filter { done[$0] }.flatMap {
                Array(repeating: first.advanced(by: $0), count: 1 + random.below(2))
            }
            let runs = done[...today].split(separator: false).map(\.count)
            let last = done[today] ? today : today - 1
            let current = last < 0 ? 0 : done[...last].reversed().prefix { $0 }.count
            let streaks = DateStreaks(dates.shuffled(using: &random), today: first.advanced(by: today))
            #expect(streaks.longest == runs.max() ?? 0 && streaks.current == current)
        }
    }

    @Test("statistics sum the reflections")
    func statistics() throws {
        var reflections: [DailyReflection] = []
        let first = try LocalDay(parsing: "2026-03-01")
        for (place, isDone) in [true, true, true, false, true, true, false, true].enumerated() {
            reflections.append(
                try DailyReflection(
                    userID: "u", date: first.advanced(by: place), day: place + 1,
                    domain: ContentDomain.allCases[place % 4],
                    completed: isDone, time: Timestamp(seconds: 1.77e9)))
        }
        let told = RotationStatistics(reflections.shuffled(), today: first.advanced(by: 8))
        #expect(told.all.reflected == 8 && told.all.completed == 6 && told.all.rate == 0.75)
        #expect(told.longestStreak == 3 && told.currentStreak == 1)
        #expect(told.byDomain[.wealth]?.rate == 0.5)
        #expect(RotationStatistics(reflections, today: first.advanced(by: 9)).currentStreak == 0)
        // A later reflection replaces an earlier one of the same date.
        reflections.append(
            try DailyReflection(
                userID: "u", date: first.advanced(by: 6), day: 7, domain: .wealth, completed: true,
                time: Timestamp(seconds: 1.78e9)))
        let changed = RotationStatistics(reflections, today: first.advanced(by: 7))
        #expect(changed.currentStreak == 4 && changed.all.reflected == 8)
        #expect(RotationStatistics([], today: first).all.rate == nil)
        // Entries that a fast clock dated in the future do not end a streak. An earlier day reports the entries until
        // then.
        #expect(RotationStatistics(reflections, today: first.advanced(by: 2)).currentStreak == 3)
        #expect(RotationStatistics(reflections, today: first.advanced(by: 2)).all.reflected == 3)
        #expect(try DailyReflection(parsing: reflections[0].jsonText) == reflections[0])
    }
}
