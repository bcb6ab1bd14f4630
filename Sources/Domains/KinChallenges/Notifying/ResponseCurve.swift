import KinLibC

/// A Bayesian model of the probability p(m) that a person answers at minute m of the day.
///
/// Since there are few answers, the model assumes one best time of the day: p(m) = b + a · exp(−(m − c)² ∕ 2 w²), with
/// the distance around the clock. All combinations of centre c, width w, base b and height a of a grid are weighted by
/// their posterior probability, given all answers (Bernoulli likelihood) and a ``NotificationPrior``. The result is the
/// mean of p(m) and its standard deviation. Workdays and weekends may have separate curves or a common one: the two
/// models are averaged by their evidence.
struct ResponseCurve {
    /// An answered or unanswered notification, with its weight.
    struct Answer {
        var minute: Int
        var isWeekend: Bool
        var wasAnswered: Bool
        var weight: Double

        /// Creates the answer of a notification; nil while it is unknown.
        init?(_ record: NotificationRecord, weight: Double) {
            guard let wasAnswered = record.wasAnswered else { return nil }
            minute = record.time.minute
            isWeekend = record.weekday.isWeekend
            self.wasAnswered = wasAnswered
            self.weight = weight
        }
    }

    /// The mean and the standard deviation of p at a minute.
    struct Estimate {
        var mean: Double
        var deviation: Double
    }

    /// The distance between centres, in minutes.
    private static let grain = 30
    /// The number of centres around the clock.
    static let centreCount = 1440 / grain
    /// The number of combinations of width, base and height.
    static let shapeCount = widths.count * levels.count
    private static let bins = 1440 / 15
    private static let widths: [Double] = [40, 80, 150, 300]
    /// The bases and heights of the curves, with finer steps for small values.
    private static let levels: [(base: Double, height: Double)] =
        [0.02, 0.06, 0.12, 0.22, 0.35, 0.5].flatMap { base in
            [0.08, 0.2, 0.35, 0.5, 0.65].map { (base, $0) }
        }.filter { $0.base + $0.height <= 0.97 }
    /// The prior probability of one curve for all days.
    private static let sameness = 0.9

    private let centres: [Int]
    /// The logarithms of the prior probabilities of the centres.
    private let centrePrior: [Double]
    /// The logarithms of the prior probabilities of the shapes, by width and level.
    private let shapePrior: [Double]
    /// The values exp(−d² ∕ 2 w²) by width and distance d in quarters of an hour.
    private let shapes: [[Double]]
    /// The values log p and log (1 − p) in turn, by width, level and distance.
    private let logs: [Double]
    private static let steps = bins / 2 + 1

    /// Creates the model without answers.
    ///
    /// - Parameters:
    ///   - minutes: The minutes to estimate, whose half hours contain the centres.
    ///   - prior: The prior of centres and shapes.
    init(minutes: some Sequence<Int>, prior: NotificationPrior) {
        let asked = Set(minutes.map { $0 / Self.grain })
        let numbers = (0..<Self.centreCount).filter { asked.contains($0) }
        centres = numbers.map { $0 * Self.grain + Self.grain / 2 }
        let weights = numbers.map { prior.centreWeight($0) }
        let sum = weights.reduce(0, +)
        centrePrior = weights.map { log($0 / sum) }
        shapePrior = (0..<Self.shapeCount).map { log(prior.shapeWeight($0)) }
        shapes = Self.widths.map { width in
            (0...Self.bins / 2).map { step in
                let distance = 15 * Double(step) / width
                return exp(-distance * distance / 2)
            }
        }
        var logs: [Double] = []
        logs.reserveCapacity(2 * shapes.count * Self.levels.count * Self.steps)
        for shape in shapes {
            for level in Self.levels {
                for height in shape {
                    let p = level.base + level.height * height
                    logs.append(log(p))
                    logs.append(log(1 - p))
                }
            }
        }
        self.logs = logs
    }

    private static func distance(_ a: Int, _ b: Int) -> Int {
        let steps = abs(a - b) / 15
        return min(steps, bins - steps)
    }

    /// The posterior probabilities of all centres around the clock and of all shapes, each summing to 1, with one curve
    /// for all days.
    static func probabilities(after answers: [Answer], _ prior: NotificationPrior) -> (
        centres: [Double], shapes: [Double]
    ) {
        let posterior = Posterior(ResponseCurve(minutes: 0..<1440, prior: prior), answers)
        return (posterior.centres, posterior.shapes)
    }

