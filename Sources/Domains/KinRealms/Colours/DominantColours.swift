public import KinCore

/// Finds the dominant colours of an image: k-means of its pixels in CIELAB.
///
/// Every pixel counts. Pixels are first gathered in cells of 4 × 4 × 4 components with exact means (cells are 1 to 2 ΔE wide); starts are
/// tried on cells of 8 × 8 × 8, and the best result settles on the small ones.
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

    /// A search for some colours; ``find(in:layout:)`` checks the parameters.
    public init(count: Int = 5, seed: UInt64 = 0, restarts: Int = 4) {
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

    /// What a start on the large cells, and settling on the small ones, may cost in cells × iterations, so that noise does not take long.
    private static let budget = (start: 300_000, refinement: 2_000_000)

    /// The dominant colours, of the largest share first, ties by their components.
    ///
    /// - Parameters:
    ///   - pixels: The pixels one after the other, in any order, in sRGB.
    ///   - layout: How the bytes of a pixel lie.
    /// - Throws: `.invalidArgument` when there is no whole number of pixels, none at all, or a parameter is out of its range.
    /// - Complexity: O(pixels) for the cells, then O(cells · count) an iteration.
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
        let (fine, coarse) = unsafe pixels.withUnsafeBufferPointer { bytes in
            unsafe ColourHistogram(bytes, stride: layout.rawValue).points()
        }
        // Starts need at least as many points as centres.
        let trial = coarse.count > 8 * count ? coarse : fine
        var best: ColourPoints.Centroids?
        for restart in 0..<restarts {
            var generator = SeededGenerator.stream(UInt64(restart), of: seed)
            let found = trial.refined(
                trial.initialCentroids(count, &generator), iterations: max(8, min(40, Self.budget.start / trial.count)))
            if best.map({ found.inertia < $0.inertia }) ?? true { best = found }
        }
        let iterations = max(4, min(200, Self.budget.refinement / fine.count))
        let found = fine.refined(best?.centroids ?? [], iterations: iterations)
        let total = Double(pixels.count / layout.rawValue)
        return found.centroids.indices.filter { found.weights[$0] > 0 }.map { i in
            let centroid = found.centroids[i]
            return DominantColour(
                unchecked: CIELAB(lightness: centroid.x, a: centroid.y, b: centroid.z).rgb,
                share: found.weights[i] / total)
        }.sorted { ($1.share, $0.red, $0.green, $0.blue) < ($0.share, $1.red, $1.green, $1.blue) }
    }
}
