import KinSamples
import KinTestSupport
import Testing

@testable import KinDrawings

/// No text of a drawing overlaps a second one or leaves the drawing.
@Suite("Drawings")
struct DrawingTests {
    private func check(_ drawing: SVGDrawing, _ name: String) {
        let page = SVGDrawing.Box(low: (0, 0), high: (drawing.width, drawing.height))
        #expect(!drawing.labels.isEmpty, "\(name) says nothing")
        for (i, label) in drawing.labels.enumerated() {
            #expect(page.contains(label.box), "\(name): \"\(label.text)\" leaves the page")
            for other in drawing.labels[..<i] where other.box.overlaps(label.box) {
                Issue.record("\(name): \"\(label.text)\" lies over \"\(other.text)\"")
            }
        }
        checkContrast(drawing, name)
    }

    /// The contrast of a text with the page is 4.5 or more (WCAG 2.2, AA), on light and on dark pages.
    private func checkContrast(_ drawing: SVGDrawing, _ name: String) {
        let dark = Dictionary(uniqueKeysWithValues: Tone.dark.map { ($0.key, $0.value) })
        let fills = drawing.document.split(separator: "\n").compactMap { line -> String? in
            guard line.hasPrefix("<text") || line.hasPrefix("<rect") && line.contains("x=\"0\" y=\"0\"") else {
                return nil
            }
            return line.split(separator: "fill=\"").last { $0.hasPrefix("#") }.map { String($0.prefix { $0 != "\"" }) }
        }
        // Numbers on discs have one of these colours.
        for fill in Set(fills.dropFirst()).subtracting(["#000000", "#fefefe"]) {
            for colour in [{ $0 }, { dark[$0] ?? $0 }] as [(String) -> String] {
                let tones = [fill, fills[0]].map { Tone.luminance(of: colour($0)) + 0.05 }
                #expect(tones.max()! / tones.min()! >= 4.5, "\(name): text in \(fill)")
            }
        }
    }

    @Test("numbers on discs are readable, and neutral colours have a counterpart for dark pages")
    func tones() {
        for colour in SVGDrawing.colours {
            let (disc, number) = (Tone.luminance(of: colour), Tone.luminance(of: Tone.readable(on: colour)))
            #expect((max(disc, number) + 0.05) / (min(disc, number) + 0.05) >= 4.5, "\(colour)")
        }
        let drawing = SVGDrawing(width: 10, height: 10)
        for (light, dark) in Tone.dark {
            #expect(drawing.document.contains("[fill=\"\(light)\"]{fill:\(dark)}"))
        }
    }

    @Test("text of any length is truncated to its space")
    func longTexts() {
        for text in [String(repeating: "Far and wide ", count: 40_000), String(repeating: "山 e\u{301}", count: 9)] {
            let fitted = SVGDrawing.fitted(text, size: 13, to: 70)
            #expect(SVGDrawing.width(of: fitted, size: 13) <= 70 && fitted.hasSuffix("…"))
            let longer = text.prefix(fitted.count) + "…"
            #expect(text.hasPrefix(fitted.dropLast()) && SVGDrawing.width(of: String(longer), size: 13) > 70)
        }
        #expect(SVGDrawing.fitted("short", size: 13, to: 70) == "short")
        #expect(SVGDrawing.fitted("short", size: 13, to: 1) == "…")
    }

    @Test("any text gives valid XML")
    func charactersOfTexts() {
        var drawing = SVGDrawing(width: 10, height: 10)
        drawing.circle((0, 0), radius: 1, fill: "#fff", title: "a\u{0}\u{1B}b\u{FFFE}\u{FFFF}\t<&>\"\r\n山")
        #expect(
            drawing.document.contains(#"<title>a\u0000\u001Bb\uFFFE\uFFFF"# + "\t&lt;&amp;&gt;&quot;\\u000D\n山</title>")
        )
    }

    @Test("labels of people's maps fit the page without overlaps", arguments: [5, 30, 300])
    func maps(sessions count: Int) throws {
        for person in 0..<6 {
            let sessions = PersonGenerator(seed: 7).person(person, sessions: count).sessions
            let map = try PleasureMap(of: sessions)
            let types = try SessionTypes(of: sessions)
            for title in ["The pleasures of u1", String(repeating: "A very long name ", count: 30)] {
                let plot = PleasurePlot(title: title, map: map, types: types, sessions: sessions)
                check(plot.drawing, "map of person \(person), \(types.kinds.count) kinds")
            }
        }
    }

