import Foundation
import KinCore

/// The least regret possible for a learner of notification times, which knows the distribution of the trial's people.
///
/// Such a learner weighs all possible people (kinds and times of the day) by Bayes' rule. The best policy for that
/// prior solves a partially observed decision process and cannot be computed. So several rules close to it are played,
/// and all are shown, each with exact posteriors: greedy, upper bounds, information-directed sampling by variance
/// (Russo and Van Roy 2014, doi:10.1287/opre.2017.1663) and the knowledge gradient (Ryzhov, Powell and Frazier 2012,
/// doi:10.1287/opre.1110.0999).
struct NotificationBound {
    /// A rule that chooses a quarter of an hour.
    enum Rule: String, CaseIterable {
        case greedy, upperBounds = "upper bounds", information = "information-directed", gradient = "knowledge gradient"
    }

    /// The first minute of each quarter of an hour from 08:00 to 21:00.
    private static let quarters = Array(stride(from: 480, to: 1260, by: 15))
    /// The probability of an answer by day (workday, weekend), possible person, and quarter.
    private let answers: [[Double]]
    private let prior: [Double]
    /// The best quarter of each person, by day.
    private let best: [[Int]]

    /// Gives equal weight to each kind of people, and to the times of the day within a kind.
    init(_ kinds: [NotificationTrial.Kind]) {
        var people: [NotificationTrial.Responder] = []
        var prior: [Double] = []
        for kind in kinds {
            let steps = kind.hasSecond ? 24 : 72
            let centres = (0..<steps).map { (step: Int) -> Double in 500 + 740 * (Double(step) + 0.5) / Double(steps) }
            let seconds: [Double?] = kind.hasSecond ? centres : [nil]
            let drawn = centres.flatMap { centre in seconds.map { kind.responder(centre, $0) } }
            people += drawn
            prior += Array(repeating: 1 / Double(kinds.count * drawn.count), count: drawn.count)
        }
        self.prior = prior
        answers = [false, true].map { isWeekend in
            people.flatMap { person in Self.quarters.map { person.probability($0 + 7, isWeekend: isWeekend) } }
        }
        let count = Self.quarters.count
        best = answers.map { answers in
            (0..<people.count).map { person in
                (0..<count).max { answers[person * count + $0] < answers[person * count + $1] } ?? 0
            }
        }
    }

    /// The regret of each of a person's notifications.
    func regrets(
        of person: NotificationTrial.Responder, count: Int, by rule: Rule, _ generator: inout SeededGenerator
    ) -> [Double] {
        var weights = prior
        let most = person.best
        return (0..<count).map { number in
            let isWeekend = number % 7 >= 5
            let day = isWeekend ? 1 : 0
            let sum = weights.reduce(0, +)
            for i in weights.indices { weights[i] /= sum }
            let choice = choose(by: rule, weights, day, number, &generator)
            let minute = Self.quarters[choice] + generator.below(15)
            let p = person.probability(minute, isWeekend: isWeekend)
            let isAnswered = generator.uniform() < p
            for i in weights.indices {
                let q = answers[day][i * Self.quarters.count + choice]
                weights[i] *= isAnswered ? q : 1 - q
            }
            return (most - p) / most
        }
    }

    private func choose(
        by rule: Rule, _ weights: [Double], _ day: Int, _ number: Int, _ generator: inout SeededGenerator
    ) -> Int {
        let count = Self.quarters.count
        let (mean, square) = moments(weights, day)
        let values: [Double]
        switch rule {
        case .greedy: values = mean
        case .upperBounds:
            let width = 0.5 + 0.8 * max(0, 1 - Double(number) / 50)
            values = (0..<count).map { mean[$0] + width * max(0, square[$0] - mean[$0] * mean[$0]).squareRoot() }
        case .information:
            // The variance of the mean, given the best quarter.
            var (share, sums) = ([Double](repeating: 0, count: count), [Double](repeating: 0, count: count * count))
            var top = 0.0
            for (person, weight) in weights.enumerated() where weight > 0 {
                let place = best[day][person]
                share[place] += weight
                top += weight * answers[day][person * count + place]
                for i in 0..<count { sums[place * count + i] += weight * answers[day][person * count + i] }
            }
            values = (0..<count).map { i in
                var variance = 1e-12
                for place in 0..<count where share[place] > 1e-12 {
                    let off = sums[place * count + i] / share[place] - mean[i]
                    variance += share[place] * off * off
                }
                return -(top - mean[i]) * (top - mean[i]) / variance
            }
        case .gradient:
            var gain = [Double](repeating: 0, count: count)
            for other in 0..<2 {
                let (means, products) = (moments(weights, other).mean, products(weights, day, other))
                let top = means.max() ?? 0
                for i in 0..<count {
                    var (yes, no) = (0.0, 0.0)
                    for j in 0..<count {
                        yes = max(yes, products[i * count + j])
                        no = max(no, means[j] - products[i * count + j])
                    }
                    gain[i] += (other == 0 ? 5.0 : 2.0) / 7 * (yes + no - top)
                }
            }
            values = (0..<count).map { mean[$0] + 10 * gain[$0] }
        }
        let noisy = values.map { $0 * (1 - 1e-9 * generator.uniform()) }
        return noisy.indices.max { noisy[$0] < noisy[$1] } ?? 0
    }

    private func moments(_ weights: [Double], _ day: Int) -> (mean: [Double], square: [Double]) {
        let count = Self.quarters.count
        var (mean, square) = ([Double](repeating: 0, count: count), [Double](repeating: 0, count: count))
        for (person, weight) in weights.enumerated() where weight > 1e-12 {
            for i in 0..<count {
                let p = answers[day][person * count + i]
                mean[i] += weight * p
                square[i] += weight * p * p
            }
        }
        return (mean, square)
    }

    /// The mean product of the answers at a quarter of one kind of day and at a quarter of the other.
    private func products(_ weights: [Double], _ day: Int, _ other: Int) -> [Double] {
        let count = Self.quarters.count
        var products = [Double](repeating: 0, count: count * count)
        for (person, weight) in weights.enumerated() where weight > 1e-9 {
            for i in 0..<count {
                let p = weight * answers[day][person * count + i]
                for j in 0..<count { products[i * count + j] += p * answers[other][person * count + j] }
            }
        }
        return products
    }
}
