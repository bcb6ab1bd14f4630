/// The prior knowledge, from a population, about when people answer: the expected numbers of people by the best time of
/// their day and by the shape of their curve.
///
/// A person with few answers is assumed to be like the population: most people answer around certain hours, in peaks of
/// a certain width and height. The counts are an empirical Bayes prior (Robbins 1956; Dempster, Laird and Rubin 1977).
/// Each person adds the posterior probabilities of the curves given their answers, which sum to 1; a second pass uses
/// the sum as its prior. Only such sums are shared, no instants and no answers. To hide individuals, add up many people
/// before passing the sums on.
///
///     let phone = NotificationPrior.uniform.counting(past)             // on each phone; pass on the sums
///     let everybody = phones.reduce(.uniform) { $0.adding($1) }
///     try NotificationPlanner(prior: everybody, seed: 1)
public struct NotificationPrior: Sendable, Hashable {
    /// The number of people counted; 0 without knowledge.
    public private(set) var people: Double
    /// The expected numbers of people by the half hour of their best time: 48, from midnight.
    public private(set) var centres: [Double]
    /// The expected numbers of people by the shape of their curve: width, then base and height.
    public private(set) var shapes: [Double]

    /// The prior without knowledge: all times and shapes are equally likely.
    public static let uniform = NotificationPrior()

    /// The number of imaginary people of the uniform prior, spread evenly over all times and shapes.
    private static let pseudoPeople = 4.0
    /// The least number of known answers of a counted person.
    public static let leastAnswers = 10

    private init() {
        people = 0
        centres = Array(repeating: 0, count: ResponseCurve.centreCount)
        shapes = Array(repeating: 0, count: ResponseCurve.shapeCount)
    }

    /// Creates a prior from counts.
    ///
    /// - Parameters:
    ///   - people: The number of people, 0 or more.
    ///   - centres: 48 expected numbers by half hour of the day, with the sum `people`.
    ///   - shapes: 108 expected numbers by shape, with the sum `people`.
    /// - Throws: `.invalidArgument` for other lengths or sums, or a negative number; naming the field.
    public init(people: Double, centres: [Double], shapes: [Double]) throws(KinError) {
        guard people >= 0, people.isFinite else {
            throw .field("people", "must be 0 or more, not \(people)")
        }
        for (name, counts, count) in [
            ("centres", centres, ResponseCurve.centreCount), ("shapes", shapes, ResponseCurve.shapeCount),
        ] {
            guard counts.count == count, counts.allSatisfy({ $0 >= 0 && $0.isFinite }),
                abs(counts.reduce(0, +) - people) <= 1e-6 * max(1, people)
            else {
                throw .field(name, "they must be \(count) numbers of 0 or more that sum to the people")
            }
        }
        self.people = people
        self.centres = centres
        self.shapes = shapes
    }

    /// Counts one person, with this prior for the interpretation of their answers.
    ///
    /// - Parameter past: The person's notifications. The latest 400 count, if it is known whether they were answered.
    /// - Returns: The counts of that person alone, which sum to 1; ``uniform`` for fewer than ``leastAnswers``.
    /// - Complexity: About a millisecond.
    public func counting(_ past: [NotificationRecord]) -> NotificationPrior {
        let answers = past.suffix(NotificationPlanner.longestPast).compactMap { ResponseCurve.Answer($0, weight: 1) }
        guard answers.count >= Self.leastAnswers else { return .uniform }
        var counts = NotificationPrior()
        counts.people = 1
        (counts.centres, counts.shapes) = ResponseCurve.probabilities(after: answers, self)
        return counts
    }

    /// Adds the counts of different people.
    ///
    /// - Parameter other: The counts of people who have not been counted yet.
    public func adding(_ other: NotificationPrior) -> NotificationPrior {
        var sum = self
        sum.people += other.people
        for i in centres.indices { sum.centres[i] += other.centres[i] }
        for i in shapes.indices { sum.shapes[i] += other.shapes[i] }
        return sum
    }

    /// Learns the prior of a population from all people's notifications, by expectation maximisation.
    ///
    /// - Parameters:
    ///   - people: The notifications of each person.
    ///   - prior: The starting prior.
    ///   - rounds: The number of passes, 1 to 1,000; it changes little after ten.
    /// - Throws: `.invalidArgument` for the number of passes; `.cancelled`.
    /// - Complexity: About a millisecond for each person and pass.
    public static func learned(
        from people: [[NotificationRecord]], from prior: NotificationPrior = .uniform, rounds: Int = 10
    ) throws(KinError) -> NotificationPrior {
        guard (1...1000).contains(rounds) else { throw .field("rounds", "must be from 1 to 1000, not \(rounds)") }
        var prior = prior
        let work = LongWork(of: people.count * rounds)
        for _ in 0..<rounds {
            var sum = NotificationPrior.uniform
            for past in people {
                sum = sum.adding(prior.counting(past))
                try work.step(by: 1)
            }
            prior = sum
        }
        return prior
    }

    /// The prior weight of a best time in a half hour, above 0.
    func centreWeight(_ halfHour: Int) -> Double { centres[halfHour] + Self.pseudoPeople / Double(centres.count) }

    /// The prior probability of a shape, above 0.
    func shapeWeight(_ shape: Int) -> Double {
        (shapes[shape] + Self.pseudoPeople / Double(shapes.count)) / (people + Self.pseudoPeople)
    }
}

extension NotificationPrior: DeclaredRecord {
    package static let form = RecordSchema<NotificationPrior>(
        "notification prior",
        .required("people", \.people, .number("0 or more")),
        .required("centres", \.centres, .list(of: .number())),
        .required("shapes", \.shapes, .list(of: .number())),
        make: NotificationPrior.init(people:centres:shapes:))

    /// The counts as a JSON object, on one line.
    public var json: String { jsonText }
}
