import KinCore
package import KinJSON
package import KinStore

/// The methods of records: import, export, removal, erasure, checks.
enum RecordMethods {
    static let group = MethodGroup(
        title: "Records",
        prose: """
            Ids (of people, sessions, items, babies, events, challenges, images) are texts of 1 to 512 bytes of UTF-8 without control
            characters; they are brought into Unicode's normal form C, so that "é" as one character or two is one id.
            """,
        methods: [
            put, importing, exporting, shape, removing, forget, users, info, check, checkPart, memory, saveIndexes,
            backup,
            suspend,
        ])

    private static let put = EngineMethod(
        command: "put", "Inserts or replaces records: all of them, or none.",
        answer: """
            the number of each kind, and under `older` the number that changed nothing, since what is stored was updated later
            """,
        Parameter<String>.required(
            "records", .list("record"),
            """
            Sessions, profiles (`{"profile": …, "since": instant}`, or alone for now), items and all other kinds, as an export has them or alone; \
            or records of an app.
            """
        ) { reader throws(KinError) in try reader.verbatim() },
        Parameter<ShapeOptions>.shapeOptions
    ) { engine, records, options in
        Members(try await engine.store.importArray(records, now: engine.now(), options: options))
    }

    private static let importing = EngineMethod(
        command: "import", "Imports the records of a file of JSON: all of them, or none.",
        answer: "the number of each kind",
        Parameter<String>.text("path", .path, "The file: a record on each line, or one array."), Parameter<Int>.threads,
        Parameter<ShapeOptions>.shapeOptions
    ) { engine, path, threads, options in
        Members(
            try await engine.store.importLines(from: path, now: engine.now(), threads: threads, options: options))
    }

    private static let exporting = EngineMethod(
        "export", "Lists the records of a person, or of everybody.",
        answer: """
            list of records as `put` takes them; with `shape`, of objects with the app's record under `record`, and beside it its `kind` and ids
            """,
        Parameter<String?>.id("user", "The person; everybody and what all share when missing."),
        Parameter<RecordShape?>.shape(
            "The app whose form the records have; those that it has no form for are left out.")
    ) { engine, user, shape throws(KinError) in
        var text: [UInt8] = []
        if let shape {
            text = try engine.store.exportRecords(of: user, as: shape)
        } else {
            try engine.store.exportLines(of: user) { lines throws(KinError) in text += lines }
        }
        let records = String(decoding: text, as: UTF8.self).split(separator: "\n").joined(separator: ",")
        return JSONText("[\(records)]")
    }

    private static let shape = EngineMethod(
        "shape", "Describes how records of an app are read, without storing them.",
        Parameter<String>.required("records", .list("record"), "Records of an app, as `put` takes them.") {
            reader throws(KinError) in try reader.verbatim()
        },
        Parameter<RecordShape?>.shape("The app; each record's is recognized by its members when missing.")
    ) { _, records, shape throws(KinError) in try ShapeReport.reports(of: records, as: shape) }

    private static let removing = EngineMethod(
        command: "remove", "Removes a record of any kind by its key.",
        answer: "`removed`: whether there was one",
        Parameter<String?>.id("session", "The id of a session."),
        Parameter<String?>.text("kind", "The kind of another record, which its key is given with."),
        Parameter<[String: String]>.recordKey
    ) { engine, session, kind, key in
        var (kind, key) = (kind, key)
        for (name, id) in [("session", session), ("inventory_item", key.removeValue(forKey: "item"))] {
            guard let id else { continue }
            guard kind == nil, key.isEmpty else { throw wrongTarget }
            (kind, key) = (name, ["id": id])
        }
        guard let kind else { throw wrongTarget }
        let names = try Store.keyNames(of: kind)
        if let stranger = key.keys.sorted().first(where: { !names.contains($0) }) {
            throw KinError.field(stranger, "the key of a \(kind) is \(names.joined(separator: ", "))")
        }
        return Members(["removed": try await engine.store.remove(kind, key: key)])
    }

    private static let wrongTarget = KinError(
        .invalidArgument, "name a \"session\", an \"item\", or a \"kind\" of record and its key")

    private static let forget = EngineMethod(
        command: "forget", "Erases a person: every record of theirs, to the last byte.",
        answer: """
            the number of erased records of each kind, and under `shared_event` the number of events in others' logs that lost their \
            author
            """,
        Parameter<String>.id("user", "The person.")
    ) { engine, user in Members(try await engine.store.forget(user)) }

    private static let users = EngineMethod(
        "users", "Lists everybody with a record, by ascending id.", answer: "list of `user`"
    ) { engine throws(KinError) in LabelledList("user", try engine.store.users()) }

    private static let info = EngineMethod(
        "info", "Counts people and records."
    ) { engine throws(KinError) in try engine.store.counts() }

    private static let check = EngineMethod(
        "check", "Checks every page, index and record of the store."
    ) { engine throws(KinError) in try engine.store.check() }

    private static let checkPart = EngineMethod(
        "check_part",
        "Checks a part of the store, for idle time; all parts together read all records, tables and indexes.",
        Parameter<String?>.text("after", "The `next` of the part before; the first part when missing."),
        Parameter<Int>.count("rows", default: 10_000, in: 1...1_000_000, "The largest number of records to read.")
    ) { engine, cursor, rows throws(KinError) in try engine.store.checkPart(after: cursor, rows: rows) }

