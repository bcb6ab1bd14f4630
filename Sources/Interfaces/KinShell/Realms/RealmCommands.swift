import Foundation

/// The commands on files of analysed images, and on the folder of their clusters.
enum RealmCommands {
    static let all = [Clustering.command, world, place, images, colours, convert]

    static let goals = TherapeuticGoal.allCases.map(\.name).joined(separator: ", ")
    static let folder = "\"realms\""
    private static let library = ParameterDescription.option(
        "in", .path, default: folder, "The folder with clusters.json and realm_index.json.")

    /// Reads the library in the request's folder.
    private static func library(_ request: MethodRequest) throws(KinError) -> RealmLibrary {
        let path = request.word("in")
        do throws(KinError) { return try RealmLibraryFolder(path).read() } catch {
            guard error.names("input") else { throw error }
            let next = "`kin cluster IMAGES -o \(path.quoted)` makes it"
            throw KinError(error.code, "there is no realm library; \(next)").within("input", path)
        }
    }

    private static func goals(_ request: MethodRequest) throws -> [TherapeuticGoal] {
        try request.reading("goals") { () throws(KinError) in
            try request.texts("goals").map(TherapeuticGoal.init(named:))
        }
    }

    private static let world = Command<Console>(
        "world", "Makes a world of realms, zones and scenes from clustered images.",
        details: """
            Chooses the realms with the best values for the goals, three to five zones in each realm and two to four
            scenes in each zone, and connects the zones by paths. The same seed gives the same world.

            Goals: \(goals); other words for them are understood: anxiety, insomnia, joy, grief …

            Examples:

              kin world --goals anxiety,sleep --minutes 20 --plot world.svg
              kin world --name "Quiet hills" --theme forest --realms 2 --seed 7 -o world.json

            Of a store: kin world --store kin.db --name Calm; kin world --store kin.db --help
            """,
        options: [
            .option("name", .text, default: "\"A world\"", "Its name."),
            .option("theme", .text, default: "\"\"", "The theme: words for realm types, categories, moods."),
            .option("creator", .text, default: "\"\"", "The creator's name."),
            .option("goals", .list("goal"), "The therapeutic goals."),
            .option("minutes", .integer(1...1440), default: "20", "The length of a visit."),
            .flag("collaborative", "Several people visit together: every realm has a gathering place."),
            .option(
                "realms", .integer(1...1000),
                "The number of realms. Default: one per seven minutes, at most five."),
            .seed(), library, .option("output", .output, "Write the whole world as JSON (-o)."),
            .option("plot", .output, "Draw the world, as SVG."), .flag("json", "Print the whole world as JSON."),
        ]
    ) { console, request in
        let library = try RealmLibraryFolder(request.word("in")).locked(isShared: true) { try Self.library(request) }
        let (name, theme, minutes) = (request.word("name"), request.word("theme"), request.int("minutes"))
        let wanted = WorldRequest(
            name: name, theme: theme, creator: request.word("creator"), goals: try goals(request), minutes: minutes,
            isCollaborative: request.isOn("collaborative"), realms: request.optionalInt("realms"), seed: request.seed())
        let start = ContinuousClock.now
        let world = try library.world(wanted)
        let time = ContinuousClock.now - start
        if let output = request.text("output") { try WholeFile.make(output, text: world.json + "\n") }
        if let plot = request.text("plot") { try WorldPlot(world).drawing.write(to: plot) }
        if !world.isThemeKnown {
            console.note(
                "no realm type, category or mood is called \"\(theme)\", so the theme had no effect; there are "
                    + library.index.realms.map(\.type).joined(separator: ", "))
        }
        if request.isJSON { return console.print(json: world.json) }
        show(world, console)
        console.print("made in \(NumberText.duration(time))")
        console.print(["output", "plot"].compactMap { request.text($0) }.map { "written: \($0)" })
    }

