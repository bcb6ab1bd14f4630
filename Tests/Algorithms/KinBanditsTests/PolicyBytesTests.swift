import Foundation
import KinBandits
import KinTestSupport
import Testing

@Suite("Policy state as bytes")
struct PolicyBytesTests {
    static func trained(_ settings: PolicySettings, rounds: Int = 60) throws -> BanditPolicy {
        var random = SeededGenerator(seed: 9)
        var policy = try BanditPolicy(settings)
        for _ in 0..<rounds { try step(&policy, &random) }
        return policy
    }

    static func step(_ policy: inout BanditPolicy, _ random: inout SeededGenerator) throws {
        let choice =
            try policy.arms == nil
            ? policy.choose(from: PolicyTests.actions(5, policy.dimension, &random))
            : policy.choose(in: (0..<policy.dimension).map { _ in 20 * random.uniform() })
        try policy.learn(reward: random.uniform() < 0.4 ? 1 : 0, for: choice.event)
    }

    static var kinds: [PolicySettings] {
        PolicyTests.algorithms.map { PolicySettings($0, dimension: 3, effectiveWindow: 30, seed: 7) }
            + [
                PolicySettings(.linUCB(), dimension: 2, arms: 4, hasPairs: true, seed: .max),
                PolicySettings(.thompson(), dimension: 3, arms: 2, effectiveWindow: 25, seed: 1),
                PolicySettings(.standard, dimension: 2, priorWeights: [1, -1], priorIntercept: 0.5, seed: 0),
            ]
    }

    /// The default of release 0.2.0 with a model per arm.
    static let adaptiveOf020 = PolicyAlgorithm(.adaptive, .upperBound(width: 0.7), epsilon: 0.01)

    /// Every algorithm with every form, scaling, prior and window that it may have.
    static let everySetting = (PolicyTests.algorithms + [.adaptive(), adaptiveOf020]).flatMap { algorithm in
        [nil, 3].flatMap { arms in
            [PolicySettings.Scaling.fixed, .observed].flatMap { scaling in
                [(0.7, [0.9, -0.3], 0.3), (1, [], 0)].map { precision, weights, intercept in
                    PolicySettings(
                        algorithm, dimension: 2, arms: arms, hasPairs: weights.isEmpty, scaling: scaling,
                        priorPrecision: precision, priorWeights: weights, priorIntercept: intercept,
                        effectiveWindow: scaling == .fixed ? 25 : .infinity, seed: 7)
                }
            }
        }
    }.filter { (try? BanditPolicy($0)) != nil }

    /// Adaptive models: during their first observations, after them, without pairs (31 features), and with a discount.
    static let adaptive = [
        PolicySettings(dimension: 3, arms: 4, seed: 7), PolicySettings(dimension: 31, arms: 2, seed: 8),
        PolicySettings(dimension: 2, arms: 2, effectiveWindow: 25, seed: 9),
    ]

    /// The version byte is 1 if release 0.1.0 can read the state, 2 if release 0.2.0 can, and otherwise 3.
    @Test func theVersionByteIsTheLowestPossible() throws {
        for settings in Self.kinds {
            #expect(try BanditPolicy(settings).encoded()[4] == 3)
            // With arms and observed features, release 0.1.0 can read the state.
            #expect(try Self.trained(settings).encoded()[4] == (settings.arms == nil ? 3 : 1))
            var fixed = settings
            fixed.scaling = .fixed
            var bytes = try BanditPolicy(fixed).encoded()
            // The explorations of release 0.1.0 have the numbers 0 to 3, the one of release 0.2.0 has 4.
            let first = bytes[7] < 4 ? 1 : bytes[7] == 4 ? 2 : max(3, bytes[4])
            #expect(bytes[4] == first)
            for version in 1...3 as ClosedRange<UInt8> where version != first {
                bytes[4] = version
                #expect(errorCode { try BanditPolicy(decoding: bytes) } == .corruptFile, "\(settings), \(version)")
            }
        }
        var bytes = try BanditPolicy(Self.adaptive[0]).encoded()
        #expect(bytes[4] == 3)
        #expect(try BanditPolicy(Self.adaptiveOf020, dimension: 3, arms: 4, seed: 7).encoded()[4] == 2)
        bytes[4] = 2
        #expect(errorCode { try BanditPolicy(decoding: bytes) } == .corruptFile)
        bytes[4] = 4
        #expect(errorCode { try BanditPolicy(decoding: bytes) } == .unsupportedFormat)
    }

