/// The corners of the boxes that are outside the grid of the box table.
///
/// There are few: a search bounds each one separately, in double precision.
struct OutlierBoxes: Sendable {
    /// The numbers of the lists, ascending.
    private(set) var lists: [Int] = []
    /// For each list, the lowest and then the highest corner of its box, stride floats each.
    private(set) var corners: [Float] = []
    /// The number of boxes that are finite.
    private(set) var finiteCount = 0

    let stride: Int

    var isEmpty: Bool { lists.isEmpty }

    func contains(_ list: Int) -> Bool { position(of: list).isFound }

    /// Sets the box of a list, replacing an earlier one.
    mutating func put(_ list: Int, low: [Float], high: [Float]) {
        remove(list)
        let position = position(of: list).index
        lists.insert(list, at: position)
        corners.insert(contentsOf: low + high, at: 2 * position * stride)
        finiteCount += isFinite(position) ? 1 : 0
    }

    mutating func remove(_ list: Int) {
        let (position, isFound) = position(of: list)
        guard isFound else { return }
        finiteCount -= isFinite(position) ? 1 : 0
        lists.remove(at: position)
        corners.removeSubrange(2 * position * stride..<2 * (position + 1) * stride)
    }

    /// The list whose box is nearest to a point; the lowest number of equally near ones; nil if there are no lists.
    ///
    /// - Parameter z: The coordinates of the point in the pruning frame.
    func nearest(to z: UnsafePointer<Float>) -> Int? {
        lists.indices.lazy.map { position -> (distance: Double, list: Int) in
            let distance = (0..<stride).reduce(0.0) { sum, j in
                let (low, high) = (corners[2 * position * stride + j], corners[(2 * position + 1) * stride + j])
                let gap = unsafe max(0, Double(low) - Double(z[j]), Double(z[j]) - Double(high))
                return sum + gap * gap
            }
            return (distance, lists[position])
        }.min { ($0.distance, $0.list) < ($1.distance, $1.list) }?.list
    }

    private func isFinite(_ position: Int) -> Bool {
        corners[2 * position * stride..<2 * (position + 1) * stride].allSatisfy(\.isFinite)
    }

    private func position(of list: Int) -> (index: Int, isFound: Bool) {
        let index = lists.partition { $0 < list }
        return (index, index < lists.count && lists[index] == list)
    }
}
