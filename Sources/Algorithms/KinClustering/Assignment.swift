/// The label and distance of the nearest centroid of each point. Labels start at 0 and distances at infinity.
@safe
final class Assignment {
    /// The number of points.
    let count: Int
    let labels: UnsafeMutablePointer<UInt32>
    let distances: UnsafeMutablePointer<Double>
    private let arena = Arena()

    init(count: Int) {
        self.count = count
        unsafe labels = arena.allocate(count)
        unsafe labels.initialize(repeating: 0, count: count)
        unsafe distances = arena.allocate(count)
        unsafe distances.initialize(repeating: .infinity, count: count)
    }

    var labelArray: [Int] { (0..<count).map { unsafe Int(labels[$0]) } }

    var distanceArray: [Double] { unsafe Array(UnsafeBufferPointer(start: distances, count: count)) }
}
