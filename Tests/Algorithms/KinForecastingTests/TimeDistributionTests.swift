import KinCore
import Testing

@testable import KinForecasting

@Suite("Distributions of event times")
struct TimeDistributionTests {
    @Test("probabilities stay within 0…1, however the masses are rounded")
    func staysWithinOne() {
        let seed: UInt64 = 20_261_126
        var random = SeededGenerator(seed: seed)
        for trial in 0..<200 {
            // Only the first bins have mass, so the whole mass is summed long before the last bin.
            let masses = (0..<400).map { $0 < 40 + trial ? Float(random.uniform()) : 0 }
            let distribution = TimeDistribution(masses: masses, elapsed: Double(trial % 7) * 11)
            for step in 0..<4_200 {
                let minutes = Double(step)
                let probability = distribution.probability(by: minutes)
                let hazard = distribution.hazard(at: minutes, within: 30)
                let areWithin = (0...1).contains(probability) && (0...1).contains(hazard)
                #expect(areWithin, "\(seed) trial \(trial) at \(minutes)")
            }
        }
    }
}
