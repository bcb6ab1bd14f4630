import Foundation

/// The demo's sample data: Ada, her baby Mia, their neighbours, places to go, and photos.
enum Household {
    static let home = infallible("the numbers are on the map") { () throws(KinError) in
        try GeographicCoordinates(latitude: 40.6602, longitude: -73.9690)
    }

    /// Ada's taste, in the order of the dimensions.
    private static let taste: [Float] = [
        0.40, 0.25, 0.55, 0.60, 0.20, 0.30, 0.35, 0.25, 0.45, 0.70, 0.15, 0.60, 0.20, 0.90, 0.50, 0.40,
    ]

    private static let people = ["ada", "ben", "noor", "tomas", "yuki", "lena", "omar", "ines", "karl", "mei", "ravi"]

    /// Items with their kind, location, least and most minutes, and pleasures.
    private static let items = """
        watercolours tool - 30 120 material_play nature_mirror
        bird guide tool - 20 180 nature_mirror serendipity_following ignorance
        running shoes tool - 20 60 mobility path repetition
        picnic basket tool - 40 120 food horizon
        novel tool - 30 120 order enclosure
        botanic garden space 40.6674,-73.9629 30 150 nature_mirror material_play path
        boathouse lake space 40.6606,-73.9652 20 120 nature_mirror horizon mobility
        central library space 40.6724,-73.9683 30 180 order enclosure ignorance
        farmers' market space 40.6728,-73.9703 20 60 food serendipity_following
        park loop space 40.6625,-73.9700 20 90 mobility repetition path
        """

    /// Ada's sessions: day, hour, minutes, and the pleasures in descending order.
    private static let sessions = """
        lake-walk 01 09 80 nature_mirror mobility horizon
        garden-sketch 07 10 90 nature_mirror material_play path
        market 08 11 45 food serendipity_following
        lake-birds 15 08 70 nature_mirror horizon serendipity_following
        library 18 14 60 order enclosure ignorance
        park-run 21 07 35 mobility repetition path
        lake-pram 22 09 75 nature_mirror mobility path
        """

    /// The words of each line of a text.
    private static func table(_ text: String) -> [[String]] {
        text.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
    }

    private static func dimensions(_ names: some Sequence<String>) -> [Pleasure.Dimension] {
        names.compactMap { name in Pleasure.Dimension.allCases.first { $0.name == name } }
    }

    static func profile() throws(KinError) -> PleasureProfile {
        let values = Dictionary(uniqueKeysWithValues: zip(Pleasure.Dimension.allCases, taste))
        return try PleasureProfile(userID: "ada", pleasure: Pleasure(values))
    }

    static func souls() throws(KinError) -> [Soul] {
        let generator = SoulGenerator(seed: 14, communities: 3)
        return try people.enumerated().map { number, name throws(KinError) in
            let soul = generator.soul(number)
            return try Soul(userID: name, goals: soul.goals, realms: soul.realms, objects: soul.objects)
        }
    }

    static func inventory() throws(KinError) -> [InventoryItem] {
        try table(items).map { words throws(KinError) in
            let kind = words.firstIndex { ["tool", "space"].contains($0) } ?? 1
            let numbers = words[kind + 1].split(separator: ",").compactMap { Double($0) }
            return try InventoryItem(
                id: words[..<kind].joined(separator: "-"), name: words[..<kind].joined(separator: " "),
                kind: words[kind] == "tool" ? .tool : .space, access: .owned,
                location: numbers.count == 2 ? GeographicCoordinates(latitude: numbers[0], longitude: numbers[1]) : nil,
                affordances: [.pleasures(dimensions(words[(kind + 4)...]).sorted())],
                times: TemporalTags(durationRange: (Double(words[kind + 2]) ?? 0)...(Double(words[kind + 3]) ?? 0)))
        }
    }

    static func sessionRecords() throws(KinError) -> [PleasureSession] {
        try table(sessions).map { words throws(KinError) in
            let start = try Timestamp(parsing: "2026-02-\(words[1])T\(words[2]):00:00Z")
            return try PleasureSession(
                id: words[0], userID: "ada", history: [.idle, .drift, .reflection], start: start,
                end: Timestamp(microseconds: start.microseconds + (Int64(words[3]) ?? 0) * 60_000_000),
                pleasure: PleasureMarks(primary: dimensions([words[4]]), secondary: dimensions(words[5...])),
                notes: nil, embeddingID: nil, transcriptURL: nil, mediaURLs: [])
        }
    }

    static func photos() -> [ImageAnalysis] {
        let generator = ImageAnalysisGenerator(seed: 16)
        return (0..<120).map { generator.image($0).analysis }
    }

    /// Mia's log, up to noon of the last day.
    static func log() -> RhythmLog {
        let log = BabyGenerator(seed: 16).log(0, days: 59, age: 90)
        let noon = BabyGenerator.firstDay.localMinutes + 58 * 1440 + 720
        return RhythmLog(
            log.records.filter { $0.start.reading.localMinutes < noon },
            baby: RhythmLog.Baby(name: "Mia", born: log.baby.born))
    }

    /// Writes the files that commands read: photos and Mia's log.
    static func writeFiles(in folder: String) throws {
        try WholeFile.make(folder + "/photos.jsonl", text: photos().map { $0.json + "\n" }.joined())
        try RhythmLogFile.write(log(), to: folder + "/mia.csv")
    }

    /// Creates a store of all records, replacing an earlier one.
    static func fillStore(_ path: String) throws {
        Store.removeFiles(at: path)
        try waiting {
            let store = try Store(at: path)
            let since = try Timestamp(parsing: "2026-01-01T00:00:00Z")
            try await store.put(profile(), since: since)
            try await store.put(souls())
            try await store.put(inventory())
            _ = try await store.put(sessionRecords())
            try await store.put(photos())
            _ = try await store.put(ChallengeGenerator(seed: 16).challenges(200))
            try await store.put(ContentGenerator(seed: 364).library())
            try await store.put([BabyRecord(userID: "ada", id: "mia", baby: log().baby)])
            _ = try await store.put(CareEvent.events(of: log(), userID: "ada", babyID: "mia"))
            try await store.close()
        }
    }
}
