import Foundation
import Kin

/// The measures of a backtest as a person reads them.
enum BacktestTable {
    static func table(_ report: RhythmBacktest.Report, kind: RhythmKind, firstDays: RhythmBacktest.FirstDays?)
        -> TextTable
    {
        var table = TextTable([("", .left), ("", .left)])
        func minutes(_ value: Double) -> String { String(format: "%.1f min", value) }
        table.append(["forecasts", "\(NumberText.count(report.count)) of the next \(kind.rawValue)"])
        table.append([
            "error", "mean \(minutes(report.meanAbsoluteError)), median \(minutes(report.medianAbsoluteError))",
        ])
        table.append([
            "near", "\(percent(report.within15)) within 15 min, \(percent(report.within30)) within 30 min",
        ])
        table.append([
            "80 % interval", "holds \(percent(report.coverage)), \(minutes(report.width)) wide on average",
        ])
        table.append(["confidence", "off by \(String(format: "%.3f", report.calibrationError)) on average"])
        table.append(["pinball loss", minutes(report.pinballLoss)])
        for baseline in report.baselines {
            table.append([
                "beside " + name(baseline.baseline),
                String(
                    format: "%.3f of its %.1f min (95 %% of days drawn anew: %.3f to %.3f)", baseline.ratio,
                    baseline.meanAbsoluteError, baseline.ratioBounds.lowerBound, baseline.ratioBounds.upperBound),
            ])
        }
        if let firstDays {
            table.append([
                "first three days",
                "\(minutes(firstDays.forecastError)) off in \(NumberText.count(firstDays.count, "forecast")), where the age "
                    + "table is \(minutes(firstDays.ageTableError)) and the mean of the log so far "
                    + "\(minutes(firstDays.ownMeanError))",
            ])
        }
        return table
    }

    /// The gain of forecasts made while waiting, as a table.
    static func waiting(_ waiting: [RhythmBacktest.ElapsedError], kind: RhythmKind) -> TextTable {
        var table = TextTable([
            (kind == .nap ? "still awake after" : "not fed after", .right), ("times", .right),
            ("mean error of the first forecast", .right), ("of one made then", .right),
        ])
        for row in waiting {
            table.append([
                "\(Int(row.elapsed)) min", NumberText.count(row.count), String(format: "%.1f min", row.firstError),
                String(format: "%.1f min", row.updatedError),
            ])
        }
        return table
    }

    private static func name(_ baseline: RhythmBacktest.Baseline) -> String {
        switch baseline {
        case .meanOfSeven: "mean of the last seven"
        case .sevenDayMedian: "7-day median"
        case .sameHourMedian: "same-hour 7-day median"
        case .ageTable: "age table"
        }
    }

    private static func percent(_ share: Double) -> String { String(format: "%.1f %%", share * 100) }
}
