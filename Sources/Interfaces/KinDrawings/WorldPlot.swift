import Foundation

/// A world as a map: a disc for each realm with its zones, scenes around each zone, and paths and portals between
/// zones.
public struct WorldPlot: Sendable {
    private let world: RealmWorld
    private let centres: [SVGDrawing.Point]
    private let size: (width: Double, height: Double)
    /// The point of each zone in the drawing.
    private var places: [String: SVGDrawing.Point] = [:]

    private static let discRadius = 185.0
    private static let zoneRadius = 27.0
    private static let sceneRadius = 7.5
    private static let contributedRadius = 13.0
    /// The distance from the middle of a realm to its outer zones.
    private static let zoneDistance = 112.0
    private static let margin = (side: 30.0, top: 84.0, bottom: 64.0)

    /// Lays out a world: its realms on a ring, and its zones at their positions in the realm.
    ///
    /// - Parameter world: The world; without realms the page is empty.
    public init(_ world: RealmWorld) {
        self.world = world
        let count = world.realms.count
        // Discs on a ring almost touch; one disc is in the middle, two are side by side.
        let gap = 2 * Self.discRadius + 26
        let ring = count < 2 ? 0 : gap / 2 / sin(Double.pi / Double(count))
        let first = count == 2 ? -Double.pi : -Double.pi / 2
        let raw = (0..<count).map { i -> SVGDrawing.Point in
            let angle = first + 2 * Double.pi * Double(i) / Double(count)
            return (ring * cos(angle), ring * sin(angle))
        }
        let (xs, ys) = (raw.map(\.x), raw.map(\.y))
        let (left, right) = ((xs.min() ?? 0) - Self.discRadius, (xs.max() ?? 0) + Self.discRadius)
        let (top, bottom) = ((ys.min() ?? 0) - Self.discRadius, (ys.max() ?? 0) + Self.discRadius)
        // The minimum width for the legend.
        let width = max(right - left, 700)
        size = (width + 2 * Self.margin.side, bottom - top + Self.margin.top + Self.margin.bottom)
        let shift = (size.width / 2 - (left + right) / 2, Self.margin.top - top)
        centres = raw.map { ($0.x + shift.0, $0.y + shift.1) }
        for (realm, centre) in zip(world.realms, centres) {
            for zone in realm.zones {
                let way = Self.way(zone.direction)
                places[zone.id] = (centre.x + way.x * Self.zoneDistance, centre.y + way.y * Self.zoneDistance - 8)
            }
            placeContributed(to: realm, around: centre)
        }
    }

    /// Positions contributed zones that are joined to a realm: between its outer zones, starting in the north-east.
    private mutating func placeContributed(to realm: RealmWorld.Realm, around centre: SVGDrawing.Point) {
        let own = Set(realm.zones.map(\.id))
        let joined = world.paths.filter { own.contains($0.from) && places[$0.to] == nil }.map(\.to)
            .filter { id in world.contributedZones.contains { $0.id == id } }
        for (number, id) in joined.enumerated() {
            // Four in the corners, then sixteen between the corners.
            let turn = number < 4 ? Double(number) : Double(number - 4) / 4 + 0.125
            let angle = Double.pi * (turn / 2 - 0.25)
            let distance = Self.zoneDistance + (number < 4 ? 14 : 40)
            places[id] = (centre.x + distance * cos(angle), centre.y + distance * sin(angle) - 8)
        }
    }

    private static func way(_ direction: RealmWorld.Direction) -> SVGDrawing.Point {
        switch direction {
        case .centre: (0, 0)
        case .north: (0, -1)
        case .east: (1, 0)
        case .south: (0, 1)
        case .west: (-1, 0)
        }
    }

