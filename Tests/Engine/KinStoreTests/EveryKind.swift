import GRDB
import KinJSON

@testable import KinRhythms
@testable import KinStore

/// A store with records of every kind, of one person among others.
///
/// Every id has an "é" in one character. The person's texts, and no others, have the word "hidden-word".
struct EveryKind {
    static let person = "person-to-forget-é"
    static let author = "author-é"
    static let reader = "reader-é"
    static let people = [person, author, reader]
    /// Texts that only the person's records have.
    static let traces = ["person-to-forget", "hidden-word"]

    let folder: StoreFolder
    let store: Store

    init(in folder: StoreFolder = StoreFolder()) async throws {
        self.folder = folder
        store = try folder.open()
        try await Self.compareByValence(store)
        var sample = SampleRecords()
        try await store.put([
            Soul(userID: Self.author, valence: 1), Soul(userID: Self.reader, valence: 0.9),
            Soul(userID: Self.person, valence: 0.8, note: "hidden-word note"),
        ])
        for (number, user) in Self.people.enumerated() {
            let word = user == Self.person ? "hidden-word" : "plain"
            try await store.put((0..<3).map { try sample.session("\(word)-s\($0)-é-\(number)", of: user, notes: word) })
            try await store.put([
                SessionEmbedding(
                    userID: user, sessionID: "\(word)-s1-é-\(number)", model: "modèle", vector: [1, 2, 3])
            ])
            var profile = try sample.profile(of: user)
            profile.currentState = word
            for since in 0..<2 { try await store.put(profile, since: hour(since)) }
            let (baby, event) = ("\(word)-b-é", "\(word)-e-é")
            try await store.put([
                BabyRecord(
                    userID: user, id: baby,
                    baby: RhythmLog.Baby(name: word, born: LocalDateTime(hour(number), in: .utc)), owners: [user])
            ])
            try await store.put([
                CareEvent(
                    userID: user, babyID: baby,
                    record: RhythmRecord(
                        start: LoggedTime(LocalDateTime(hour(5), in: .utc)), event: .diaper(.wet),
                        note: .init(id: event, updated: Timestamp(parsing: "2026-03-02T10:00:00Z"), text: word)))
            ])
            var shown = ShownForecasts()
            shown.minute = 29_000_000
            shown.spans[1] = ShownForecasts.Span(anchor: -60, point: 90, lower: 0, upper: 120)
            try await store.putAll([ForecastLedger(userID: user, babyID: baby, moments: [shown])], "ledgers")
            try await store.transaction { transaction in
                try transaction.changeInsights(of: user, baby: baby) { ledger in
                    ledger = try InsightLedger(
                        storedJSON: Array(
                            """
                            {"user_id":"\(user)","baby":"\(baby)","insights":[{"id":"fewer_naps","title":"Fewer naps a day",\
                            "value":20500,"expires":"2026-03-02T10:00:00","dismissed":true}]}
                            """.utf8))
                }
            }
            try await store.contribute(
                .story(StoryContribution(title: "\(word) tale \(number)", content: "\(word) words")), by: user,
                at: hour(number))
        }
        let matcher = try store.matcher()
        try await store.route(with: matcher, at: hour(6))
        // This one still waits.
        try await store.contribute(
            .story(StoryContribution(title: "hidden-word later", content: "hidden-word")), by: Self.person, at: hour(7))
        try await store.accept(store.inbox(of: Self.reader)[0].id, by: Self.reader)
        try await store.blockAuthor(of: store.inbox(of: Self.person)[0].id, by: Self.person)
        try await store.put([sample.item("item-é"), sample.item("item-2")])
        try await store.put([ImageAnalysis(id: "image-é.jpg", objects: [])])
        try await store.put(
            (0..<5).map {
                try Challenge(
                    id: "challenge-é-\($0)", title: "Run \($0)", category: "body", time: .minutes(5),
                    updated: Timestamp(parsing: "2026-03-02T10:00:00Z"))
            })
        try await store.put(ContentGenerator().library())
        try await store.insert(NamedPolicy(name: "policy-é", policy: BanditPolicy(dimension: 2, seed: 1)))
        for user in [Self.person, Self.reader] {
            let word = user == Self.person ? "hidden-word" : "plain"
            try await store.put(ChallengePreferences(userID: user, categories: [word], timeZone: "UTC"))
            let now = try hour(8)
            _ = try await store.withSelector(for: user) { selector throws(KinError) in try selector.today(at: now) }
            try await store.reflect(user, completed: true, text: word, at: hour(8))
            try await store.put(NotificationRecord(userID: user, sent: hour(9), in: .utc, wasAnswered: true))
        }
    }

    /// Makes people compared by valence alone, so that a soul with nothing else can be connected.
    static func compareByValence(_ store: Store) async throws {
        try await store.put(
            AffinitySettings(
                weights: AffinityWeights(goals: 0, realms: 0, objects: 0, patterns: 0, valence: 1),
                delivery: DeliveryLimits(perDay: 100)))
    }

    /// An export of a store, for one person or for all.
    static func export(_ store: Store, of user: String? = nil) throws -> String {
        var bytes: [UInt8] = []
        try store.exportLines(of: user) { bytes += $0 }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The keys of a kind's records, by user.
    ///
    /// - Parameter column: A further column, for kinds whose keys lack the user.
    static func keys(of kind: RecordKind, in store: Store, with column: String? = nil) throws -> [[String: String]] {
        try store.read("read keys") { database in
            let columns = kind.key.filter { $0 != "person" }.map { "\(kind.name).\($0)" }
            let isByUser = column != nil || kind.key.contains("person")
            let join = kind.isOwned ? "JOIN person ON person.number = \(kind.name).person" : ""
            let rows = try Row.fetchAll(
                database,
                sql: """
                    SELECT \((columns + (isByUser ? ["person.uid AS user"] : [])).joined(separator: ", ")) FROM \(kind.name) \(join)
                        ORDER BY \(kind.isOwned ? "person.uid" : kind.order[0])
                    """)
            return try rows.map { row in
                try Dictionary(
                    uniqueKeysWithValues: row.map { column, value in
                        switch (column, value.storage) {
                        case ("date", .int64(let day)): (column, LocalDay(clamping: Int(day)).description)
                        // Only an instant in microseconds is so large.
                        case (_, .int64(let instant)) where instant > 1 << 40:
                            (column, try Timestamp(microseconds: instant).description)
                        default: (column, "\(value)".replacing("\"", with: ""))
                        }
                    })
            }
        }
    }

    /// The first line of each kind, by kind.
    static func lines(_ store: Store) throws -> [(type: any StoredRecord.Type, line: String)] {
        let lines = try export(store).split(separator: "\n")
        return RecordKind.types.compactMap { type in
            lines.first { $0.hasPrefix("{\"\(type.kind.name)\":") }.map { (type, String($0)) }
        }
    }

    /// A line with each id at the given paths of its record changed.
    static func changed(
        _ line: String, of type: any StoredRecord.Type, at paths: [[String]]? = nil, _ change: (String) -> String
    ) throws -> String {
        let paths = (paths ?? type.idPaths).map { [type.kind.name] + $0 }
        let bytes = try JSONIDs.changed(Array(line.utf8), at: paths, change) ?? Array(line.utf8)
        return String(decoding: bytes, as: UTF8.self)
    }
}
