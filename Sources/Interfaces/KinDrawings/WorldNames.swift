/// Positions the names of a world's realms and zones, off paths, zones and other names as far as possible.
struct WorldNames {
    private typealias Box = SVGDrawing.Box

    /// A line between two zones.
    struct Way: Sendable {
        /// The points of the line, from zone to zone.
        let points: [SVGDrawing.Point]
        let isPortal: Bool
    }

    /// The circle of a zone.
    struct Circle: Sendable {
        let centre: SVGDrawing.Point
        let radius: Double
    }

    private let ways: [Way]
    private let zones: [Circle]
    private var taken: [Box] = []

    init(ways: [Way], zones: [Circle]) {
        self.ways = ways
        self.zones = zones
    }

    /// Returns the upper left corner of the best spot, and marks the spot as occupied.
    ///
    /// A name over another name is worse than a name on a zone. Next come names on a path, and then names on a portal,
    /// because portals are thin and many. Of equal spots the first is chosen.
    ///
    /// - Parameter discs: The discs of other realms, on which the name would seem to belong to them: as bad as ten
    ///   portals each.
    mutating func place(
        width: Double, height: Double, among spots: [SVGDrawing.Point], off discs: [Circle] = []
    ) -> SVGDrawing.Point {
        func box(_ corner: SVGDrawing.Point) -> Box {
            Box(low: corner, high: (corner.x + width, corner.y + height))
        }
        let costs = spots.map { spot in
            cost(of: box(spot)) + discs.count { box(spot).meets(circle: $0.centre, radius: $0.radius) } * 10
        }
        let best = spots[costs.indices.min { costs[$0] < costs[$1] } ?? 0]
        taken.append(box(best))
        return best
    }

    private func cost(of box: Box) -> Int {
        // A path is 5 wide.
        let wide = Box(low: (box.low.x - 3, box.low.y - 3), high: (box.high.x + 3, box.high.y + 3))
        return taken.count { $0.overlaps(box) } * 1_000_000
            + zones.count { box.meets(circle: $0.centre, radius: $0.radius) } * 10_000
            + ways.count { !$0.isPortal && wide.meets($0.points) } * 100
            + ways.count { $0.isPortal && box.meets($0.points) }
    }

    /// The flattest arc between the middles of two zones that passes the fewest others: a line through a zone would seem
    /// to end there.
    static func arc(from: SVGDrawing.Point, to: SVGDrawing.Point, around zones: [Circle]) -> [SVGDrawing.Point] {
        let (x, y) = (to.x - from.x, to.y - from.y)
        let bends: [Double] = stride(from: 0, through: 0.6, by: 0.06).flatMap { [$0, -$0] }
        let arcs = bends.map { bend -> [SVGDrawing.Point] in
            stride(from: 0, through: 1, by: 0.03125).map { share in
                let rise = 4 * share * (1 - share) * bend
                return (from.x + share * x - rise * y, from.y + share * y + rise * x)
            }
        }
        let passed = arcs.map { arc in
            zones.count { zone in
                zone.centre != from && zone.centre != to
                    && arc.contains { Box(low: $0, high: $0).meets(circle: zone.centre, radius: zone.radius + 6) }
            }
        }
        return arcs[passed.indices.min { passed[$0] < passed[$1] } ?? 0]
    }

    /// The corners of names around a circle: below, above, at the sides, diagonally, and then the same farther away.
    static func spots(
        around centre: SVGDrawing.Point, radius: Double, width: Double, height: Double
    ) -> [SVGDrawing.Point] {
        [4.0, 14, 26].flatMap { gap -> [SVGDrawing.Point] in
            let (away, slant) = (radius + gap, 0.72 * radius + gap)
            let corners: [SVGDrawing.Point] = [
                (-width / 2, away), (-width / 2, -away - height), (away, -height / 2), (-away - width, -height / 2),
                (slant, slant), (-slant - width, slant), (slant, -slant - height), (-slant - width, -slant - height),
            ]
            return corners.map { (centre.x + $0.x, centre.y + $0.y) }
        }
    }
}
