/// Decisions about a log that its file may leave open.
public struct LogOptions: Sendable {
    /// The day of birth, ISO 8601; nil if the file has it or it is unknown.
    public var born: String?
    /// The local time zone for times with an offset, and for durations in place of ends, if the file does not name one.
    public var zone: LocalZone?
    /// The name of the child, as in the rows or of its list or file, in a log of several children; nil for a log of one child.
    public var child: String?
    /// The order of day and month in dates such as 03/04/2026; nil: inferred from the dates.
    public var dates: DateOrder?
    /// The unit of amounts without a unit; nil: inferred from their sizes.
    public var unit: VolumeUnit?
    /// Whether anything to report is an error.
    public var isStrict: Bool
    /// The order of day and month that the files of a folder decide.
    var folderDates: DateOrder?

    /// Creates options; by default everything is detected.
    public init(
        born: String? = nil, zone: LocalZone? = nil, child: String? = nil, dates: DateOrder? = nil,
        unit: VolumeUnit? = nil, isStrict: Bool = false
    ) {
        (self.born, self.zone, self.child) = (born, zone, child)
        (self.dates, self.unit, self.isStrict) = (dates, unit, isStrict)
    }

    /// Reads options from a JSON object of `born`, `zone`, `child`, `dates`, `unit` and `strict`, all optional.
    ///
    /// - Throws: `.malformedInput` naming the member.
    package init(json: String) throws(KinError) {
        self = try JSONReader.read(json) { reader throws(KinError) in try Self.form.read(&reader) }
    }

    private static let form = RecordSchema<LogOptions>(
        "options",
        .optional("born", \.born, .text),
        .optional("zone", \.zone, .zone),
        .optional("child", \.child, .text),
        .optional("dates", \.dates, .word("order of dates")),
        .optional("unit", \.unit, .word("unit")),
        .standard("strict", \.isStrict, .boolean, default: false),
        make: LogOptions.init(born:zone:child:dates:unit:isStrict:))
}

/// The order of day, month and year in dates such as 03/04/2026.
public enum DateOrder: String, Sendable, CaseIterable {
    /// The day comes first.
    case dayFirst = "day-first"
    /// The month comes first.
    case monthFirst = "month-first"
    /// A year of two digits comes first, then the month: 26-03-05.
    case yearFirst = "year-first"
}

/// The unit of amounts that have none in a log.
public enum VolumeUnit: String, Sendable, CaseIterable {
    /// Thousandths of a litre, as most trackers count milk.
    case millilitres = "ml"
    /// Fluid ounces of the United States.
    case ounces = "oz"
}

/// A log that was read, and the report on it.
public struct LogImport: Sendable {
    /// The log, with the repairs made while it was read.
    public let log: RhythmLog
    /// The report on the columns, the assumptions and the rows.
    public let report: ImportReport

    /// The log and its report as a JSON object: `log`, whose events have ids, and `report`.
    package var json: String { "{\"log\":\(log.identifiedJSON),\"report\":\(report.json)}" }

    /// The overlapping sleeps, and their share, from which a log may be of several babies. Logs of one baby have one in
    /// 80 or fewer.
    private static let (leastOverlaps, sleepsForEachOverlap) = (5, 10)

    /// The import with the day of birth of the options, and with remarks on the whole log.
    ///
    /// - Throws: `.malformedInput` for a strict import with something to report.
    func checked(_ options: LogOptions) throws(KinError) -> LogImport {
        var (log, report) = (log, report)
        if let born = options.born { log = log.with(born: try LocalDateTime(parsing: born)) }
        let records = log.records
        if let middle = records.isEmpty ? nil : records[records.count / 2].start.reading.date.prefix(4),
            !("1950"..."2150").contains(middle)
        {
            throw KinError(
                .malformedInput,
                "the log is of the year \(middle), possibly of a different calendar or without the century; "
                    + "write the dates of the Gregorian calendar, such as 2026-01-31")
        }
        if let remark = log.clock.remark(on: log.records) {
            report.parts[0].assumptions.append(remark.replacing("such as", with: "such as --zone"))
        }
        let years = log.records.first.flatMap { log.baby.ageInDays(at: $0.start) }.map { Int($0 / 365.25) } ?? 0
        if years > 5 {
            report.parts[0].assumptions.append(
                "the log begins \(years) years after the birth; forecasts are for babies")
        }
        let repairs = log.repairs
        let (sleeps, overlaps) = (log.records.count { $0.type == .sleep }, repairs.count { $0.problem == .overlap })
        if overlaps >= Self.leastOverlaps, overlaps * Self.sleepsForEachOverlap > sleeps {
            report.parts[0].assumptions.append(
                "\(overlaps) of \(sleeps) sleeps begin during another; "
                    + "if the log is of several babies, read the log of each by itself")
        }
        report.repairs = repairs.filter { !ImportReport.usual.contains($0.problem) }
        if options.isStrict, let complaint = report.complaint {
            throw KinError(.malformedInput, "\(complaint); correct the file, or import it without strict")
        }
        return LogImport(log: log, report: report)
    }
}
