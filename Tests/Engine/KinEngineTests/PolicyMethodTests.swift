import Foundation
import KinEngine
import KinTestSupport
import Testing

/// A policy stored under a name chooses and learns like the same policy in memory, to the last bit.
@Suite("Stored policies") struct PolicyMethodTests {

    @Test(arguments: PolicyKind.allCases)
    func aStoredPolicyEqualsOneInMemory(kind: PolicyKind) async throws {
        var random = TestSeed().generator
        let folder = TemporaryFolder()
        let path = folder.path("policies.db")
        var engine = try Engine(store: path)
        let arms = PolicySettings(
            kind.algorithm(dimension: 3, hasPairs: true, hasArms: true), dimension: 3, arms: 4, hasPairs: true, seed: 7)
        let shared = PolicySettings(
            kind.algorithm(dimension: 2, hasPairs: false, hasArms: false), dimension: 2, seed: 9)
        try await engine.createPolicy("arms", arms)
        try await engine.createPolicy("shared", shared)
        var (armed, plain) = (try BanditPolicy(arms), try BanditPolicy(shared))
        for round in 0..<30 {
            let context = (0..<3).map { _ in random.uniform() }
            let some = round % 3 == 0 ? [0, 2, 3] : nil
            let choice = try await engine.chooseArm(by: "arms", in: context, among: some)
            #expect(try choice == armed.choose(in: context, among: some))
            let actions = (0..<5).map { _ in (0..<2).map { _ in random.uniform() } }
            let action = try await engine.chooseAction(by: "shared", from: actions)
            #expect(try action == plain.choose(from: Matrix(rows: actions)))
            let reward = random.uniform()
            #expect(try await engine.learn("arms", reward: reward, for: choice.event) == round + 1)
            try armed.learn(reward: reward, for: choice.event)
            try await engine.learn("shared", reward: reward, for: action.event)
            try plain.learn(reward: reward, for: action.event)
            if round == 15 {
                try engine.close()
                engine = try Engine(store: path)
            }
        }
        #expect(try engine.store.policies().map(\.policy) == [armed, plain])
    }

    @Test func invalidCallsChangeNothing() async throws {
        let engine = Engine()
        let made = try await engine.createPolicy("p", PolicySettings(dimension: 2, arms: 3, seed: 1))
        let again = #expect(throws: KinError.self) {
            try engine.call("create_policy", #"{"policy":"p","dimension":2}"#)
        }
        #expect(again?.context.contains { $0.name == "field" && $0.value == "policy" } == true)
        func refuses(_ code: KinError.Code, _ call: () async throws -> Void) async throws {
            let error = await #expect(throws: KinError.self) { try await call() }
            #expect(error?.code == code, "\(error.map(\.description) ?? "")")
            #expect(try engine.store.policies() == [made])
        }
        try await refuses(.invalidArgument) {
            try await engine.createPolicy("p", PolicySettings(dimension: 2, arms: 3, seed: 2))
        }
        try await refuses(.unknownID) { try await engine.chooseArm(by: "q", in: [1, 2]) }
        try await refuses(.dimensionMismatch) { try await engine.chooseArm(by: "p", in: [1]) }
        try await refuses(.notFinite) { try await engine.chooseArm(by: "p", in: [1, .nan]) }
        try await refuses(.invalidArgument) { try await engine.chooseArm(by: "p", in: [1, 2], among: [3]) }
        try await refuses(.dimensionMismatch) { try await engine.chooseAction(by: "p", from: [[1]]) }
        let event = BanditPolicy.Event(features: [1, 2], arm: 5, propensity: 0.5)
        try await refuses(.invalidArgument) { try await engine.learn("p", reward: 1, for: event) }
        for propensity in [0, -0.0, -7, 2, 1.0.nextUp, -.leastNonzeroMagnitude, .nan, .infinity] {
            let event = BanditPolicy.Event(features: [1, 2], arm: 0, propensity: propensity)
            try await refuses(propensity.isFinite ? .invalidArgument : .notFinite) {
                try await engine.learn("p", reward: 1, for: event)
            }
        }
        let certain = BanditPolicy.Event(features: [1, 2], arm: 0, propensity: 1)
        #expect(try await engine.learn("p", reward: 1, for: certain) == 1)
    }

    @Test func policiesWorkThroughJSON() throws {
        let engine = Engine()
        _ = try engine.call("create_policy", #"{"policy":"banner","kind":"linucb","dimension":2,"arms":2,"seed":3}"#)
        let choice = try engine.call("choose_arm", #"{"policy":"banner","context":[0.5,1]}"#)
        let start = try #require(choice.range(of: "\"event\":")).upperBound
        let event = choice[start...].dropLast()
        #expect(
            try engine.call("learn", "{\"policy\":\"banner\",\"reward\":1,\"event\":\(event)}")
                == #"{"observations":1}"#)
        #expect(
            try engine.call("policies", "{}")
                == #"[{"policy":"banner","dimension":2,"arms":2,"choices":1,"observations":1}]"#)
        #expect(try engine.call("remove", #"{"kind":"policy","name":"banner"}"#) == #"{"removed":true}"#)
        #expect(try engine.call("policies", "{}") == "[]")
    }
}
