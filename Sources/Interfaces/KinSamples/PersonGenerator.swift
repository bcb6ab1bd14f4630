/// A generator of synthetic people with sessions and inventory, reproducible by seed on every machine.
///
///     let person = PersonGenerator(seed: 1).person(0, sessions: 30)
///     person.sessions.count      // 30
///     person.profile.pleasure    // the true taste, for checking a learned one
public struct PersonGenerator: Sendable {
    /// The seed of the random numbers.
    public let seed: UInt64
    /// The parameters that each person is drawn with.
    public var parameters = PersonModel.Parameters()
    /// The earliest day of a session, in UTC; 2025-01-01 by default.
    public var firstDay = Timestamp(unchecked: 1_735_689_600_000_000)  // 2025-01-01

    /// Creates a generator with the default parameters.
    public init(seed: UInt64) { self.seed = seed }

    /// A synthetic person, their sessions and the true parameters behind both.
    public struct Person: Sendable {
        /// The true parameters of the person.
        public let model: PersonModel
        /// The profile with the true taste and the true circadian emphasis.
        public let profile: PleasureProfile
        /// The sessions by ascending start.
        public let sessions: [PleasureSession]
        /// The true kind of each session, 0 ..< `parameters.kinds`.
        public let kinds: [Int]
    }

    /// Generates a person by number; the same number gives the same person.
    ///
    /// - Parameters:
    ///   - person: The number of the person, from 0.
    ///   - count: The number of sessions, about one a day.
    /// - Precondition: Both numbers are 0 or more.
    public func person(_ person: Int, sessions count: Int) -> Person {
        var generator = SeededGenerator.stream(UInt64(person), of: seed)
        let model = PersonModel(parameters, &generator)
        let userID = "u\(person)"
        var day = firstDay.microseconds
        var sessions: [PleasureSession] = []
        var kinds: [Int] = []
        for number in 0..<count {
            // Mostly the next day, sometimes a day or two later.
            day += CivilDate.microsecondsPerDay * [1, 1, 1, 1, 2, 3][generator.below(6)]
            let kind = model.kind(&generator)
            let slot = model.slot(&generator)
            let point = model.point(kind: kind, slot: slot, &generator)
            kinds.append(kind)
            sessions.append(
                session("\(userID)-\(number)", of: userID, at: day + minute(in: slot, &generator), point, &generator))
        }
        return infallible("the generator's own records are right") { () throws(KinError) in
            Person(
                model: model,
                profile: try PleasureProfile(userID: userID, pleasure: model.taste, circadian: model.circadian),
                sessions: sessions, kinds: kinds)
        }
    }

    /// A random minute of a slot, in microseconds after midnight; the night slot continues into the next day.
    private func minute(in slot: DayPart, _ generator: inout SeededGenerator) -> Int64 {
        let first = DayPart.beginnings[slot.rawValue]
        let end = slot == .night ? DayPart.beginnings[0] + 1440 : DayPart.beginnings[slot.rawValue + 1]
        return Int64(first) * 60_000_000 + Int64(generator.below(Int(end - first))) * 60_000_000
    }

    private func session(
        _ id: String, of userID: String, at start: Int64, _ point: Pleasure, _ generator: inout SeededGenerator
    ) -> PleasureSession {
        let strongest = Pleasure.Dimension.allCases.sorted { (point[$1], $0) < (point[$0], $1) }
        var intensities: [Pleasure.Dimension: Float] = [:]
        for dimension in strongest { intensities[dimension] = point[dimension] }
        let minutes = Int64(20 + generator.below(100))
        let words = (0..<3 + generator.below(6)).map { _ in Self.vocabulary[generator.below(Self.vocabulary.count)] }
        let history = path(&generator)
        let end = history.last == .reflection ? Timestamp(unchecked: start + minutes * 60_000_000) : nil
        return infallible("the generator's own records are right") { () throws(KinError) in
            try PleasureSession(
                id: id, userID: userID, history: history, start: Timestamp(unchecked: start), end: end,
                pleasure: PleasureMarks(
                    primary: Array(strongest[..<3]), secondary: Array(strongest[3..<6]), intensities: intensities),
                notes: words.joined(separator: " "), embeddingID: nil, transcriptURL: nil, mediaURLs: [])
        }
    }

    /// A random walk through the states, ended by reflection in three of four sessions.
    private func path(_ generator: inout SeededGenerator) -> [SessionState] {
        var path: [SessionState] = [.idle, .drift]
        while path.count < 5, generator.below(2) == 0 {
            let next = path[path.count - 1].successors.filter { $0 != .reflection }
            path.append(next[generator.below(next.count)])
        }
        // One session in four is never ended.
        return generator.below(4) == 0 ? path : path + [.reflection]
    }

    private static let vocabulary = words(
        """
        river slow light market bread rain hill map clay friend silence bicycle window garden song wood tea wind bridge \
        night
        """)
}
