/// The insights that were reported or dismissed for a baby, as a stored record.
///
/// It has no numbers of the log except one for each insight, by which a finding of the same id and a different substance
/// is new.
package struct InsightLedger: Sendable, Hashable {
    /// The id of the user who owns the log; forgetting the user deletes the ledger.
    package let userID: String
    /// The id of the baby, unique for the user.
    package let babyID: String
    /// The insights, each id once.
    package private(set) var entries: [Entry]
    /// The time of the last report; nil before the first one and in records of earlier releases.
    private var reported: LoggedTime?
    /// The insights before the first report of that day.
    private var before: [Entry] = []

    /// An insight that was reported or dismissed.
    package struct Entry: Sendable, Hashable {
        let id: String
        let title: String
        /// The number that characterised the finding when it was new.
        let value: Double
        let expires: LoggedTime
        var isDismissed: Bool
    }

    /// Creates the record of a baby's reported and dismissed insights.
    ///
    /// - Throws: `.invalidArgument` for an invalid id, and for two insights with one id.
    package init(
        userID: String, babyID: String, entries: [Entry] = [], reported: LoggedTime? = nil, before: [Entry] = []
    ) throws(KinError) {
        self.userID = try RecordID.checked(userID, field: "user_id")
        self.babyID = try RecordID.checked(babyID, field: "baby")
        self.entries = entries
        self.reported = reported
        self.before = before
        guard Set(entries.map(\.id)).count == entries.count else {
            throw .field("insights", "the ids of insights must differ")
        }
    }

    /// The ledger in the log of a different owner of the baby.
    package func kept(by keeper: String) throws(KinError) -> InsightLedger {
        try InsightLedger(userID: keeper, babyID: babyID, entries: entries, reported: reported, before: before)
    }

    /// Whether an insight was dismissed and has not changed in substance since.
    package func isDismissed(_ insight: RhythmInsight) -> Bool { entry(of: insight)?.isDismissed ?? false }

    /// Compares the insights of a log with those of the last call on an earlier day, and stores them in their place.
    ///
    /// Calls of the same day have the same answer if the log does not change: a call may be repeated, and each owner of
    /// the baby receives the new insights. A dismissed insight is stored until it expires, even if its finding is not supported for some days.
    ///
    /// - Parameters:
    ///   - insights: The insights of the log.
    ///   - now: The time of the call; insights that expired until then do not count.
    package mutating func report(_ insights: [RhythmInsight], at now: LoggedTime) -> InsightReport {
        let current = insights.filter { $0.expires > now }
        func isMissing(_ entry: Entry) -> Bool { !current.contains { $0.id == entry.id } }
        if reported?.reading.date != now.reading.date { before = entries }
        reported = now
        let report = InsightReport(
            insights: current.filter { !isDismissed($0) }.map { insight in
                var insight = insight
                insight.status = Self.entry(of: insight, in: before) == nil ? .new : .unchanged
                return insight
            },
            gone: before.filter { !$0.isDismissed && !dismissed.contains($0.id) && isMissing($0) }.map {
                InsightReport.Gone(id: $0.id, title: $0.title, reason: $0.expires <= now ? .expired : .unsupported)
            })
        entries =
            current.map { Entry($0, after: entry(of: $0)) }
            + entries.filter { isMissing($0) && $0.isDismissed && $0.expires > now }
        return report
    }

    /// Dismisses an insight of the log or of the last report.
    ///
    /// - Throws: `.unknownID` if there is no such insight.
    package mutating func dismiss(_ id: String, among insights: [RhythmInsight]) throws(KinError) {
        let place = entries.firstIndex { $0.id == id }
        var entry = place.map { entries[$0] }
        if let insight = insights.first(where: { $0.id == id }) {
            entry = Entry(insight, after: self.entry(of: insight))
        }
        guard var entry else {
            throw KinError(
                .unknownID, "the log has no insight \"\(id.prefix(40))\"; record_insights returns the ids of insights")
        }
        entry.isDismissed = true
        if let place { entries[place] = entry } else { entries.append(entry) }
    }

    /// The ids of the dismissed insights, in ascending order.
    package var dismissed: [String] { entries.filter(\.isDismissed).map(\.id).sorted() }

    /// The entry of an insight with the same substance.
    private func entry(of insight: RhythmInsight) -> Entry? { Self.entry(of: insight, in: entries) }

    private static func entry(of insight: RhythmInsight, in entries: [Entry]) -> Entry? {
        entries.first { $0.id == insight.id && abs($0.value - insight.substance.value) <= insight.substance.margin }
    }
}

extension InsightLedger.Entry {
    /// The entry of an insight, with the value of its earlier entry.
    fileprivate init(_ insight: RhythmInsight, after earlier: Self?) {
        self.init(
            id: insight.id, title: insight.title, value: earlier?.value ?? insight.substance.value,
            expires: insight.expires, isDismissed: earlier?.isDismissed ?? false)
    }
}

/// The insights of a log, compared with those of the last report on an earlier day.
public struct InsightReport: Sendable, Hashable {
    /// The insights that were not dismissed, each with a ``RhythmInsight/status``.
    public let insights: [RhythmInsight]
    /// The insights of that report that are not in this one and were not dismissed.
    public let gone: [Gone]

    /// An insight of the last report that is not in this one.
    public struct Gone: Sendable, Hashable {
        /// The id of the insight.
        public let id: String
        /// The title in the last report.
        public let title: String
        /// The reason why it is gone.
        public let reason: Reason

        /// Creates the description of an insight that is gone.
        package init(id: String, title: String, reason: Reason) {
            self.id = id
            self.title = title
            self.reason = reason
        }
    }

    /// The reasons why an insight is gone.
    public enum Reason: String, Sendable, Hashable, CaseIterable {
        /// Its time is over.
        case expired
        /// The present log does not support it.
        case unsupported
    }
}

extension InsightReport: DeclaredObject {
    package static let schema = ObjectSchema<InsightReport>(
        .field("insights", \.insights),
        .list(
            "gone", \.gone, .field("id", \.id), .field("title", \.title),
            .field("reason", \.reason.rawValue, "`expired` or `unsupported`")))
}

extension InsightLedger: DeclaredRecord {
    package static let form = RecordSchema<InsightLedger>(
        "insight ledger", id: "baby",
        .required("user_id", \.userID, .id),
        .required("baby", \.babyID, .id),
        .required("insights", \.entries, .list(of: JSONForm(insight))),
        .optional("reported", \.reported, .localTime),
        .standard("before", \.before, .list(of: JSONForm(insight)), default: [], writesDefault: false),
        make: InsightLedger.init(userID:babyID:entries:reported:before:))

    private static let insight = RecordSchema<Entry>(
        "insight",
        .required("id", \.id, .text),
        .required("title", \.title, .text),
        .required("value", \.value, .number()),
        .required("expires", \.expires, .localTime),
        .required("dismissed", \.isDismissed, .boolean)
    ) { id, title, value, expires, isDismissed in
        Entry(id: id, title: title, value: value, expires: expires, isDismissed: isDismissed)
    }
}
