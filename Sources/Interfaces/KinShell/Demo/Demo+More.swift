import Foundation

/// The details of each question: commands to try, with their output.
extension Demo {
    func more(_ topic: Topic) throws {
        let (photos, realms, log) = (folder + "/photos.jsonl", folder + "/realms", folder + "/mia.csv")
        switch topic {
        case .near:
            try say(
                [
                    "near 42 k 3", "near nature_mirror=0.9 mobility=0.7 k 3", ":explain on",
                    "near 42 k 3 where id < 1000", ":explain off", "recommend 42,57 unlike 9 diversity 0.2 k 3",
                    "set mode recall 0.95", "recall 200",
                ], to: index)
        case .alike:
            try run(["similar_souls", "ada", "-k", "5"], on: store)
            try run(["similar_souls", "ada", "-k", "1", "--explain"], on: store)
            try run(["similar_pairs", "-k", "1"], on: store)
        case .worlds:
            try run(["cluster", photos, "--seed", "7", "-o", realms])
            try run(["world", "--in", realms, "--goals", "sleep", "--realms", "2", "--seed", "7"])
            try run(["images", "sleep", "-k", "3", "--in", realms])
        case .next:
            try run(["forecast", log])
            try run(["rhythm", log, "--days", "5"])
            try run(["backtest", log, "--kind", "nap"])
        case .offer:
            let place = ["--near", "\(Household.home.latitude),\(Household.home.longitude)"]
            try run(["missions", "ada"] + place + ["--minutes", "90", "-k", "3"], on: store)
            try run(["inventory", "--user", "ada"] + place + ["-k", "3"], on: store)
            try run(["near", "session:lake-walk", "-k", "3"], on: store)
            try run(["prefer", "ada", "--max-time", "30", "--categories", "calm,nature"], on: store)
            try run(["suggest", "ada", "--explain"], on: store)
        }
    }

    /// Runs a command, and shows it as it would be typed.
    private func run(_ arguments: [String], on store: String? = nil) throws {
        let all = arguments + (store.map { ["--store", $0] } ?? [])
        let shown = all.map { Self.quoted($0) }
        console.print()
        console.print(style.faint("$ kin " + shown.joined(separator: " ")))
        try Shell.execute(all, on: console)
    }

    /// Sends lines to the REPL of an index.
    private func say(_ lines: [String], to path: String) throws {
        let session = try ReplCommand.session(path, threads: threads, console: console)
        for line in lines {
            console.print()
            console.print(style.faint("kin> \(line)"))
            guard session.execute(line) == .done else { throw Self.unanswered(.near) }
        }
    }
}
