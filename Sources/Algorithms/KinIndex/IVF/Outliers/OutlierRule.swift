/// A rule, fitted to a sample, that separates rows that are far from nearly all others.
///
/// The rule looks at each row's largest distance from the median in any dimension. A row is an outlier if this distance
/// is more than four times the distance that covers nine tenths of the sample. At most about one row in 32 is an
/// outlier. Such a row would stretch the box of its list across the data, so that every search would visit the list. In
/// separate lists, outliers cost almost nothing.
struct OutlierRule: Sendable {
    private let medians: [Float]
    private let radius: Float

    /// Fits the rule to a sample of rows.
    ///
    /// - Parameters:
    ///   - z: The coordinates of the sample in the pruning frame, count × stride floats.
    ///   - uncertainties: The largest error of the coordinates of each row.
    init(
        _ z: UnsafePointer<Float>, uncertainties: [Float], stride: Int, dimension: Int
    ) {
        let count = uncertainties.count
        let few = Swift.stride(from: 0, to: count, by: max(1, count / 256))
        medians = (0..<dimension).map { j in
            let values = few.map { unsafe z[$0 * stride + j] }.sorted()
            return values.isEmpty ? 0 : values[values.count / 2]
        }
        let some = Swift.stride(from: 0, to: count, by: max(1, count / 4096))
        let medians = medians
        let radii = some.map { r in
            unsafe Self.radius(z + r * stride, around: medians, uncertainty: uncertainties[r])
        }.sorted()
        let last = radii.count - 1 - radii.count / 32
        radius = radii.isEmpty ? .infinity : max(4 * radii[last * 9 / 10], radii[last])
    }

    /// Whether a row may be an outlier.
    ///
    /// - Parameters:
    ///   - z: The coordinates of the row in the pruning frame.
    ///   - uncertainty: The largest error of a coordinate.
    func isOutlier(_ z: UnsafePointer<Float>, uncertainty: Float) -> Bool {
        unsafe Self.radius(z, around: medians, uncertainty: uncertainty) > radius
    }

    /// Calls a closure with the numbers of the rows that are outliers.
    ///
    /// - Parameters:
    ///   - rows: count × stride floats; `z` are their coordinates, with errors of at most `uncertainty`.
    ///   - note: Called with the number of each outlier.
    func find(
        among rows: UnsafePointer<Float>, count: Int, z: UnsafePointer<Float>, uncertainty: Float, frame: PruningFrame,
        _ note: (Int) -> Void
    ) {
        let stride = frame.stride
        for r in 0..<count where unsafe isOutlier(z + r * stride, uncertainty: uncertainty) {
            // The uncertainty is shared by all these rows but may come from only one, so the row's own box is tested.
            let isOne = unsafe frame.withBox(of: rows + r * stride) { low, high in
                unsafe isOutlier(low, uncertainty: 0) || isOutlier(high, uncertainty: 0)
            }
            if isOne { note(r) }
        }
    }

    /// The largest difference from the medians in any dimension.
    private static func radius(_ z: UnsafePointer<Float>, around medians: [Float], uncertainty: Float) -> Float {
        unsafe medians.withUnsafeBufferPointer { medians in
            var radius: Float = 0
            for j in 0..<medians.count {
                let distance = unsafe abs(z[j] - medians[j])
                radius = distance > radius ? distance : radius
            }
            return radius + uncertainty
        }
    }
}

extension RowSource {
    /// A sample of the rows without its outliers, and the rule for the remaining rows.
    struct Sample {
        let rule: OutlierRule
        let rows: RowBuffer
        /// The coordinates of the rows in the frame, stride floats each.
        let coordinates: [Float]
    }

    func cleanSample(atMost most: Int, in frame: PruningFrame) -> Sample {
        let sample = sample(atMost: most)
        let (z, rule, isOutlier) = sample.outliers(in: frame)
        guard isOutlier.contains(true) else { return Sample(rule: rule, rows: sample, coordinates: z) }
        let kept = isOutlier.indices.filter { !isOutlier[$0] }
        let stride = layout.stride
        return Sample(
            rule: rule, rows: sample.picking { !isOutlier[$0] },
            coordinates: kept.flatMap { z[$0 * stride..<($0 + 1) * stride] })
    }
}

extension RowBuffer {
    /// The rows' coordinates in a frame, the rule fitted to them, and whether each row is an outlier by this rule.
    fileprivate func outliers(in frame: PruningFrame) -> (z: [Float], rule: OutlierRule, isOutlier: [Bool]) {
        let stride = frame.stride
        var uncertainties: [Float] = []
        let z = unsafe [Float](unsafeUninitializedCapacity: count * stride) { z, n in
            for r in 0..<count {
                uncertainties.append(
                    unsafe frame.project(rows + r * stride, count: 1, into: z.baseAddress! + r * stride))
            }
            n = count * stride
        }
        return unsafe z.withUnsafeBufferPointer { all in
            let rule = unsafe OutlierRule(
                all.baseAddress!, uncertainties: uncertainties, stride: stride, dimension: frame.dimension)
            let isOutlier = (0..<count).map { r in
                unsafe rule.isOutlier(all.baseAddress! + r * stride, uncertainty: uncertainties[r])
            }
            return (z, rule, isOutlier)
        }
    }

    /// Adds a list for the outliers among these rows to a partition that is not divided yet.
    ///
    /// - Returns: Whether each row belongs to the new list; nil if the partition is already divided or there are no
    ///   outliers.
    func outliers(apartFrom partition: inout Partition, frame: PruningFrame) -> [Bool]? {
        guard partition.listCount == 1 else { return nil }
        let (z, _, isOutlier) = outliers(in: frame)
        guard let first = isOutlier.firstIndex(of: true), isOutlier.count(where: { $0 }) <= count / 16 else {
            return nil
        }
        unsafe z.withUnsafeBufferPointer { unsafe partition.addList(at: $0.baseAddress! + first * frame.stride) }
        return isOutlier
    }
}
