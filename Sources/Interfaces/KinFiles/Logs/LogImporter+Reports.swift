/// The reports on rows that are left out or taken with a guess.
extension LogImporter {
    /// The least number of rows for each row that may be invalid and left out.
    static let rowsForEachInvalid = 20

    /// Reports a row that is left out.
    mutating func leaveOut(_ row: Int, _ reason: String) {
        report.repairs.append(
            RhythmRepair(
                row: row, start: records.last?.start ?? LoggedTime(localMinutes: 0), problem: .unknownWord, text: reason
            ))
    }

    /// Reports the types of rows that are left out, if they are more than a few.
    ///
    /// - Throws: `.malformedInput` if a type has more than a fifth of the rows and of the time, as nights may have.
    func countUnknown(of rows: Int, since first: Int, _ part: inout ImportReport.Part) throws(KinError) {
        let count = unknown.values.reduce(0) { $0 + $1.rows }
        guard count * Self.rowsForEachInvalid > rows, part.rows > 0 else { return }
        let types = unknown.mapValues(\.rows).sorted { ($1.value, $0.key) < ($0.value, $1.key) }
        let known = records[first...].reduce(0) { $0 + ($1.end?.minutes(since: $1.start) ?? 0) }
        for (type, count) in types where count > 2 && count * 5 > rows && !LogWords.isNoEvent(type) {
            guard let minutes = unknown[type]?.minutes, minutes > 0, minutes * 4 > known else { continue }
            throw KinError(
                .malformedInput,
                "\(count) of \(Plural.count(rows, "row")) are of type \"\(CSVField.shown(type))\", which is unknown, and have a start "
                    + "and an end; write sleep, feed or diaper in place of it, or remove these rows")
        }
        part.assumptions.append(
            "\(count) of \(Plural.count(rows, "row")) are left out, because they are not sleeps, feeds, diapers or milestones: "
                + types.prefix(5).map { "\(CSVField.shown($0.key)) (\($0.value))" }.joined(separator: ", ")
                + (types.count > 5 ? ", …" : ""))
    }

    /// Replaces the repairs of diapers without contents by one remark.
    mutating func countBareDiapers(since first: Int, _ part: inout ImportReport.Part) {
        let bare = report.repairs[first...].filter { $0.text == LogRowReader.bareDiaper }
        guard bare.count > 1 else { return }
        report.repairs.removeAll { $0.text == LogRowReader.bareDiaper }
        part.assumptions.append(
            "\(Plural.count(bare.count, "diaper")) without a kind (wet, dirty, both or dry) count as both; the first is row \(bare[0].row)"
        )
    }
}
