/// An axis of a block, along which souls differ.
struct PrincipalAxis: Sendable {
    /// The variance along the axis.
    let variance: Double
    /// The components of the axis, by feature.
    let features: [(feature: Int, component: Double)]
}

/// The axes of one block, and the positions of their coordinates in a vector.
struct BlockFrame: Sendable {
    let block: SoulBlock
    /// The position of each axis's coordinate.
    let places: [Int]
    /// The position of the length of the block's part outside all axes.
    let rest: Int
    /// The root √w of the block's weight.
    let root: Double
    /// The axes' components, feature by feature. `starts` has the index of each feature's first component, or -1 for a
    /// feature that no axis contains.
    private(set) var components: [Double] = []
    private(set) var starts: [Int] = []

    init(_ block: SoulBlock, root: Double, axes: some Collection<PrincipalAxis>, places: [Int], rest: Int) {
        self.block = block
        self.root = root
        self.places = places
        self.rest = rest
        for (a, axis) in axes.enumerated() {
            for (feature, component) in axis.features {
                if feature >= starts.count {
                    starts += Array(repeating: -1, count: feature + 1 - starts.count)
                }
                if starts[feature] < 0 {
                    starts[feature] = components.count
                    components += Array(repeating: 0, count: axes.count)
                }
                components[starts[feature] + a] = component
            }
        }
    }

    /// Creates a frame from stored parts.
    init(_ block: SoulBlock, root: Double, components: [Double], starts: [Int], places: [Int], rest: Int) {
        (self.block, self.root, self.places, self.rest) = (block, root, places, rest)
        (self.components, self.starts) = (components, starts)
    }

    /// Calls a function with each feature of the block and its coordinate, scaled so that the block has length √w.
    /// Goals are multiplied by their factors, given by feature.
    @inline(__always)
    static func forEachFeature(
        of row: SoulRow, _ block: SoulBlock, root: Double, goals factors: [Double], _ body: (Int, Double) -> Void
    ) {
        let b = block.rawValue
        if block == .goals {
            let factor = unsafe root / row.goalSquares(factors).squareRoot()
            for i in 0..<row.count(b) {
                let feature = unsafe Int(row.features[i])
                unsafe body(feature, row.values[i] * factors[feature] * factor)
            }
            return
        }
        let factor = root / row.squares(b).squareRoot()
        if block == .patterns {
            for j in 0..<SessionPattern.dimension { unsafe body(j, row.pattern[j] * factor) }
        } else {
            for i in row.start(b)..<row.start(b) + row.count(b) {
                unsafe body(Int(row.features[i]), row.values[i] * factor)
            }
        }
    }

    /// Writes the block's coordinates of a soul, which must have the block, to their positions.
    func project(_ row: SoulRow, goals factors: [Double], into vector: UnsafeMutablePointer<Float>) {
        let axes = places.count
        unsafe withUnsafeTemporaryAllocation(of: Double.self, capacity: axes + 1) { sums in
            unsafe sums.initialize(repeating: 0)
            var rest = 0.0
            unsafe components.withUnsafeBufferPointer { components in
                Self.forEachFeature(of: row, block, root: root, goals: factors) { feature, x in
                    rest += x * x
                    guard feature < starts.count, starts[feature] >= 0 else { return }
                    let part = unsafe components.baseAddress! + starts[feature]
                    for a in 0..<axes { unsafe sums[a] += x * part[a] }
                }
            }
            for a in 0..<axes {
                unsafe rest -= sums[a] * sums[a]
                unsafe vector[places[a]] = Float(sums[a])
            }
            unsafe vector[self.rest] = Float(max(0, rest).squareRoot())
        }
    }
}
