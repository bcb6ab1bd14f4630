import KinCore
import KinLinearAlgebra
import KinTestSupport
import Testing

/// Every search test trusts the oracle, so it is checked against results computed by hand.
@Suite struct NearestNeighborOracleTests {
    private let points: Matrix<Float>

    init() throws {
        points = try Matrix(rows: [[0, 3], [4, 0], [0, -3], [1, 1]])
    }

    @Test func squaredL2() {
        let oracle = NearestNeighborOracle(points, ids: [30, 40, 20, 10], metric: .squaredL2)
        let found = oracle.nearest(to: [0, 0], k: 3)
        #expect(found.map(\.id) == [10, 20, 30])
        #expect(found.map(\.distance) == [2, 9, 9])
        #expect(oracle.within(9, of: [0, 0]).map(\.id) == [10, 20, 30])
        #expect(oracle.within(8.999, of: [0, 0]).map(\.id) == [10])
    }

    @Test func innerProduct() {
        let found = NearestNeighborOracle(points, metric: .innerProduct).nearest(to: [1, 2], k: 10)
        #expect(found.map(\.id) == [0, 1, 3, 2])
        #expect(found.map(\.distance) == [-6, -4, -3, 6])
    }

    @Test func cosine() {
        let found = NearestNeighborOracle(points, metric: .cosine).nearest(to: [0, 2], k: 4)
        #expect(found.map(\.id) == [0, 3, 1, 2])
        #expect(found[0].distance == 0 && found[2].distance == 1 && found[3].distance == 2)
        #expect(abs(found[1].distance - (1 - 0.5.squareRoot())) < 1e-15)
    }

    @Test func onlyAllowedIDsAreReturned() {
        let oracle = NearestNeighborOracle(points, metric: .squaredL2)
        #expect(oracle.nearest(to: [0, 0], k: 4, where: { $0.rawValue % 2 == 1 }).map(\.id) == [3, 1])
        #expect(oracle.within(9, of: [0, 0], where: { $0 != 0 }).map(\.id) == [3, 2])
        #expect(oracle.nearest(to: [0, 0], k: 0).isEmpty)
    }
}
