import KinCore
import KinLibC

/// A Bayesian model of the probability p(m) that a person answers at minute m of the day.
///
/// Since there are few answers, one best time of the day is assumed: p(m) = b + a · exp(−(m − c)² ∕ 2 w²), with the distance around the
/// clock. All combinations of centre c, width w, base b and height a of a grid are weighted by their posterior probability, given all
/// answers (Bernoulli likelihood). The result is the mean of p(m) and its standard deviation. Workdays and weekends may have separate
/// curves or one in common: the two models are averaged by their evidence.
struct ResponseCurve {
    /// An answered or unanswered notification, with its weight.
    struct Answer {
        var minute: Int
        var isWeekend: Bool
        var wasAnswered: Bool
        var weight: Double
    }

    /// The mean and the standard deviation of p at a minute.
    struct Estimate {
        var mean: Double
        var deviation: Double
    }

    /// The distance between centres, in minutes.
    private static let grain = 30
    private static let bins = 1440 / 15
    private static let widths: [Double] = [40, 80, 150, 300]
    /// The bases and heights of the curves, in finer steps where they are small.
    private static let levels: [(base: Double, height: Double)] =
        [0.02, 0.06, 0.12, 0.22, 0.35, 0.5].flatMap { base in
            [0.08, 0.2, 0.35, 0.5, 0.65].map { (base, $0) }
        }.filter { $0.base + $0.height <= 0.97 }
    /// The prior probability of one curve for all days.
    private static let sameness = 0.9

    private let centres: [Int]
    /// The prior probabilities of the centres.
    private let prior: [Double]
    /// The values exp(−d² ∕ 2 w²) by width and distance d in quarters of an hour.
    private let shapes: [[Double]]
    /// The values log p and log (1 − p), one after the other, by width, level and distance.
    private let logs: [Double]
    private static let steps = bins / 2 + 1

    /// Creates the model without answers.
    ///
    /// - Parameters:
    ///   - minutes: The minutes to be estimated; centres lie in their half hours.
    ///   - weights: The prior weights of the 24 hours to contain the centre.
    init(minutes: [Int], weights: [Double]) {
        let asked = Set(minutes.map { $0 / Self.grain })
        centres = (0..<1440 / Self.grain).filter { asked.contains($0) }.map { $0 * Self.grain + Self.grain / 2 }
        let raw = centres.map { max(weights[$0 / 60], 1e-6) }
        let sum = raw.reduce(0, +)
        prior = raw.map { $0 / sum }
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

    /// Estimates p at minutes of a workday or a weekend day.
    func estimates(at minutes: [Int], isWeekend: Bool, after answers: [Answer]) -> [Estimate] {
        let (own, other) = (answers.filter { $0.isWeekend == isWeekend }, answers.filter { $0.isWeekend != isWeekend })
        guard !other.isEmpty else { return Posterior(self, own).estimates(at: minutes) }
        let joint = Posterior(self, answers)
        let alone = Posterior(self, own)
        let apart = alone.evidence + Posterior(self, other).evidence
        let share = 1 / (1 + (1 - Self.sameness) / Self.sameness * exp(min(apart - joint.evidence, 700)))
        return zip(joint.estimates(at: minutes), alone.estimates(at: minutes)).map { a, b in
            let mean = share * a.mean + (1 - share) * b.mean
            let square =
                share * (a.deviation * a.deviation + a.mean * a.mean)
                + (1 - share) * (b.deviation * b.deviation + b.mean * b.mean)
            return Estimate(mean: mean, deviation: max(0, square - mean * mean).squareRoot())
        }
    }

    /// The posterior probabilities of all combinations, as sums over levels for the moments of p.
    private struct Posterior {
        let curve: ResponseCurve
        /// The log evidence, log P(answers).
        let evidence: Double
        /// The sums of the probability times 1, b, a, b², a b, a², by width and centre.
        private let moments: [[[Double]]]

        init(_ curve: ResponseCurve, _ answers: [Answer]) {
            self.curve = curve
            // Answers of one quarter of an hour count together.
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
            scores.reserveCapacity(ResponseCurve.widths.count * curve.centres.count * ResponseCurve.levels.count)
            for width in ResponseCurve.widths.indices {
                for (centre, probability) in zip(curve.centres, curve.prior) {
                    let distances = places.map { ResponseCurve.distance($0.key * 15 + 7, centre) }
                    for level in ResponseCurve.levels.indices {
                        let first = (width * ResponseCurve.levels.count + level) * ResponseCurve.steps
                        var score = log(probability)
                        for i in places.indices {
                            let place = 2 * (first + distances[i])
                            score +=
                                places[i].value.yes * curve.logs[place] + places[i].value.no * curve.logs[place + 1]
                        }
                        scores.append(score)
                    }
                }
            }
            let top = scores.max() ?? 0
            var total = 0.0
            for i in scores.indices {
                scores[i] = exp(scores[i] - top)
                total += scores[i]
            }
            evidence = top + log(total / Double(ResponseCurve.levels.count * ResponseCurve.widths.count))
            var place = 0
            moments = ResponseCurve.widths.map { _ in
                curve.centres.map { _ in
                    var sums = [Double](repeating: 0, count: 6)
                    for level in ResponseCurve.levels {
                        let p = scores[place] / total
                        place += 1
                        let (b, a) = (level.base, level.height)
                        for (i, value) in [1, b, a, b * b, a * b, a * a].enumerated() { sums[i] += p * value }
                    }
                    return sums
                }
            }
        }

        func estimates(at minutes: [Int]) -> [Estimate] {
            minutes.map { minute in
                var (mean, square) = (0.0, 0.0)
                for width in ResponseCurve.widths.indices {
                    for (place, centre) in curve.centres.enumerated() {
                        let sums = moments[width][place]
                        let k = curve.shapes[width][ResponseCurve.distance(minute, centre)]
                        mean += sums[1] + k * sums[2]
                        square += sums[3] + k * (2 * sums[4] + k * sums[5])
                    }
                }
                return Estimate(mean: mean, deviation: max(0, square - mean * mean).squareRoot())
            }
        }
    }
}
