/// A generator of synthetic logs with known rules, reproducible by seed on every machine.
///
///     let log = BabyGenerator(seed: 16).log(0, days: 60, age: 45)
///     let backtest = try RhythmBacktest(log, kind: .nap)
///     print(backtest.trials.count { $0.isCovered }, "of", backtest.trials.count)
///
/// Wake windows grow from 50 minutes to four hours over the first year and through the day, naps fall from five to two,
/// and feeds become rarer. Each baby has its own pace and one step in its wake windows. Deviates are sums of uniforms.
public struct BabyGenerator: Sendable, Hashable {
    /// The seed of the random numbers.
    public let seed: UInt64
    /// The first day of every log, 2026-01-01.
    public static let firstDay = LocalDateTime(unchecked: 1_767_225_600_000_000)

    /// Creates a generator from a seed.
    public init(seed: UInt64) { self.seed = seed }

    /// Generates the log of one baby.
    ///
    /// - Parameters:
    ///   - number: The number of the baby, from 0.
    ///   - days: The number of days of the log, starting at ``firstDay``.
    ///   - age: The age in days at the start.
    /// - Precondition: All three are 0 or more and at most 10⁶.
    public func log(_ number: Int, days: Int, age: Int) -> RhythmLog {
        var simulation = Simulation(
            generator: SeededGenerator(seed: seed &* 1_000_003 &+ UInt64(number)), days: days, age: age)
        for day in 0..<max(0, days) { simulation.simulate(day) }
        let born = Self.firstDay.localMinutes - Double(age) * 1440
        let records = simulation.records.sorted { $0.start < $1.start }.enumerated().map { position, record in
            var record = record
            record.row = position + 1
            return record
        }
        return RhythmLog(
            records, baby: RhythmLog.Baby(name: "baby \(number + 1)", born: LocalDateTime(localMinutes: born)))
    }
}

/// A simulation of one baby's days.
private struct Simulation {
    var generator: SeededGenerator
    let days: Int
    let age: Int
    var records: [RhythmRecord] = []
    /// The baby's pace relative to others, 0.85 to 1.15.
    let tempo: Double
    let leapDay: Int
    let leap: Double
    private var nextFeed = 0.0

    init(generator: SeededGenerator, days: Int, age: Int) {
        var generator = generator
        tempo = 0.85 + 0.3 * generator.uniform()
        leapDay = days / 3 + (days > 2 ? generator.below(days / 3) : 0)
        leap = 1.1 + 0.1 * generator.uniform()
        self.generator = generator
        self.days = days
        self.age = age
    }

    /// A sum of four uniform deviates, with mean 0 and standard deviation 1.
    private mutating func deviate() -> Double {
        var sum = 0.0
        for _ in 0..<4 { sum += generator.uniform() }
        return (sum - 2) * 1.7320508075688772
    }

    private func at(_ minute: Double) -> LoggedTime {
        LoggedTime(localMinutes: BabyGenerator.firstDay.localMinutes + minute.rounded())
    }

    /// Simulates a day, from getting up at about seven to the end of the night.
    mutating func simulate(_ day: Int) {
        let midnight = Double(day) * 1440
        let months = Double(age + day) / 30.44
        let window = (50 + 17 * min(12, months)) * tempo * (day >= leapDay ? leap : 1)
        let bedtime = midnight + 1140 + 15 * deviate()
        var now = midnight + 420 + 15 * deviate()
        nextFeed = max(nextFeed, now + 5)
        var nap = 0
        while true {
            let asleep = now + max(20, window * (0.85 + 0.1 * Double(nap)) + 0.15 * window * deviate())
            guard asleep < bedtime - 45 else { break }
            let woken = asleep + max(15, 55 + 18 * deviate())
            feed(until: asleep, months: months)
            sleep(from: asleep, to: woken, nap: nap + 1)
            now = woken
            nap += 1
        }
        feed(until: bedtime, months: months)
        night(from: bedtime, to: midnight + 1440 + 405 + 10 * deviate(), months: months)
        if day % 30 == 29 {
            records.append(
                RhythmRecord(start: at(now), event: .milestone(title: "month \(Int(months))", category: .physical)))
        }
    }

    private mutating func night(from bedtime: Double, to morning: Double, months: Double) {
        let wakings = max(0, Int((4 - 0.45 * months + 0.7 * deviate()).rounded()))
        let stretch = (morning - bedtime) / Double(wakings + 1)
        var now = bedtime
        for waking in 0..<wakings {
            let woken = bedtime + stretch * Double(waking + 1) + 12 * deviate()
            guard woken > now + 30 else { continue }
            sleep(from: now, to: woken, nap: nil)
            meal(at: woken + 3, months: months)
            diaper(at: woken + 15)
            now = woken + 25 + 3 * deviate()
        }
        if morning > now + 20 { sleep(from: now, to: morning, nap: nil) }
    }

    private mutating func sleep(from start: Double, to end: Double, nap: Int?) {
        records.append(
            RhythmRecord(
                start: at(start),
                event: .sleep(RhythmRecord.Sleep(end: at(end), napNumber: nap, isNight: nap == nil))))
    }

    private mutating func feed(until end: Double, months: Double) {
        while nextFeed < end - 10 {
            let now = nextFeed
            meal(at: now, months: months)
            if generator.uniform() < 0.7 { diaper(at: now + 20) }
        }
    }

    private mutating func meal(at minute: Double, months: Double) {
        let bottle = generator.uniform() < 0.5
        let minutes = (14 + 3 * deviate()).rounded()
        let volume = (90 + 10 * min(9, months) + 12 * deviate()).rounded()
        records.append(
            RhythmRecord(
                start: at(minute),
                event: .feed(
                    RhythmRecord.Feed(
                        end: at(minute + minutes), method: bottle ? .bottle : .breast,
                        side: bottle ? nil : (generator.uniform() < 0.5 ? .left : .right),
                        millilitres: bottle ? volume : nil, minutes: minutes))))
        nextFeed = minute + (150 + 9 * min(9, months)) * tempo + 14 * deviate()
    }

    private mutating func diaper(at minute: Double) {
        let kind: RhythmRecord.Diaper = [.wet, .wet, .dirty, .both][generator.below(4)]
        records.append(RhythmRecord(start: at(minute), event: .diaper(kind)))
    }
}
