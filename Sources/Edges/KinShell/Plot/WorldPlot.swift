import Foundation
import Kin

/// A world as a map: a disc for each realm, its zones where they lie, scenes around each zone, paths and portals between.
struct WorldPlot {
    private let world: RealmWorld
    private let centres: [SVGDrawing.Point]
    private let size: (width: Double, height: Double)
    /// The point at which each zone is drawn.
    private var places: [String: SVGDrawing.Point] = [:]

    private static let discRadius = 185.0
    private static let zoneRadius = 27.0
    private static let sceneRadius = 7.5
    /// From the middle of a realm to its outer zones.
    private static let zoneDistance = 112.0
    private static let margin = (side: 30.0, top: 84.0, bottom: 64.0)
    /// Eight colours that people with any colour vision tell apart (Okabe and Ito 2008).
    private static let colours = [
        "#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00", "#8A8300", "#555555",
    ]

    init(_ world: RealmWorld) {
        self.world = world
        let count = world.realms.count
        // Discs on a ring touch nearly; one is in the middle, two are side by side.
        let gap = 2 * Self.discRadius + 26
        let ring = count < 2 ? 0 : gap / 2 / sin(Double.pi / Double(count))
        let first = count == 2 ? -Double.pi : -Double.pi / 2
        let raw = (0..<count).map { i -> SVGDrawing.Point in
            let angle = first + 2 * Double.pi * Double(i) / Double(count)
            return (ring * cos(angle), ring * sin(angle))
        }
        let (left, right) = (raw.map(\.x).min()! - Self.discRadius, raw.map(\.x).max()! + Self.discRadius)
        let (top, bottom) = (raw.map(\.y).min()! - Self.discRadius, raw.map(\.y).max()! + Self.discRadius)
        let width = max(right - left, 520)
        size = (width + 2 * Self.margin.side, bottom - top + Self.margin.top + Self.margin.bottom)
        let shift = (size.width / 2 - (left + right) / 2, Self.margin.top - top)
        centres = raw.map { ($0.x + shift.0, $0.y + shift.1) }
        for (realm, centre) in zip(world.realms, centres) {
            for zone in realm.zones {
                let way = Self.way(zone.direction)
                places[zone.id] = (centre.x + way.x * Self.zoneDistance, centre.y + way.y * Self.zoneDistance - 8)
            }
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
    var drawing: SVGDrawing {
        var drawing = SVGDrawing(width: size.width, height: size.height)
        drawing.rectangle((0, 0), width: size.width, height: size.height, fill: "#fbfaf7")
        drawHead(&drawing)
        for (i, centre) in centres.enumerated() {
            drawing.circle(centre, radius: Self.discRadius, fill: colour(i), opacity: 0.1)
        }
        drawPaths(&drawing)
        for (i, realm) in world.realms.enumerated() { draw(realm, number: i, &drawing) }
        drawLegend(&drawing)
        return drawing
    }

    private func colour(_ realm: Int) -> String { Self.colours[realm % Self.colours.count] }

    private func drawHead(_ drawing: inout SVGDrawing) {
        let request = world.request
        drawing.text(request.name, at: (Self.margin.side, 36), size: 22, fill: "#222")
        var facts = [
            "\(world.realms.count) realms, \(world.zones.count) zones, \(world.scenes.count) scenes, \(world.objectCount) objects",
            "\(request.minutes) minutes",
        ]
        if !request.goals.isEmpty {
            facts.append("for " + request.goals.map { $0.name.replacing("_", with: " ") }.joined(separator: ", "))
        }
        if !request.theme.isEmpty { facts.append("theme \(request.theme)") }
        if !request.creator.isEmpty { facts.append("by \(request.creator)") }
        drawing.text(facts.joined(separator: "  ·  "), at: (Self.margin.side, 58), size: 12.5, fill: "#666")
    }

    private func drawPaths(_ drawing: inout SVGDrawing) {
        for path in world.paths {
            guard let from = places[path.from], let to = places[path.to] else { continue }
            if path.isPortal {
                drawing.line([from, to], stroke: "#222222", width: 1.8, opacity: 0.55, dash: 4)
            } else {
                drawing.line([from, to], stroke: "#8a8478", width: 5, opacity: 0.45)
            }
        }
    }

    private func draw(_ realm: RealmWorld.Realm, number: Int, _ drawing: inout SVGDrawing) {
        let centre = centres[number]
        for zone in realm.zones {
            guard let place = places[zone.id] else { continue }
            draw(zone, at: place, colour: colour(number), &drawing)
        }
        // In the north-west of the disc, where no zone is.
        let corner: SVGDrawing.Point = (centre.x - Self.discRadius * 0.94, centre.y - Self.discRadius * 0.86)
        drawing.text(realm.type.replacing("_", with: " "), at: corner, size: 18, fill: colour(number))
        if !world.request.goals.isEmpty {
            drawing.text(
                "value for the goals \(NumberText.hundredths(Float(realm.goalValue)))",
                at: (corner.x, corner.y + 16), size: 11, fill: "#777")
        }
    }

    private func draw(
        _ zone: RealmWorld.Zone, at place: SVGDrawing.Point, colour: String, _ drawing: inout SVGDrawing
    ) {
        if zone.isGatheringPlace {
            drawing.circle(place, radius: Self.zoneRadius + 12, fill: colour, opacity: 0.25, title: "a place to gather")
        }
        drawing.circle(place, radius: Self.zoneRadius, fill: "#ffffff", title: "\(zone.id): \(zone.name)")
        drawing.circle(place, radius: Self.zoneRadius, fill: colour, opacity: 0.3)
        for (i, scene) in zone.scenes.enumerated() {
            let angle = -Double.pi / 2 + 2 * Double.pi * Double(i) / Double(zone.scenes.count)
            let spot: SVGDrawing.Point = (place.x + 13.5 * cos(angle), place.y + 13.5 * sin(angle))
            let things = scene.objects.prefix(6).map(\.name).joined(separator: ", ")
            drawing.circle(
                spot, radius: Self.sceneRadius, fill: colour, opacity: 0.95,
                title: "\(scene.image)\(scene.mood.map { ", \($0)" } ?? ""): \(things)")
            drawing.text("\(scene.objects.count)", at: (spot.x, spot.y + 3), size: 8, anchor: .middle, fill: "#fff")
        }
        let below = Self.zoneRadius + (zone.isGatheringPlace ? 26 : 13)
        for (line, text) in zone.name.split(separator: " & ").enumerated() {
            let text = (line > 0 ? "& " : "") + text
            drawing.text(
                text, at: (place.x, place.y + below + 12 * Double(line)), size: 11, anchor: .middle, fill: "#333",
                halo: "#fbfaf7")
        }
    }

    private func drawLegend(_ drawing: inout SVGDrawing) {
        let y = size.height - 26
        var x = Self.margin.side
        drawing.circle((x + 8, y - 4), radius: Self.sceneRadius, fill: "#555555")
        drawing.text("5", at: (x + 8, y - 1), size: 8, anchor: .middle, fill: "#fff")
        drawing.text("a scene and its objects", at: (x + 22, y), size: 12, fill: "#555")
        x += 175
        drawing.line([(x, y - 4), (x + 26, y - 4)], stroke: "#8a8478", width: 5, opacity: 0.45)
        drawing.text("path", at: (x + 34, y), size: 12, fill: "#555")
        x += 85
        drawing.line([(x, y - 4), (x + 26, y - 4)], stroke: "#222222", width: 1.8, opacity: 0.55, dash: 4)
        drawing.text("portal between realms", at: (x + 34, y), size: 12, fill: "#555")
        if world.request.isCollaborative {
            x += 185
            drawing.circle((x, y - 4), radius: 9, fill: "#555555", opacity: 0.25)
            drawing.text("place to gather", at: (x + 16, y), size: 12, fill: "#555")
        }
    }
}
