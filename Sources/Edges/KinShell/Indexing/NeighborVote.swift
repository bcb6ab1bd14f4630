import Kin

/// Labels guessed by majority among neighbours, compared with the truth.
struct NeighborVote {
    struct Mistake: Hashable {
        let truth: String
        let guess: String
    }

    private(set) var tested = 0
    private(set) var correct = 0
    private var mistakes: [Mistake: Int] = [:]

    var accuracy: Double { tested == 0 ? 0 : Double(correct) / Double(tested) }

    /// Counts how often the neighbours' label was right.
    ///
    /// - Parameters:
    ///   - answers: the neighbours of each tested row, nearest first.
    ///   - teaching: the label of each row of the index.
    ///   - truth: the label of each tested row.
    ///   - ids: the id of each row of the index.
    static func score(answers: NeighborTable, teaching: [String], truth: [String], ids: [VectorID]) -> NeighborVote {
        let labels = Dictionary(uniqueKeysWithValues: zip(ids, teaching))
        var vote = NeighborVote()
        for (neighbors, truth) in zip(answers, truth) {
            let guess = winner(of: neighbors.compactMap { labels[$0.id] })
            vote.tested += 1
            if guess == truth {
                vote.correct += 1
            } else {
                vote.mistakes[Mistake(truth: truth, guess: guess ?? "nothing"), default: 0] += 1
            }
        }
        return vote
    }

    /// The commonest label, and among equally common ones the first.
    static func winner(of labels: [String]) -> String? {
        var counts: [String: Int] = [:]
        for label in labels { counts[label, default: 0] += 1 }
        let most = counts.values.max()
        return labels.first { counts[$0] == most }
    }

    func commonestMistakes(_ count: Int) -> [(truth: String, guess: String, count: Int)] {
        mistakes
            .sorted { ($1.value, $0.key.truth, $0.key.guess) < ($0.value, $1.key.truth, $1.key.guess) }
            .prefix(count)
            .map { ($0.key.truth, $0.key.guess, $0.value) }
    }
}
