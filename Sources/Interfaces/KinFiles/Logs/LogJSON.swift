/// A log in JSON of any tracker: lists of objects, which may be nested, as tables of a column for each member.
struct LogJSON {
    /// The members of an object with their texts.
    typealias Members = [(name: String, text: String)]

    /// The tables, one for each list.
    private(set) var tables: [LogTable] = []
    /// The texts next to the lists, such as the baby's name.
    private(set) var facts: Members = []

    /// Whether a text is JSON by its first character.
    static func begins(_ text: String) -> Bool {
        (text.first { !$0.isWhitespace }.map { "{[/".contains($0) } ?? false) && !LogTable.isPiyoLog(text)
    }

    /// Reads the values of a text: an array of records, an object with such arrays, or records one after the other.
    ///
    /// - Throws: `.malformedInput` with line and column; also if there are no records.
    init(_ values: [(text: String, line: Int)], source: String) throws(KinError) {
        var records: [Members] = []
        let values = try careEvents(values)
        for value in values {
            try JSONText.read(value) { reader throws(KinError) in
                if reader.isAtArray() {
                    records += try Self.records(&reader)
                } else if values.count == 1, try readLists(reader, source, in: source) {
                    try reader.skip()
                } else {
                    records.append(try Self.record(&reader))
                }
            }
        }
        add(records, source)
        // The only baby of a database, {"babies": {"b1": {…}}}.
        let babies = Set(
            facts.map { $0.name.split(separator: ".") }.filter { $0.first == "babies" }.compactMap {
                $0.dropFirst().first
            })
        if babies.count == 1, let id = babies.first {
            facts = facts.map { ($0.name.replacing("babies.\(id).", with: ""), $0.text) }
        }
        guard tables.contains(where: { !$0.rows.isEmpty }) else {
            throw KinError(
                .malformedInput, "there are no records; a log is a list of objects, each with a type and a start")
        }
    }

    /// The lines with events of a store's export, `{"care_event":…}` and `{"kind":"care_event",…}`; all values of other
    /// texts. The baby in the other lines becomes facts, if there is only one.
    private mutating func careEvents(
        _ values: [(text: String, line: Int)]
    ) throws(KinError) -> [(text: String, line: Int)] {
        func lines(of kind: String) -> [(text: String, line: Int)] {
            let starts = ["{\"\(kind)\":", "{\"kind\":\"\(kind)\""]
            return values.filter { starts.contains(where: $0.text.prefix(40).filter { $0 != " " }.hasPrefix) }
        }
        let (events, babies) = (lines(of: "care_event"), lines(of: "baby"))
        guard !events.isEmpty, events.count < values.count else { return values }
        if babies.count == 1 {
            facts += try JSONText.read(babies[0]) { reader throws(KinError) in try Self.record(&reader) }
                .map { ($0.name.replacing("baby.", with: ""), $0.text) }
                .filter { ["name", "date_of_birth", "dateOfBirth", "time_zone"].contains($0.0) }
        }
        let others = values.count - events.count - (babies.count == 1 ? 1 : 0)
        if others > 0 { facts.append(("records of other kinds", "\(others)")) }
        return events
    }

    private mutating func add(_ records: [Members], _ source: String, path: [String] = []) {
        // Lists may be named after days.
        let day = path.last(where: WrittenTime.isDate).map { [(name: "date", text: $0)] } ?? []
        let isDated = records.joined().contains { LogColumns.field(of: $0.name) == .date }
        var table = LogTable(records: isDated ? records : records.map { $0 + day }, source: source)
        table.path = path
        if !table.names.isEmpty { tables.append(table) }
    }