    /// The world as an SVG drawing.
    public var drawing: SVGDrawing {
        var drawing = SVGDrawing(width: size.width, height: size.height, background: Tone.paper)
        drawHead(&drawing)
        for (i, centre) in centres.enumerated() {
            drawing.circle(centre, radius: Self.discRadius, fill: colour(i), opacity: 0.1)
        }
        drawPaths(&drawing)
        for (i, realm) in world.realms.enumerated() {
            for zone in realm.zones {
                guard let place = places[zone.id] else { continue }
                draw(zone, at: place, colour: colour(i), &drawing)
            }
        }
        for zone in world.contributedZones {
            guard let place = places[zone.id] else { continue }
            let stories = world.contributedStories.filter { $0.zone == zone.id }.map { ", story \"\($0.title)\"" }
            drawing.circle(place, radius: Self.contributedRadius, fill: "#555555", opacity: 0.35)
            drawing.circle(
                place, radius: Self.contributedRadius - 3, fill: Tone.page,
                title: "\(zone.name), \(zone.attribution)\(stories.joined())")
        }
        drawLegend(&drawing)
        var names = WorldNames(ways: ways, zones: circles)
        for (i, realm) in world.realms.enumerated() { drawName(of: realm, number: i, names: &names, &drawing) }
        for realm in world.realms {
            let called = realm.zoneNames
            for zone in realm.zones { drawName(called[zone.id] ?? zone.name, of: zone, names: &names, &drawing) }
        }
        return drawing
    }

    private func colour(_ realm: Int) -> String { SVGDrawing.colours[realm % SVGDrawing.colours.count] }

    private func drawHead(_ drawing: inout SVGDrawing) {
        let request = world.request
        let room = size.width - 2 * Self.margin.side
        drawing.text(
            SVGDrawing.fitted(request.name, size: 22, to: room), at: (Self.margin.side, 36), size: 22, fill: Tone.ink)
        var facts = [
            [
                NumberText.count(world.realms.count, "realm"), NumberText.count(world.zones.count, "zone"),
                NumberText.count(world.scenes.count, "scene"), NumberText.count(world.objectCount, "object"),
            ].joined(separator: ", "), NumberText.count(request.minutes, "minute"),
        ]
        if !request.goals.isEmpty {
            facts.append("for " + request.goals.map { $0.name.replacing("_", with: " ") }.joined(separator: ", "))
        }
        if !request.theme.isEmpty { facts.append("theme \(request.theme)") }
        if !request.creator.isEmpty { facts.append("by \(request.creator)") }
        let line = SVGDrawing.fitted(facts.joined(separator: "  ·  "), size: 12.5, to: room)
        drawing.text(line, at: (Self.margin.side, 58), size: 12.5, fill: Tone.muted)
    }

    private func drawPaths(_ drawing: inout SVGDrawing) {
        for way in ways {
            if way.isPortal {
                drawing.line(way.points, stroke: Tone.ink, width: 1.8, opacity: 0.55, dash: 4)
            } else {
                drawing.line(way.points, stroke: "#8a8478", width: 5, opacity: 0.45)
            }
        }
    }

    /// The lines between zones; portals are arcs around other zones.
    var ways: [WorldNames.Way] {
        world.paths.compactMap { path in
            guard let from = places[path.from], let to = places[path.to] else { return nil }
            let points = path.isPortal ? WorldNames.arc(from: from, to: to, around: circles) : [from, to]
            return WorldNames.Way(points: points, isPortal: path.isPortal)
        }
    }

    /// The circles of all zones.
    var circles: [WorldNames.Circle] {
        world.zones.compactMap { zone in
            places[zone.id].map { WorldNames.Circle(centre: $0, radius: Self.radius(of: zone)) }
        }
    }

    private static func radius(of zone: RealmWorld.Zone) -> Double { zoneRadius + (zone.isGatheringPlace ? 12 : 0) }

    /// Draws the name of a realm in a corner of its disc, and below it the value for the goals.
    private func drawName(
        of realm: RealmWorld.Realm, number: Int, names: inout WorldNames, _ drawing: inout SVGDrawing
    ) {
        let name = SVGDrawing.fitted(realm.type.replacing("_", with: " "), size: 18, to: Self.discRadius)
        let value =
            world.request.goals.isEmpty ? nil : "value for the goals \(NumberText.hundredths(Float(realm.goalValue)))"
        let width = max(SVGDrawing.width(of: name, size: 18), value.map { SVGDrawing.width(of: $0, size: 11) } ?? 0)
        let (centre, height) = (centres[number], value == nil ? 18.0 : 34.0)
        // The corners of the square around the disc, north-west first.
        let (side, far) = (Self.discRadius * 0.94, Self.discRadius * 0.97)
        let spots: [SVGDrawing.Point] = [
            (-side, -far), (side - width, -far), (-side, far - height), (side - width, far - height),
        ].map { (centre.x + $0.0, centre.y + $0.1) }
        let others = centres.indices.filter { $0 != number }.map {
            WorldNames.Circle(centre: centres[$0], radius: Self.discRadius)
        }
        let corner = names.place(width: width, height: height, among: spots, off: others)
        drawing.text(name, at: (corner.x, corner.y + 14), size: 18, fill: Tone.ink, halo: Tone.paper)
        if let value {
            drawing.text(value, at: (corner.x, corner.y + 31), size: 11, fill: Tone.muted, halo: Tone.paper)
        }
    }