    private static let memory = EngineMethod(
        "memory", "Tells how much memory derived data takes: indexes, matchers, learned profiles and the like."
    ) { engine throws(KinError) in try engine.store.derivedStatistics }

    private static let saveIndexes = EngineMethod(
        command: "save_indexes", "Saves the indexes beside the database; closing does it too.", answer: "`{}`"
    ) { engine in
        try await engine.store.saveIndexes()
        return Members.none
    }

    private static let backup = EngineMethod(
        "backup", "Writes a backup: a checked copy of the store in one file, while the store is in use.",
        answer: "`change`: the number of the last change that the backup has",
        Parameter<String>.text("path", .path, "The file to write; it opens as a store by itself."),
        Parameter<Bool>.flag("overwrite", "Whether an earlier backup at the path is replaced.")
    ) { engine, path, overwrite throws(KinError) in
        Members(["change": try engine.store.backup(to: path, overwrite: overwrite).number])
    }

    private static let suspend = EngineMethod(
        command: "suspend",
        "Releases the writer's lock until the next command, for an app that is about to be suspended.", answer: "`{}`"
    ) { engine in
        try await engine.store.suspend()
        return Members.none
    }
}

extension Parameter<RecordShape?> {
    /// The optional parameter `shape`: the name of an app.
    static func shape(_ help: String) -> Parameter {
        choice("shape", of: RecordShape.allCases, named: RecordShape.allCases.map(\.rawValue), help)
    }
}

extension Parameter<ShapeOptions> {
    /// The parameters `shape`, `user`, `baby` and `extra`.
    fileprivate static var shapeOptions: Parameter {
        let shape = Parameter<RecordShape?>.shape(
            "The app whose records these are; each record's is recognized by its members when missing.")
        let user = Parameter<String?>.id("user", "The person of an app's records that name none.")
        let baby = Parameter<String?>.id("baby", "The baby of an app's events that name none.")
        let extra = Parameter<Bool>.flag(
            "extra",
            "Whether fields of an app's records that it has no meaning for are stored unread; they are errors otherwise."
        )
        return Parameter(
            descriptions: shape.descriptions + user.descriptions + baby.descriptions + extra.descriptions
        ) { request throws(KinError) in
            func checked(_ id: String?, _ name: String) throws(KinError) -> String? {
                if let id { try RecordID.checked(id, field: name) } else { nil }
            }
            return ShapeOptions(
                shape: try shape.read(&request), user: try checked(user.read(&request), "user"),
                baby: try checked(baby.read(&request), "baby"), keepsUnknown: try extra.read(&request))
        }
    }
}

extension ShapeReport: DeclaredObject {
    package static let schema = ObjectSchema<ShapeReport>(
        .field("shape", { $0.shape?.rawValue }, "null for records of no known app"),
        .field("record", \.record),
        .field("kind", \.kind, "the kind that it is stored as"),
        .field("count", \.count, "the number of such records"),
        .list(
            "fields", \.fields, .field("field", \.field), .field("becomes", \.becomes),
            .field("conversion", \.conversion, "null for a value that stays")),
        .field("unread", \.unread, "fields that are stored and returned, and mean nothing to Kin"),
        .field("unknown", \.unknown, "fields that the app's document does not have: errors, unless `extra` is set"),
        .field("needs", \.needs, "ids to give, by the options' names"),
        .field("assumption", \.assumption))
}

extension Parameter<[String: String]> {
    /// The parts of a record's key, by the names in all kinds' keys.
    fileprivate static var recordKey: Parameter {
        let names = ["item"] + Set(Store.recordKinds.flatMap { (try? Store.keyNames(of: $0)) ?? [] }).sorted()
        let descriptions = names.map {
            ParameterDescription(
                $0, .text, .optional, $0 == "item" ? "The id of an inventory item." : "A part of the key of a record.")
        }
        return Parameter(descriptions: descriptions) { request throws(KinError) in
            var key: [String: String] = [:]
            for name in names {
                key[name] = try request.optional(name) { reader throws(KinError) in
                    try JSONReader.id(reader.isAtString() ? reader.string() : reader.verbatim())
                }
            }
            return key
        }
    }
}

extension DerivedStatistics: DeclaredObject {
    package static let schema = ObjectSchema<DerivedStatistics>(
        .field("budget", \.budget, "bytes"),
        .field("bytes", \.byteCount),
        .field("values", \.values, "the number of values"),
        .field("evictions", \.evictions, "the values that left since the opening to keep the budget"))
}

extension StoreCheckPart: DeclaredObject {
    package static let schema = ObjectSchema<StoreCheckPart>(
        .field("rows", \.rows, "the number of records read"),
        .field("problems", \.problems),
        .field("next", \.next, "the `after` of the next part, null when this was the last"))
}

extension StoreReport: DeclaredObject {
    package static let schema = ObjectSchema<StoreReport>(
        .field("is_intact", \.isIntact),
        .field("change", \.version.number, "the number of the last change"),
        .field("people", \.people),
        .field("records", { Members($0.counts) }, "the number of each kind"),
        .field("total_bytes", \.totalBytes),
        .field("problems", \.problems),
        .field(
            "warnings", \.warnings,
            "bytes of the forgotten that could not be removed yet, files that other accounts may use"),
        .field(
            "naming_key", \.namingKey.rawValue,
            "where the key of anonymous names is: `none` needed yet, `database` or `caller`"))
}
