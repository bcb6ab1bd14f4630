import Foundation
import Kin
import KinDrawings
import KinEngine
import KinFiles
import KinStore

/// `kin fit weights`: the weights that tell known pairs from others.
enum FitWeights {
    static let command = Command<Console>(
        "fit weights", "Finds the weights of affinity that tell pairs who belong together from others.",
        details: """
            PAIRS has two ids a line with a comma between them, of people who belong together; a line whose people are no souls
            is a title if it is the first. As many pairs at random stand for those who do not. A third column of 1 and 0 says
            which pairs belong together and which do not; then none are drawn.

            Weights are not negative and sum to 1. How well they do is measured on pairs that they were not fitted to.

            With --keep a store keeps them, and every question to it goes by them from then on.

              kin fit weights souls.jsonl --pairs friends.csv
              kin fit weights people.db --pairs friends.csv --keep people.db
            """, [MatchingCommands.souls],
        options: [
            .required("pairs", .path, "The file of pairs."),
            .option("folds", .count, default: "5", "The number of parts in which pairs are held out."), .seed(),
            MatchingCommands.everyGoalAlike, .option("keep", .path, "The store that is to keep the weights."), .threads,
            .json,
        ]
    ) { console, request in
        let matcher = try MatchingCommands.matcher(request)
        let pairs = try KnownPairs(path: request.word("pairs"), matcher: matcher).all(
            seed: request.seed(), among: matcher.userIDs)
        let fit = try WeightFit(to: pairs, of: matcher, folds: request.int("folds"), seed: request.seed())
        if let path = request.text("keep") {
            guard StoreOptions.isStore(path) else {
                throw request.refusal("keep", "--keep names a store, and \(path) is none")
            }
            let choice = AffinitySettings(weights: fit.weights, everyGoalAlike: matcher.model.rarity == nil)
            try finishing {
                let store = try Store(at: path)
                try await store.put(choice)
                try await store.close()
            }
        }
        if request.isJSON {
            let weights = Dictionary(uniqueKeysWithValues: SoulBlock.allCases.map { ($0.name, fit.weights[$0]) })
            let record: Record = [
                "weights": Record(weights), "held_out": record(fit.heldOut), "standard": record(fit.standard),
                "pairs": fit.pairs, "folds": fit.folds,
            ]
            return console.print(record, asJSON: true)
        }
        console.print(
            TextTable(
                ["block", ">standard", ">fitted"],
                SoulBlock.allCases.map {
                    [$0.name, AffinityText.score(AffinityWeights.standard[$0]), AffinityText.score(fit.weights[$0])]
                }))
        console.print(
            "  AUC of \(NumberText.count(fit.pairs, "pair")), those of each of \(fit.folds) parts scored by what the others gave:"
        )
        for (name, quality) in [("standard", fit.standard), ("fitted", fit.heldOut)] {
            let (low, high) = (quality.interval.lowerBound, quality.interval.upperBound)
            console.print(
                "  \(name)  \(AffinityText.score(quality.auc))  (95 %: \(AffinityText.score(low)) to \(AffinityText.score(high)))"
            )
        }
        if let keep = request.text("keep") { return console.print("  \(keep) keeps the fitted weights") }
        let text = SoulBlock.allCases.map { AffinityText.score(fit.weights[$0]) }.joined(separator: ",")
        console.note("next: kin match \(request.word("souls")) --weights \(text)")
    }

    private static func record(_ quality: RankQuality) -> Record {
        ["auc": quality.auc, "low": quality.interval.lowerBound, "high": quality.interval.upperBound]
    }
}

/// The file of known pairs.
struct KnownPairs {
    let path: String
    let matcher: SoulMatcher

    /// The pairs of the file, and as many at random where it names none that do not belong together.
    func all(seed: UInt64, among users: [String]) throws -> [LabelledPair] {
        var pairs: [LabelledPair] = []
        var isLabelled = false
        let lines = try ByteReader(path: path).text().split(omittingEmptySubsequences: false) { $0.isNewline }
        for (number, line) in lines.enumerated() where !line.isEmpty {
            let parts = line.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
            func error(_ message: String) -> Failure {
                Failure(.dataError, KinError(.malformedInput, message).within("line", number + 1).within("file", path))
            }
            guard parts.count == 2 || parts.count == 3 else {
                throw error("a pair is two ids, and 1 or 0 after them if need be")
            }
            if let stranger = parts.prefix(2).first(where: { !matcher.contains($0) }) {
                if number == 0 { continue }
                throw error("there is no soul of \"\(stranger)\"")
            }
            guard parts.count < 3 || ["0", "1"].contains(parts[2]) else { throw error("the third column is 1 or 0") }
            isLabelled = isLabelled || parts.count == 3
            pairs.append(LabelledPair(parts[0], parts[1], label: parts.count < 3 || parts[2] == "1"))
        }
        guard !isLabelled, users.count > 1 else { return pairs }
        let together = Set(pairs.flatMap { [[$0.first, $0.second], [$0.second, $0.first]] })
        var random = SeededGenerator(seed: seed)
        let wanted = pairs.count
        // A list of all pairs there are would leave none to draw.
        for _ in 0..<20 * wanted where pairs.count < 2 * wanted {
            let pair = [users[random.below(users.count)], users[random.below(users.count)]]
            if pair[0] != pair[1], !together.contains(pair) {
                pairs.append(LabelledPair(pair[0], pair[1], label: false))
            }
        }
        return pairs
    }
}
