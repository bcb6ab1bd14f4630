import Kin

/// The tour's question of what to offer.
extension Tour {
    func offer() throws {
        var counts: [String: Int] = [:]
        let filled = try measure { counts = try fillStore() }
        chapter(
            "5  What to offer?",
            "All records now go into a store, one file that survives crashes: \(RecordCounts.text(counts)), in "
                + "\(NumberText.duration(filled)).\nSomebody new is offered what their preferences allow; what they do with it is learned from:"
        )
        try run([
            "prefer", "u42", "--max-time", "30", "--categories", "calm,nature", "--time-zone", "Europe/Berlin",
        ])
        let asked = try measure { try run(["suggest", "u42", "--explain"]) }
        try run(["today", "u42"])
        console.print("From the file to the suggestion took \(NumberText.duration(asked)).")
        next("kin complete u42 --rating 5 --store \(Tour.quoted(storePath))")
    }

    /// Runs a command on the store, as it would be typed.
    private func run(_ arguments: [String]) throws {
        console.print("  " + console.style.faint("$ kin " + arguments.joined(separator: " ")))
        try Shell.execute(arguments + ["--store", storePath], on: console)
    }
}
