import Foundation

/// The lists of a JSON file, or the files of a folder, that may be of a child each: {"Mia": […], "Tom": […]}.
struct ChildLists {
    struct List {
        /// The names of the list that are not of a type.
        fileprivate let names: [String]
        fileprivate let columns: Set<String>
        /// The places of its records.
        let records: Range<Int>
        /// The place of its report.
        let part: Int
        fileprivate var spans: [RhythmRecord.EventType: ClosedRange<LoggedTime>] = [:]

        /// The first name that a different list lacks.
        fileprivate func name(besides other: List) -> String? { names.first { !other.names.contains($0) } }

        /// Whether a name of the list is a child's.
        fileprivate func isNamed(_ child: String) -> Bool { names.contains { LogImporter.isSame($0, child) } }

        /// The names of two lists with nearly the same columns; nil for other lists.
        fileprivate func names(with other: List) -> (own: String, other: String)? {
            guard let own = name(besides: other), let name = other.name(besides: self),
                2 * columns.intersection(other.columns).count > max(columns.count, other.columns.count),
                spans.contains(where: { other.spans[$0.key] != nil })
            else { return nil }
            return (own, name)
        }

        /// Whether events of one type in two lists alternate in time.
        fileprivate func alternates(with other: List) -> Bool {
            spans.contains { type, span in other.spans[type].map(span.overlaps) ?? false }
        }
    }

    /// The words of lists by device, caregiver or time of day.
    static let noChildren = LogWords.wordSet(
        "phone watch ring band tracker device app manual mum mom mama mother dad papa father nanny day")
    /// More lists are not one for each child and type.
    private static let mostLists = 100
    private var lists: [List] = []
    /// A remark on lists that may be of several children.
    private(set) var note: String?

    /// Adds the records of a table.
    mutating func add(_ table: LogTable, _ records: ArraySlice<RhythmRecord>, part: Int) {
        // Lists may be named after days.
        let names = table.path.flatMap { name -> [String] in
            guard WrittenTime(name) == nil else { return [] }
            let words = LogWords.words((name as NSString).deletingPathExtension)
            let own = words.indices.filter { place in
                let isNumber = place > 0 && LogColumns.field(of: words[place - 1]) == .baby
                return LogWords.kind(ofFile: words[place]) == nil && !Self.noChildren.contains(words[place])
                    && (isNumber || words[place].contains(where: \.isLetter))
            }.map { words[$0] }
            return own.isEmpty ? [] : [own.count == words.count ? name : own.joined(separator: " ")]
        }
        guard !names.isEmpty, !records.isEmpty, lists.count < Self.mostLists else { return }
        var list = List(
            names: names, columns: Set(table.names), records: records.startIndex..<records.endIndex, part: part)
        for record in records {
            let (start, span) = (record.start, list.spans[record.type])
            list.spans[record.type] = min(span?.lowerBound ?? start, start)...max(span?.upperBound ?? start, start)
        }
        lists.append(list)
    }

    /// The lists of other children than the one to read; nil if no list is named after it.
    ///
    /// - Throws: `.malformedInput` for lists of several children, if none is chosen.
    mutating func others(than child: String?) throws(KinError) -> [List]? {
        var (pairs, isAlternating) = ([(own: List, other: List, names: (own: String, other: String))](), false)
        for (place, list) in lists.enumerated() {
            for other in lists[..<place] {
                guard let names = other.names(with: list) else { continue }
                if !isAlternating, list.alternates(with: other) { (pairs, isAlternating) = ([], true) }
                pairs.append((other, list, names))
            }
        }
        guard let first = pairs.first?.names else {
            guard let child, !lists.isEmpty else { return nil }
            return lists.allSatisfy { $0.isNamed(child) } ? [] : nil
        }
        if let child {
            let strangers = pairs.compactMap { pair in
                let isOwn = pair.own.isNamed(child)
                return isOwn == pair.other.isNamed(child) ? nil : isOwn ? pair.names.other : pair.names.own
            }
            if !strangers.isEmpty { return lists.filter { !Set(strangers).isDisjoint(with: $0.names) } }
        }
        let text = "the lists or files of \(first.own) and of \(first.other) have the same columns"
        let choice = "name the child to read: --child \"\(first.own)\""
        if isAlternating { throw KinError(.malformedInput, "\(text), and times in between each other; \(choice)") }
        note = "\(text); if they are of several children, \(choice)"
        return nil
    }

    /// A column such as `name` that contains the child to read, and so names children.
    /// Without a child to read, columns of several texts are noted.
    static func column(
        in table: LogTable, _ columns: LogColumns, _ child: String?, _ notes: inout [String]
    ) -> [LogColumn]? {
        for column in columns.maybeChildren {
            var texts: [String] = []
            for text in table.rows.lazy.map({ $0.text(column) }) where !text.isEmpty && texts.count < 7 {
                if !texts.contains(where: { LogImporter.isSame($0, text) }) { texts.append(text) }
            }
            if let child, texts.contains(where: { LogImporter.isSame($0, child) }) {
                return [column]
            }
            guard (2...6).contains(texts.count), texts.allSatisfy({ !LogWords.isOfEvents($0) && Int($0) == nil }) else {
                continue
            }
            notes.append(
                "column \(column.name) has \(texts.count) texts, such as \"\(CSVField.shown(texts[0]))\" and \"\(CSVField.shown(texts[1]))\"; "
                    + "if they name children, name the child to read: --child \"\(CSVField.shown(texts[0]))\"")
        }
        return nil
    }
}
