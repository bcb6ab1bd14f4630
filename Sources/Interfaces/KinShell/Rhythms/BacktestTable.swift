import Foundation

/// The measures of a backtest as readable tables.
enum BacktestTable {
    static func table(
        _ report: RhythmBacktest.Report, kind: RhythmKind, firstDays: RhythmBacktest.FirstDays?
    ) -> TextTable {
        let first = firstDays.map {
            "\(minutes($0.forecastError)) off in \($0.count, "forecast"), where the age table is "
                + "\(minutes($0.ageTableError)) and the mean of the log so far \(minutes($0.ownMeanError))"
        }
        return TextTable(
            ["", ""],
            [
                ["forecasts", "\(NumberText.count(report.count)) of the next \(kind.name)"],
                ["error", "mean \(minutes(report.meanAbsoluteError)), median \(minutes(report.medianAbsoluteError))"],
                ["near", "\(percent(report.within15)) within 15 min, \(percent(report.within30)) within 30 min"],
                ["80 % interval", "holds \(percent(report.coverage)), \(minutes(report.width)) wide on average"],
                ["confidence", "off by \(NumberText.thousandths(report.calibrationError)) on average"],
                ["pinball loss", minutes(report.pinballLoss)],
            ]
                + report.baselines.map {
                    [
                        "against " + name($0.baseline),
                        String(
                            format: "%.3f of its %.1f min (95 %% of resampled days: %.3f to %.3f)", $0.ratio,
                            $0.meanAbsoluteError, $0.ratioBounds.lowerBound, $0.ratioBounds.upperBound),
                    ]
                } + (first.map { [["first three days", $0]] } ?? []))
    }

    private static func minutes(_ value: Double) -> String { String(format: "%.1f min", value) }

    /// The improvement of forecasts made while waiting, as a table.
    static func waiting(_ waiting: [RhythmBacktest.ElapsedError], kind: RhythmKind) -> TextTable {
        let titles = [waited(kind), ">times", ">mean error of the first forecast", ">of one made then"]
        return TextTable(titles, of: waiting) {
            ["\(Int($0.elapsed)) min", NumberText.count($0.count), minutes($0.firstError), minutes($0.updatedError)]
        }
    }

    private static func waited(_ kind: RhythmKind) -> String {
        switch kind {
        case .nap: ">still awake after"
        case .feed: ">not fed after"
        case .wakeUp, .nightWaking: ">still asleep after"
        case .bedtime: ">not asleep after"
        }
    }

    private static func name(_ baseline: RhythmBacktest.Baseline) -> String {
        switch baseline {
        case .meanOfSeven: "mean of the last seven"
        case .sevenDayMedian: "7-day median"
        case .sameHourMedian: "same-hour 7-day median"
        case .ageTable: "age table"
        }
    }

    private static func percent(_ share: Double) -> String { "\(Double(share.parts(of: 1000)) / 10) %" }
}
