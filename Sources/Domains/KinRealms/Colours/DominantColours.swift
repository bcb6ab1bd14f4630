/// The search for the dominant colours of an image by k-means in CIELAB.
///
/// All pixels count. They are collected in cells of 4 × 4 × 4 components, 1 to 2 ΔE wide, with exact means.
/// Initialisations run on cells of 8 × 8 × 8, and the best is refined on the small cells.
///
///     let palette = try DominantColours(count: 5).find(in: pixels)       // RGBRGB…, any size
///     palette[0].hex                                                    // "#2e8b57"
public struct DominantColours: Sendable {
    /// The number of colours, 1 to 256; an image with fewer colours returns fewer.
    public var count: Int
    /// The seed of the random numbers.
    public var seed: UInt64
    /// The number of initialisations, at least 1; the best is used.
    public var restarts: Int

    /// Creates a search, whose parameters ``find(in:layout:)`` checks.
    public init(count: Int = 5, seed: UInt64 = 0, restarts: Int = 4) {
        self.count = count
        self.seed = seed
        self.restarts = restarts
    }

    /// The byte layout of a pixel.
    public enum Layout: Int, Sendable, Hashable {
        /// Three bytes: red, green, blue.
        case rgb = 3
        /// Four bytes: red, green, blue, and one ignored byte.
        case rgba = 4
    }

    /// The limits on cells × iterations, for an initialisation on the coarse cells and for the refinement on the fine
    /// ones.
    private static let budget = (start: 300_000, refinement: 2_000_000)

    /// Finds the dominant colours, by descending share, ties by their components.
    ///
    /// - Parameters:
    ///   - pixels: The pixels in sRGB, one after the other, in any order.
    ///   - layout: The byte layout of a pixel.
    /// - Throws: `.invalidArgument` for no pixels, an incomplete pixel, or a parameter out of its range.
    /// - Complexity: O(pixels) for the cells, then O(cells · count) an iteration.
    public func find(in pixels: [UInt8], layout: Layout = .rgb) throws(KinError) -> [DominantColour] {
        try KinError.requireCount(count, "count", from: 1, upTo: 256)
        try KMeans.check(restarts: restarts)
        guard !pixels.isEmpty, pixels.count % layout.rawValue == 0 else {
            throw KinError(
                .invalidArgument,
                "\(pixels.count) bytes are not whole pixels of \(layout.rawValue) bytes; give at least one pixel")
        }
        let (fine, coarse) = unsafe pixels.withUnsafeBufferPointer { bytes in
            unsafe ColourHistogram(bytes, stride: layout.rawValue).points()
        }
        // An initialisation needs many more points than centroids.
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
