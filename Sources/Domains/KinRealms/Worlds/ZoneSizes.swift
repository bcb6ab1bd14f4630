/// The numbers of zones and scenes of a world's realms: three to five zones of two to four scenes.
///
/// Each number is drawn once before any is drawn again, so three realms with enough images have 12 zones and 36 scenes.
struct ZoneSizes {
    private var zones: [Int] = []
    private var scenes: [Int] = []

    /// The sizes of the zones of the next realm, reduced to the available images.
    mutating func next(for available: Int, _ generator: inout SeededGenerator) -> [Int] {
        var sizes = (0..<Self.draw(from: &zones, 3...5, &generator)).map { _ in
            Self.draw(from: &scenes, 2...4, &generator)
        }
        while sizes.reduce(0, +) > available {
            if let position = sizes.lastIndex(where: { $0 > 2 }) { sizes[position] -= 1 } else { sizes.removeLast() }
        }
        return sizes
    }

    private static func draw(
        from left: inout [Int], _ range: ClosedRange<Int>, _ generator: inout SeededGenerator
    ) -> Int {
        if left.isEmpty { left = Array(range) }
        return left.remove(at: generator.below(left.count))
    }
}
