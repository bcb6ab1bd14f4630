import KinPleasure
import KinTestSupport
import Testing

@Suite struct RhythmTests {
    @Test func slotsHaveTheirHours() throws {
        for (hour, slot) in [
            (0, DayPart.night), (4, .night), (5, .dawn), (6, .dawn), (7, .morning), (11, .morning), (12, .afternoon),
            (16, .afternoon), (17, .evening), (20, .evening), (21, .night), (23, .night),
        ] {
            #expect(DayPart(at: try TimeOfDay(hour: hour)) == slot)
            let weights = CircadianWeights(at: try TimeOfDay(hour: hour, minute: 30))
            #expect(weights[DayPart(at: try TimeOfDay(hour: hour, minute: 30))] > 0.999)
        }
        #expect(errorCode { try TimeOfDay(minutes: 1440) } == .invalidArgument)
    }

    @Test func weightsAddUpToOneAndHaveNoJumps() throws {
        var before = CircadianWeights(at: try TimeOfDay(minutes: 1439.75))
        for quarter in 0..<5760 {
            let weights = CircadianWeights(at: try TimeOfDay(minutes: Double(quarter) / 4))
            #expect(abs(DayPart.allCases.reduce(0) { $0 + weights[$1] } - 1) < 1e-12)
            for slot in DayPart.allCases {
                #expect(weights[slot] >= 0 && abs(weights[slot] - before[slot]) < 0.01)
            }
            before = weights
        }
        #expect(CircadianWeights(at: try TimeOfDay(hour: 7))[.dawn] == 0.5)
    }

    @Test func theTargetChangesWithTheTimeOfDay() throws {
        let profile = try PleasureProfile(
            userID: "u", pleasure: Pleasure([Float](repeating: 0.5, count: 16)),
            circadian: CircadianProfile([.dawn: [.horizon, .mobility], .night: [.post, .enclosure]]))
        let (dawn, night) = (profile.target(at: try TimeOfDay(hour: 6)), profile.target(at: try TimeOfDay(hour: 2)))
        #expect(dawn[.horizon] == 0.75 && dawn[.post] == 0.375 && night[.post] == 0.75 && night[.horizon] == 0.375)
        // The profile names no dimensions for the morning.
        #expect(profile.target(at: try TimeOfDay(hour: 9)) == profile.pleasure)
        var index = SessionIndex()
        try index.upsert(
            PleasureSession(
                id: "a", userID: "u", start: Timestamp(microseconds: 0),
                pleasure: PleasureMarks(primary: [.horizon, .mobility])), as: 1)
        try index.upsert(
            PleasureSession(
                id: "b", userID: "u", start: Timestamp(microseconds: 0),
                pleasure: PleasureMarks(primary: [.post, .enclosure])), as: 2)
        #expect(try index.nearest(to: dawn, k: 1).first?.id == 1 && index.nearest(to: night, k: 1).first?.id == 2)
    }
}
