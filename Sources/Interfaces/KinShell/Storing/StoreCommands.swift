import Foundation

/// `kin store`: the commands on a store that read or write files; all others are methods of the table.
enum StoreCommands {
    static let all = [importing, importingLog, exporting, contribute, restore]

    /// The error of an import without records.
    static let noRecords = KinError(.malformedInput, "there are no records; a record is one line of JSON")

    /// The parameters for records of apps, those of the method `import`.
    private static let shapeParameters = ((try? MethodTable.method(named: "import"))?.parameters ?? [])
        .filter { ["shape", "user", "baby", "extra"].contains($0.name) }

    private static let restore = Command<Console>(
        "store restore", "Replaces a store by a backup.",
        details: """
            The store continues from the state of the backup; later changes are lost. No process may have the store
            open. The backup is checked first and not changed. After an interruption, either the old store or the new
            one is complete. With the store's own file as the backup, the store continues from the content of that file.

            Examples:

              kin backup people-monday.db --store people.db
              kin store restore people-monday.db --store people.db
            """, [.required("backup", .path, "The backup.")], options: [StoreOptions.parameters[0], .json]
    ) { console, request in
        let (backup, path) = (request.word("backup"), StoreOptions(request).path)
        try Store.restore(from: backup, to: path)
        console.print(["store": path, "backup": backup], for: request, text: "\(path): restored from \(backup)")
    }

    private static let importing = Command<Console>(
        "store import", "Imports records from JSON lines into a store, which is created if missing.",
        details: """
            Each line is a record as an app has it (a session, a profile, a soul, a challenge, a day's content, …) or as
            `kin store export` writes it. Existing records are replaced. A file is imported completely or not at all: an
            error names the line, the record and the field. One process at a time may write a store; others may read it.

            Examples:

              kin store import sessions.jsonl
              kin store import profiles.jsonl inventory.jsonl --store town.db
              gunzip -c sessions.jsonl.gz | kin store import -
              kin store check; kin store forget u42; kin store route
            """, [.required("files", .paths, "Files of JSON lines; - is standard input.")],
        options: StoreOptions.parameters + shapeParameters + [
            .option("since", .instant, "The instant from which profiles without one are valid. Default: now."), .json,
        ]
    ) { console, request in
        let files = request.texts("files")
        for file in files where file != "-" && !FileManager.default.fileExists(atPath: file) {
            throw ByteReader.unreadable(file, "there is no such file; check the path")
        }
        let since = try request.reading("since") { () throws(KinError) in
            try request.text("since").map(Timestamp.init(parsing:))
        }
        let start = ContinuousClock.now
        let (options, now) = (StoreOptions(request), try since ?? SystemClock.now())
        let shapes = ShapeOptions(
            shape: request.choice("shape"), user: request.text("user"), baby: request.text("baby"),
            keepsUnknown: request.isOn("extra"))
        let (counts, note) = try options.writing { store in
            var all: [String: Int] = [:]
            for file in files {
                let counts = try waiting {
                    try await store.importLines(from: file, now: now, options: shapes)
                }
                // Files imported before a failing file stay imported.
                if files.count > 1 { console.note("\(file): \(RecordCounts.text(counts)) imported") }
                all.merge(counts) { $0 + $1 }
            }
            guard !all.isEmpty else { throw noRecords.within("file", files.joined(separator: ", ")) }
            if all[Store.missingDaysCount] != nil { all[Store.missingDaysCount] = try store.missingContentDays().count }
            return (all, try RecordCounts.note(all, in: store))
        }
        if request.isJSON { return console.print(json: Record(counts)) }
        let seconds = (ContinuousClock.now - start).seconds
        let rate = Int(Double(counts.values.reduce(0, +)) / max(seconds, 1e-9))
        console.print(
            "\(options.path): \(RecordCounts.text(counts)) imported in \(NumberText.duration(.seconds(seconds))), "
                + "\(NumberText.count(rate)) a second")
        if let note { console.note(note) }
    }

    private static let importingLog = Command<Console>(
        "store import_log", "Imports a baby's log, as `kin forecast` reads it, into a store.",
        details: """
            An event gets an id from its content, so the same file again adds nothing, and a row that has changed is a new
            event. The baby's name, day of birth and time zone are stored if the log or the options have them.

            Example:

              kin store import_log ada mia mia.csv --born 2026-01-02
              kin forecast --user ada --baby mia
            """,
        [.required("user", .id, "An owner of the baby."), .required("baby", .id, "The baby."), RhythmCommands.log],
        options: StoreOptions.parameters + RhythmCommands.reading + [.json]
    ) { console, request in
        let log = try RhythmCommands.load(console, request).log
        let (user, baby, options) = (request.word("user"), request.word("baby"), StoreOptions(request))
        let events = try CareEvent.events(of: log, userID: user, babyID: baby)
        let details = RhythmLog.Baby(name: log.baby.name, born: log.baby.born, zone: log.clock.zone)
        var record = try BabyRecord(userID: user, id: baby, baby: details)
        record.isPartial = true
        try options.writing { store in try waiting { [record] in try await store.put(events, of: record) } }
        console.print(
            ["care_event": events.count], for: request,
            text: "\(options.path): \(events.count, "event") of \"\(baby)\" imported",
            console.style.faint(
                "next: kin forecast --user \(user.quoted) --baby \(baby.quoted) --store \(options.path.quoted)"))
    }

