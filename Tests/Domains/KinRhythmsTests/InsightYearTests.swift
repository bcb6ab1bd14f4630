import KinRhythms
import KinTestSupport
import Testing

/// Daily looks at the insights of generated logs with planted effects, and of logs without any.
@Suite("A year of daily looks")
struct InsightYearTests {
    /// A change of a baby's days from a day on.
    enum Effect: String, CaseIterable {
        case fewerNaps = "fewer_naps"
        case longerStretch = "longer_stretch"
        case laterBedtime = "later_bedtime"
        case lessSleep = "fewer_sleep"

        /// The least share of logs in which the effect is reported 7, 14 and 28 days after it began.
        var power: [Double] {
            // The mean of 400 logs, minus about three standard deviations of the mean of 12 (`.ci/trust` runs 400).
            switch self {
            case .fewerNaps: [0, 0.15, 0.6]
            case .longerStretch: [0.1, 0.55, 0.8]
            case .laterBedtime: [0, 0.35, 0.75]
            case .lessSleep: [0, 0, 0.05]
            }
        }
    }

    /// The kinds of babies, by how their days vary around constant levels.
    enum Temper: CaseIterable {
        /// The days are independent, and one day in five has one nap more or fewer.
        case varied
        /// Three naps on nearly all days.
        case regular
        /// A third of each day's deviations carries over to the next day.
        case persistent
        /// Later and shorter nights at weekends.
        case weekly
    }

    /// Days with nights of up to two wakings and measured feeds: levels do not change unless an effect begins.
    private func records(
        days: Int, seed: UInt64, _ temper: Temper, _ effect: Effect? = nil, from onset: Int = 0
    ) -> [RhythmRecord] {
        var generator = SeededGenerator(seed: seed)
        var persisting = [Double](repeating: 0, count: 4)
        /// A deviation with mean 0 and a standard deviation of 1, of one of four kinds.
        func deviate(_ kind: Int? = nil) -> Double {
            let new = (0..<4).reduce(-2) { sum, _ in sum + generator.uniform() } * 3.0.squareRoot()
            guard temper == .persistent, let kind else { return new }
            persisting[kind] = 0.35 * persisting[kind] + 0.937 * new
            return persisting[kind]
        }
        var records: [RhythmRecord] = []
        var woken = 420.0
        for day in 0..<days {
            func planted(_ which: Effect, _ amount: Double) -> Double { effect == which && day >= onset ? amount : 0 }
            let isWeekend = temper == .weekly && day % 7 >= 5
            let usual = (temper == .regular ? 3 : 4) - Int(planted(.fewerNaps, 1))
            let rare = temper == .regular ? 2.1 : 1.3
            let draw = deviate(0)
            let count = draw < -rare ? usual - 1 : draw > rare ? usual + 1 : usual
            let bedtime =
                Double(day) * 1440 + 1170 + (15 * deviate(1)).rounded() + (isWeekend ? 30 : 0)
                + planted(.laterBedtime, 60)
            let gap = (bedtime - woken - 45 * Double(count)) / Double(count + 1)
            var now = woken + gap + (5 * deviate()).rounded()
            for nap in 0..<count {
                let length = 45 + (6 * deviate()).rounded()
                records.append(SampleLog.sleep(now, length))
                now += length
                records.append(
                    RhythmRecord(
                        start: SampleLog.at(now + 5),
                        event: .feed(
                            RhythmRecord.Feed(
                                end: SampleLog.at(now + 15), millilitres: 120 + (23 * deviate()).rounded())))
                )
                let left = Double(count - nap)
                now += (bedtime - now - 45 * (left - 1)) / left + (5 * deviate()).rounded()
            }
            let end =
                Double(day + 1) * 1440 + 420 + (15 * deviate(2)).rounded() - (isWeekend ? 20 : 0)
                - planted(.lessSleep, 60)
            woken = end
            // The longest sleep of the night is its first; the rest of the night has two or three more.
            let first = 300 + (25 * deviate(3)).rounded() + planted(.longerStretch, 90)
            records.append(SampleLog.sleep(bedtime, first))
            let (start, parts) = (bedtime + first, 2 + generator.below(2))
            let part = ((end - start) / Double(parts)).rounded(.down)
            for number in 0..<parts { records.append(SampleLog.sleep(start + 20 + part * Double(number), part - 20)) }
        }
        return records.numbered
    }

    /// The insights that rest on a test, as looked at on a day.
    private func tested(_ records: [RhythmRecord], on day: Int) -> [String] {
        let seen = SampleLog.cut(records, at: SampleLog.at(Double(day) * 1440 + 660))
        return RhythmAnalysis(RhythmLog(seen)).insights.map(\.id).filter { id in
            !["wake_window_", "longest_sleep", "running_timers"].contains { id.hasPrefix($0) }
        }
    }

    @Test("logs without a change give a false alarm in at most one year of twenty")
    func falseAlarms() {
        let years = repetitions("KIN_INSIGHT_YEARS", standard: 4)
        var alarms: [String] = []
        for year in 0..<years {
            let temper = Temper.allCases[year % Temper.allCases.count]
            let records = records(days: 365, seed: TestSeed.value &+ UInt64(year), temper)
            // A false alarm lasts for days, so that two looks a week see nearly all of them.
            let first = stride(from: 1, through: 365, by: years > 4 ? 1 : 3).lazy.compactMap { day in
                tested(records, on: day).first.map { "\(temper), day \(day): \($0)" }
            }.first
            if let first { alarms.append(first) }
        }
        print("false alarms in \(alarms.count) of \(years) years of daily looks: \(alarms)")
        // The expected number and three standard deviations, at a rate of 0.05.
        #expect(Double(alarms.count) <= 0.05 * Double(years) + 3 * (0.05 * Double(years)).squareRoot())
    }

    @Test("planted effects are found with the stated power", arguments: Effect.allCases)
    func power(_ effect: Effect) {
        let logs = repetitions("KIN_INSIGHT_LOGS", standard: 12)
        var found: [Temper: [Int]] = [:]
        for log in 0..<logs {
            let temper = Temper.allCases[log % Temper.allCases.count]
            let records = records(days: 100, seed: TestSeed.value &+ UInt64(1000 + log), temper, effect, from: 70)
            let first = (71...98).first { tested(records, on: $0).contains(effect.rawValue) }
            for (index, days) in [7, 14, 28].enumerated() where first.map({ $0 <= 70 + days }) ?? false {
                found[temper, default: [0, 0, 0]][index] += 1
            }
        }
        let sums = (0..<3).map { index in found.values.reduce(0) { $0 + $1[index] } }
        print("\(effect.rawValue): found in \(sums) of \(logs) logs by day 7, 14 and 28: \(found)")
        for (count, least) in zip(sums, effect.power) { #expect(Double(count) >= least * Double(logs)) }
    }
}