    /// Prints the realms and zones of a world.
    static func show(_ world: RealmWorld, _ console: Console) {
        console.print(
            console.style.strong(world.request.name)
                + console.style.faint("  seed \(world.request.seed), \(world.request.minutes) minutes"))
        for realm in world.realms {
            console.print()
            let value =
                world.request.goals.isEmpty
                ? "" : ", value for the goals \(NumberText.hundredths(Float(realm.goalValue)))"
            console.print(
                "  " + console.style.strong(realm.type) + "  match \(NumberText.hundredths(Float(realm.match)))\(value)"
            )
            let names = realm.zoneNames
            console.print(["zone", "where", "what", "scenes"], of: realm.zones) { zone in
                [
                    zone.id, zone.direction.rawValue + (zone.isGatheringPlace ? ", to gather" : ""),
                    names[zone.id] ?? zone.name, zone.scenes.map(\.image).joined(separator: ", "),
                ]
            }
        }
        console.print()
        let counts = [
            (world.realms.count, "realm"), (world.zones.count, "zone"), (world.scenes.count, "scene"),
            (world.objectCount, "object"), (world.paths.count, "path"),
        ].map { NumberText.count($0, $1) }.joined(separator: ", ")
        console.print(counts)
    }

    private static let place = Command<Console>(
        "place", "Finds the realm and zone of an analysed image, and explains why.",
        details: """
            Reads analyses as `kin cluster` does. With --world the zones are those of a world that `kin world -o` wrote,
            else the clusters of the realm. With --absorb the images join the index and move its centres a little,
            without new clustering; several processes may add images to one folder, one after the other.

            Examples:

              kin place image.json
              kin place image.json --world world.json
              kin place uploads.jsonl --in realms --json

            Of a store: kin place --store kin.db --analysis @upload.json; kin place --store kin.db --help
            """, [.required("paths", .paths, "Analyses: .json files, folders of them, or JSON lines.")],
        options: [
            library, .option("world", .path, "The world that has the zones."),
            .flag("absorb", "Add the images to clusters.json and realm_index.json."),
        ] + ParameterDescription.jsonList
    ) { console, request in
        let world = try request.text("world").map { path in
            try ByteReader.read(path) { text throws(KinError) in try RealmWorld(json: text) }
        }
        var files = ImageAnalysisFiles(keepsAnalyses: true)
        try files.read(request.texts("paths"), console: console)
        let (folder, isAbsorbing) = (RealmLibraryFolder(request.word("in")), request.isOn("absorb"))
        let placements = try folder.locked(isShared: !isAbsorbing) {
            var library = try Self.library(request)
            let placements = try files.reader.analyses.map { analysis in
                let placement = try library.place(analysis, in: world)
                if isAbsorbing { try library.insert(analysis) }
                return placement
            }
            if isAbsorbing { try folder.write(library) }
            return placements
        }
        var list = JSONList(request, on: console)
        for placement in placements {
            if request.isJSON { list.append(placement.json) } else { show(placement, console) }
        }
        if request.isJSON { list.finish() }
        if isAbsorbing { console.note("\(placements.count, "image") taken into \(request.word("in"))") }
    }

    private static func show(_ placement: ImagePlacement, _ console: Console) {
        let (zone, style) = (placement.zone, console.style)
        console.print(
            "\(style.strong(placement.image)) belongs to \(style.strong(placement.realm.realm)), zone "
                + "\(zone.zone.map { "\($0), " } ?? "")\(zone.name)")
        console.print(placement.reasons.map { "  because \($0)" })
        console.print(["realm", ">score", ">suggested", ">resemblance", ">distance"], of: placement.realms.prefix(5)) {
            [
                $0.realm, NumberText.thousandths($0.score), String(format: "%.2f", $0.suggestion),
                NumberText.thousandths($0.resemblance), NumberText.thousandths($0.distance),
            ]
        }
        console.print(["zone", "what", ">score", ">distance"], of: placement.zones.prefix(4)) {
            [
                $0.zone ?? "cluster \($0.cluster)", $0.name, NumberText.thousandths($0.score),
                NumberText.thousandths($0.distance),
            ]
        }
    }

    private static let images = Command<Console>(
        "images", "Ranks clustered images by their value for therapeutic goals.",
        details: "Goals: \(goals), or other words for them.\n\n  kin images sleep anxiety -k 5",
        [.required("goals", .list("goal"), "The goals.")],
        options: [.k(10, "The number of images."), library] + ParameterDescription.jsonList
    ) { console, request in
        let goals = try goals(request)
        try request.reading("goals") { () throws(KinError) in try TherapeuticGoal.require(goals) }
        let library = try RealmLibraryFolder(request.word("in")).locked(isShared: true) { try Self.library(request) }
        let found = library.index.images(for: goals, count: request.int("k"))
        if request.isJSON { return console.print(jsonList: found.map(\.jsonText), for: request) }
        JSONTable(console: console).show(found.jsonText)
    }