    /// Draws the name of a zone next to its circle, off the paths.
    private func drawName(
        _ name: String, of zone: RealmWorld.Zone, names: inout WorldNames, _ drawing: inout SVGDrawing
    ) {
        guard let centre = places[zone.id] else { return }
        let parts = name.replacing(" & ", with: "\n& ").replacing(" with ", with: "\nwith ").split(separator: "\n")
        // The name of the middle zone fits between the outer zones.
        let room = zone.direction == .centre ? 75.0 : 140
        let lines = parts.map { SVGDrawing.fitted(String($0), size: 11, to: room) }
        let width = lines.map { SVGDrawing.width(of: $0, size: 11) }.max() ?? 0
        let height = 12 * Double(lines.count)
        let spots = WorldNames.spots(around: centre, radius: Self.radius(of: zone), width: width, height: height)
        let corner = names.place(width: width, height: height, among: spots)
        for (line, text) in lines.enumerated() {
            drawing.text(
                text, at: (corner.x + width / 2, corner.y + 9 + 12 * Double(line)), size: 11, anchor: .middle,
                fill: Tone.text, halo: Tone.paper)
        }
    }

    private func draw(
        _ zone: RealmWorld.Zone, at place: SVGDrawing.Point, colour: String, _ drawing: inout SVGDrawing
    ) {
        if zone.isGatheringPlace {
            drawing.circle(place, radius: Self.zoneRadius + 12, fill: colour, opacity: 0.25, title: "a place to gather")
        }
        drawing.circle(place, radius: Self.zoneRadius, fill: Tone.page, title: "\(zone.id): \(zone.name)")
        drawing.circle(place, radius: Self.zoneRadius, fill: colour, opacity: 0.3)
        for (i, scene) in zone.scenes.enumerated() {
            let angle = -Double.pi / 2 + 2 * Double.pi * Double(i) / Double(zone.scenes.count)
            let spot: SVGDrawing.Point = (place.x + 13.5 * cos(angle), place.y + 13.5 * sin(angle))
            let things = scene.objects.prefix(6).map(\.name).joined(separator: ", ")
            drawing.circle(
                spot, radius: Self.sceneRadius, fill: colour, opacity: 0.95,
                title: "\(scene.image)\(scene.mood.map { ", \($0)" } ?? ""): \(things)")
            drawing.text(
                "\(scene.objects.count)", at: (spot.x, spot.y + 3), size: 8, anchor: .middle,
                fill: Tone.readable(on: colour))
        }
    }

    private func drawLegend(_ drawing: inout SVGDrawing) {
        let y = size.height - 26
        var x = Self.margin.side
        func word(_ text: String, after symbol: Double) {
            drawing.text(text, at: (x + symbol, y), size: 12, fill: Tone.muted)
            x += symbol + SVGDrawing.width(of: text, size: 12) + 20
        }
        drawing.circle((x + 8, y - 4), radius: Self.sceneRadius, fill: "#555555")
        drawing.text("5", at: (x + 8, y - 1), size: 8, anchor: .middle, fill: Tone.readable(on: "#555555"))
        word("a scene and its number of objects", after: 22)
        drawing.line([(x, y - 4), (x + 26, y - 4)], stroke: "#8a8478", width: 5, opacity: 0.45)
        word("path", after: 34)
        drawing.line([(x, y - 4), (x + 26, y - 4)], stroke: Tone.ink, width: 1.8, opacity: 0.55, dash: 4)
        word("portal between realms", after: 34)
        if !world.contributedZones.isEmpty {
            drawing.circle((x + 8, y - 4), radius: 8, fill: "#555555", opacity: 0.35)
            drawing.circle((x + 8, y - 4), radius: 6, fill: Tone.page)
            word("made by others", after: 22)
        }
        if world.request.isCollaborative {
            drawing.circle((x + 8, y - 4), radius: 9, fill: "#555555", opacity: 0.25)
            word("place to gather", after: 22)
        }
    }
}
