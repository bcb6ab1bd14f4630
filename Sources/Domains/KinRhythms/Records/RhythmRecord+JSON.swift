extension RhythmRecord: JSONRecord, JSONObject {
    package static let recordName = "event"

    /// The names of an event's fields.
    static let keys = JSONKeys(
        [
            "id", "type", "start", "end", "quality", "nap_number", "is_night_sleep", "method", "volume", "unit", "side",
            "minutes", "food", "kind", "title", "category", "author", "created", "updated", "notes", "removed",
            "time_zone", "extra",
        ], required: ["type"],
        aliases: [
            ("timestamp", "start"), ("isRemoved", "removed"), ("deleted", "removed"), ("isDeleted", "removed"),
        ])
    /// The types of a log's rows.
    package static let typeNames = EventType.allCases.map(\.rawValue)
    private static let types = JSONKeys(typeNames)
    private static let units = JSONKeys(
        ["ml", "oz"],
        aliases: ["millilitres", "milliliters"].map { ($0, "ml") }
            + ["floz", "fl oz", "fl_oz", "ounces"].map { ($0, "oz") })
    /// The largest volume that may be in ounces. A larger one without a unit is in millilitres, since no bottle has
    /// more ounces.
    package static let mostOunces = 15.0
    /// The millilitres in a US fluid ounce.
    package static let millilitresPerOunce = 29.5735
    /// The longest duration that replaces a missing end: a week, in minutes.
    package static let longestDuration = 10_080.0

    /// Reads an event from its JSON object.
    ///
    /// - Throws: `.malformedInput`, naming line, column and field.
    public init(json: String) throws(KinError) { try self.init(parsing: json) }

    /// The event as a JSON object, on one line.
    public var json: String { jsonText }

    package init(from reader: inout JSONReader) throws(KinError) { try self.init(from: &reader, in: nil) }

    /// Reads an event from its JSON object, with times as written or by the clock of the event's own zone.
    ///
    /// - Parameter zone: The event's own zone if the object names none; nil for the log's clock.
    init(from reader: inout JSONReader, in zone: LocalZone?) throws(KinError) {
        var draft = Draft()
        do throws(KinError) {
            try reader.members(of: Self.keys) { reader, key throws(KinError) in try draft.read(key, from: &reader) }
            guard let start = draft.start else {
                throw reader.error("the event has no start; write when it began, such as 2026-01-05T12:00:00")
            }
            if draft.type == 1, !draft.hasUnit, let volume = draft.volume, volume > 0, volume <= Self.mostOunces {
                throw reader.error(
                    "a volume of \(volume) may be ounces or millilitres; add \"unit\": \"oz\" or \"unit\": \"ml\" to the feed"
                )
            }
            self.init(
                start: start, event: draft.event(until: draft.end), note: draft.note == Note() ? nil : draft.note)
            if let zone = draft.zone ?? zone { self = byClock(of: zone) }
        } catch {
            throw error.inRecord(Self.recordName, draft.note.id)
        }
    }

    /// The fields of an event, as far as they have been read.
    private struct Draft: ~Copyable {
        var zone: LocalZone?
        var type = 0
        var start: LoggedTime?
        var end: LoggedTime?
        var sleep = Sleep()
        var feed = Feed()
        var volume: Double?
        var hasUnit = false
        var isOunces = false
        var diaper = Diaper.both
        var title = ""
        var category = MilestoneCategory.physical
        var note = Note()

        func event(until end: LoggedTime?) -> Event {
            switch type {
            case 0:
                var sleep = sleep
                let minutes = feed.minutes.flatMap { $0 > 0 && $0 <= RhythmRecord.longestDuration ? $0 : nil }
                sleep.end = end ?? minutes.flatMap { start?.later(by: $0) }
                return .sleep(sleep)
            case 1:
                var feed = feed
                feed.end = end
                feed.millilitres = volume.map { isOunces ? $0 * RhythmRecord.millilitresPerOunce : $0 }
                return .feed(feed)
            case 2: return .diaper(diaper)
            default: return .milestone(title: title, category: category)
            }
        }

        mutating func read(_ key: Int, from reader: inout JSONReader) throws(KinError) {
            switch key {
            case 1: type = try reader.choice(of: RhythmRecord.types, "type")
            case 2: start = try JSONForm.localTime.read(&reader)
            case 3: end = try reader.optional(JSONForm.localTime.read)
            case 21: zone = try reader.optional(JSONForm.zone.read)
            case 0: note.id = try reader.optionalString()
            case 16: note.author = try reader.optionalString()
            case 17, 18:
                // Programs may log an instant without an offset, as they log the clock.
                let time = try reader.optional { reader throws(KinError) in try reader.parsed(Timestamp.init(parsing:))
                }
                if key == 17 { note.created = time } else { note.updated = time }
            case 19: note.text = try reader.optionalString()
            case 22: note.extra = try reader.optional(JSONForm.members.read)
            case 20: note.isRemoved = try reader.optional(JSONForm.boolean.read) ?? false
            case 4: sleep.quality = try reader.optionalWord("quality")
            case 5:
                sleep.napNumber = try reader.optional { reader throws(KinError) in
                    Int(clamping: try reader.integer())
                }
            case 6: sleep.isNight = try reader.optional(JSONForm.boolean.read)
            case 7: feed.method = try reader.optionalWord("method")
            case 8: volume = try reader.optional { reader throws(KinError) in try reader.number() }
            case 9:
                let unit = try reader.optional { reader throws(KinError) in
                    try reader.choice(of: RhythmRecord.units, "unit")
                }
                (hasUnit, isOunces) = (unit != nil, unit == 1)
            case 10: feed.side = try reader.optionalWord("side")
            case 11: feed.minutes = try reader.optional { reader throws(KinError) in try reader.number() }
            case 12: feed.food = try reader.optionalString()
            case 13: diaper = try reader.optionalWord("kind of diaper") ?? .both
            case 14: title = try reader.optionalString() ?? ""
            default: category = try reader.optionalWord("category") ?? .physical
            }
        }
    }

    package func writeMembers(to writer: inout JSONWriter) {
        if let id = note?.id { writer.member("id", id) }
        writer.member("type", type.rawValue)
        writer.member("start", start)
        if let end { writer.member("end", end) }
        // An offset can be read again without a time zone database.
        if hasOwnClock, let clock = start.clock { writer.member("time_zone", clock.name) }
        writeDetails(to: &writer)
        if let author = note?.author { writer.member("author", author) }
        if let created = note?.created { writer.member("created", created.description) }
        if let updated = note?.updated { writer.member("updated", updated.description) }
        if let text = note?.text { writer.member("notes", text) }
        if note?.isRemoved == true { writer.member("removed", true) }
        if let extra = note?.extra { writer.member("extra") { $0.raw(extra) } }
    }

    private func writeDetails(to writer: inout JSONWriter) {
        switch event {
        case .sleep(let sleep):
            if let quality = sleep.quality { writer.member("quality", quality.rawValue) }
            if let number = sleep.napNumber { writer.member("nap_number", number) }
            if let isNight = sleep.isNight { writer.member("is_night_sleep", isNight) }
        case .feed(let feed):
            if let method = feed.method { writer.member("method", method.rawValue) }
            if let volume = feed.millilitres {
                writer.member("volume", volume)
                writer.member("unit", "ml")
            }
            if let side = feed.side { writer.member("side", side.rawValue) }
            if let minutes = feed.minutes { writer.member("minutes", minutes) }
            if let food = feed.food { writer.member("food", food) }
        case .diaper(let diaper): writer.member("kind", diaper.rawValue)
        case .milestone(let title, let category):
            writer.member("title", title)
            writer.member("category", category.rawValue)
        }
    }
}

extension JSONForm<LocalZone> {
    /// A time zone by its name.
    package static let zone = parsed("time zone", text: \.name) { name throws(KinError) in
        try LocalZone(named: name)
    }
}
