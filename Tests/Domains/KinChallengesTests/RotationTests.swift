import KinChallenges
import KinCore
import KinJSON
import KinTestSupport
import Testing

@Suite("The rotation of daily content")
struct RotationTests {
    private let library = ContentGenerator().library()

    private func rotation(from date: String, focus: ContentDomain? = nil) throws -> Rotation {
        try Rotation(userID: "u1", from: LocalDay(parsing: date), focus: focus, reminder: MinuteOfDay(parsing: "20:30"))
    }

    @Test("day d shows item ((d - 1) mod 364) + 1, and so do the items of a domain")
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

    @Test("another focus begins at day 1, the same goes on; the advanced year comes after a whole one")
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
        #expect(try Rotation(json: rotation.json) == rotation)
    }

    @Test("in zones of every kind the day advances at local midnight, once a date, and the timeline says when")
    func everyZone() throws {
        let first = try LocalDay(parsing: "2026-01-01")
        for (place, name) in PinnedZones.references.map(\.name).enumerated() {
            let zone = try PinnedZones.zone(name)
            var rotation = try rotation(from: "2026-01-01")
            for number in stride(from: 1, to: 365, by: place % 4 == 0 ? 1 : 7) {
                let start = zone.start(of: first.advanced(by: number))
                rotation.advance(to: try Timestamp(microseconds: start.microseconds - 1), in: zone)
                #expect(rotation.day == number, "\(name)")
                let timeline = try rotation.timeline(at: start, in: zone, library: library)
                rotation.advance(to: start, in: zone)
                #expect(rotation.day == number + 1, "\(name)")
                #expect(timeline.count == 7 && timeline[0].start == start && timeline[0].day == number + 1)
                for (entry, next) in zip(timeline, timeline.dropFirst()) {
                    #expect(entry.end == next.start && entry.day + 1 == next.day && entry.date < next.date)
                    #expect(entry.start <= entry.refresh && entry.refresh < entry.end)
                    #expect(zone.minute(at: entry.refresh).description == "06:00")
                    #expect(entry.reminder.map { zone.minute(at: $0).description } == "20:30")
                }
            }
        }
    }

    @Test("whoever travels never goes back and never has a date twice", arguments: [1, 2, 3, 4] as [UInt64])
    func travel(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let names = [
            "Asia/Tokyo", "America/Los_Angeles", "Europe/Berlin", "Pacific/Auckland", "Pacific/Kiritimati",
            "Pacific/Pago_Pago", "Asia/Kathmandu",
        ]
        let zones = try names.map { name throws(KinError) in try PinnedZones.zone(name) }
        var now = try Timestamp(parsing: "2026-02-20T10:00:00Z")
        var zone = zones[0]
        var rotation = try Rotation(userID: "u", from: zone.day(at: now))
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
            #expect(now < timeline[0].end)
        }
    }

    @Test("reflections add up")
    func statistics() throws {
        var reflections: [Reflection] = []
        let first = try LocalDay(parsing: "2026-03-01")
        for (place, isDone) in [true, true, true, false, true, true, false, true].enumerated() {
            reflections.append(
                try Reflection(
                    userID: "u", date: first.advanced(by: place), day: place + 1,
                    domain: ContentDomain.allCases[place % 4],
                    completed: isDone, time: Timestamp(seconds: 1.77e9)))
        }
        let told = RotationStatistics(reflections.shuffled(), today: first.advanced(by: 8))
        #expect(told.all.reflected == 8 && told.all.completed == 6 && told.all.rate == 0.75)
        #expect(told.longestStreak == 3 && told.currentStreak == 1)
        #expect(told.byDomain[.wealth]?.rate == 0.5)
        #expect(RotationStatistics(reflections, today: first.advanced(by: 9)).currentStreak == 0)
        // A later word on a date takes the place of an earlier one.
        reflections.append(
            try Reflection(
                userID: "u", date: first.advanced(by: 6), day: 7, domain: .wealth, completed: true,
                time: Timestamp(seconds: 1.78e9)))
        let changed = RotationStatistics(reflections, today: first.advanced(by: 7))
        #expect(changed.currentStreak == 4 && changed.all.reflected == 8)
        #expect(RotationStatistics([], today: first).all.rate == nil)
        #expect(try Reflection(parsing: reflections[0].jsonText) == reflections[0])
    }
}
