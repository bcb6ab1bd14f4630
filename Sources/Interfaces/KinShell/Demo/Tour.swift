import Foundation
import Kin
import KinDrawings
import KinEngine
import KinFiles
import KinSamples
import KinStore

/// The tour of `kin demo`: five questions. Commands of the tool answer them on the sample data; the tour shows the time
/// of each and a command to continue with.
struct Tour {
    let console: Console
    let data: DemoData
    /// The number of profiles for the speed tests; matching uses a tenth as many people.
    let count: Int
    /// The folder of the sample's index and store, which remain after the tour.
    let folder: String
    let threads: Int

    private var index: String { folder + "/demo.kin" }
    private var store: String { folder + "/demo.db" }
    private var realms: String { folder + "/realms" }

    func run() throws {
        console.print(console.style.strong("Kin in two minutes"))
        console.print(
            "Five questions about people, answered in this process from sample data, with the times of this machine.")
        try near()
        try similarSouls()
        try belonging()
        try rhythms()
        try offer()
        chapter("Now you", "Both are yours to try: the store of people and the index of profiles.")
        try say(["near session:u1-7 k 3 where user = u1", "forecast u0 baby-1"], to: store)
        console.print()
        for path in [store, index] { console.print("  kin repl \(Tour.quoted(path))") }
        console.print()
        console.print(
            console.style.faint("Built from source, that is: swift run -c release kin repl \(Tour.quoted(store))"))
    }

    /// The question about near vectors.
    private func near() throws {
        chapter(
            "1  What is near?",
            "A profile is sixteen numbers from 0 to 1: how much someone likes order, food, mobility, nature … The nearest to "
                + "number 42,\nto a wish (what is not named is 0), and within a distance, which is squared:")
        try run(["index", "build", data.profiles, "-o", index])
        try say(["near 42 k 5", "near nature_mirror=0.9 mobility=0.7 k 3", "within 0.04 of 42"], to: index)
        console.print(
            "A search can be limited to some vectors, and explains itself. Each vector has a copy of a byte or less per number;\n"
                + "these are read first, and a proved bound says which vectors cannot be among the nearest. Nothing is approximate:"
        )
        try say([":explain on", "near 42 k 3 among 0-99,500-599"], to: index)
        console.print(
            "A list may resemble some vectors and differ from others, with entries different from each other; each entry is the best:"
        )
        try say(["recommend 42,57 unlike 9 k 3", "recommend 42 diversity 0.3 k 3"], to: index)
        try speed()
        next("kin index build \(Tour.quoted(data.profiles)) -o profiles.kin")
    }

    /// The question about similar people.
    private func similarSouls() throws {
        chapter(
            "2  Who is kin?",
            "People's goals, realms, objects, habits and moods. The people most similar to u42, and why the first one is:"
        )
        try run(["match", data.souls, "--user", "u42", "-k", "5"])
        try run(["match", data.souls, "--user", "u42", "-k", "1", "--explain"])
        try similarSoulsOfMany()
        next("kin match \(Tour.quoted(data.souls)) --user u42 --explain")
    }

    /// The question about clusters of images.
    private func belonging() throws {
        chapter(
            "3  What belongs together?",
            "What a vision model saw in images. The number of clusters is chosen by silhouette; a world for an hour that helps to "
                + "sleep is made of them, and an upload finds its place:")
        try run(["cluster", data.images, "--seed", "7", "-o", realms])
        try run(["world", "--in", realms, "--name", "Quiet hills", "--goals", "sleep", "--seed", "7"])
        try run(["images", "sleep", "-k", "3", "--in", realms])
        let upload = folder + "/upload.json"
        try WholeFile.make(upload, text: ImageAnalysisGenerator(seed: 99).image(3).analysis.json + "\n")
        try run(["place", upload, "--in", realms])
        let images = Tour.quoted(data.images)
        next("kin cluster \(images) -o realms && kin world --in realms --goals sleep --plot world.svg")
    }

    /// The question about the next event.
    private func rhythms() throws {
        chapter(
            "4  When is next?",
            "A baby's log as parents write it, and the errors of past forecasts, each made from the data known at its "
                + "moment:")
        try run(["forecast", data.baby])
        try run(["backtest", data.baby, "--kind", "nap"])
        next("kin backtest \(Tour.quoted(data.baby)) --kind nap --plot naps.svg")
    }

