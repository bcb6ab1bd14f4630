/// An app's format of records, which Kin reads and writes.
public enum RecordShape: String, Sendable, CaseIterable {
    /// Babies and events of BabySync: nested data, Firestore's timestamps, volumes in ounces.
    case babysync
    /// Days, preferences and reflections of Danke!.
    case danke
    /// Challenges, assignments and preferences of Out of Box, including its CloudKit records: levels as numbers,
    /// durations in seconds.
    case outOfBox = "out_of_box"
    /// Users, inventory and sessions of grain, which Kin stores unchanged.
    case grain
    /// Goals, realms, objects, patterns and moods of people in Serenity Soother, which already have Kin's format.
    case serenity

    /// The records of the shape.
    var records: [ShapedRecord] {
        switch self {
        case .babysync: BabySyncShape.records
        case .danke: DankeShape.records
        case .outOfBox: OutOfBoxShape.records
        case .grain: GrainShape.records
        case .serenity: SerenityShape.records
        }
    }

    /// Whether the records have Kin's fields. Such a record needs the shape only if it has an app's form of them.
    fileprivate var hasOwnForm: Bool { self == .grain || self == .serenity }

    /// An object with a record of the shape that its members match; nil if none matches. The names of Kin's fields are
    /// in snake case then.
    private func match(_ object: JSONTree) -> Match? {
        var object = object
        if hasOwnForm {
            let names = Set(records.flatMap { $0.fields.map { $0.theirs[0] } })
            object = .object(
                object.members.map { member in
                    let name = Spelling.snakeCase(member.name)
                    return names.contains(name) ? JSONTree.Member(name: name, value: member.value) : member
                })
        }
        return records.first { $0.isRecognized(object) }.map { (self, $0, object) }
    }

    typealias Match = (shape: RecordShape, record: ShapedRecord, object: JSONTree)

    /// The record that an object's members match: in the given shape or, if that is nil, in the only shape that
    /// recognizes the object.
    ///
    /// - Returns: nil if the shape does not recognize the object, or if no shape or several shapes do.
    static func recognized(_ object: JSONTree, as shape: RecordShape?) -> Match? {
        if let shape { return shape.match(object) }
        let found = allCases.compactMap { $0.match(object) }
        return found.count == 1 ? found[0] : nil
    }

    /// Reads a record of Kin, or an app's form of it, that depends on nothing in a store.
    package static func read<Record: JSONRecord>(_ reader: inout JSONReader) throws(KinError) -> Record {
        let start = reader
        let failure: KinError
        do throws(KinError) { return try Record(from: &reader) } catch { failure = error }
        reader = start
        let kind = (Record.self as? any StoredRecord.Type)?.kind.name
        guard reader.isAtObject(), let line = try ShapedLine(&reader, ShapeOptions()), line.kind == kind else {
            throw failure
        }
        do {
            return try line.record(in: ShapeContext(), now: Timestamp(unchecked: 0)) as! Record
        } catch {
            throw KinError(error, doing: "read a record of content")
        }
    }
}

/// Options for the import of records of apps.
public struct ShapeOptions: Sendable {
    /// The shape of all records; nil to recognize the shape of each record that is not Kin's own.
    public var shape: RecordShape?
    /// The person for records without a user id.
    public var user: String?
    /// The baby for events without a baby id.
    public var baby: String?
    /// Whether members unknown to both Kin and the shape are stored unread; otherwise they are errors.
    public var keepsUnknown: Bool

    /// Creates options for an import. Default: records contain their ids and have no unknown members.
    public init(
        shape: RecordShape? = nil, user: String? = nil, baby: String? = nil, keepsUnknown: Bool = false
    ) {
        self.shape = shape
        self.user = user
        self.baby = baby
        self.keepsUnknown = keepsUnknown
    }

    /// Whether a recognized record is translated, rather than read as Kin's own.
    func translates(_ match: RecordShape.Match) -> Bool {
        shape != nil || keepsUnknown || !match.shape.hasOwnForm || match.record.hasOtherForm(match.object)
    }

    /// The ids by the names of options.
    var ids: [String: String] { ["user": user, "baby": baby].compactMapValues(\.self) }
}

/// An app's record as read; it is translated in the transaction that writes it.
struct ShapedLine: Sendable {
    private let object: JSONTree
    private let shape: RecordShape
    private let record: ShapedRecord
    private let ids: [String: String]
    private let keepsUnknown: Bool
    /// The id of a person or a baby that is only in the options; nil if the record is named, or describes neither.
    private(set) var idOfOption: ShapeID?