    private static let exporting = Command<Console>(
        "store export", "Writes the records of a store, or of one person, as JSON lines.",
        details: """
            With --user it writes everything that the person owns: all versions of their profile and all sessions. The
            output can be imported again. It shows one state of the store, even if other processes write to it. Only the
            file's owner can read it (mode 0600).

            Examples:

              kin store export --user u42
              kin store export -o all.jsonl
              kin store export --vectors transcript -o vectors.npy

            With --vectors it writes numbers and no words: a NumPy array with a row for each session, and the sessions' ids, a
            line each, in FILE.ids.
            """,
        options: [
            .option("user", .id, "Only the records of this person."),
            .option(
                "vectors", .id,
                "Vectors of sessions instead of records: a model's embeddings, or \"points\" of the pleasure space."),
            .option("output", .output, "The file to write (-o); standard output without it."),
            .flag("json", "Print the records as one JSON array; with -o or --vectors, print their numbers as JSON."),
        ] + StoreOptions.parameters
    ) { console, request in
        let (options, user) = (StoreOptions(request), request.text("user"))
        let store = try options.reading()
        if let model = request.text("vectors") {
            guard let output = request.text("output"), output != "-" else {
                throw request.refusal("vectors", "a NumPy array goes to a file; name it by -o")
            }
            try requireReplaceable("\(output).ids")
            let found = try store.vectors(model: model == "points" ? nil : model, of: user)
            // The array replaces an older one when the ids are written, so that a full disk leaves both older files.
            try WholeFile.make("\(output).ids", isPrivate: true) { file in
                try file.write(found.sessions.flatMap { Array($0.utf8) + [UInt8(ascii: "\n")] })
                try NPYFile.write(found.elements, columns: found.dimension, to: output)
            }
            if request.isJSON { return console.print(json: ["vectors": found.sessions.count]) }
            return console.note("\(found.sessions.count, "vector") exported; the ids are in \(output).ids")
        }
        var counts: [String: Int] = [:]
        if let output = request.text("output") {
            try WholeFile.make(output, isPrivate: true) { file in
                counts = try store.exportLines(of: user) { lines throws(KinError) in try file.write(lines) }
                if counts.isEmpty { try requireKnown(user, in: options) }
            }
        } else {
            // A piece is whole lines.
            var list = JSONList(request, on: console)
            counts = try store.exportLines(of: user) { lines throws(KinError) in
                for line in lines.split(separator: UInt8(ascii: "\n")) {
                    let line = String(decoding: line, as: UTF8.self)
                    if request.isJSON { list.append(line) } else { console.print(json: line) }
                }
            }
            if request.isJSON { list.finish() }
        }
        if counts.isEmpty { try requireKnown(user, in: options) }
        if request.isJSON, request.isGiven("output") { return console.print(json: Record(counts)) }
        console.note("\(RecordCounts.text(counts)) exported")
    }

    /// Throws if the request names a person, because nothing was found for them.
    private static func requireKnown(_ user: String?, in options: StoreOptions) throws(KinError) {
        guard let user else { return }
        throw KinError(.unknownID, "there are no records of \"\(user)\" in \(options.path)")
    }

    private static let contribute = Command<Console>(
        "store contribute", "Imports a person's zones and stories from a file, one contribution per line.",
        details: """
            {"zone":{"name":"Moon pool","suggestedRealm":"ocean",
             "therapeuticValue":{"sleep":0.8},"scenes":["tide"],"overlayEffects":["mist"]}}
            {"story":{"title":"The shell","content":"Once …","triggerZone":"Moon pool","narrativeType":"fable"}}

            `kin route` delivers them to the people who match their author.
            """,
        [
            .required("user", .id, "The author."),
            .required("file", .path, "The file; - is standard input."),
        ], options: StoreOptions.parameters + [.json]
    ) { console, request in
        let reader = try ByteReader(path: request.word("file"))
        let all = try reader.lines().map { number, line throws(KinError) in
            do throws(KinError) { return try Contribution(json: line) } catch {
                throw error.within("line", number).within("file", reader.name)
            }
        }
        guard !all.isEmpty else { throw noRecords.within("file", reader.name) }
        let (user, options, now) = (request.word("user"), StoreOptions(request), try SystemClock.now())
        try options.writing { store in
            try waiting { for contribution in all { try await store.contribute(contribution, by: user, at: now) } }
        }
        console.print(
            ["contributions": all.count], for: request,
            text: "\(options.path): \(all.count, "contribution") of \"\(user)\" imported",
            console.style.faint("next: kin route --store \(options.path.quoted)"))
    }
}

