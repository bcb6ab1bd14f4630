import KinCore
import KinLinearAlgebra
import KinTestSupport

/// Normal clouds of equal width around separate centres, and the cloud of each point.
struct ClusteredPoints {
    var centres: Matrix<Float>
    var points: Matrix<Float>
    var clouds: [Int]

    init(count n: Int, clouds k: Int, dimension: Int, width: Double, from random: inout SeededGenerator) {
        centres = random.uniformMatrix(rows: k, columns: dimension, in: -1...1)
        points = Matrix(rows: n, columns: dimension)
        clouds = []
        for i in 0..<n {
            let cloud = i < k ? i : random.below(k)
            clouds.append(cloud)
            for j in 0..<dimension { points[i, j] = centres[cloud, j] + Float(width * random.gaussian()) }
        }
    }
}

extension Matrix<Float> {
    /// The chosen rows, in the given order.
    func picking(_ picks: some Sequence<Int>) -> Matrix {
        let rows = picks.map { Array(row($0)) }
        guard let picked = try? Matrix(rows: rows) else { preconditionFailure("rows of a matrix are equally long") }
        return picked
    }
}