    /// Reads an app's record, alone or as the member `record` of an object with its ids (`user`, `baby`, `id`), which
    /// is the form of an export.
    ///
    /// - Returns: nil if no shape recognizes the object, or if it already has the form of Kin's record.
    init?(_ reader: inout JSONReader, _ options: ShapeOptions) throws(KinError) {
        var (object, ids) = (try JSONTree(from: &reader), [String: String]())
        if let inner = object[path: ["record"]], !inner.members.isEmpty {
            for member in object.members {
                guard case .text(let id) = member.value else { continue }
                ids[member.name] = id
            }
            object = inner
        }
        if object.hasMongoTypes { object = object.withoutTypes }
        if let id = object[path: ["_id"]], object[path: ["id"]] == nil {
            object[path: ["_id"]] = nil
            object[path: ["id"]] = id
        }
        guard let match = RecordShape.recognized(object, as: options.shape),
            options.translates(match)
        else { return nil }
        self.init(match, options.ids.merging(ids) { $1 }, options.keepsUnknown)
        let id = record.isOfPerson || record.kind == "baby" ? record.ids.last : nil
        idOfOption = id?.value(in: object, ids) == nil && id?.value(in: object, options.ids) != nil ? id : nil
    }

    private init(_ match: RecordShape.Match, _ ids: [String: String], _ keepsUnknown: Bool) {
        (shape, record, object) = match
        self.ids = ids
        self.keepsUnknown = keepsUnknown
    }

    /// The order within a batch: shared records first, then babies and preferences, which have the person's time zone,
    /// then rotations, which have the dates of days, then records that refer to a user or a baby.
    var rank: Int {
        guard record.ids.contains(where: { $0.option == "user" }) else { return 0 }
        return ["baby": 1, "challenge_preferences": 1, "rotation": 2][record.kind] ?? 3
    }

    /// The translated records of Kin, nested records first.
    ///
    /// - Throws: The errors of translation and of Kin's reader, with the name of the app's or Kin's field.
    func records(in lookup: ShapeLookup) throws -> [any StoredRecord] {
        var records: [any StoredRecord] = []
        if let part = record.part, let inner = object[path: [part.member]], !inner.members.isEmpty,
            let nested = shape.records.first(where: { $0.name == part.record })
        {
            records += try ShapedLine((shape, nested, inner), ids, keepsUnknown).records(in: lookup)
        }
        let person = record.ids.first { $0.option == "user" }?.value(in: object, ids)
        var context = ShapeContext(now: lookup.now, keepsUnknown: keepsUnknown)
        if case .text(let user)? = person { context.zone = try lookup.zone(of: user) }
        records.append(
            try record(
                in: context, now: lookup.now, complete: { ours in try record.complete?(&ours, object, lookup) },
                stored: lookup.stored))
        return records
    }

    /// The kind of Kin's record.
    var kind: String { record.kind }

    /// The translated record of Kin.
    ///
    /// - Parameters:
    ///   - now: The instant of the import.
    ///   - complete: Completes the record with data from the store.
    ///   - stored: Returns the stored record with the key of a record, as JSON; nil if there is none.
    func record(
        in context: ShapeContext, now: Timestamp, complete: (inout JSONTree) throws -> Void = { _ in },
        stored: (any StoredRecord) throws -> JSONTree? = { _ in nil }
    ) throws -> any StoredRecord {
        var ours = try record.read(object, ids: ids, in: context)
        try complete(&ours)
        for id in record.ids where ours[path: id.ours] == nil {
            let option = (id.callers ?? id.option) == "id" ? "" : "set \"\(id.callers ?? id.option)\", or "
            throw KinError(
                .invalidArgument,
                "the record \"\(record.name)\" of \(shape.rawValue) has no \(id.option); \(option)write it in \"\(id.names[0])\""
            ).inField(id.names[0])
        }
        var translated = try translated(ours, now)
        if !record.kept.isEmpty, let earlier = try stored(translated.record) {
            for path in record.kept.map(ShapeField.path) where ours[path: path] == nil {
                ours[path: path] = earlier[path: path]
            }
            translated = try self.translated(ours, now)
        }
        record.addExtra(of: object, to: &ours, stored: translated.json, in: context)
        return try self.translated(ours, now).record
    }