/// The path of the store, and the key of its anonymous names.
struct StoreOptions {
    static let parameters: [ParameterDescription] = [
        .option("store", .path, default: "\"\(defaultPath)\"", "The store's database file."),
        .option(
            "naming_key", .path, "A file with the key of anonymous names, if the key is not in the store."),
    ]
    /// The path of the default store, in this folder.
    static let defaultPath = "kin.db"

    let path: String
    let namingKey: String?

    init(_ request: MethodRequest) {
        path = request.word("store")
        namingKey = request.text("naming_key")
    }

    /// Opens the store at the path for reading.
    func reading() throws -> Store {
        guard try FileContent(of: path) != .nothing else { throw Self.missing(path) }
        return try Store(at: path, for: .reading, check: .brief, namingKey: key, in: Self.environment)
    }

    /// Opens the store at the path for writing, creating it if necessary, and closes it after the work.
    func writing<Result>(_ work: (Store) throws -> Result) throws -> Result {
        try Self.closing(path, try engine(at: path)) { try work($0.store) }
    }

    /// Opens an engine on a store, with the naming key of the request.
    func engine(at path: String, isReadOnly: Bool = false) throws -> Engine {
        try Engine(store: path, isReadOnly: isReadOnly, .init(namingKey: key, timeout: Self.environment.timeout))
    }

    /// Commands wait for each other, and not for a process that has the store open for longer.
    static let environment = StoreEnvironment(timeout: .seconds(2))

    /// Opens an engine, and closes it after the work.
    ///
    /// A new store is removed again if the work fails before it has stored anything.
    ///
    /// - Parameter path: The path of the engine's store, if it has one.
    static func closing<Result>(
        _ path: String, _ open: @autoclosure () throws -> Engine, _ work: (Engine) throws -> Result
    ) throws -> Result {
        let isNew = !FileManager.default.fileExists(atPath: path)
        let engine = try open()
        do {
            let result = try work(engine)
            try engine.close()
            return result
        } catch {
            let isEmpty = try isNew && engine.store.isEmpty && !engine.store.path.isEmpty
            try? engine.close()
            if isEmpty { Store.removeFiles(at: path, ifOwn: true) }
            throw error
        }
    }

    /// The bytes of the naming key's file; nil without a file.
    private var key: [UInt8]? {
        get throws {
            guard let namingKey else { return nil }
            do { return try Array(Data(contentsOf: URL(filePath: namingKey))) } catch {
                throw Failure(
                    .noInput,
                    KinError(.inputOutput, "the naming key cannot be read; check the path").within("file", namingKey))
            }
        }
    }

    /// The failure of a command on a store that does not exist.
    static func missing(_ path: String) -> Failure {
        Failure(
            .noInput,
            KinError(
                .inputOutput,
                "there is no store; make one: kin generate people -o people.jsonl, then kin store import people.jsonl; `kin rhythm FILE` and `kin forecast FILE` read a tracker's file without a store"
            ).within("file", path))
    }
}

/// The numbers of records, by kind.
enum RecordCounts {
    /// A note on an import after which the store's year of content is incomplete; nil for other imports.
    static func note(_ counts: [String: Int], in store: Store) throws(KinError) -> String? {
        guard counts[Store.missingDaysCount] != nil else { return nil }
        return try ContentLibrary.incompleteYear(without: store.missingContentDays()).map { "note: \($0)" }
    }

    /// The counts that are of no kind, with their texts.
    private static let others = [
        (name: Store.olderCount, text: "more older than what is there"),
        (name: Store.conflictingCount, text: "left out for the different outcomes that are there"),
        (name: "refused_objects", text: "invalid objects left out; `kin cluster FILE` names them"),
        (name: "refused_values", text: "invalid values left out; `kin cluster FILE` names them"),
        (name: "unknown_keys", text: "unknown keys left out"),
        (name: "left_out", text: "documents left out, which are not records; `kin shape FILE` names their fields"),
    ]

    /// `2 profiles and 1,000 sessions`.
    static func text(_ counts: [String: Int]) -> String {
        let kinds = counts.filter { kind, count in
            count > 0 && kind != Store.missingDaysCount && !others.contains { $0.name == kind }
        }
        let parts = kinds.sorted { $0.key < $1.key }.map { kind, count in
            NumberText.count(count, kind.replacing("_", with: " "))
        }
        let notes = others.compactMap { name, text in counts[name].map { " (\(NumberText.count($0)) \(text))" } }
            .joined()
        guard let last = parts.last else { return "no records" + notes }
        return (parts.count == 1 ? last : parts.dropLast().joined(separator: ", ") + " and " + last) + notes
    }
}
