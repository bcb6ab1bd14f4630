/// A fit of the grid to some boxes: as fine as they allow, without being widened by a few far boxes.
///
/// The finest grid contains all boxes. A single box a thousand times as far out as the others would reduce them to a
/// single step. So boxes that reach more than four times as far from the middle as 90 % of the boxes remain outside, at
/// most one in 32 boxes. ``BoxQuery/distance(low:high:of:uncertainty:ignoring:)`` bounds those individually.
package struct BoxGridFit {
    package let grid: BoxGrid

    /// Fits a grid to boxes.
    ///
    /// - Parameters:
    ///   - corners: For each box its lowest corner and then its highest, `stride` floats each; boxes with non-finite
    ///     numbers remain outside.
    ///   - stride: The number of floats per corner.
    ///   - dimension: The number of dimensions, at most `stride`.
    /// - Returns: nil if no box is finite.
    /// - Complexity: O(boxes · dimension + boxes · log boxes).
    package init?(corners: [Float], stride: Int, dimension: Int) {
        let boxes = (0..<corners.count / (2 * stride)).filter { box in
            corners[2 * box * stride..<2 * (box + 1) * stride].allSatisfy(\.isFinite)
        }
        guard !boxes.isEmpty else { return nil }
        func low(_ box: Int, _ j: Int) -> Float { corners[2 * box * stride + j] }
        func high(_ box: Int, _ j: Int) -> Float { corners[(2 * box + 1) * stride + j] }
        let sample = Swift.stride(from: 0, to: boxes.count, by: max(1, boxes.count / 128)).map { boxes[$0] }
        let middle = (0..<dimension).map { j in
            sample.map { low($0, j) / 2 + high($0, j) / 2 }.sorted()[sample.count / 2]
        }
        let radii = boxes.map { box in
            (0..<dimension).reduce(0) { max($0, high(box, $1) - middle[$1], middle[$1] - low(box, $1)) }
        }
        let ascending = radii.sorted()
        let spared = boxes.count > 1 ? max(1, boxes.count / 32) : 0
        let last = boxes.count - 1 - spared
        let radius = max(4 * ascending[last * 9 / 10], ascending[last])
        var lowest = [Float](repeating: .infinity, count: dimension)
        var highest = [Float](repeating: -.infinity, count: dimension)
        for (box, boxRadius) in zip(boxes, radii) where boxRadius <= radius {
            for j in 0..<dimension {
                lowest[j] = min(lowest[j], low(box, j))
                highest[j] = max(highest[j], high(box, j))
            }
        }
        grid = BoxGrid(low: lowest, high: highest)
    }
}
