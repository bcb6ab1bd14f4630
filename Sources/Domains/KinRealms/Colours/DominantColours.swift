import KinClustering
public import KinCore
import KinLinearAlgebra

/// Finds the dominant colours of an image: k-means of its pixels in CIELAB.
///
/// Every pixel counts; they are first gathered in cells of 8 × 8 × 8 components with exact means, and the cells are
/// clustered by weight.
///
///     let palette = try DominantColours(count: 5).find(in: pixels)       // RGBRGB…, any size
///     palette[0].hex                                                    // "#2e8b57"
public struct DominantColours: Sendable {
    /// How many colours at most; an image of fewer colours gives fewer.
    public var count: Int
    /// What the starts are drawn from.
    public var seed: UInt64
    /// How many starts are tried; the best result is kept.
    public var restarts: Int

    /// A search for some colours; ``find(in:)`` checks the parameters.
    public init(count: Int = 5, seed: UInt64 = 0, restarts: Int = 3) {
        self.count = count
        self.seed = seed
        self.restarts = restarts
    }

    /// How the bytes of a pixel lie.
    public enum Layout: Int, Sendable, Hashable {
        /// Red, green, blue.
        case rgb = 3
        /// Red, green, blue, and a fourth byte that is not looked at.
        case rgba = 4
    }

    /// The dominant colours, of the largest share first, ties by their components.
    ///
    /// - Parameters:
    ///   - pixels: The pixels one after the other, in any order, in sRGB.
    ///   - layout: How the bytes of a pixel lie.
    /// - Throws: `.invalidArgument` when there is no whole number of pixels, none at all, or a parameter is out of its range.
    /// - Complexity: O(pixels), and k-means of at most 32,768 points of 3 dimensions.
    public func find(in pixels: [UInt8], layout: Layout = .rgb) throws(KinError) -> [DominantColour] {
        guard count >= 1, count <= 256 else {
            throw KinError(.invalidArgument, "count is \(count); it must be from 1 to 256")
        }
        guard restarts >= 1 else { throw KinError(.invalidArgument, "restarts is \(restarts); it must be at least 1") }
        guard !pixels.isEmpty, pixels.count % layout.rawValue == 0 else {
            throw KinError(
                .invalidArgument,
                "\(pixels.count) bytes are no pixels of \(layout.rawValue) bytes; give at least one, and whole ones")
        }
        let bins = unsafe pixels.withUnsafeBufferPointer { bytes in
            unsafe ColourHistogram(bytes, stride: layout.rawValue).bins
        }
        let points = try Matrix<Float>(
            rows: bins.count, columns: 3,
            elements: bins.flatMap { [Float($0.lab.lightness), Float($0.lab.a), Float($0.lab.b)] })
        let weights = bins.map { Double($0.count) }
        let found = try KMeans(
            k: min(count, bins.count), restarts: restarts, maximumIterations: 60, tolerance: 1e-4, seed: seed
        ).fit(points, weights: weights)
        let total = Double(pixels.count / layout.rawValue)
        return (0..<found.k).filter { found.sizes[$0] > 0 }.map { cluster in
            let centre = Array(found.centroids.row(cluster)).map(Double.init)
            return DominantColour(
                unchecked: CIELAB(lightness: centre[0], a: centre[1], b: centre[2]).rgb,
                share: found.weights[cluster] / total)
        }.sorted { ($1.share, $0.red, $0.green, $0.blue) < ($0.share, $1.red, $1.green, $1.blue) }
    }
}