    @Test("labels of worlds do not overlap, and no name is on a path")
    func worlds() throws {
        let generator = ImageAnalysisGenerator(seed: 3)
        var reader = ImageCollectionReader()
        for number in 0..<400 {
            reader.read(Array(generator.image(number).analysis.json.utf8), image: "image \(number)", file: "made up")
        }
        let clustered = try ClusteredImages(reader.collection, options: ClusterOptions(k: .exactly(8), seed: 1))
        let library = RealmLibrary(of: clustered)
        var (made, portals, blocked) = (0, 0, 0)
        for realms in 1...7 {
            for seed in UInt64(0)..<6 {
                let request = WorldRequest(
                    name: seed == 0 ? String(repeating: "Far and wide ", count: 20) : "A world",
                    goals: seed % 2 == 0 ? [.sleep, .anxietyRelief] : [], minutes: 30 * realms,
                    isCollaborative: seed % 3 == 0, realms: realms, seed: seed)
                guard let world = try? library.world(request) else { continue }
                let plot = WorldPlot(world)
                let (ways, circles, drawing) = (plot.ways, plot.circles, plot.drawing)
                let name = "world of \(realms) realms, seed \(seed)"
                check(drawing, name)
                #expect(world.realms.allSatisfy { Set($0.zoneNames.values).count == $0.zones.count }, "\(name)")
                let words = Set(world.realms.flatMap { $0.zoneNames.values.flatMap { $0.split(separator: " ") } })
                let names = drawing.labels.filter { label in
                    label.text.split(separator: " ").allSatisfy { words.contains($0) }
                }
                #expect(names.count >= world.zones.count)
                portals += ways.count(where: \.isPortal)
                for way in ways where way.isPortal {
                    let passed = circles.count { zone in
                        zone.centre != way.points[0] && zone.centre != way.points.last!
                            && way.points.contains {
                                SVGDrawing.Box(low: $0, high: $0).meets(circle: zone.centre, radius: zone.radius)
                            }
                    }
                    blocked += passed
                    #expect(
                        way.points.allSatisfy {
                            (0...drawing.width).contains($0.x) && (0...drawing.height).contains($0.y)
                        }, "\(name): a portal leaves the page")
                }
                made += 1
                for label in names
                where ways.contains(where: { !$0.isPortal && label.box.meets($0.points) }) {
                    Issue.record("\(name): \"\(label.text)\" lies on a path")
                }
            }
        }
        // Between many zones there may be no way around all of them.
        #expect(blocked * 20 < portals, "\(portals) portals pass through \(blocked) zones")
        #expect(made > 25 && portals > made, "\(made) worlds with \(portals) portals were drawn")
    }

    @Test("labels of close neighbours do not overlap")
    func neighborhoods() throws {
        let generator = try ProfileGenerator(.clustered(clusters: 5), count: 2000, dimension: 16, seed: 5)
        let table = VectorTable(dimension: 16, elements: generator.elements(threads: 2))
        var index = VectorIndex(dimension: 16, layout: .flat)
        try index.upsert(table.matrix(), ids: table.allIDs)
        for row in stride(from: 0, to: 2000, by: 197) {
            let found = try index.search(table.row(row), k: 40)
            let plot = try NeighborhoodPlot(
                index.ids, vector: index.storedVector(for:), title: "2,000 vectors",
                target: (table.row(row), "the vector \(row)"), found: found)
            check(plot.drawing, "neighbours of \(row)")
        }
    }

    @Test("labels of babies' days and backtests do not overlap")
    func babies() throws {
        for number in 0..<4 {
            let log = BabyGenerator(seed: 8).log(number, days: 30 + 60 * number, age: 40)
            check(DayPlot(log).drawing, "days of baby \(number)")
            for kind in [RhythmKind.nap, .feed] {
                check(BacktestPlot(try RhythmBacktest(log, kind: kind)).drawing, "backtest of baby \(number), \(kind)")
            }
        }
    }

    @Test("a line meets a box only if it passes through it")
    func meeting() {
        let box = SVGDrawing.Box(low: (0, 0), high: (2, 1))
        #expect(box.meets(((-1, 0.5), (3, 0.5))) && box.meets(((1, -5), (1, 5))) && box.meets(((0.5, 0.5), (0.6, 0.6))))
        #expect(!box.meets(((-1, 2), (3, 2))) && !box.meets(((3, -5), (3, 5))) && !box.meets(((-1, 0.6), (0.6, 2.5))))
        #expect(box.meets(circle: (3, 0.5), radius: 1.1) && !box.meets(circle: (3, 2), radius: 1.4))
    }
}
