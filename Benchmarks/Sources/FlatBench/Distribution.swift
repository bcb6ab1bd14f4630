import Foundation
import Kin

/// Where the vectors of a run are drawn from.
enum Distribution: String, CaseIterable, Sendable {
    /// Every coordinate uniform in [0, 1).
    case uniform
    /// A mixture of 2,000 Gaussians: centres uniform in the unit cube, a spread of its own for every centre and
    /// dimension, sizes falling as a power of the rank.
    case clustered

    /// `rows` vectors; another `stream` of the same seed gives other vectors of the same distribution.
    func matrix(rows: Int, dimension: Int, seed: UInt64, stream: UInt64) throws -> Matrix<Float> {
        var generator = SeededGenerator.stream(stream, of: seed)
        var elements: [Float] = []
        elements.reserveCapacity(rows * dimension)
        switch self {
        case .uniform:
            for _ in 0..<rows * dimension { elements.append(Float(generator.uniform())) }
        case .clustered:
            let mixture = Mixture(dimension: dimension, seed: seed)
            for _ in 0..<rows { mixture.draw(into: &elements, with: &generator) }
        }
        return try Matrix(rows: rows, columns: dimension, elements: elements)
    }
}

private struct Mixture {
    private let dimension: Int
    private let centers: [Float]
    private let spreads: [Float]
    private let cumulative: [Double]

    private static let count = 2_000

    init(dimension: Int, seed: UInt64) {
        var generator = SeededGenerator.stream(.max, of: seed)
        self.dimension = dimension
        centers = (0..<Self.count * dimension).map { _ in Float(generator.uniform()) }
        spreads = (0..<Self.count * dimension).map { _ in Float(0.01 + 0.07 * generator.uniform()) }
        var sum = 0.0
        cumulative = (1...Self.count).map { rank in
            sum += pow(Double(rank), -0.7)
            return sum
        }
    }

    func draw(into elements: inout [Float], with generator: inout SeededGenerator) {
        let place = generator.uniform() * cumulative[Self.count - 1]
        var low = 0
        var high = Self.count - 1
        while low < high {
            let middle = (low + high) / 2
            if cumulative[middle] <= place { low = middle + 1 } else { high = middle }
        }
        for j in low * dimension..<(low + 1) * dimension {
            elements.append(centers[j] + spreads[j] * normal(&generator))
        }
    }

    /// Box and Muller 1958 (doi:10.1214/aoms/1177706645), the cosine half.
    private func normal(_ generator: inout SeededGenerator) -> Float {
        let radius = (-2 * log(1 - generator.uniform())).squareRoot()
        return Float(radius * cos(2 * .pi * generator.uniform()))
    }
}
