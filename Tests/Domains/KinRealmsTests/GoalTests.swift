import KinCore
import KinRealms
import KinTestSupport
import Testing

@Suite struct GoalTests {
    @Test func synonymsLeadToGoals() throws {
        #expect(try Goal(named: "Anxiety") == .anxietyRelief)
        #expect(try Goal(named: "winding-down") == .sleep)
        #expect(Goal("mental clarity") == .focus)
        #expect(Goal("nothing of that") == nil)
        #expect(errorCode { try Goal(named: "slep") } == .invalidArgument)
    }

    @Test func everyNameAndSynonymLeadsToItsOwnGoal() {
        for goal in Goal.allCases {
            for word in [goal.name] + goal.synonyms { #expect(Goal(word) == goal, "\(word)") }
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