    private static let colours = Command<Console>(
        "colours", "Finds the dominant colours of a picture.",
        details: """
            The picture is a PPM file (P6, eight bits), which most programs can make:

              djpeg photo.jpg | kin colours -
              kin colours picture.ppm --count 8 --json
            """, [.required("file", .path, "A PPM file; - is standard input.")],
        options: [.option("count", .integer(1...256), default: "5", "The largest number of colours."), .seed(), .json]
    ) { console, request in
        let picture = try PPMPicture(reading: request.word("file"))
        let start = ContinuousClock.now
        let colours = try DominantColours(count: request.int("count"), seed: request.seed()).find(in: picture.pixels)
        let time = ContinuousClock.now - start
        if request.isJSON {
            return console.print(json: [
                "width": picture.width, "height": picture.height, "colours": colours, "seconds": time.seconds,
            ])
        }
        console.print(["colour", ">share", ">L*", ">a*", ">b*"], of: colours) { colour in
            [colour.hex, NumberText.percent(colour.share)]
                + [colour.lab.lightness, colour.lab.a, colour.lab.b].map { String(format: "%.1f", $0) }
        }
        console.print(
            console.style.faint("\(picture.width) × \(picture.height) pixels in \(NumberText.duration(time))"))
    }

    private static let convert = Command<Console>(
        "convert coco", "Makes analyses of object boxes and their categories, from COCO's JSON or CSV files.",
        details: """
            \(BoxConverter.note)

            BOXES is COCO's instances or results (JSON; also one result per line), or CSV with the columns image_id, category_id,
            x, y, w, h and optionally score. Results and CSV without a category_name or label need CATEGORIES: COCO's instances, or CSV
            with the columns category_id, category, supercategory. The output is JSON lines, or, when it ends with a slash, a
            folder with a file for each image.

              kin convert coco results.json instances_val2017.json -o images.jsonl

              gunzip -c boxes.csv.gz | kin convert coco - categories.csv -o images.jsonl
              kin convert coco boxes.csv categories.csv -o images/
            """,
        [
            .required("boxes", .path, "A file of boxes; - is standard input."),
            .option("categories", .path, "A file of categories. Default: those of BOXES."),
        ], options: [.required("output", .output, "The file (-o), or the folder with a slash at its end."), .json]
    ) { console, request in
        let (boxes, output) = (request.word("boxes"), request.word("output"))
        let table = try BoxTable(reading: boxes, categories: request.text("categories"))
        let converter = BoxConverter()
        let analyses = try table.images.map { image in
            do throws(KinError) { return try converter.analysis(image: image.id, boxes: image.boxes) } catch {
                throw error.within("image", image.id).within("file", boxes)
            }
        }
        console.noteLeftOut(table.problems, of: table.problems.count)
        for column in table.unusedColumns { console.note("column \(column) is not used") }
        let categories = Set(table.images.flatMap { $0.boxes.map(\.category) })
        let unknown = Set(categories.filter { !BoxConverter.isKnown($0) }.map(\.name)).sorted()
        if !unknown.isEmpty {
            let names = unknown.prefix(5).joined(separator: ", ") + (unknown.count > 5 ? ", …" : "")
            console.note("without a meaning, as the table has neither the category nor its supercategory: \(names)")
        }
        if table.imagesWithoutBoxes > 0 { console.note("left out: \(table.imagesWithoutBoxes, "image") without boxes") }
        if output.hasSuffix("/") {
            try WholeFile.makeFolder(output)
            for analysis in analyses { try WholeFile.make("\(output)\(analysis.id).json", text: analysis.json + "\n") }
        } else {
            try WholeFile.make(output, text: analyses.map { $0.json + "\n" }.joined())
        }
        let objects = analyses.reduce(0) { $0 + $1.objects.count }
        console.print(
            [
                "output": output, "images": analyses.count, "objects": objects, "left_out": table.problems.count,
                "images_without_boxes": table.imagesWithoutBoxes,
            ],
            for: request,
            text: "\(output): \(analyses.count, "image"), \(objects, "object")", BoxConverter.note)
    }
}

extension GoalValues {
    /// The strongest goals with their values: `sleep 0.80, focus 0.41`.
    func text(_ count: Int = 3) -> String {
        focus.prefix(count).map { "\($0.name) \(NumberText.hundredths(self[$0]))" }.joined(separator: ", ")
    }
}