    /// Reads an object's arrays of objects, and its other members as facts. An object of records, such as by the keys of
    /// Firebase, is read as an array of them.
    ///
    /// - Parameters:
    ///   - source: The name of the object, or of the file.
    ///   - scope: The name of the next object around it that names a type, or of the file.
    /// - Returns: Whether it has such an array.
    private mutating func readLists(
        _ start: JSONReader, _ source: String, in scope: String, path: [String] = []
    ) throws(KinError) -> Bool {
        if let list = Self.recordsByKey(start) ?? Self.columnar(start) {
            add(list, source, path: path)
            return true
        }
        let before = self
        var reader = start
        var facts: Members = []
        try reader.members { reader, name throws(KinError) in
            let isGeneral =
                Self.isWrapper(name) || LogWords.isDetail(name)
                || ChildLists.noChildren.contains(name.lowercased())
            let list = isGeneral ? scope : name
            let inScope = LogWords.kind(ofFile: name) == nil ? scope : name
            var inner = reader
            if reader.isAtArray(), name == "metrics" {
                try readMetrics(&reader)
            } else if reader.isAtArray(), let records = try? Self.records(&inner) {
                add(records, list, path: path + [name])
                reader = inner
            } else if reader.isAtObject(), (path + [name]).contains(where: WrittenTime.isDate),
                LogWords.kind(ofFile: name) != nil, let record = try? Self.record(&inner), Self.hasStart(record)
            {
                // The night of a day.
                add([record], list, path: path + [name])
                reader = inner
            } else if reader.isAtObject(), try readLists(reader, list, in: inScope, path: path + [name]) {
                try reader.skip()
            } else {
                try Self.flatten(&reader, name, into: &facts)
            }
        }
        // An object with a type and a start is a record, whatever lists are in it.
        guard tables.count > before.tables.count, !Self.hasStart(Self.opened(facts), andType: true) else {
            self = before
            return false
        }
        if let name = facts.first(where: { $0.name == "name" || LogColumns.field(of: $0.name) == .baby })?.text {
            // The lists may be of the child with this name, under its key.
            for table in before.tables.count..<tables.count {
                tables[table].path.insert(name, at: max(0, path.count - 1))
            }
        }
        self.facts += facts
        return true
    }

    /// Whether the name of a list says nothing about its records, such as in the pages of an API.
    static func isWrapper(_ name: String) -> Bool { wrappers.contains(name.lowercased()) }

    private static let wrappers: Set = [
        "__collections__", "activities", "data", "documents", "entries", "events", "history", "intervals", "items",
        "list", "log", "logs", "records", "response", "result", "results", "rows", "timeline",
    ]

    /// Whether members are those of a record: a start, and the type if it must have one.
    static func hasStart(_ members: Members, andType: Bool = false) -> Bool {
        let names = members.map(\.name)
        let format = TrackerFormat.find(names).format
        let columns = LogColumns(names, of: format)
        return !columns[.start].isEmpty && (!andType || !columns[.type].isEmpty || format?.type != nil)
    }

    /// The records of an object whose members are all objects; the first must have a start.
    private static func recordsByKey(_ start: JSONReader) -> [Members]? {
        var (reader, records) = (start, [Members]())
        let areRecords: Void? = try? reader.members { reader, _ throws(KinError) in
            let record = try record(&reader)
            if records.isEmpty, !hasStart(record) { throw reader.unexpected("a record with a start") }
            records.append(record)
        }
        return areRecords == nil || records.isEmpty ? nil : records
    }

    /// Reads the sleeps of Health Auto Export, in a list of metrics; the names of the others are a fact.
    private mutating func readMetrics(_ reader: inout JSONReader) throws(KinError) {
        var others: [String] = []
        try reader.array { reader throws(KinError) in
            let members = reader.isAtObject() ? try reader.rawMembers() : []
            let name = members.first { $0.name == "name" }?.value.filter { $0 != "\"" } ?? ""
            if name == "sleep_analysis", let data = members.first(where: { $0.name == "data" }) {
                add(try Self.records(in: data.value), name)
            } else if members.isEmpty {
                try reader.skip()
            } else {
                others.append(name)
            }
        }
        if !others.isEmpty { facts.append(("metrics", others.joined(separator: ", "))) }
    }

    /// The records of a list in a text of its own.
    static func records(in text: String) throws(KinError) -> [Members] {
        try JSONText.read((text, 1)) { reader throws(KinError) in try records(&reader) }
    }

    /// The records of a list, also of lists in it.
    private static func records(_ reader: inout JSONReader) throws(KinError) -> [Members] {
        if let rows = columnar(reader) {
            try reader.skip()
            return rows
        }
        var list = try reader.list { reader throws(KinError) in
            reader.isAtArray() ? try records(&reader) : [try record(&reader)]
        }.flatMap(\.self)
        // Home Assistant has the sensor in the first record of a list only.
        if let sensor = list.first?.first(where: { $0.name == "entity_id" }) {
            for place in list.indices where !list[place].contains(where: { $0.name == "entity_id" }) {
                list[place].append(sensor)
            }
        }
        return list
    }

