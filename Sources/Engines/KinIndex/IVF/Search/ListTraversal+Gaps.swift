import KinLinearAlgebra

// Where a collector weighs gaps, lists and blocks are bounded by their distances until there is a radius, and by their weighted gaps from
// then on. Lists get one weight, of the radius after the first of them; the blocks of a list that of the radius when it is visited.

/// The weight of the gaps of some boxes, and the limit on their sums.
@safe
struct GapLimit {
    /// Nil while boxes are bounded by their distances.
    private(set) var weight: Int32?
    private var limit = Int32.max
    /// The grid and the radius of the weight, and the radius of the limit: most visits shorten none.
    private var grid: UnsafeRawPointer?
    private var weightRadius = Double.nan
    private var limitRadius = Double.nan

    /// Takes the weight for a radius; nil for none.
    @inline(__always)
    mutating func weigh(by radius: Double?, _ query: BoxQuery, on boxes: BoxTableView) {
        guard let radius else {
            self = GapLimit()
            return
        }
        guard unsafe radius != weightRadius || grid != boxes.gridIdentity else { return }
        weight = query.gapWeight(distance: radius, of: boxes)
        weightRadius = radius
        unsafe grid = boxes.gridIdentity
        limitRadius = .nan
    }

    /// The limit on the sums of boxes at a radius; nil while they are bounded by their distances.
    @inline(__always)
    mutating func limit(at radius: Double, _ limit: (Int32) -> Int32) -> Int32? {
        guard let weight else { return nil }
        if radius != limitRadius {
            limitRadius = radius
            self.limit = limit(weight)
        }
        return self.limit
    }
}

extension ListTraversal {
    /// The radius by which gaps are weighed; nil before a row was found, and as long as nothing is given up within a limit of the caller's.
    private var gapRadius: Double? { collector.radius < collector.limit ? radius : nil }

    /// Bounds the boxes around the lists anew, by their weighted gaps.
    mutating func weighLists(_ boxQuery: BoxQuery) {
        guard let boxes = store.boxes, let radius = gapRadius else { return }
        listGaps.weigh(by: radius, boxQuery, on: boxes)
        guard let weight = listGaps.weight else { return }
        guard let outer = store.outerBoxes else {
            unsafe boxQuery.weighGaps(of: boxes, codes: memory.listCodes, weight: weight, into: memory.listBounds)
            for c in store.outlierLists { unsafe memory.listBounds[c] = .max }
            return
        }
        unsafe boxQuery.weighGaps(of: outer, codes: memory.listCodes, weight: weight, into: memory.outerBounds)
        memory.boundedBlocks = 0
    }

    /// The limit on the weighted gaps of lists at the present radius; nil when they are bounded by their distances.
    @inline(__always)
    mutating func limitOfListGaps() -> Int32? {
        guard let query = listQuery?.query else { return nil }
        let radius = radius
        let (factor, nearest, dimension) = (factorOfLists, nearest, layout.dimension)
        return listGaps.limit(at: radius) {
            query.gapLimit(factor: factor, distance: radius, nearest: nearest, weight: $0, dimension: dimension)
        }
    }

    /// The factor of lists, smaller than that of blocks: one that is near the limit has few blocks within it.
    private var factorOfLists: Double { parameters.gapFactor * (0.8 + 0.2 * parameters.gapFactor) }

    /// Bounds the boxes around the blocks of a list, by their weighted gaps where there is a radius.
    mutating func weighBlocks(_ boxes: BoxTableView) {
        let query = blockQuery.coded(framed, for: boxes)
        blockGaps.weigh(by: gapRadius, query, on: boxes)
        if let weight = blockGaps.weight {
            unsafe query.weighGaps(of: boxes, codes: blockQuery.codes, weight: weight, into: memory.blockBounds)
        } else {
            unsafe query.bound(boxes, codes: blockQuery.codes, into: memory.blockBounds)
        }
    }

    /// The limit on the weighted gaps of the blocks that were bounded last; nil when they were by their distances.
    @inline(__always)
    mutating func limitOfBlockGaps() -> Int32? {
        guard let query = blockQuery.query else { return nil }
        let radius = radius
        let (factor, nearest, dimension) = (parameters.gapFactor, nearest, layout.dimension)
        return blockGaps.limit(at: radius) {
            query.gapLimit(factor: factor, distance: radius, nearest: nearest, weight: $0, dimension: dimension)
        }
    }
}
