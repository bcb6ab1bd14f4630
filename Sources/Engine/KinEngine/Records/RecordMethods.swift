/// The methods of records: import, export, removal, erasure, checks.
enum RecordMethods {
    static let group = MethodGroup(
        title: "Records",
        prose: """
            Ids of people, sessions, items, babies, events, challenges and images are texts of 1 to 512 bytes of UTF-8 without control characters. They are
            normalized to Unicode's form C: "é" as one character or as two is the same id.
            """,
        methods: [
            put, importing, exporting, shape, removing, forget, users, info, check, checkPart, memory, saveIndexes,
            backup,
            suspend,
        ])

    private static let put = EngineMethod(
        command: "put", "Inserts or replaces records: all of them, or none.",
        answer: """
            the number of records of each kind. Several with one id count each, and the last is stored. `older` counts records that changed nothing, because the stored version is later: by its time of update, a session's states, or an outcome. \
            `conflicting` counts decisions that were left out because the stored decision of their number has a different outcome; \
            `missing_content_days`, the days that an imported year of content lacks. \
            `refused_objects` and `refused_values` count parts of images that were left out for an invalid or missing number, \
            `unknown_keys` the members of images that have no meaning. `left_out` counts the documents in the export of a database that are not records, \
            such as an app's accounts, insights and predictions
            """,
        Parameter<String>(
            "records", .list("record"),
            """
            Records of any kind, under the name of the kind as in an export, or bare; or records of an app. A profile is valid from `since` \
            (`{"profile": …, "since": instant}`), a bare profile from now, unless it equals the present one. With `"merge": true` next to a `baby`, \
            members that it lacks keep their stored values.
            """),
        Parameter<ShapeOptions>.shapeOptions
    ) { engine, records, options in
        Members(try await engine.store.importArray(records, now: engine.now(), options: options))
    }

    private static let importing = EngineMethod(
        command: "import", "Imports the records of a JSON file: all of them, or none.",
        answer: "as for `put`",
        Parameter<String>(
            "path", .text(as: .path), "The file: one record per line, or one array; `-` is standard input."),
        Parameter<Int>.threads,
        Parameter<ShapeOptions>.shapeOptions
    ) { engine, path, threads, options in
        Members(
            try await engine.store.importLines(from: path, now: engine.now(), threads: threads, options: options))
    }

    private static let exporting = EngineMethod(
        "export", "Lists the records of one person, or of the whole store.",
        answer: """
            list of records as `put` takes them; with `shape`, list of objects with the app's record as `record`, its `kind` and its ids
            """,
        Parameter<String?>("user", .id, "The person. Default: all people, and the shared records."),
        Parameter<RecordShape?>.shape(
            "The app whose format the records have. Records without a format in the app are left out.")
    ) { engine, user, shape throws(KinError) in
        var text: [UInt8] = []
        if let shape {
            text = try engine.store.exportRecords(of: user, as: shape, at: engine.now())
        } else {
            try engine.store.exportLines(of: user) { lines throws(KinError) in text += lines }
        }
        let records = String(decoding: text, as: UTF8.self).split(separator: "\n").joined(separator: ",")
        return JSONText("[\(records)]")
    }

    private static let shape = EngineMethod(
        "shape", "Describes how records of an app are read, without storing them.",
        Parameter<String>("records", .list("record"), "Records of an app, as `put` takes them."),
        Parameter<RecordShape?>.shape("The app. Default: recognized from each record's members.")
    ) { _, records, shape throws(KinError) in try ShapeReport.reports(of: records, as: shape) }

    private static let removing = EngineMethod(
        command: "remove", "Removes a record of any kind by its key.",
        answer: """
            `removed`: whether there was one. An event of a baby with several owners is stored as removed, so that no older version restores it. \
            The policy of a person does not forget the outcome of a removed `user_challenge`
            """,
        Parameter<String?>("session", .id, "The id of a session."),
        Parameter<String?>("kind", .text, "The kind of the record. Its key is in the parameters below."),
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
        return Members(["removed": try await engine.store.remove(kind, key: key, at: engine.now())])
    }

    private static let wrongTarget = KinError(
        .invalidArgument, "name a \"session\", an \"item\", or a \"kind\" of record and its key")

    private static let forget = EngineMethod(
        command: "forget", "Erases every record of a person or of several people, to the last byte.",
        answer: """
            the number of erased records of each kind; `{}` if nothing was stored about the people. `shared_event` counts events in remaining logs that lost their author, \
            `shared_baby` the babies that other owners keep, and `shared_extra` their babies and events that lost a member of the app with the id. \
            For several people, the counts are the sums of those of one call for each
            """,
        Parameter<[String]>(
            "user", .people,
            "The person, or a list of people: all are erased in one transaction, and the database is rewritten once.")
    ) { engine, users in Members(try await engine.store.forget(people: users)) }

    private static let users = EngineMethod(
        "users", "Lists all people with a record, by ascending id.", answer: "list of `user`"
    ) { engine throws(KinError) in LabelledList("user", try engine.store.users()) }