    private static func record(_ reader: inout JSONReader) throws(KinError) -> Members {
        var members: Members = []
        guard reader.isAtObject() else { throw reader.unexpected("a record in braces") }
        try flatten(&reader, "", into: &members)
        return opened(members)
    }

    /// The members without the names of objects around those of a record, such as `fields` in Firestore and Airtable.
    private static func opened(_ all: Members) -> Members {
        var members = all
        // {"sleep": {"start": …}} names the type.
        if let type = all.first?.name.split(separator: ".").first, LogWords.exactKind(String(type)) != nil,
            all.allSatisfy({ $0.name.hasPrefix("\(type).") })
        {
            members = all.map { (String($0.name.dropFirst(type.count + 1)), $0.text) } + [("type", String(type))]
        }
        var names = Set(members.map(\.name))
        return members.map { member in
            guard member.name.contains(".") else { return member }
            let parts = member.name.split(separator: ".").filter { !envelopes.contains($0) }
            let name = parts.joined(separator: ".")
            return names.insert(name).inserted ? (name, member.text) : member
        }
    }

    private static let envelopes: Set<Substring> = [
        "fields", "mapValue", "attributes", "data", "doc", "_source", "dailySleepDTO", "care_event", "event", "record",
        "node", "document", "properties", "payload", "Item", "M",
    ]

    /// Appends a value's text, of an object those of its members under names such as `feedData.volume`; null has none.
    static func flatten(
        _ reader: inout JSONReader, _ name: String, into members: inout Members
    ) throws(KinError) {
        if reader.isAtObject() {
            var inner: Members = []
            try reader.members { reader, member throws(KinError) in
                try flatten(&reader, name.isEmpty ? member : "\(name).\(member)", into: &inner)
            }
            if !name.isEmpty, let value = value(inner.map { ($0.name.dropFirst(name.count + 1), $0.text) }) {
                members.append((name, value))
            } else {
                members += inner
            }
        } else if reader.isAtString() {
            members.append((name, try reader.string()))
        } else {
            let text = try reader.verbatim()
            if text != "null", text != "[]" { members.append((name, text)) }
        }
    }

    /// The text of a typed value of MongoDB, Firestore or DynamoDB, such as `{"$date": …}`, or of a Firestore timestamp: its
    /// seconds since 1970.
    private static func value(_ members: [(name: Substring, text: String)]) -> String? {
        if members.count == 1, members[0].name == "NULL" { return "" }
        if members.count == 1, valueTypes.contains(members[0].name) { return members[0].text }
        func member(_ names: [String]) -> String? { members.first { names.contains(String($0.name)) }?.text }
        // CloudKit and a Firestore backup name the type.
        if members.count == 2, let type = member(["__datatype__", "type"]),
            members.contains(where: { $0.name == "__datatype__" }) || recordTypes.contains(type)
        {
            return member(["value"])
        }
        guard let seconds = member(["_seconds", "seconds"]), let whole = Double(seconds), members.count <= 2 else {
            return nil
        }
        let part = member(["_nanoseconds", "nanoseconds", "nanos"]).flatMap { Double($0) }
        guard members.count == 1 || part != nil else { return nil }
        return "\(Timestamp.millionths(whole, part ?? 0))"
    }

    private static let recordTypes: Set = ["TIMESTAMP", "STRING", "INT64", "DOUBLE", "NUMBER_INT64", "NUMBER_DOUBLE"]
    private static let valueTypes: Set<Substring> = [
        "$date", "$oid", "$numberLong", "$numberInt", "$numberDouble", "$numberDecimal", "stringValue", "integerValue",
        "doubleValue", "booleanValue", "timestampValue", "referenceValue", "__time__", "S", "N", "BOOL",
    ]
}

extension Timestamp {
    /// Microseconds since 1970 of seconds and nanoseconds, within the calendar.
    fileprivate static func millionths(_ seconds: Double, _ nanoseconds: Double) -> Int64 {
        Int64(max(-6e16, min(2.5e17, seconds * 1e6 + nanoseconds / 1e3)))
    }
}
