/// The records of BabySync's documents: `babies/{babyId}`, `events/{babyId}/events/{eventId}`.
enum BabySyncShape {
    static let records = [baby] + ["feed", "sleep", "diaper", "milestone"].map(event)

    private static let baby = ShapedRecord(
        name: "baby", kind: "baby", marks: [["dateOfBirth", "owners"], ["dateOfBirth", "createdBy"]],
        fields: [
            ShapeField("name", "name"), ShapeField("dateOfBirth", "date_of_birth", .localTime),
            ShapeField("timeZone", "time_zone", .same, .alias), ShapeField("owners", "owners"),
        ],
        others: ["gender", "photoURL", "createdBy", "createdAt"],
        ids: [
            ShapeID(
                ours: ["user_id"], names: ["userId", "userID", "user_id"], option: "user", fallback: "createdBy"),
            ShapeID(ours: ["id"], names: ["id", "babyId", "babyID"], option: "id", callers: "baby"),
        ],
        kept: ["time_zone"], restore: addRequired, complete: keepByOwner)

    /// Adds the members that the app requires of a baby: its owners and its date of birth.
    private static let addRequired: @Sendable (inout JSONTree, JSONTree, ShapeContext) -> Void = { baby, ours, _ in
        if baby[path: ["owners"]] == nil { baby[path: ["owners"]] = ours[path: ["user_id"]].map { .list([$0]) } }
        if baby[path: ["dateOfBirth"]] == nil { baby[path: ["dateOfBirth"]] = .null }
    }

    /// Sets the user of a baby whose creator is no owner any more to an owner.
    private static let keepByOwner: @Sendable (inout JSONTree, JSONTree, ShapeLookup) throws -> Void = {
        baby, record, _ in
        guard case .list(let owners)? = baby[path: ["owners"]], let first = owners.first,
            let user = baby[path: ["user_id"]], user == record[path: ["createdBy"]], !owners.contains(user)
        else { return }
        baby[path: ["user_id"]] = first
    }

    private static let common = [
        ShapeField("createdBy", "event.author"), ShapeField("createdAt", "event.created", .instant),
        ShapeField("updatedAt", "event.updated", .instant), ShapeField("notes", "event.notes"),
    ]

    private static func event(_ type: String) -> ShapedRecord {
        let fields: [ShapeField] =
            switch type {
            case "feed":
                [
                    ShapeField("timestamp", "event.start", .instant), ShapeField("feedData.method", "event.method"),
                    ShapeField(
                        "feedData.volume", "event.volume",
                        .scaled("ounces to millilitres", by: RhythmRecord.millilitresPerOunce)),
                    ShapeField("feedData.side", "event.side"), ShapeField("feedData.duration", "event.minutes"),
                    ShapeField("feedData.foodType", "event.food"),
                ]
            case "sleep":
                [
                    ShapeField("timestamp", "event.start", .instant, .fallback),
                    ShapeField("sleepData.startTime", "event.start", .instant),
                    ShapeField("sleepData.endTime", "event.end", .instant),
                    ShapeField("sleepData.quality", "event.quality"),
                    ShapeField("sleepData.napNumber", "event.nap_number"),
                    ShapeField("sleepData.isNightSleep", "event.is_night_sleep", .boolean),
                ]
            case "diaper":
                [ShapeField("timestamp", "event.start", .instant), ShapeField("diaperData.type", "event.kind")]
            default:
                [
                    ShapeField("timestamp", "event.start", .instant), ShapeField("milestoneData.title", "event.title"),
                    ShapeField("milestoneData.category", "event.category"),
                ]
            }
        var record = ShapedRecord(
            name: type, kind: "care_event", marks: [["type", "timestamp"], ["type", "\(type)Data"]],
            variant: (["type"], ["event", "type"], type), fields: fields + common,
            others: ["photoURLs"]
                + (["sleep": ["sleepData.duration"], "milestone": ["milestoneData.description"]][type] ?? []),
            ids: [
                ShapeID(ours: ["baby"], names: ["babyId", "babyID", "baby"], option: "baby"),
                .user, ShapeID(ours: ["event", "id"], names: ["id", "eventId", "eventID"], option: "id"),
            ])
        if type == "feed" { record.restore = addDuration }
        record.extra = ["event", "extra"]
        record.kept = ["event.time_zone"]
        record.complete = { [record] event, object, lookup in
            try complete(&event, object, lookup)
            guard event[path: ["event", "id"]] == nil else { return }
            event[path: ["event", "id"]] = try lookup.eventID(of: event, from: object, record)
        }
        return record
    }

    /// Adds the minutes from the start to the end of a feed without a length.
    private static let addDuration: @Sendable (inout JSONTree, JSONTree, ShapeContext) -> Void = { feed, ours, _ in
        guard feed[path: ["feedData", "duration"]] == nil,
            let event = (ours[path: ["event"]]?.jsonText).flatMap({ try? RhythmRecord(json: $0) }), let end = event.end
        else { return }
        let minutes = end.minutes(since: event.start).rounded()
        feed[path: ["feedData", "duration"]] = .number("\(Int(clamping: Int64(minutes)))")
    }