    private static let info = EngineMethod(
        "info", "Counts people and records."
    ) { engine throws(KinError) in try engine.store.counts() }

    private static let check = EngineMethod(
        "check", "Checks every page, index and record of the store."
    ) { engine throws(KinError) in try engine.store.check() }

    private static let checkPart = EngineMethod(
        "check_part",
        "Checks a part of the store, for idle time. All parts together read all records, tables and indexes.",
        Parameter<String?>("after", .text, "The `next` of the previous part. Default: the first part."),
        Parameter<Int>("rows", .integer(1...1_000_000), default: 10_000, "The largest number of records to read.")
    ) { engine, cursor, rows throws(KinError) in try engine.store.checkPart(after: cursor, rows: rows) }

    private static let memory = EngineMethod(
        "memory", "Reports the memory of derived data, such as indexes, matchers and learned profiles."
    ) { engine throws(KinError) in try engine.store.derivedStatistics }

    private static let saveIndexes = EngineMethod(
        command: "save_indexes", "Saves the indexes next to the database, as closing the store does.", answer: "`{}`"
    ) { engine in
        try await engine.store.saveIndexes()
        return Members.none
    }

    private static let backup = EngineMethod(
        "backup", "Writes a backup: a checked copy of the store in one file. The store stays in use.",
        answer: "`change`: the number of the last change in the backup",
        Parameter<String>("path", .text(as: .path), "The file to write. It can be opened as a store."),
        Parameter<Bool>("overwrite", .boolean, default: false, "Whether to replace an earlier backup at the path.")
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
        Parameter("shape", .words, help)
    }
}

extension Parameter<ShapeOptions> {
    /// The parameters `shape`, `user`, `baby` and `extra`.
    fileprivate static var shapeOptions: Parameter {
        combining(
            Parameter<RecordShape?>.shape(
                "The app whose records these are. Default: recognized from each record's members."),
            Parameter<String?>("user", .id, "The person for an app's records that name no person."),
            Parameter<String?>(
                "baby", .id, "The baby for an app's events, and its document of a baby, that name no baby."),
            Parameter<Bool>(
                "extra", .boolean, default: false,
                "Whether to store unknown fields of an app's records unread. If false, they are errors.")
        ) { shape, user, baby, keepsUnknown throws(KinError) in
            ShapeOptions(shape: shape, user: user, baby: baby, keepsUnknown: keepsUnknown)
        }
    }
}

extension ShapeReport: DeclaredObject {
    package static let schema = ObjectSchema<ShapeReport>(
        .field("shape", { $0.shape?.rawValue }, "null if no app is recognized"),
        .field("record", \.record),
        .field("kind", \.kind, "the kind of the stored record"),
        .field("count", \.count, "the number of such records"),
        .list(
            "fields", \.fields, .field("field", \.field), .field("becomes", \.becomes),
            .field("conversion", \.conversion, "null if the value is unchanged")),
        .field("unread", \.unread, "fields that are stored and returned, but not used"),
        .field("unknown", \.unknown, "fields that are not in the app's document: errors unless `extra` is set"),
        .field("needs", \.needs, "ids to pass, by option name"),
        .field("assumption", \.assumption))
}

extension Parameter<[String: String]> {
    /// The parts of a record's key, by the names in all kinds' keys.
    fileprivate static var recordKey: Parameter {
        let keys = Store.recordKinds.map { (kind: $0, names: (try? Store.keyNames(of: $0)) ?? []) }
        let names = ["item"] + Set(keys.flatMap { $0.names }).sorted()
        let form = ParameterForm(.text) { reader throws(KinError) in
            try JSONReader.id(reader.isAtString() ? reader.string() : reader.verbatim())
        }
        let descriptions = names.map { name in
            let kinds = keys.filter { $0.names.contains(name) }.map { "`\($0.kind)`" }.joined(separator: ", ")
            let help = name == "item" ? "The id of an inventory item." : "Part of the key of \(kinds)."
            return ParameterDescription(name, form.type, .optional, help)
        }
        return Parameter(descriptions: descriptions) { request throws(KinError) in
            var key: [String: String] = [:]
            for name in names { key[name] = try request.optional(name, form) }
            return key
        }
    }
}

extension DerivedStatistics: DeclaredObject {
    package static let schema = ObjectSchema<DerivedStatistics>(
        .field("budget", \.budget, "bytes"),
        .field("bytes", \.byteCount),
        .field("values", \.values, "the number of values"),
        .field("evictions", \.evictions, "the number of values evicted since opening, to stay within the budget"))
}

extension StoreCheckPart: DeclaredObject {
    package static let schema = ObjectSchema<StoreCheckPart>(
        .field("rows", \.rows, "the number of records read"),
        .field("problems", \.problems),
        .field("next", \.next, "the `after` of the next part, null after the last part"))
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
            "bytes of forgotten people that could not be removed yet, and files that other accounts can use"),
        .field(
            "naming_key", \.namingKey.rawValue,
            "where the key of anonymous names is: `database`, `caller`, or `none` if not needed yet"))
}
