import ArgumentParser
import Foundation
import Kin
import KinEngine

/// `kin match`: who is like whom.
struct MatchCommand: ShellCommand {
    static let configuration = CommandConfiguration(
        commandName: "match",
        abstract: "Find the people who are most like each other, and say why.",
        discussion: """
            SOULS is a file of JSON lines, one soul a line, - for standard input, or a store:

              {"uid":"u42","goals":{"anxiety":5,"sleep":2},"realms":{"ocean":4},"objects":{"water":3,"moon":1},
               "patterns":{"hours":[…24…],"minutes":20,"sessions_per_week":4,"streak":9},"valence":0.3}

            What is not known is left out, and never compared; a connection needs 60 % of the weight to be compared, a soul mirror 75 %. \
            Goals count the more the rarer they are, the more so the more people there are; --every-goal-alike turns that off. Of a \
            store the weights are those that it keeps (kin fit weights --keep). Results are exact.

            Examples:

              kin generate souls --count 10000 -o souls.jsonl
              kin match souls.jsonl --user u42
              kin match souls.jsonl --user u42 --with u77 --explain
              kin match souls.jsonl -k 5 --json > similar.jsonl
              kin match souls.jsonl --above 0.95
            """)

    @Argument(help: ArgumentHelp("The souls.", valueName: "souls"))
    var souls: String

    @Option(help: ArgumentHelp("Whose similar people; everybody's in turn by default.", valueName: "id"))
    var user: String?

    @Option(help: ArgumentHelp("Compare --user with this person only.", valueName: "id"))
    var with: String?

    @Option(name: [.customShort("k"), .long], help: ArgumentHelp("How many similar people.", valueName: "n"))
    var count = 10

    @Option(
        help: ArgumentHelp("All matches with at least this affinity, in place of the best few.", valueName: "affinity"))
    var above: Double?

    @Option(
        name: [.long, .customLong("evidence")],
        help: ArgumentHelp("The least share of all weight that has to be compared, 0 to 1.", valueName: "share"))
    var coverage = 0.0

    @Option(
        help: ArgumentHelp(
            "Weights of goals, realms, objects, patterns and valence, in any unit; the store's, or 0.40,0.25,0.20,0.10,0.05.",
            valueName: "g,r,o,p,v"))
    var weights: String?

    @Flag(help: "Count every goal the same, however rare.")
    var everyGoalAlike = false

    @Flag(help: "Say what each affinity is made of.")
    var explain = false

    @Flag(help: "Print one JSON object a line.")
    var json = false

    @OptionGroup var threads: ThreadOption

    func validate() throws {
        if count < 1 { throw ValidationError("-k must be at least 1") }
        if with != nil && user == nil { throw ValidationError("--with needs --user") }
        if with != nil && above != nil { throw ValidationError("give --with or --above, not both") }
    }

    func run(on console: Console) throws {
        let matcher = try SoulSource(souls).matcher(
            weights: weights.map(MatchCommand.weights), everyGoalAlike: everyGoalAlike, threads: threads.count)
        if matcher.model.rarity != nil, !json {
            console.note(
                "note: goals count by their rarity among \(NumberText.count(matcher.count, "person")); "
                    + "--every-goal-alike turns that off")
        }
        switch (user, with, above) {
        case (let user?, let other?, _):
            let affinity = try matcher.affinity(between: user, and: other)
            json ? console.print(ScoredSoul(userID: other, affinity).json(of: user, affinity)) : console.print(affinity)
        case (let user?, nil, let above?):
            try say([(user, matcher.matches(of: user, above: above, minimumCoverage: coverage))], matcher, console)
        case (let user?, nil, nil):
            try say([(user, matcher.mostSimilar(to: user, k: count, minimumCoverage: coverage))], matcher, console)
        case (nil, _, let above?): try pairs(above, matcher, console)
        case (nil, _, nil): try everybody(matcher, console)
        }
    }

    /// Reads the five weights of an affinity model.
    static func weights(_ text: String) throws -> AffinityWeights {
        let values = text.split(separator: ",", omittingEmptySubsequences: false).map {
            Double($0.trimmingCharacters(in: .whitespaces))
        }
        guard values.count == 5, let g = values[0], let r = values[1], let o = values[2], let p = values[3],
            let v = values[4]
        else {
            throw Failure.usage("--weights is five numbers with commas between them, not \(text)")
        }
        return try AffinityWeights(goals: g, realms: r, objects: o, patterns: p, valence: v)
    }

    private func say(_ answers: [(String, [ScoredSoul])], _ matcher: SoulMatcher, _ console: Console) throws {
        for (user, souls) in answers {
            if json {
                for found in souls {
                    let affinity = explain ? try matcher.affinity(between: user, and: found.userID) : nil
                    console.print(found.json(of: user, affinity))
                }
                continue
            }
            console.print(console.style.strong(user))
            console.print(souls)
            guard explain else { continue }
            for found in souls {
                console.print("")
                console.print("\(user) and \(found.userID)")
                console.print(try matcher.affinity(between: user, and: found.userID))
            }
        }
    }

    private func everybody(_ matcher: SoulMatcher, _ console: Console) throws {
        let bar = ProgressBar("matching", on: console)
        defer { bar.finish() }
        var done = 0
        var failure: (any Error)?
        try matcher.forEachMostSimilar(k: count, minimumCoverage: coverage, threads: threads.count) { user, souls in
            do { try say([(user, souls)], matcher, console) } catch { failure = failure ?? error }
            done += 1
            bar.update(done: done, of: matcher.count) { NumberText.count($0, "person") }
        }
        if let failure { throw failure }
    }

    private func pairs(_ above: Double, _ matcher: SoulMatcher, _ console: Console) throws {
        let bar = ProgressBar("matching", on: console)
        defer { bar.finish() }
        var count = 0
        try matcher.forEachMatch(
            above: above, minimumCoverage: coverage, threads: threads.count,
            progress: { done in
                bar.update(done: done, of: matcher.count) { NumberText.count($0, "person") }
            }
        ) { (pair) throws(KinError) in
            count += 1
            let affinity = explain ? try matcher.affinity(between: pair.first, and: pair.second) : nil
            if json { return console.print(pair.match.json(of: pair.first, affinity)) }
            console.print(
                "  \(pair.first)  \(pair.second)  \(AffinityText.score(pair.affinity))  \(AffinityText.words(pair.connection))"
            )
            if let affinity { console.print(affinity) }
        }
        if !json { console.note("note: \(NumberText.count(count, "pair")) from \(above) on") }
    }
}
