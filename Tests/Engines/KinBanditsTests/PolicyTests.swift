import KinBandits
import KinCore
import KinLinearAlgebra
import KinTestSupport
import Testing

@Suite("Policies")
struct PolicyTests {
    @Test("learns which of two actions pays")
    func learnsTheBetterAction() throws {
        var policy = try Policy(.standard, dimension: 2, seed: 1)
        let actions = try Matrix(rows: [[1.0, 0.0], [0.0, 1.0]])
        var last = 0
        for round in 0..<400 {
            let choice = try policy.choose(from: actions)
            try policy.learn(reward: choice.action == 1 ? 1 : 0, for: choice.event)
            if round >= 300 { last += choice.action }
        }
        #expect(last > 85)
    }
}
