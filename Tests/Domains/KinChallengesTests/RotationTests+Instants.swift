import KinChallenges
import KinTestSupport
import Testing

extension RotationTests {
    @Test("today's content has begun and not ended, after travel and changes of the refresh time too")
    func begunAndNotEnded() throws {
        var random = TestSeed().generator
        let names = [
            "Pacific/Apia", "America/Sao_Paulo", "Europe/Berlin", "Asia/Tokyo", "Etc/UTC", "Pacific/Kiritimati",
        ]
        let zones = try names.map { name throws(KinError) in try PinnedZones.zone(name) }
        func minute() -> TimeOfDay { TimeOfDay(minute: random.below(8) == 0 ? 0 : random.below(96) * 15) }
        // Apia skips a date, São Paulo a midnight, Berlin an hour.
        for first in ["2011-12-26T00:00:00Z", "2018-02-14T00:00:00Z", "2018-10-30T00:00:00Z", "2026-03-25T00:00:00Z"] {
            for _ in 0..<30 {
                var now = try Timestamp(parsing: first)
                var rotation = try ContentRotation(
                    userID: "u", from: zones[0].day(at: now), refresh: minute(), reminder: minute())
                for _ in 0..<20 {
                    now = try Timestamp(microseconds: now.microseconds + Int64(random.below(12 * 60)) * 60_000_000)
                    let zone = zones[random.below(zones.count)]
                    switch random.below(4) {
                    case 0: rotation.advance(to: now, in: zone)
                    case 1: (rotation.refresh, rotation.reminder) = (minute(), minute())
                    default: break
                    }
                    let place = "\(rotation.json) at \(now) in \(zone.name)"
                    let timeline = try rotation.timeline(at: now, in: zone, library: library, count: 4)
                    let today = try #require(timeline.first)
                    #expect(today.start <= now && now < today.end, "\(place)")
                    #expect(zip(timeline, timeline.dropFirst()).allSatisfy { $0.end == $1.start }, "\(place)")
                    for entry in timeline {
                        let reminder = try #require(entry.reminder)
                        #expect(entry.start <= reminder && reminder < entry.end, "\(place)")
                        let isExact = zone.timeOfDay(at: reminder) == rotation.reminder
                        let before = try Timestamp(microseconds: entry.refresh.microseconds - 1_000_000)
                        #expect(isExact || !zone.isSteady(from: before, to: entry.end), "\(place)")
                    }
                }
            }
        }
    }

    @Test("a wrong date is corrected to the command's date, whatever the present is")
    func correctedToTheCommand() throws {
        var random = TestSeed().generator
        let first = try LocalDay(parsing: "2026-01-01")
        func noon(_ day: Int) -> Timestamp {
            LocalZone.utc.instant(on: first.advanced(by: day), at: TimeOfDay(minute: 720))
        }
        for _ in 0..<200 {
            var rotation = try rotation(from: "2026-01-01")
            // A right change of the focus, a wrong one, then a command that may be older than the right one.
            let (right, command) = (random.below(100), 1 + random.below(100))
            if right > 0 {
                rotation.advance(to: noon(right), in: .utc)
                try rotation.setFocus(.wealth, in: library)
            }
            let before = rotation.segments
            rotation.advance(to: noon(2_000 + random.below(100)), in: .utc)
            try rotation.setFocus(.health, in: library)
            for late in [0, 1, 50, 1_000] {
                var corrected = rotation
                let present = max(right, command) + late
                corrected.correctClock(at: noon(command), in: .utc, present: noon(present))
                let expected = right <= command ? command : present
                #expect(corrected.date == first.advanced(by: expected) && corrected.focus == .health)
                #expect(corrected.reached == noon(right <= command ? command : present))
                #expect(corrected.segments == before.filter { $0.from < corrected.date } + [corrected.segments.last!])
                let focus: ContentDomain? = right == expected ? .health : right > 0 ? .wealth : nil
                #expect(corrected.on(first.advanced(by: right)).focus == focus)
            }
        }
    }
}