    /// The question about recommendations.
    private func offer() throws {
        chapter("5  What to offer?", "All records now go into a store, one file that survives crashes.")
        try fillStore()
        console.print("A mood shapes the target profile: u1 in the afternoon, curious and tired:")
        for mood in ["curious", "depleted"] {
            try run(["inventory", "--user", "u1", "--slot", "afternoon", "--mood", mood, "-k", "2", "--store", store])
        }
        console.print(
            "Distance may count more than the match; on a walk, the geofences entered and left, from a stream of positions:"
        )
        try run([
            "inventory", "--user", "u1", "--near", "40.73,-73.8", "--within-km", "20", "--distance-weight", "1",
            "-k", "2", "--store", store,
        ])
        try run(["geofence_events", "--positions", Self.walk, "--within-km", "0.5", "--store", store])
        console.print("A wish is compared by the dimensions it names, and an empty answer says why:")
        try say(["near food=0.8 k 2", "missions u1 near 40.7,-73.9 for 20min"], to: store)
        console.print("Sessions are similar by their points, and by the embeddings of their transcripts:")
        try say(["near session:u1-7 weight .5 k 2"], to: store)
        try passOn()
        console.print("A new person gets challenges within their preferences, chosen better with each answer:")
        try run([
            "prefer", "u42", "--max-time", "30", "--categories", "calm,nature", "--time-zone", "Europe/Berlin",
            "--store",
            store,
        ])
        let asked = try measure { try run(["suggest", "u42", "--explain", "--store", store]) }
        console.print("Opening the store and choosing took \(NumberText.duration(asked)).")
        try run(["today", "u42", "--store", store])
        console.print("Completed challenges add up to streaks, and the year of content continues from any day:")
        for line in [["complete", "u42", "--rating", "5"], ["rotation", "u42", "--day", "100"], ["progress", "u42"]] {
            try run(line + ["--store", store])
        }
        console.print("The reward of a different policy, estimated from the log of decisions:")
        try run(["evaluate_policy", "--kind", "thompson", "--store", store])
        console.print(
            "Random choices and content for an old app, on request; and a baby's next sleep and feed in one answer:"
        )
        try run(["prefer", "u43", "--selection", "random", "--app-version", "1.4", "--store", store])
        try run(["predictions", "--user", "u0", "--baby", "baby-1", "--store", store])
        next("kin complete u42 --rating 5 --store \(Tour.quoted(store))")
    }

    /// Two positions of a walk: at an item of the sample data, and away from it.
    private static let walk = """
        [{"at":"2025-06-20T09:00:00Z","lat":40.72536,"lng":-73.79011},{"at":"2025-06-20T09:30:00Z","lat":40.7,"lng":-73.7}]
        """

    /// Contributions: a soul learned from a session, connections by quantiles, and a zone that is joined to a world.
    private func passOn() throws {
        func ask(_ arguments: [String]) throws { try run(arguments + ["--store", store]) }
        console.print("A soul may be learned from a person's events:")
        let event =
            #"[{"uid":"new","at":"2026-03-05T21:30:00Z","goals":["Calm"],"realms":["ocean"],"minutes":20,"reaction":0.5}]"#
        try ask(["learn_souls", "--events", event, "--json", "yes"])
        console.print(
            "Contributions reach the people who are nearer to the author than most pairs are, and join their worlds:"
        )
        try ask(["similar_souls", "u1", "-k", "3", "--connections", "quantile"])
        let zone = #"{"name":"Moon pool","suggestedRealm":"ocean","therapeuticValue":{"sleep":0.8},"scenes":4}"#
        try ask(["contribute", "u1", "--contribution", zone])
        try ask(["route", "--connections", "quantile"])
        let engine = try Engine(store: store, isReadOnly: true)
        defer { try? engine.close() }
        let nearest = try engine.similarSouls(to: "u1", k: 1).first?.userID ?? "u1"
        try ask(["digest", nearest, "--since", "2026-01-01"])
        let world = try engine.world(WorldRequest(name: "Quiet hills", goals: [.sleep], realms: 2, seed: 7))
        let joined = try engine.joinWorld(world, for: nearest)
        for zone in joined.contributedZones {
            let portal = joined.paths.first { $0.to == zone.id }?.from ?? ""
            console.print("  In \(nearest)'s world \"\(zone.name)\", \(zone.attribution), has a portal from \(portal).")
        }
    }

    /// Creates the store, replacing an earlier one.
    private func fillStore() throws {
        for ending in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: store + ending) }
        try run([
            "store", "import", data.people, data.souls, data.images, data.challenges, data.content, "--store", store,
        ])
        let (path, log) = (store, try RhythmLogFile.read(data.baby))
        try waiting {
            let store = try Store(at: path)
            try await store.put([BabyRecord(userID: "u0", id: "baby-1", baby: log.baby)])
            try await store.put(try CareEvent.events(of: log, userID: "u0", babyID: "baby-1"))
            // Random vectors in place of a language model's embeddings of the transcripts.
            var random = SeededGenerator(seed: 16)
            try await store.put(
                store.sessions(of: "u1").map { session in
                    try SessionEmbedding(
                        userID: session.userID, sessionID: session.id, model: "transcript",
                        vector: (0..<8).map { _ in Float(random.uniform() - 0.5) })
                })
            try await store.close()
        }
    }

    // MARK: Output

    /// Runs a command, and shows it as it would be typed.
    private func run(_ arguments: [String]) throws {
        let shown = arguments.map { $0.contains("/") || $0.contains(" ") ? Tour.quoted($0) : $0 }
        console.print("  " + console.style.faint("$ kin " + shown.joined(separator: " ")))
        try Shell.execute(arguments, on: console)
    }

    /// Sends lines to the REPL of an index or a store.
    private func say(_ lines: [String], to path: String) throws {
        let session = try ReplCommand.session(path, threads: threads, console: console)
        for line in lines {
            console.print("  " + console.style.faint("kin> \(line)"))
            _ = session.execute(line)
        }
    }

    func chapter(_ title: String, _ text: String) {
        console.print()
        console.print(console.style.strong(title))
        console.print(text)
    }

    /// Shows the command to continue with.
    private func next(_ command: String) { console.print(console.style.faint("  next: \(command)")) }

    func measure(_ work: () throws -> Void) rethrows -> Duration { try ContinuousClock().measure(work) }

    /// A path as an argument of a shell in this folder.
    private static func quoted(_ path: String) -> String {
        let here = FileManager.default.currentDirectoryPath + "/"
        let short = path.hasPrefix(here) ? String(path.dropFirst(here.count)) : path
        return short.contains(" ") ? "'\(short)'" : short
    }
}
