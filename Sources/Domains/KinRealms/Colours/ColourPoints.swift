import KinCore

/// Weighted colours in CIELAB, eight side by side, and k-means of them.
///
/// The general k-means is made for dimensions by the dozen; in three, this is some ten times as fast, which is what a picture in a few milliseconds
/// takes. Distances are single-precision, means are double.
struct ColourPoints {
    private var l: [SIMD8<Float>] = []
    private var a: [SIMD8<Float>] = []
    private var b: [SIMD8<Float>] = []
    private var masses: [SIMD8<Float>] = []
    private var weights: [Double] = []
    private var pending: (l: SIMD8<Float>, a: SIMD8<Float>, b: SIMD8<Float>, mass: SIMD8<Float>) = (
        .zero, .zero, .zero, .zero
    )

    /// The number of points, which is a multiple of eight once they are padded with points of weight 0.
    var count: Int { weights.count }

    mutating func append(_ lab: (Float, Float, Float), weight: Double) {
        let lane = weights.count % 8
        pending.l[lane] = lab.0
        pending.a[lane] = lab.1
        pending.b[lane] = lab.2
        pending.mass[lane] = Float(weight)
        weights.append(weight)
        if lane == 7 { store() }
    }

    /// Fills the last eight up; to be called once, after the last point.
    mutating func pad() {
        guard weights.count % 8 > 0 else { return }
        while weights.count % 8 > 0 { weights.append(0) }
        store()
    }

    private mutating func store() {
        l.append(pending.l)
        a.append(pending.a)
        b.append(pending.b)
        masses.append(pending.mass)
        pending = (.zero, .zero, .zero, .zero)
    }

    private func point(_ i: Int) -> SIMD3<Double> {
        SIMD3(Double(l[i / 8][i % 8]), Double(a[i / 8][i % 8]), Double(b[i / 8][i % 8]))
    }

    /// Centres, the weight nearest to each, and the inertia.
    struct Centres {
        var places: [SIMD3<Double>]
        var weights: [Double]
        var inertia: Double
    }

    /// k-means++ (Arthur and Vassilvitskii 2007); fewer centres when there are fewer different points.
    func start(_ k: Int, _ generator: inout SeededGenerator) -> [SIMD3<Double>] {
        var places: [SIMD3<Double>] = []
        var masses = weights
        while places.count < k {
            let total = masses.reduce(0, +)
            guard total > 0 else { break }
            var rest = generator.uniform() * total
            var drawn = masses.indices.last { masses[$0] > 0 } ?? 0
            for (i, mass) in masses.enumerated() where mass > 0 {
                rest -= mass
                if rest < 0 {
                    drawn = i
                    break
                }
            }
            let place = point(drawn)
            places.append(place)
            for i in masses.indices where masses[i] > 0 {
                let difference = point(i) - place
                let distance = (difference * difference).sum() * weights[i]
                masses[i] = places.count == 1 ? distance : min(masses[i], distance)
            }
        }
        return places
    }

    /// Lloyd's iterations until no centre moves by more than 0.01 ΔE, or for so many.
    func settle(_ places: [SIMD3<Double>], iterations: Int) -> Centres {
        var found = means(places)
        for _ in 1..<max(2, iterations) {
            let next = means(found.places)
            let moved = zip(next.places, found.places).contains { new, old in
                ((new - old) * (new - old)).sum() > 1e-4
            }
            found = next
            if !moved { break }
        }
        return found
    }

    /// The means of the points nearest to each centre; one with none stays where it is.
    private func means(_ places: [SIMD3<Double>]) -> Centres {
        let targets = places.map { Target(l: Float($0.x), a: Float($0.y), b: Float($0.z)) }
        var totals = [SIMD4<Double>](repeating: .zero, count: places.count)
        var inertia = 0.0
        var first = 0
        while first < l.count {
            let end = min(l.count, first + Self.blocksAtOnce)
            inertia += add(first..<end, targets, to: &totals)
            first = end
        }
        let means = zip(totals, places).map { sum, place in
            sum[0] > 0 ? SIMD3(sum[1], sum[2], sum[3]) / sum[0] : place
        }
        return Centres(places: means, weights: totals.map { $0[0] }, inertia: inertia)
    }

    /// A centre in single precision.
    private struct Target {
        let l: Float
        let a: Float
        let b: Float
    }

    /// Sums of one centre, lane by lane.
    private struct Sums {
        var weight = SIMD8<Float>.zero
        var l = SIMD8<Float>.zero
        var a = SIMD8<Float>.zero
        var b = SIMD8<Float>.zero
    }

    /// So many blocks are summed in single precision, with an error of 1e-5 at most, before their sums are added in double.
    private static let blocksAtOnce = 256

    /// Adds the points of some blocks to the totals of their nearest centres, and returns their part of the inertia.
    private func add(_ blocks: Range<Int>, _ targets: [Target], to totals: inout [SIMD4<Double>]) -> Double {
        var sums = [Sums](repeating: Sums(), count: targets.count)
        var inertia = SIMD8<Float>.zero
        unsafe sums.withUnsafeMutableBufferPointer { sums in
            unsafe targets.withUnsafeBufferPointer { targets in
                for block in blocks {
                    let (l, a, b, weight) = (l[block], a[block], b[block], masses[block])
                    var best = SIMD8<Float>(repeating: .infinity)
                    var labels = SIMD8<Int32>.zero
                    for c in 0..<targets.count {
                        let target = unsafe targets[c]
                        let (dl, da, db) = (l - target.l, a - target.a, b - target.b)
                        let distance = dl * dl + da * da + db * db
                        let isNearer = distance .< best
                        best.replace(with: distance, where: isNearer)
                        labels.replace(with: Int32(truncatingIfNeeded: c), where: isNearer)
                    }
                    inertia += weight * best
                    for c in 0..<sums.count {
                        let isOwn = labels .== Int32(truncatingIfNeeded: c)
                        let own = SIMD8<Float>.zero.replacing(with: weight, where: isOwn)
                        unsafe sums[c].weight += own
                        unsafe sums[c].l += own * l
                        unsafe sums[c].a += own * a
                        unsafe sums[c].b += own * b
                    }
                }
            }
        }
        for (c, sum) in sums.enumerated() {
            totals[c] += SIMD4(Self.total(sum.weight), Self.total(sum.l), Self.total(sum.a), Self.total(sum.b))
        }
        return Self.total(inertia)
    }

    private static func total(_ lanes: SIMD8<Float>) -> Double {
        (0..<8).reduce(0) { $0 + Double(lanes[$1]) }
    }
}