    /// Estimates p at minutes of a workday or a weekend day.
    func estimates(at minutes: [Int], isWeekend: Bool, after answers: [Answer]) -> [Estimate] {
        let (own, other) = (answers.filter { $0.isWeekend == isWeekend }, answers.filter { $0.isWeekend != isWeekend })
        var models = [(posterior: Posterior(self, own), share: 1.0)]
        if !other.isEmpty {
            let joint = Posterior(self, answers)
            let apart = models[0].posterior.evidence + Posterior(self, other).evidence
            let share = 1 / (1 + (1 - Self.sameness) / Self.sameness * exp(min(apart - joint.evidence, 700)))
            models = [(joint, share), (models[0].posterior, 1 - share)]
        }
        return minutes.map { minute in
            var (mean, square) = (0.0, 0.0)
            for (posterior, share) in models {
                for width in Self.widths.indices {
                    for (place, centre) in centres.enumerated() {
                        let sums = posterior.moments[width][place]
                        let k = shapes[width][Self.distance(minute, centre)]
                        mean += share * (sums[1] + k * sums[2])
                        square += share * (sums[3] + k * (2 * sums[4] + k * sums[5]))
                    }
                }
            }
            return Estimate(mean: mean, deviation: max(0, square - mean * mean).squareRoot())
        }
    }

    /// The log of prior times likelihood for each combination of width, centre and level, in this order.
    private func logProbabilities(after answers: [Answer]) -> [Double] {
        // Answers in the same quarter of an hour are counted together.
        var counts: [Int: (yes: Double, no: Double)] = [:]
        for answer in answers {
            let bin = answer.minute / 15
            if answer.wasAnswered {
                counts[bin, default: (0, 0)].yes += answer.weight
            } else {
                counts[bin, default: (0, 0)].no += answer.weight
            }
        }
        let places = counts.sorted { $0.key < $1.key }
        var scores: [Double] = []
        scores.reserveCapacity(centres.count * Self.shapeCount)
        for width in Self.widths.indices {
            for (centre, probability) in zip(centres, centrePrior) {
                let distances = places.map { Self.distance($0.key * 15 + 7, centre) }
                for level in Self.levels.indices {
                    let shape = width * Self.levels.count + level
                    var score = probability + shapePrior[shape]
                    for (place, distance) in zip(places, distances) {
                        let number = 2 * (shape * Self.steps + distance)
                        score += place.value.yes * logs[number] + place.value.no * logs[number + 1]
                    }
                    scores.append(score)
                }
            }
        }
        return scores
    }

    /// The posterior probabilities of all combinations, as sums over levels for the moments of p.
    private struct Posterior {
        /// The log evidence, log P(answers).
        let evidence: Double
        /// The probabilities of the centres, in the order of the curve's centres.
        let centres: [Double]
        /// The probabilities of the shapes, by width and level.
        let shapes: [Double]
        /// The sums of the probability times 1, b, a, b², a b, a², by width and centre.
        let moments: [[[Double]]]

        init(_ curve: ResponseCurve, _ answers: [Answer]) {
            var scores = curve.logProbabilities(after: answers)
            let top = scores.max() ?? 0
            var total = 0.0
            for i in scores.indices {
                scores[i] = exp(scores[i] - top)
                total += scores[i]
            }
            evidence = top + log(total)
            var centres = [Double](repeating: 0, count: curve.centres.count)
            var shapes = [Double](repeating: 0, count: ResponseCurve.shapeCount)
            var place = 0
            moments = ResponseCurve.widths.indices.map { width in
                curve.centres.indices.map { centre in
                    var sums = [Double](repeating: 0, count: 6)
                    for (number, level) in ResponseCurve.levels.enumerated() {
                        let p = scores[place] / total
                        place += 1
                        centres[centre] += p
                        shapes[width * ResponseCurve.levels.count + number] += p
                        let (b, a) = (level.base, level.height)
                        for (i, value) in [1, b, a, b * b, a * b, a * a].enumerated() { sums[i] += p * value }
                    }
                    return sums
                }
            }
            (self.centres, self.shapes) = (centres, shapes)
        }
    }
}
