import Foundation
import Kin

/// The measures of a backtest as a person reads them.
enum BacktestTable {
    static func table(_ report: Backtest.Report, kind: RhythmKind, firstDays: Backtest.FirstDays?) -> TextTable {
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

    /// What waiting is worth.
    static func waiting(_ waiting: [Backtest.Waiting], kind: RhythmKind) -> TextTable {
        var table = TextTable([
            (kind == .nap ? "still awake after" : "not fed after", .right), ("times", .right),
            ("mean error told at first", .right), ("told then", .right),
        ])
        for row in waiting {
            table.append([
                "\(Int(row.elapsed)) min", NumberText.count(row.count), String(format: "%.1f min", row.firstError),
                String(format: "%.1f min", row.updatedError),
            ])
        }
        return table
    }

    private static func name(_ baseline: Backtest.Baseline) -> String {
        switch baseline {
        case .meanOfSeven: "mean of the last seven"
        case .sevenDayMedian: "7-day median"
        case .sameHourMedian: "same-hour 7-day median"
        case .ageTable: "age table"
        }
    }

    private static func percent(_ share: Double) -> String { String(format: "%.1f %%", share * 100) }
}

/// The measures in JSON.
struct BacktestRecord: Encodable {
    struct BaselineRecord: Encodable {
        let meanAbsoluteError: Double
        let ratio: Double
        let ratioLower: Double
        let ratioUpper: Double
    }

    struct FirstDaysRecord: Encodable {
        let count: Int
        let forecastError: Double
        let ageTableError: Double
        let ownMeanError: Double
    }

    struct WaitingRecord: Encodable {
        let elapsed: Double
        let count: Int
        let firstError: Double
        let updatedError: Double
    }

    let kind: String
    let count: Int
    let meanAbsoluteError: Double
    let medianAbsoluteError: Double
    let within15: Double
    let within30: Double
    let coverage80: Double
    let width80: Double
    let pinballLoss: Double
    let calibrationError: Double
    let baselines: [String: BaselineRecord]
    let firstDays: FirstDaysRecord?
    let waiting: [WaitingRecord]

    init(
        _ report: Backtest.Report, kind: RhythmKind, waiting: [Backtest.Waiting], firstDays: Backtest.FirstDays?
    ) {
        self.waiting = waiting.map {
            WaitingRecord(
                elapsed: $0.elapsed, count: $0.count, firstError: $0.firstError, updatedError: $0.updatedError)
        }
        self.firstDays = firstDays.map {
            FirstDaysRecord(
                count: $0.count, forecastError: $0.forecastError, ageTableError: $0.ageTableError,
                ownMeanError: $0.ownMeanError)
        }
        self.kind = kind.rawValue
        count = report.count
        meanAbsoluteError = report.meanAbsoluteError
        medianAbsoluteError = report.medianAbsoluteError
        within15 = report.within15
        within30 = report.within30
        coverage80 = report.coverage
        width80 = report.width
        pinballLoss = report.pinballLoss
        calibrationError = report.calibrationError
        baselines = Dictionary(
            uniqueKeysWithValues: report.baselines.map {
                (
                    $0.baseline.rawValue,
                    BaselineRecord(
                        meanAbsoluteError: $0.meanAbsoluteError, ratio: $0.ratio, ratioLower: $0.ratioBounds.lowerBound,
                        ratioUpper: $0.ratioBounds.upperBound)
                )
            })
    }
}