    /// Kin's record from its JSON, and its JSON as Kin writes it.
    private func translated(
        _ ours: JSONTree, _ now: Timestamp
    ) throws(KinError) -> (record: any StoredRecord, json: JSONTree) {
        do throws(KinError) {
            return try record.stored(ours, now: now)
        } catch {
            throw record.renamed(error.without(["line", "column"]), of: object)
        }
    }
}

/// Data from the store for the translation of records.
struct ShapeLookup {
    let transaction: WriteTransaction
    /// The instant of the import.
    let now: Timestamp

    /// The time zone of a person's preferences; UTC without preferences.
    func zone(of user: String) throws -> LocalZone {
        try CachedChallenges.zone(of: RecordKey.preferences(of: user).find(in: transaction.database))
    }

    /// The person with a stored baby of this id; nil unless exactly one person has such a baby.
    func keeper(ofBaby id: String) throws -> String? {
        let found = try SQLStatement(
            "SELECT DISTINCT uid FROM baby JOIN person ON person.number = baby.person WHERE baby.id = ?",
            in: transaction.database
        ).all([.id(id, "baby")]) { $0.text(0) }
        return found.count == 1 ? found[0] : nil
    }

    /// The stored record with the key of a record, as JSON; nil if there is none.
    func stored(_ record: any StoredRecord) throws -> JSONTree? {
        let stored = try transaction.admitted(record).stored(in: transaction)
        return try stored.map { try JSONTree(parsing: String(decoding: $0.body, as: UTF8.self)) }
    }

    /// The person's rotation; nil if they have not begun.
    func rotation(of user: String) throws -> ContentRotation? {
        try RecordKey.rotation(of: user).find(in: transaction.database)
    }

    /// Whether a person has a reflection on a date or later.
    func hasReflection(of user: String, from date: LocalDay) throws -> Bool {
        try RecordQuery<DailyReflection>(of: user, "AND date >= ? LIMIT 1", [.integer(Int64(date.number))])
            .first(in: transaction.database) != nil
    }

    /// The time of a stored assignment of a challenge that differs from a time by less than a second, to which an app
    /// may have rounded it; otherwise the time itself.
    func assignment(of challenge: String, to user: String, at time: Timestamp) throws -> Timestamp {
        let second = Int64(999_999)
        let near = try RecordQuery<UserChallenge>(
            of: user, "AND challenge = ? AND assigned BETWEEN ? AND ?",
            [
                .id(challenge, "challenge_id"), .integer(time.microseconds - second),
                .integer(time.microseconds + second),
            ]
        ).all(in: transaction.database).map(\.assigned)
        return near.contains(time) ? time : near.first ?? time
    }

    /// The date of a day that a person reflected on, and the domain of the day's content.
    ///
    /// A person may reflect on a day after its date. Two days never share a date: without a rotation that has the day,
    /// a reflection goes to a free date near that of its instant if this has a reflection on a different day.
    func place(
        ofDay day: Int, for user: String, at time: Timestamp
    ) throws -> (date: LocalDay, domain: String) {
        let zone = try zone(of: user)
        var date = zone.day(at: time)
        let now = try rotation(of: user)?.at(time, in: zone)
        let then = now.flatMap { now in
            (0...6).lazy.map { now.date.advanced(by: -$0) }.filter { $0 >= now.segments[0].from }
                .map { now.on($0) }.first { $0.day == day }
        }
        if let then { date = then.date }
        func other(on date: LocalDay) throws -> Int? {
            try RecordQuery<DailyReflection>(of: user, "AND date = ?", [.integer(Int64(date.number))])
                .first(in: transaction.database).flatMap { $0.day == day ? nil : $0.day }
        }
        if let first = try other(on: date) {
            date = date.advanced(by: max(-6, min(6, day - first)))
            while try other(on: date) != nil { date = date.advanced(by: first < day ? 1 : -1) }
        }
        let library = try? transaction.derived(CachedContent.self, for: .only).library
        if let library, let then { return (date, try then.item(in: library).domain.rawValue) }
        let number = (day - 1) % ContentLibrary.dayCount + 1
        let query = RecordQuery<ContentItem>("WHERE day = ?", [.integer(Int64(number))])
        if let item = try library?.items[number - 1] ?? query.first(in: transaction.database) {
            return (date, item.domain.rawValue)
        }
        throw KinError.field(
            "dayNumber", "the store has no content of day \(number), which says the domain; import it first")
    }
}
