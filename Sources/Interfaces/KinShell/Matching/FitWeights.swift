import Foundation

/// `kin fit weights`: the weights that best separate known pairs from other pairs.
enum FitWeights {
    static let command = Command<Console>(
        "fit weights", "Finds the affinity weights that separate pairs of people who belong together from other pairs.",
        details: """
            The file of pairs has two ids per line, separated by a comma, of people who belong together. A first line
            whose ids are not in SOULS is a header. The same number of random pairs is used for people who do not belong
            together. If a third column says which pairs belong together (1) or not (0), no pairs are drawn.

            Weights are 0 or more and sum to 1. Their quality is measured on pairs that they were not fitted to.

            With --keep, a store saves the weights and uses them from then on.

              kin fit weights souls.jsonl --pairs friends.csv
              kin fit weights people.db --pairs friends.csv --keep people.db
            """, [MatchingCommands.souls],
        options: [
            .required("pairs", .path, "The file of pairs."),
            .option("folds", .count, default: "5", "The number of parts in which pairs are held out."), .seed(),
            MatchingCommands.everyGoalAlike, .option("keep", .path, "The store in which to save the weights."),
            .threads, .json,
        ]
    ) { console, request in
        let matcher = try MatchingCommands.matcher(request, on: console)
        let file = try PairFile(reading: request.word("pairs"), of: matcher)
        let pairs =
            file.hasLabels
            ? file.pairs : LabelledPair.adding(others: matcher.userIDs, to: file.pairs, seed: request.seed())
        let fit = try WeightFit(to: pairs, of: matcher, folds: request.int("folds"), seed: request.seed())
        if let path = request.text("keep") {
            guard try FileContent(of: path).isDatabase else {
                throw request.refusal("keep", "--keep must be a store, and \(path) is not one")
            }
            let (weights, everyGoalAlike) = (fit.weights, matcher.model.rarity == nil)
            try finishing {
                let store = try Store(at: path, for: .writing, check: .automatic, in: StoreOptions.environment)
                try await store.change(.affinitySettings) { stored in
                    var settings = stored ?? .standard
                    settings.weights = weights
                    settings.everyGoalAlike = everyGoalAlike
                    stored = settings
                }
                try await store.close()
            }
        }
        if request.isJSON {
            return console.print(json: [
                "weights": Record(SoulBlock.allCases.map { ($0.name, fit.weights[$0]) }),
                "held_out": record(fit.heldOut), "standard": record(fit.standard),
                "pairs": fit.pairs, "folds": fit.folds,
            ])
        }
        console.print(["block", ">standard", ">fitted"], of: SoulBlock.allCases) {
            [$0.name, NumberText.thousandths(AffinityWeights.standard[$0]), NumberText.thousandths(fit.weights[$0])]
        }
        console.print(
            "  AUC of \(fit.pairs, "pair"), those of each of \(fit.folds) parts, scored with weights fitted to the others:"
        )
        for (name, quality) in [("standard", fit.standard), ("fitted", fit.heldOut)] {
            let (low, high) = (quality.interval.lowerBound, quality.interval.upperBound)
            console.print(
                "  \(name)  \(NumberText.thousandths(quality.auc))  (95 %: \(NumberText.thousandths(low)) to \(NumberText.thousandths(high)))"
            )
        }
        if let keep = request.text("keep") { return console.print("  \(keep) keeps the fitted weights") }
        let text = SoulBlock.allCases.map { String(format: "%.6f", fit.weights[$0]) }.joined(separator: ",")
        console.note("next: kin match \(request.word("souls").quoted) --weights \(text)")
    }

    private static func record(_ quality: RankQuality) -> Record {
        ["auc": quality.auc, "low": quality.interval.lowerBound, "high": quality.interval.upperBound]
    }
}
