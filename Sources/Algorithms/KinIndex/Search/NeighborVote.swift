/// Labels predicted by a majority vote of neighbours, compared with the true labels.
public struct NeighborVote: Sendable, Hashable {
    private struct Mistake: Hashable {
        let truth: String
        let guess: String
    }

    /// The number of rows tested.
    public private(set) var tested = 0
    /// The number of rows with a correct prediction.
    public private(set) var correct = 0
    private var mistakes: [Mistake: Int] = [:]

    /// The share of correct predictions; 0 without rows.
    public var accuracy: Double { tested == 0 ? 0 : Double(correct) / Double(tested) }

    /// Counts how often the neighbours' label is correct.
    ///
    /// - Parameters:
    ///   - answers: The neighbours of each tested row, nearest first.
    ///   - teaching: The label of each row of the index.
    ///   - truth: The label of each tested row.
    ///   - ids: The id of each row of the index; all ids differ.
    /// - Complexity: O(rows + neighbours).
    public init(answers: NeighborTable, teaching: [String], truth: [String], ids: [VectorID]) {
        let labels = Dictionary(uniqueKeysWithValues: zip(ids, teaching))
        for (neighbors, truth) in zip(answers, truth) {
            let guess = Self.winner(of: neighbors.compactMap { labels[$0.id] })
            tested += 1
            if guess == truth {
                correct += 1
            } else {
                mistakes[Mistake(truth: truth, guess: guess ?? "nothing"), default: 0] += 1
            }
        }
    }

    /// The most common label; of equally common ones, the first.
    ///
    /// - Parameter labels: The labels of neighbours, nearest first.
    public static func winner(of labels: [String]) -> String? {
        var counts: [String: Int] = [:]
        for label in labels { counts[label, default: 0] += 1 }
        let most = counts.values.max()
        return labels.first { counts[$0] == most }
    }

    /// The most frequent pairs of true and predicted labels that differ, most frequent first.
    ///
    /// - Parameter count: The largest number of pairs.
    /// - Precondition: `count` is 0 or more.
    public func commonestMistakes(_ count: Int) -> [(truth: String, guess: String, count: Int)] {
        mistakes
            .sorted { ($1.value, $0.key.truth, $0.key.guess) < ($0.value, $1.key.truth, $1.key.guess) }
            .prefix(count)
            .map { ($0.key.truth, $0.key.guess, $0.value) }
    }
}
