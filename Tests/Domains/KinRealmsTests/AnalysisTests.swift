import KinSamples
import KinTestSupport
import Testing

@Suite struct AnalysisTests {
    private static let sample = """
        { "detected_objects": [ { "name": "ancient oak tree", "category": "tree",
              "bounding_box": {"x": 100, "y": 50, "width": 400, "height": 600}, "confidence": 0.95,
              "therapeutic_associations": ["grounding", "calming"], "emotional_valence": 0.7, "calming_score": 0.8 } ],
          "overall_mood": "peaceful",
          "therapeutic_value": { "anxiety_relief": 0.8, "grounding": 0.9 },
          "suggested_realm_types": ["forest", "meadow"] }
        """

    private func read(_ json: String) -> ImageCollectionReader {
        var reader = ImageCollectionReader()
        reader.read(Array(json.utf8), image: "oak", file: "oak.json")
        return reader
    }

    @Test func aFileOfTheSpecificationIsRead() throws {
        let analysis = try ImageAnalysis(json: Self.sample, id: "oak")
        #expect(analysis.id == "oak" && analysis.mood == "peaceful" && analysis.realmTypes == ["forest", "meadow"])
        #expect(analysis.values[.anxietyRelief] == 0.8 && analysis.values[.grounding] == 0.9)
        let object = try #require(analysis.objects.first)
        #expect(object.name == "ancient oak tree" && object.category == "tree" && object.box.area == 240_000)
        #expect(object.confidence == 0.95 && object.valence == 0.7 && object.calming == 0.8)
        #expect(object.associations == [.grounding, .anxietyRelief])
        #expect(try ImageAnalysis(json: analysis.json) == analysis)

        let reader = read(Self.sample)
        #expect(reader.collection.ids == ["oak"] && reader.collection.objectCount == 1)
        #expect(reader.report.problemCount == 0 && reader.report.unknownKeys.isEmpty)
    }

