import KinChallenges
import KinCore
import KinJSON

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

    /// Whether the records have Kin's format, and need the shape only if they lack an id.
    private var hasOwnForm: Bool { self == .grain || self == .serenity }

    /// The record of the shape that an object's members match; nil if none matches.
    func record(_ object: JSONTree) -> ShapedRecord? { records.first { $0.isRecognized(object) } }

    /// The record that an object's members match: in the given shape or, if that is nil, in the only shape that
    /// recognizes the object. A record in Kin's format matches only if it lacks an id under Kin's name, which the shape
    /// can supply.
    ///
    /// - Returns: nil if the shape does not recognize the object, or if no shape or several shapes do.
    static func recognized(_ object: JSONTree, as shape: RecordShape?) -> (shape: RecordShape, record: ShapedRecord)? {
        if let shape { return shape.record(object).map { (shape, $0) } }
        let found = allCases.compactMap { shape in shape.record(object).map { (shape: shape, record: $0) } }
            .filter { !$0.shape.hasOwnForm || $0.record.ids.contains { object[path: $0.ours] == nil } }
        return found.count == 1 ? found[0] : nil
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

    /// Reads an app's record, alone or as the member `record` of an object with its ids (`user`, `baby`, `id`), which
    /// is the form of an export.
    ///
    /// - Returns: nil if no shape recognizes the object.
    init?(_ reader: inout JSONReader, _ options: ShapeOptions) throws(KinError) {
        var (object, ids) = (try JSONTree(from: &reader), options.ids)
        if let inner = object[path: ["record"]], !inner.members.isEmpty {
            for member in object.members {
                if case .text(let id) = member.value { ids[member.name] = id }
            }
            object = inner
        }
        guard let (shape, record) = RecordShape.recognized(object, as: options.shape) else { return nil }
        self.init(object, shape, record, ids, options.keepsUnknown)
    }

    private init(
        _ object: JSONTree, _ shape: RecordShape, _ record: ShapedRecord, _ ids: [String: String], _ keepsUnknown: Bool
    ) {
        self.object = object
        self.shape = shape
        self.record = record
        self.ids = ids
        self.keepsUnknown = keepsUnknown
    }

    /// The order within a batch: shared records first, then babies, then records that refer to a user or a baby.
    var rank: Int { record.ids.contains { $0.option == "user" } ? (record.kind == "baby" ? 1 : 2) : 0 }

    /// The translated records of Kin, nested records first.
    ///
    /// - Throws: The errors of translation and of Kin's reader, with the name of the app's or Kin's field.
    func records(in lookup: ShapeLookup) throws -> [any StoredRecord] {
        var records: [any StoredRecord] = []
        if let part = record.part, let inner = object[path: [part.member]], !inner.members.isEmpty,
            let nested = shape.records.first(where: { $0.name == part.record })
        {
            records += try ShapedLine(inner, shape, nested, ids, keepsUnknown).records(in: lookup)
        }
        let person = record.ids.first { $0.option == "user" }?.value(in: object, ids)
        var context = ShapeContext()
        if case .text(let user)? = person { context.zone = try lookup.zone(of: user) }
        var ours = try record.read(object, ids: ids, keepsUnknown: keepsUnknown, in: context)
        try record.complete?(&ours, object, lookup)
        for id in record.ids where ours[path: id.ours] == nil {
            let option = id.option == "id" ? "" : "set \"\(id.option)\", or "
            throw KinError(
                .invalidArgument,
                "the record \"\(record.name)\" of \(shape.rawValue) has no \(id.option); \(option)write it in \"\(id.names[0])\""
            ).inField(id.names[0])
        }
        let kind = RecordKind.types.first { $0.kind.name == record.kind }!
        let (_, stored) = try Self.stored(ours, as: kind, lookup)
        record.addExtra(of: object, to: &ours, stored: stored, in: context)
        records.append(try Self.stored(ours, as: kind, lookup).record)
        return records
    }

    /// A record of Kin from its JSON, and its JSON as Kin writes it.
    private static func stored(
        _ json: JSONTree, as kind: any StoredRecord.Type, _ lookup: ShapeLookup
    ) throws(KinError) -> (record: any StoredRecord, json: JSONTree) {
        do throws(KinError) {
            let record = try JSONReader.read(json.jsonText) { reader throws(KinError) in
                try kind.read(&reader, now: lookup.now)
            }
            return (record, try JSONTree(parsing: String(decoding: record.body, as: UTF8.self)))
        } catch {
            throw error.without(["line", "column"])
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

    /// The domain of the content of a day of a person's rotation.
    func domain(ofDay day: Int, for user: String, at time: Timestamp, in zone: LocalZone) throws -> String {
        let rotation = try RecordKey.rotation(of: user).find(in: transaction.database)?.at(time, in: zone)
        let library = try? transaction.derived(CachedContent.self, for: .only).library
        if let library, let rotation, rotation.day == day { return try rotation.item(in: library).domain.rawValue }
        let number = (day - 1) % ContentLibrary.dayCount + 1
        let query = RecordQuery<ContentItem>("WHERE day = ?", [.integer(Int64(number))])
        if let item = try library?.items[number - 1] ?? query.first(in: transaction.database) {
            return item.domain.rawValue
        }
        throw KinError.field(
            "dayNumber", "the store has no content of day \(number), which says the domain; import it first")
    }
}
