import KinTestSupport
import Testing

@testable import KinIndex

/// Data designed to break a screen by codes.
@Suite("Flat search on adversarial data")
struct FlatIndexAdversarialTests {
    @Test("any search equals a scan in double precision", arguments: DataShape.allCases, Metric.allCases)
    func matchesScan(shape: DataShape, metric: Metric) throws { try SearchTrial.run(shape, metric, [.flat]) }
}