    @Test(
        arguments: everySetting.flatMap { [($0, 0), ($0, 20)] } + kinds.map { ($0, 60) }
            + adaptive.flatMap { kind in [0, 1, 8, 63, 64, 150].map { (kind, $0) } })
    func decodedPoliciesContinueIdentically(_ settings: PolicySettings, rounds: Int) throws {
        var policy = try Self.trained(settings, rounds: rounds)
        var restored = try BanditPolicy(decoding: policy.encoded())
        #expect(restored == policy && restored.encoded() == policy.encoded())
        var (a, b) = (SeededGenerator(seed: 4), SeededGenerator(seed: 4))
        for _ in 0..<80 {
            try Self.step(&policy, &a)
            try Self.step(&restored, &b)
        }
        #expect(restored == policy)
    }

    @Test func theSizeMatchesTheDocumentation() throws {
        for settings in Self.kinds {
            let d = settings.dimension
            let wide = d + (settings.hasPairs ? d * (d + 1) / 2 : 0) + 1
            let arms = settings.arms ?? 1
            let expected =
                88 + 8 * settings.priorWeights.count + (settings.scaling == .observed ? 8 * wide : 0)
                + arms * (4 * wide * (wide + 3) + 16)
            #expect(try BanditPolicy(settings).encoded().count == expected)
        }
    }

    @Test(arguments: kinds + [adaptive[0], adaptive[2]])
    func changedBytesGiveAnErrorOrAPolicy(_ settings: PolicySettings) throws {
        var random = TestSeed().generator
        let bytes = try Self.trained(settings, rounds: 8).encoded()
        for count in 0..<bytes.count {
            #expect(errorCode { try BanditPolicy(decoding: Array(bytes[..<count])) } != nil)
        }
        #expect(errorCode { try BanditPolicy(decoding: bytes + [0]) } == .corruptFile)
        for _ in 0..<3000 {
            var hostile = bytes
            for _ in 0...random.below(3) { hostile[random.below(bytes.count)] = UInt8(random.below(256)) }
            guard var policy = try? BanditPolicy(decoding: hostile) else { continue }
            // A policy that opens must also work or throw an error.
            _ = try? Self.step(&policy, &random)
        }
        for place in 0..<min(88, bytes.count) {
            for value in [UInt8(0), 1, 127, 128, 255] {
                var hostile = bytes
                hostile[place] = value
                guard var policy = try? BanditPolicy(decoding: hostile) else { continue }
                _ = try? Self.step(&policy, &random)
            }
        }
    }

    /// Each number of a state in turn becomes a value that no observation could cause. A policy that opens gives finite
    /// numbers or an error, and its state opens again.
    @Test(arguments: kinds + adaptive)
    func changedNumbersGiveAnErrorOrAPolicy(_ settings: PolicySettings) throws {
        var random = TestSeed().generator
        let bytes = try Self.trained(settings, rounds: 70).encoded()
        let hostile: [UInt64] =
            [0, -0.0, 0x1p-1074, 1e-300, -1, 1e60, -1e200, 1e308, .infinity, .nan].map(\.bitPattern) + [1 << 62, .max]
        let last = min((bytes.count - 24) / 8 - 1, 400)
        for (place, number) in (0...last).flatMap({ place in hostile.map { (24 + 8 * place, $0) } }) {
            var changed = bytes
            for i in 0..<8 { changed[place + i] = UInt8(truncatingIfNeeded: number >> (8 * i)) }
            guard var policy = try? BanditPolicy(decoding: changed) else { continue }
            for _ in 0..<3 {
                _ = try? Self.step(&policy, &random)
                let context = (0..<policy.dimension).map { _ in random.gaussian() }
                let numbers =
                    policy.arms == nil
                    ? try? policy.expectedRewards(of: Matrix(rows: 1, columns: policy.dimension, elements: context))
                        + policy.probabilities(
                            of: Matrix(rows: 1, columns: policy.dimension, elements: context), draws: 2, seed: 1)
                    : try? policy.expectedRewards(in: context) + policy.probabilities(in: context)
                #expect(numbers?.allSatisfy(\.isFinite) ?? true, "byte \(place) is \(number)")
            }
            #expect(throws: Never.self, "byte \(place) is \(number)") { try BanditPolicy(decoding: policy.encoded()) }
        }
    }

