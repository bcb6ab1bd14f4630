import KinRealms
import KinTestSupport
import Testing

@Suite struct GoalTests {
    @Test func synonymsLeadToGoals() throws {
        #expect(try TherapeuticGoal(named: "Anxiety") == .anxietyRelief)
        #expect(try TherapeuticGoal(named: "winding-down") == .sleep)
        #expect(TherapeuticGoal("mental clarity") == .focus)
        #expect(TherapeuticGoal("nothing of that") == nil)
        #expect(errorCode { try TherapeuticGoal(named: "slep") } == .invalidArgument)
    }

    /// The words of the apps for the focus of an image.
    @Test(arguments: [
        ("anxiety", TherapeuticGoal.anxietyRelief), ("sleep", .sleep), ("stress", .stressRelief),
        ("grounding", .grounding), ("healing", .griefSupport), ("confidence", .selfCompassion),
    ])
    func wordsOfTheFocusAreGoals(word: String, goal: TherapeuticGoal) {
        #expect(TherapeuticGoal(word) == goal)
    }

    @Test func everyNameAndSynonymLeadsToItsOwnGoal() {
        for goal in TherapeuticGoal.allCases {
            for word in [goal.name] + goal.synonyms { #expect(TherapeuticGoal(word) == goal, "\(word)") }
        }
    }

    @Test func focusIsOrdered() {
        var values = GoalValues()
        values[.sleep] = 0.4
        values[.focus] = 0.9
        #expect(values.focus == [.focus, .sleep])
        #expect(values.mean(of: [.sleep, .energy]) == Double(Float(0.4)) / 2)
    }
}