    /// Sets an event's user to the owner of the baby's log, the unit of its volume, and the missing end of a sleep from
    /// its duration.
    private static let complete: @Sendable (inout JSONTree, JSONTree, ShapeLookup) throws -> Void = {
        event, record, lookup in
        if event[path: ["user_id"]] == nil, case .text(let baby)? = event[path: ["baby"]] {
            event[path: ["user_id"]] = try lookup.keeper(ofBaby: baby).map { .text($0) }
        }
        if event[path: ["event", "volume"]] != nil { event[path: ["event", "unit"]] = .text("ml") }
        guard case .text(let start)? = event[path: ["event", "start"]] else { return }
        let duration = record[path: ["sleepData", "duration"]] ?? .null
        guard event[path: ["event", "end"]] == nil, duration != .null else { return }
        guard let minutes = duration.double, (0..<10_000).contains(minutes) else {
            throw KinError.field(
                "sleepData.duration", "must be 0 to 9,999 minutes, not \(duration.jsonText.prefix(80))")
        }
        if minutes > 0 {
            let end = try Timestamp(parsing: start).microseconds + Int64(minutes * 60e6)
            event[path: ["event", "end"]] = .text(try Timestamp(microseconds: end).description)
        }
    }
}

extension ShapeLookup {
    /// The id of an event without one: the id of the stored event that it repeats or continues. A new event gets its type,
    /// its start and a hash of its content. Until 0.3.0 it got only type and start.
    ///
    /// An event continues the only stored event with its type and start that is a sleep without an end, or an earlier or
    /// later update. Events of one import never continue each other.
    ///
    /// - Returns: nil for an event without a start, a user or a baby.
    fileprivate func eventID(of ours: JSONTree, from record: JSONTree, _ shaped: ShapedRecord) throws -> JSONTree? {
        let paths = [["event", "type"], ["event", "start"], ["baby"], ["user_id"]]
        let texts = paths.compactMap { path in if case .text(let text)? = ours[path: path] { text } else { nil } }
        guard texts.count == 4 else { return nil }
        let (prefix, baby) = ("\(texts[0])-\(texts[1])", texts[2])
        let keeper = try transaction.keeper(of: texts[3], baby: baby) ?? texts[3]
        func unread(_ record: JSONTree?) -> [JSONTree] {
            shaped.others.map { record?[path: ShapeField.path($0)]?.withWholeNumbers ?? .null }
        }
        var hash = ContentHash()
        let members = (ours[path: ["event"]] ?? .null).withWholeNumbers.members.sorted { $0.name < $1.name }
        for value in [.object(members)] + unread(record) { hash.mix(value.jsonText) }
        var (named, id) = (ours, JSONTree.text("\(prefix)-\(hash.text)"))
        named[path: ["event", "id"]] = id
        // An invalid event is left to Kin's reader.
        guard let event = try? shaped.stored(named, now: now).json[path: ["event"]] else { return id }
        let known = try RecordQuery<CareEvent>(
            of: keeper, "AND baby = ? AND id >= ? AND id < ?",
            [.id(baby, "baby"), .text(prefix), .text(prefix + ".")]
        ).all(in: transaction.database).map { try JSONTree(parsing: $0.record.json) }
        func isSame(_ other: JSONTree, _ names: String...) -> Bool {
            names.allSatisfy { other[path: [$0]] == event[path: [$0]] }
        }
        let equal = known.first { other in
            let isRemoved = other[path: ["removed"]] == .boolean(true)
            let ignored = ["id", "extra", "time_zone"] + (isRemoved ? ["removed", "updated", "notes"] : [])
            let names = Set((event.members + other.members).map(\.name)).subtracting(ignored)
            // In a shared log, the user becomes the author of an event without one.
            let isAuthored = event[path: ["author"]] == nil && other[path: ["author"]] == .text(texts[3])
            return names.allSatisfy { isSame(other, $0) || $0 == "author" && isAuthored }
                && (isRemoved || unread(other[path: ["extra"]]) == unread(record))
        }
        let earlier = known.filter { other in
            guard let id = other[path: ["id"]], !transaction.namedEvents.contains([keeper, baby, id.jsonText]),
                other[path: ["removed"]] == nil
            else { return false }
            let isRunning = texts[0] == "sleep" && (event[path: ["end"]] == nil || other[path: ["end"]] == nil)
            return isRunning
                || event[path: ["created"]] != nil && isSame(other, "created", "author")
                    && !isSame(other, "updated")
        }
        id = (equal ?? (earlier.count == 1 ? earlier[0] : nil))?[path: ["id"]] ?? id
        transaction.namedEvents.insert([keeper, baby, id.jsonText])
        return id
    }
}