    @Test func unknownNamesAreCountedAndIgnored() {
        let json = Self.sample.replacing("\"overall_mood\"", with: "\"camera\": {\"iso\": [1, 2]}, \"overall_mood\"")
            .replacing("\"confidence\"", with: "\"colour\": \"green\", \"confidence\"")
            .replacing("\"calming\"]", with: "\"sparkly\"]").replacing(
                "\"grounding\": 0.9", with: "\"world_peace\": 0.9")
        let reader = read(json)
        #expect(reader.report.problemCount == 0 && reader.collection.objectCount == 1)
        #expect(
            reader.report.unknownKeys == [
                "camera": 1, "detected_objects.colour": 1, "detected_objects.therapeutic_associations sparkly": 1,
                "therapeutic_value.world_peace": 1,
            ])
    }

    @Test(arguments: [
        ("\"confidence\": 0.95", "\"confidence\": 1.5", "detected_objects[0].confidence"),
        ("\"confidence\": 0.95", "\"confidence\": \"high\"", "detected_objects[0].confidence"),
        ("\"emotional_valence\": 0.7", "\"emotional_valence\": -3", "detected_objects[0].emotional_valence"),
        ("\"calming_score\": 0.8", "\"calming_score\": -0.1", "detected_objects[0].calming_score"),
        ("\"width\": 400", "\"width\": -400", "detected_objects[0].bounding_box.width"),
        ("\"width\": 400", "\"width\": 1e300", "detected_objects[0].bounding_box.width"),
        ("\"name\": \"ancient oak tree\", ", "", "detected_objects[0].name"),
        ("\"category\": \"tree\"", "\"category\": \"\"", "detected_objects[0].category"),
        ("\"confidence\": 0.95", "\"confidence\": 0.9, \"confidence\": 0.95", "detected_objects[0]"),
    ])
    func objectsOutOfRangeAreRefusedSingly(_ old: String, _ new: String, _ field: String) throws {
        let second =
            ", {\"name\": \"moss\", \"category\": \"moss\", \"bounding_box\": {\"x\":0,\"y\":0,\"width\":9,\"height\":9}} ]"
        let json = Self.sample.replacing(old, with: new).replacing("0.8 } ]", with: "0.8 }" + second)
            .replacing("-0.1 } ]", with: "-0.1 }" + second)
        let reader = read(json)
        #expect(reader.report.images == 1 && reader.report.refusedObjects == 1 && reader.collection.objectCount == 1)
        let problem = try #require(reader.report.problems.first)
        let facts = Dictionary(uniqueKeysWithValues: problem.context.map { ($0.name, $0.value) })
        #expect(facts["field"] == field && facts["file"] == "oak.json" && facts["image"] == "oak", "\(problem)")
        #expect(facts["line"] != nil, "\(problem)")
    }

    /// An unknown key of an object is counted if the object is read, and not if the object is refused.
    @Test func aRefusedObjectCausesNoOtherNote() {
        for (width, refused) in [("400", 0), ("-400", 1)] {
            let json = Self.sample.replacing("\"category\": \"tree\"", with: "\"category\": \"tree\", \"weather\": 1")
                .replacing("\"width\": 400", with: "\"width\": \(width)")
            let report = read(json).report
            #expect(report.refusedObjects == refused && report.problemCount == refused, "\(report.problems)")
            #expect(report.unknownKeys.values.reduce(0, +) == 1 - refused, "\(report.unknownKeys)")
        }
    }

    @Test func valuesOutOfRangeAreRefusedSingly() {
        let reader = read(
            Self.sample.replacing("\"grounding\": 0.9", with: "\"grounding\": 9, \"sleep\": null, \"focus\": 0.5"))
        #expect(reader.report.images == 1 && reader.report.refusedValues == 2 && reader.report.problemCount == 2)
        #expect(reader.report.problems[0].context.contains { $0.value == "therapeutic_value.grounding" })
    }

    /// A value like NaN costs its own part only: the other objects and values of the image stay.
    @Test(arguments: [
        ("\"x\": 100", true), ("\"width\": 400", true), ("\"confidence\": 0.95", true),
        ("\"emotional_valence\": 0.7", true), ("\"calming_score\": 0.8", true), ("\"grounding\": 0.9", false),
        ("\"share\": 1", false),
    ])
    func aPartThatIsNoNumberCostsNoOther(_ member: String, _ isOfObject: Bool) throws {
        let second = """
            { "name": "a", "category": "b", "bounding_box": {"x": 0, "y": 0, "width": 1, "height": 1} }
            """
        let colours = "\"dominant_colors\": [{\"hex\": \"#2e8b57\", \"share\": 1}]"
        let sample = Self.sample.replacing("0.8 } ]", with: "0.8 }, \(second) ]")
            .replacing("\"overall_mood\"", with: "\(colours), \"overall_mood\"")
        try #require(read(sample).report.objects == 2 && read(sample).report.problemCount == 0)
        let name = try #require(member.split(separator: " ").first)
        for bad in ["NaN", "-Infinity", "Infinity", "1e999", "\"0.5\"", "nul", "0x1", "01", ".5", "\"NaN\""] {
            let report = read(sample.replacing(member, with: "\(name) \(bad)")).report
            #expect(
                report.images == 1 && report.problemCount == 1 && report.objects == (isOfObject ? 1 : 2)
                    && report.refusedObjects == (isOfObject ? 1 : 0), "\(bad): \(report)")
            #expect(report.problems[0].fact("field") != nil, "\(report.problems)")
        }
    }

    /// An export has an analysis under its kind, and records of other kinds.
    @Test func aLineOfAnExportIsRead() throws {
        let image = "{\"image\":\(try ImageAnalysis(json: Self.sample, id: "oak").json)}"
        var reader = ImageCollectionReader()
        let others = ["{\"session\":{\"id\":\"s\"}}", "{\"profile\":{\"a\":1},\"since\":\"2026\"}"]
        reader.readLines(Array(([image] + others).joined(separator: "\n").utf8), file: "all.jsonl")
        #expect(reader.collection.ids == ["oak"] && reader.report.otherRecords == 2 && reader.report.problemCount == 0)
        #expect(read(image).collection.ids == ["oak"] && read("[\(image)]").collection.ids == ["oak"])
        // An analysis without its objects is an error. It is not counted among the records of other kinds.
        for broken in ["{\"therapeutic_value\":{\"sleep\":1}}", "{\"image\":{\"image_id\":\"a\"}}", "{}"] {
            #expect(read(broken).report.brokenImages == 1, "\(broken)")
        }
    }

    /// A bad value of an optional member is left out, and a text is a list of its words between commas.
    @Test func badOptionalMembersAreLeftOut() throws {
        for (old, new, field) in [
            ("\"peaceful\"", "[\"peaceful\"]", "overall_mood"),
            ("{ \"anxiety_relief\": 0.8, \"grounding\": 0.9 }", "\"calming\"", "therapeutic_value"),
            ("[\"forest\", \"meadow\"]", "[\"forest\", 3]", "suggested_realm_types"),
            ("\"overall_mood\"", "\"dominant_colors\": \"green\", \"overall_mood\"", "dominant_colors"),
        ] {
            let json = Self.sample.replacing(old, with: new)
            let report = read(json).report
            #expect(report.images == 1 && report.objects == 1 && report.refusedValues == 1, "\(report)")
            let problem = try #require(report.problems.first)
            #expect(problem.fact("field")?.hasPrefix(field) == true && problem.fact("line") != nil, "\(problem)")
            #expect(throws: KinError.self) { try ImageAnalysis(json: json, id: "oak") }
        }
        let words = try ImageAnalysis(
            json: Self.sample.replacing("[\"forest\", \"meadow\"]", with: "\"Forest, meadow\"")
                .replacing("[\"grounding\", \"calming\"]", with: "\"calming,grounding\""), id: "oak")
        #expect(words.realmTypes == ["forest", "meadow"])
        #expect(words.objects[0].associations == [.anxietyRelief, .grounding])
        #expect(try ImageAnalysis(json: "{\"detected_objects\": null}", id: "oak").objects.isEmpty)
    }

    @Test(arguments: [
        ("{\"x\": 100, \"y\": 50, \"width\": 400, \"height\": 600}", "[100, 50, 400, 600]", "{x, y, width, height}"),
        ("\"width\": 400, \"height\": 600", "\"w\": 400, \"h\": 600", "{x, y, width, height}"),
        ("\"confidence\": 0.95", "\"confidence\": 95", "must be from 0 to 1, not 95.0"),
        ("\"confidence\": 0.95", "\"confidence\": \"0.9\"", "not the text \"0.9\"; write it without quotation marks"),
    ])
    func aRefusedObjectShowsTheRightForm(_ old: String, _ new: String, _ form: String) throws {
        let reader = read(Self.sample.replacing(old, with: new))
        #expect(reader.report.images == 1 && reader.report.refusedObjects == 1)
        #expect(reader.report.problems[0].message.contains(form), "\(reader.report.problems)")
        // Every object is refused, so there is nothing to cluster.
        let error = try #require(throws: KinError.self) { try reader.checkContents() }
        #expect(error.code == .malformedInput && error.message.contains("0 of 1 objects"), "\(error)")
        #expect(error.fact("file") == "oak.json" && error.message.contains(form), "\(error)")
    }

    @Test func anErrorCountsTheRefusedAnalyses() throws {
        var reader = read("{\"detected_objects\": []}")
        try reader.checkContents()
        reader = read("{")
        reader.read([], image: "b", file: "b")
        let error = try #require(throws: KinError.self) { try reader.checkContents() }
        #expect(error.message.contains("0 of 2 analyses") && error.fact("file") == "oak.json", "\(error)")
        // With one object read, the others are only reported.
        reader.read(Array(Self.sample.utf8), image: "c", file: "c")
        try reader.checkContents()
    }

    @Test func anArrayHasSeveralAnalyses() {
        let elements = ["a", "b"].map {
            Self.sample.replacing("{ \"detected", with: "{ \"image_id\": \"\($0)\", \"detected")
        }
        let reader = read(" [\(elements.joined(separator: ",")), 7, {\"image_id\": true, \"detected_objects\": []}]\n")
        #expect(reader.collection.ids == ["a", "b"] && reader.report.brokenImages == 2, "\(reader.report.problems)")
        #expect(reader.report.problems.allSatisfy { $0.fact("line") == "11" }, "\(reader.report.problems)")
        // Without the end of an analysis, the number of the others is unknown, and none is read.
        let broken = read("[\(elements[0]), \(elements[1]), {")
        #expect(broken.collection.ids.isEmpty && broken.report.brokenImages == 1)
        #expect(broken.report.problems.first?.message.contains("has no end") == true, "\(broken.report.problems)")
    }

    /// One bad analysis at any place of an array loses no other, and one bad object no more than itself.
    @Test(arguments: ["[LIST]", "{\"images\": [LIST]}", "{\"images\": [LIST], \"mean\": NaN}"])
    func anErrorInAnArrayLosesOneAnalysis(_ form: String) {
        func image(_ number: Int, _ value: String = "0.5", mood: String = "\"calm\"", depth: String = "1") -> String {
            "{\"image_id\":\"i\(number)\",\"depth\":\(depth),\"overall_mood\":\(mood),\"detected_objects\":[{\"name\":\"a\",\"category\":\"b\",\"confidence\":\(value),"
                + "\"bounding_box\":{\"x\":0,\"y\":0,\"width\":9,\"height\":9}}]}"
        }
        for value in ["NaN", "Infinity", "-Infinity", "1e999", "nul", "01", "0.5.1", "", "\"\\x\"", "0.5,"] {
            for place in [0, 2, 4] {
                let objects = (0..<5).map { image($0, $0 == place ? value : "0.5") }
                let report = read(form.replacing("LIST", with: objects.joined(separator: ",\n"))).report
                #expect(
                    report.images == 5 && report.refusedObjects == 1 && report.brokenImages == 0,
                    "\(value), \(place): \(report.problems)")
                let moods = (0..<5).map { image($0, mood: $0 == place ? value : "\"calm\"") }
                let mood = read(form.replacing("LIST", with: moods.joined(separator: ",\n"))).report
                #expect(mood.images == 5 && mood.refusedValues == 1 || value == "0.5,", "\(value): \(mood.problems)")
                // A member that is not used costs nothing.
                let images = (0..<5).map { image($0, depth: $0 == place ? value : "1") }
                let broken = read(form.replacing("LIST", with: images.joined(separator: ",\n"))).report
                #expect(broken.images == (value == "0.5," ? 4 : 5), "\(value), \(place): \(broken.problems)")
            }
        }
    }

    @Test func anIDMayBeAWholeNumber() throws {
        for (id, text) in [
            ("17", "17"), ("-3", "-3"), ("\"17\"", "17"), ("9223372036854775807", "9223372036854775807"),
            ("17.0", "17"), ("1e3", "1000"),
        ] {
            #expect(try ImageAnalysis(json: "{\"image_id\": \(id), \"detected_objects\": []}").id == text)
        }
        for id in ["1.5", "null", "true", "[1]", "9223372036854775808"] {
            #expect(
                errorCode { try ImageAnalysis(json: "{\"image_id\": \(id), \"detected_objects\": []}") }
                    == .malformedInput, "\(id)")
        }
    }

    @Test func filesOfCOCOAreRecognized() throws {
        let (images, notes) = ("\"images\":[{\"id\":1},{\"id\":2}]", "\"annotations\":[{\"bbox\":[1,2,3,4]}]")
        for json in [
            "{\(images),\(notes)}", "{\(notes),\(images)}", "{\"info\":{},\(images),\(notes)}",
            "[{\"image_id\":1,\"category_id\":17,\"bbox\":[1,2,3,4],\"score\":0.9}]",
        ] {
            let report = read(json).report
            #expect(report.images == 0 && report.brokenImages == 1, "\(json): \(report.problems)")
            #expect(report.problems.first?.message.contains("kin convert coco") == true, "\(report.problems)")
        }
    }

    @Test(
        "other formats of detections are refused with the form to make",
        arguments: [
            "[{\"id\":1,\"data\":{\"image\":\"a.jpg\"},\"annotations\":[{\"result\":[]}]}]",
            "[{\"file_name\":\"a.jpg\",\"image_id\":1,\"height\":4,\"width\":6,\"annotations\":[{\"bbox\":[1,2,3,4]}]}]",
            "[{\"image_id\":1,\"instances\":[]}]", "[[{\"label\":\"cat\",\"score\":0.5,\"box\":{\"xmin\":1}}]]",
            "[{\"name\":\"cat\",\"class\":17,\"confidence\":0.9,\"box\":{\"x1\":1}}]", "{\"Labels\":[]}",
            "{\"boxes\":[[1,2,3,4]],\"labels\":[1],\"scores\":[0.5]}", "{\"responses\":[]}", "{\"objects\":[]}",
            "{\"version\":\"5.0\",\"shapes\":[],\"imagePath\":\"a.jpg\"}", "{\"data\":[]}",
            "{\"a.jpg\":[{\"name\":\"cat\"}]}",
            "<annotation><object/></annotation>", "0 0.5 0.5 0.2 0.2", "image_id,name,x,y,width,height",
        ])
    func otherFormats(text: String) {
        let report = read(text).report
        #expect(report.images == 0 && report.brokenImages == 1, "\(report.problems)")
        let message = report.problems.first?.message ?? ""
        #expect(message.contains("an analysis is {\"image_id\"") && !message.contains("COCO"), "\(message)")
    }

    @Test func boxesInFractionsAreRefused() {
        let fractions = "\"bounding_box\": {\"x\": 0.1, \"y\": 0.05, \"width\": 0.9, \"height\": 0.6}"
        let pixels = "\"bounding_box\": {\"x\": 100, \"y\": 50, \"width\": 400, \"height\": 600}"
        let json = Self.sample.replacing(pixels, with: fractions)
        #expect(json != Self.sample && read(json).report.images == 0)
        #expect(read(json).report.problems.first?.message.contains("not fractions") == true)
        for box in ["0.5, \"height\": 600", "0, \"height\": 0", "1, \"height\": 1"] {
            let one = "\"bounding_box\": {\"x\": 0, \"y\": 0, \"width\": \(box)}"
            #expect(read(Self.sample.replacing(pixels, with: one)).report.images == 1, "\(box)")
        }
    }

    @Test func categoriesIgnoreCaseAndOuterSpaces() throws {
        var reader = ImageCollectionReader()
        for (id, category) in [("a", "tree"), ("b", "Tree"), ("c", " TREE\u{a0}"), ("d", "oak tree")] {
            let json = Self.sample.replacing("\"category\": \"tree\"", with: "\"category\": \"\(category)\"")
            reader.read(Array(json.utf8), image: id, file: id)
        }
        #expect(reader.collection.categorySummaries.map(\.category) == ["tree", "oak tree"])
        #expect(reader.collection.categorySummaries.map(\.images) == [3, 1])
        // Clusters of an earlier release keep their categories, and images are placed and counted by them.
        let clustered = try ClusteredImages(reader.collection, options: ClusterOptions(k: .exactly(1)))
        let library = RealmLibrary(of: clustered)
        var old = try RealmLibrary(
            clusters: RealmClusters(json: library.clusters.json.replacing("\"tree\"", with: "\"Tree\"")),
            index: library.index)
        let image = try ImageAnalysis(json: Self.sample, id: "oak")
        #expect(old.clusters.recipe.vector(of: image) == library.clusters.recipe.vector(of: image))
        try old.insert(image)
        #expect(old.clusters.categories.map(\.category) == ["Tree", "oak tree"])
        #expect(old.clusters.categories.map(\.images) == [4, 1])
    }

    @Test func brokenFilesAreReportedAndOthersAreRead() {
        let sample = Self.sample
        let deep = String(repeating: "[", count: 1_000_000)
        let hostile: [(String, [UInt8])] = [
            ("empty", []), ("truncated", Array(sample.utf8.dropLast(40))), ("array", Array("[]".utf8)),
            ("deep", Array("{\"detected_objects\":\(deep)".utf8)),
            ("deep unknown", Array("{\"x\":\(deep)".utf8)),
            ("latin 1", Array(sample.utf8).map { $0 == UInt8(ascii: "d") ? 0xE9 : $0 }),
            ("zeros", [UInt8](repeating: 0, count: 1000)), ("twice", Array((sample + sample).utf8)),
            (
                "names twice",
                Array(sample.replacing("\"overall_mood\"", with: "\"detected_objects\": [], \"overall_mood\"").utf8)
            ),
            ("NaN", Array(sample.replacing("\"overall_mood\"", with: "NaN, \"overall_mood\"").utf8)),
            ("null", Array("null".utf8)),
            ("objects missing", Array("{\"overall_mood\": \"calm\"}".utf8)),
        ]
        var reader = ImageCollectionReader()
        for (name, bytes) in hostile {
            let isRead = reader.read(bytes, image: name, file: "\(name).json")
            #expect(!isRead, "\(name)")
            #expect(reader.report.problems.last?.description.hasPrefix("file \(name).json") == true, "\(name)")
        }
        let isGood = ["good.json", "copy/good.json"].map { reader.read(Array(sample.utf8), image: "good", file: $0) }
        #expect(isGood == [true, false])
        #expect(reader.report.images == 1 && reader.report.brokenImages == hostile.count + 1)
        #expect(reader.collection.count == 1 && reader.report.problems.last?.code == .duplicateID)
    }

    @Test func linesAreNumberedWithoutLoss() throws {
        var random = TestSeed().generator
        let generator = ImageAnalysisGenerator(seed: TestSeed.value)
        var lines = (0..<300).map { Array(generator.image($0).analysis.json.utf8) }
        // In two of three lines one byte is replaced: some lines stay valid, some lose an object, some break.
        for i in lines.indices where random.below(3) > 0 {
            let place = random.below(lines[i].count)
            let byte = UInt8(random.below(256))
            lines[i][place] = byte == 0x0A ? 0x20 : byte
        }
        var reader = ImageCollectionReader()
        let bytes = Array(lines.joined(separator: [0x0A]))
        let count = reader.readLines(bytes, firstLine: 11, file: "a.jsonl")
        #expect(count == 300)
        #expect(reader.report.images + reader.report.brokenImages == 300)
        #expect(
            reader.report.images == reader.collection.count && reader.report.objects == reader.collection.objectCount)
        #expect(reader.report.brokenImages > 20)
        for problem in reader.report.problems {
            let line = problem.fact("line").flatMap { Int($0) } ?? 0
            // A duplicate has an id that a replaced byte caused.
            #expect(
                (11..<311).contains(line) || problem.code == .duplicateID || problem.code == .invalidArgument,
                "\(problem)")
        }
    }

    @Test(arguments: ["#+12345", "#-00000", "#12345", "#1234567", "#12345g", "#12 456", "1234567", "#é1234", ""])
    func aColourIsSixHexadecimalDigits(_ hex: String) throws {
        let json = Self.sample.replacing(
            "\"overall_mood\"", with: "\"dominant_colors\": [{\"hex\": \"\(hex)\", \"share\": 1}], \"overall_mood\"")
        let report = read(json).report
        #expect(report.images == 1 && report.refusedValues == 1, "\(report.problems)")
        let right = try ImageAnalysis(json: json.replacing("\"\(hex)\"", with: "\"#0aF09b\""), id: "oak")
        #expect(right.colours.map(\.hex) == ["#0af09b"])
    }

    @Test func reportsAreBounded() {
        var reader = ImageCollectionReader()
        for number in 0..<3_000 {
            reader.read(Array("{\"key\(number)\": 1, \"detected_objects\": []}".utf8), image: "i\(number)", file: "f")
            reader.read([0x7B], image: "b\(number)", file: "f")
        }
        #expect(reader.report.problems.count == AnalysisReport.problemLimit && reader.report.problemCount == 3_000)
        #expect(reader.report.unknownKeys.count <= AnalysisReport.problemLimit + 1)
        #expect(reader.report.unknownKeys.values.reduce(0, +) == 3_000)
    }
}
