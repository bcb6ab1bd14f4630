import KinStore

@testable import KinRhythms

/// Records drawn from a seed.
struct SampleRecords {
    private var generator: SeededGenerator

    init(seed: UInt64 = 1) { generator = SeededGenerator(seed: seed) }

    mutating func point() throws -> Pleasure {
        try Pleasure((0..<Pleasure.Dimension.count).map { _ in Float.random(in: 0...1, using: &generator) })
    }

    mutating func session(
        _ id: String, of user: String, at seconds: Double = 1.75e9, notes: String? = nil
    ) throws -> PleasureSession {
        let dimensions = Pleasure.Dimension.allCases.shuffled(using: &generator)
        var session = try PleasureSession(
            id: id, userID: user, start: Timestamp(seconds: seconds),
            state: SessionState.allCases.randomElement(using: &generator)!,
            pleasure: PleasureMarks(
                primary: [dimensions[0], dimensions[1]], secondary: [dimensions[2]],
                intensities: [dimensions[0]: Float.random(in: 0...1, using: &generator)]))
        session.notes = notes
        return session
    }

    /// Sessions an hour apart: `u0-0`, `u0-1`, … of `u0`, then of `u1`.
    mutating func sessions(_ count: Int, users: Int = 4) throws -> [PleasureSession] {
        try (0..<count).map { number in
            let user = "u\(number % users)"
            return try session("\(user)-\(number / users)", of: user, at: 1.7e9 + 3600 * Double(number))
        }
    }

    mutating func profile(of user: String) throws -> PleasureProfile {
        try PleasureProfile(
            userID: user, pleasure: point(), circadian: CircadianProfile([.dawn: [.horizon, .food]]),
            currentState: "rested", sessionState: .drift, context: PleasureProfile.Context("{\"city\":\"Ghent\"}"))
    }

    mutating func item(_ id: String) throws -> InventoryItem {
        try InventoryItem(
            id: id, name: "Kiln \"\(id)\"", kind: .tool, access: .publicLibrary,
            location: GeographicCoordinates(latitude: 40.7, longitude: -73.9), status: .booked,
            affordances: [.sense("touch", intensity: .high, context: "warm"), .pleasures([.materialPlay])],
            times: TemporalTags(bestTimes: [.evening], durationRange: 30...90, seasons: [.winter]))
    }
}

/// An hour of the year 2026.
func hour(_ number: Int) throws -> Timestamp { try Timestamp(seconds: 1_767_225_600 + 3600 * Double(number)) }

func story(_ title: String) throws -> Contribution {
    .story(try StoryContribution(title: title, content: "Once, \(title) went to sea."))
}

/// A feed in the log of a baby, 90 ml or a little more.
///
/// - Parameters:
///   - minute: The minutes from an instant of 2025.
///   - updated: The hour of the last change.
func bottle(
    _ id: String, of user: String, baby: String = "ada", by author: String? = nil, minute: Int = 0,
    updated: Int = 10, removed: Bool = false, text: String? = nil
) throws -> CareEvent {
    let start = try LoggedTime(LocalDateTime(Timestamp(seconds: 1.75e9 + 60 * Double(minute)), in: .utc))
    return try CareEvent(
        userID: user, babyID: baby,
        record: RhythmRecord(
            start: start, event: .feed(.init(method: .bottle, millilitres: 90 + Double(minute % 7))),
            note: .init(
                id: id, author: author, created: hour(0), updated: hour(updated), text: text, isRemoved: removed)))
}