    /// States of release 0.2.0 (dimension 2, seed 7, three rewards), and the choices that it made next.
    private static let earlier: [(state: String, choices: [(Int, Double)])] = [
        // logistic-ucb, 2 arms
        (
            """
            S05CUAEAAQEBAAAAAgAAAAIAAAAAAAAAa6KG7ZJQCEAAAAAAAAAAAJqZmZmZmak/AAAAAAAAAAAAAAAAAADwfwcAAAAAAAAAAwAA\
            AAAAAAADAAAAAAAAAAAAAAAAANQ/zszMzMzM3D+amZmZmZmpPwEAAAAAAAAAAAAAAAAA8D8wp/7FvhG4v2T9fhRPDeK/MKf+xb4R\
            yL9hha65jjjiP6nA5cIpnr8/xtVD1xsUpT+RVmtcWp7tPwRJcrZnv8I/RQeo/ftg0T8DAAAAAAAAAAAAAAAAAPA/gSJqOTC86L+g\
            5wSFGKaRv5HmFLQl5sy/Dg1cn+SL8z8slC3jzKreP4DeoWhhbNo/ul3ymuHn6D+msSSGLCi6P/o0b4PPddM/
            """,
            [(0, 1.0), (0, 1.0), (0, 1.0)]
        ),
        // logistic-thompson, without arms
        (
            """
            S05CUAEAAQIAAAAAAgAAAAAAAAAAAAAAAAAAAAAA4D97FK5H4XqEPwAAAAAAAPA/AAAAAAAAAAAAAAAAAADwfwcAAAAAAAAAAwAA\
            AAAAAAADAAAAAAAAAAMAAAAAAAAAAAAAAAAA8D8q/bkxLLblv94qK4rQxOS/4RbMRkdG2L+SzvcKHNv7P0BQ81eCxus/1/HQ/Rqa\
            4j99gXH8GR/6P6j+UombPNg/6Dp7unj/8D8=
            """,
            [(1, 0.57734375), (0, 0.36078125), (1, 0.51546875)]
        ),
        // regcb, 2 arms
        (
            """
            S05CUAIAAAQBAAAAAgAAAAIAAAAAAAAAmpmZmZmZuT8AAAAAAAAAAJqZmZmZmak/AAAAAAAAAAAAAAAAAADwfwcAAAAAAAAAAwAA\
            AAAAAAADAAAAAAAAAAAAAAAAANQ/zszMzMzM3D+amZmZmZmpPwEAAAAAAAAAAAAAAAAA8D8AAAAAAAAAAAAAAAAAAAAAAAAAAAAA\
            AAAAAAAAAADoP/7///////8/VVVVVVVV5T/Qne+oGq0CQNykzAdy2OY/rA6C6//Q0z8DAAAAAAAAAAAAAAAAAPA/AAAAAAAA+D8A\
            AAAAAAAAQAAAAAAAAPA/QLAaxKm/B0D9ZeWkzKT9P0Sn7Hcgj/U//texMLq59j8eIoIOhrDWP48u4QL/GdU/
            """,
            [(0, 0.5), (1, 0.5), (0, 0.5)]
        ),
    ]

    @Test func policiesOfEarlierReleasesContinue() throws {
        for (text, choices) in Self.earlier {
            var policy = try BanditPolicy(decoding: Array(#require(Data(base64Encoded: text))))
            for (action, propensity) in choices {
                let choice =
                    try policy.arms == nil
                    ? policy.choose(from: Matrix(rows: [[0.3, 0.2], [-1, 0.7]])) : policy.choose(in: [0.3, 0.2])
                #expect(choice.action == action && abs(choice.propensity - propensity) < 1e-12)
            }
            // Observed scales still adapt to features of any magnitude.
            if policy.arms != nil {
                let choice = try policy.choose(in: [1e30, 2e-30])
                try policy.learn(reward: 1, for: choice.event)
            }
            #expect(try BanditPolicy(decoding: policy.encoded()) == policy)
        }
    }
}
