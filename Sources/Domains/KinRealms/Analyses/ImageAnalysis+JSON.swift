extension ImageAnalysis: JSONRecord, JSONObject {
    package static let recordName = "image"

    private static let keys = JSONKeys(
        [
            "image_id", "detected_objects", "overall_mood", "therapeutic_value", "suggested_realm_types",
            "dominant_colors",
        ], required: ["detected_objects"])

    /// Whether a name is a member of an analysis.
    static func isField(_ name: String) -> Bool { keys.names.contains(name) }

    /// The next step for the files of a different format.
    static let cocoAdvice = "this is COCO; make analyses of it with `kin convert coco FILE -o images.jsonl`"

    /// The members of an analysis, for errors about other formats.
    private static let shape =
        "an analysis is {\"image_id\": \"a\", \"detected_objects\": [{\"name\": \"oak\", \"category\": \"tree\", \"bounding_box\": {\"x\": 10, \"y\": 20, \"width\": 30, \"height\": 40}, \"confidence\": 0.9}]}"

    /// Reads an analysis from its JSON object, and throws if ``ImageCollectionReader`` would leave a part out; ignores
    /// unknown keys.
    ///
    /// - Parameters:
    ///   - json: One JSON object.
    ///   - id: The id of the image; nil to take it from `image_id`.
    /// - Throws: `.malformedInput` or `.invalidArgument`, naming the field, line and column.
    public init(json: String, id: String? = nil) throws(KinError) {
        var report = AnalysisReport()
        self = try JSONReader.read(json) { reader throws(KinError) in
            try Self(from: &reader, id: id, report: &report)
        }
        if let problem = report.problems.first { throw problem.inRecord(Self.recordName, self.id) }
    }

    /// The analysis as a JSON object, on one line.
    public var json: String { jsonText }

    package init(from reader: inout JSONReader) throws(KinError) {
        var report = AnalysisReport()
        try self.init(from: &reader, id: nil, report: &report)
        if let problem = report.problems.first { throw problem.inRecord(Self.recordName, id) }
    }

    /// Reads one object; leaves malformed parts out and adds them to the report.
    package init(
        from reader: inout JSONReader, id givenID: String?, report: inout AnalysisReport
    ) throws(KinError) {
        var id = givenID
        var objects: [DetectedObject] = []
        var mood: String?
        var values = GoalValues()
        var types: [String] = []
        var colours: [DominantColour] = []
        var found = AnalysisReport()
        var (unknown, hasObjects): ([String], Bool) = ([], false)
        do throws(KinError) {
            try reader.members(of: Self.keys, others: { unknown.append($0) }) { reader, key throws(KinError) in
                switch key {
                case 0:
                    let name = try reader.isAtNumber() ? String(reader.integer()) : reader.string()
                    id = id ?? name
                case 1:
                    hasObjects = true
                    try Self.readParts(of: "detected_objects", &reader, &found, refused: \.refusedObjects) {
                        reader, number, found throws(KinError) in
                        objects.append(try DetectedObject(from: &reader, number: number, report: &found))
                    }
                default:
                    try Self.readPart(Self.keys.names[key], &reader, &found, refused: \.refusedValues) {
                        reader, found throws(KinError) in
                        switch key {
                        case 2: mood = try reader.optionalString()
                        case 3: try Self.readValues(&reader, into: &values, &found)
                        case 4: types = try reader.takesNull() ? [] : reader.words()
                        default:
                            try Self.readParts(of: "dominant_colors", &reader, &found, refused: \.refusedValues) {
                                reader, _, _ throws(KinError) in
                                let colour = try reader.showing(
                                    "a colour is {\"hex\": \"#2e8b57\", \"share\": 0.4}"
                                ) { reader throws(KinError) in try DominantColour.form.read(&reader) }
                                colours.append(colour)
                            }
                        }
                    }
                }
            }
            guard let id else {
                throw reader.error("the field \"image_id\" is missing; add the name of the image").inField("image_id")
            }
            try self.init(
                id: id, objects: objects, mood: mood, values: values, realmTypes: types, colours: colours)
        } catch {
            // The objects read so far are lost with the image, and are not counted.
            let isCOCO = [["annotations", "images"], ["bbox", "category_id"]].contains { Set($0).isSubset(of: unknown) }
            let advice = isCOCO ? Self.cocoAdvice : hasObjects ? nil : Self.shape
            throw (advice.map { error.adding($0) } ?? error).inRecord(Self.recordName, id)
        }
        found.images = 1
        found.objects = objects.count
        for key in unknown { found.noteUnknown(key) }
        report.add(found)
    }

    /// Reads one part of an image. A malformed part is left out, counted and reported. Its end is found by
    /// strings and brackets alone, so a NaN costs no other part.
    private static func readPart(
        _ path: @autoclosure () -> String, _ reader: inout JSONReader, _ report: inout AnalysisReport,
        refused: WritableKeyPath<AnalysisReport, Int>,
        _ read: (inout JSONReader, inout AnalysisReport) throws(KinError) -> Void
    ) throws(KinError) {
        let start = reader
        do throws(KinError) {
            try read(&reader, &report)
        } catch {
            reader = start
            try reader.skipElement()
            report[keyPath: refused] += 1
            let located = error.inField(path())
            report.log(located.names("line") ? located : start.error(located))
        }
    }

    /// Reads the parts in an array, or none for null.
    private static func readParts(
        of field: String, _ reader: inout JSONReader, _ report: inout AnalysisReport,
        refused: WritableKeyPath<AnalysisReport, Int>,
        _ read: (inout JSONReader, _ number: Int, inout AnalysisReport) throws(KinError) -> Void
    ) throws(KinError) {
        if try reader.takesNull() { return }
        var number = 0
        try reader.array { reader throws(KinError) in
            try readPart("\(field)[\(number)]", &reader, &report, refused: refused) {
                reader, report throws(KinError) in try read(&reader, number, &report)
            }
            number += 1
        }
    }

    private static func readValues(
        _ reader: inout JSONReader, into values: inout GoalValues, _ report: inout AnalysisReport
    ) throws(KinError) {
        if try reader.takesNull() { return }
        guard reader.isAtObject() else {
            throw reader.unexpected("an object of goals and values, such as {\"sleep\": 0.8},")
        }
        try reader.eachMember { reader, name throws(KinError) in
            guard let goal = TherapeuticGoal(name) else {
                report.noteUnknown("therapeutic_value.\(name)")
                return try reader.skip()
            }
            try readPart("therapeutic_value.\(name)", &reader, &report, refused: \.refusedValues) {
                reader, _ throws(KinError) in
                let start = reader
                let value = try reader.float()
                guard value >= 0, value <= 1 else {
                    throw start.error("must be from 0 to 1, not \(value)", code: .invalidArgument)
                }
                // The higher value of two synonyms of one goal counts.
                values[goal] = max(values[goal], value)
            }
        }
    }

    package func writeMembers(to writer: inout JSONWriter) {
        writer.member("image_id", id)
        writer.member("detected_objects", objects)
        writer.member("overall_mood", mood)
        writer.member("therapeutic_value", values)
        writer.member("suggested_realm_types", realmTypes)
        if !colours.isEmpty {
            writer.member("dominant_colors") { $0.array(colours) { DominantColour.form.write($0, to: &$1) } }
        }
    }
}

extension GoalValues: JSONRecord, JSONObject {
    package static let recordName = "values of goals, 0 to 1"

    private static let keys = JSONKeys(TherapeuticGoal.allCases.map(\.name), required: [])

    /// Reads values by the goals' names.
    package init(from reader: inout JSONReader) throws(KinError) {
        var values = GoalValues()
        try reader.members(of: Self.keys) { reader, key throws(KinError) in
            values[TherapeuticGoal.allCases[key]] = Float(try reader.share())
        }
        self = values
    }

    /// Writes the values above 0 by the goals' names.
    package func writeMembers(to writer: inout JSONWriter) {
        for goal in TherapeuticGoal.allCases where self[goal] > 0 {
            writer.member(goal.name, self[goal])
        }
    }
}

extension DetectedObject: JSONObject {
    private static let keys = JSONKeys(
        [
            "name", "category", "bounding_box", "confidence", "therapeutic_associations", "emotional_valence",
            "calming_score",
        ], required: ["name", "category", "bounding_box"])

    init(from reader: inout JSONReader, number: Int, report: inout AnalysisReport) throws(KinError) {
        var (name, category) = ("", "")
        var box: DetectedObject.BoundingBox?
        var (confidence, valence, calming): (Float?, Float?, Float?) = (nil, nil, nil)
        var associations: [TherapeuticGoal] = []
        var unknown: [String] = []
        try reader.members(of: Self.keys, others: { unknown.append($0) }) { reader, key throws(KinError) in
            switch key {
            case 0: name = try reader.string()
            case 1: category = try reader.string()
            case 2:
                box = try reader.showing("a box is {x, y, width, height} in pixels") { reader throws(KinError) in
                    try DetectedObject.BoundingBox(from: &reader, unknown: &unknown)
                }
            case 3: confidence = try reader.takesNull() ? nil : reader.float()
            case 4:
                for word in try reader.takesNull() ? [] : reader.words() {
                    guard let goal = TherapeuticGoal(word) else {
                        unknown.append("therapeutic_associations \(word)")
                        continue
                    }
                    if !associations.contains(goal) { associations.append(goal) }
                }
            case 5: valence = try reader.takesNull() ? nil : reader.float()
            default: calming = try reader.takesNull() ? nil : reader.float()
            }
        }
        guard let box else { preconditionFailure("the box is required") }
        try self.init(
            name: name, category: category, box: box, confidence: confidence ?? 1, associations: associations,
            valence: valence, calming: calming, number: number)
        for key in unknown { report.noteUnknown("detected_objects.\(key)") }
    }

    package func writeMembers(to writer: inout JSONWriter) {
        writer.member("name", name)
        writer.member("category", category)
        writer.member("bounding_box", box)
        writer.member("confidence", confidence)
        writer.member("therapeutic_associations", associations.map(\.name))
        if let valence { writer.member("emotional_valence", valence) }
        if let calming { writer.member("calming_score", calming) }
    }
}

extension DetectedObject.BoundingBox: JSONRecord, JSONObject {
    package static let recordName = "bounding box"

    private static let keys = JSONKeys(["x", "y", "width", "height"])

    /// Requires that boxes are not all in fractions of their image.
    package static func requirePixels(
        _ boxes: some Collection<Self>, in place: String, _ name: String
    ) throws(KinError) {
        // A sum of two fractions may be rounded up.
        let endEarly = boxes.allSatisfy { max($0.x + $0.width, $0.y + $0.height) <= 1.001 }
        if endEarly, boxes.contains(where: { $0.area > 0 && $0.area < 1 }) {
            throw KinError(.malformedInput, "all boxes are smaller than 1 pixel; write pixels, not fractions").within(
                place, name)
        }
    }

    package init(from reader: inout JSONReader) throws(KinError) {
        var unknown: [String] = []
        try self.init(from: &reader, unknown: &unknown)
        if let name = unknown.first { throw reader.error("there is no field \"\(name.prefix(80))\"") }
    }

    init(from reader: inout JSONReader, unknown: inout [String]) throws(KinError) {
        var sides = SIMD4<Float>.zero
        var others: [String] = []
        try reader.members(of: Self.keys, others: { others.append("bounding_box.\($0)") }) {
            reader, key throws(KinError) in sides[key] = try reader.float()
        }
        unknown += others
        try self.init(x: sides.x, y: sides.y, width: sides.z, height: sides.w)
    }

    package func writeMembers(to writer: inout JSONWriter) {
        writer.member("x", x)
        writer.member("y", y)
        writer.member("width", width)
        writer.member("height", height)
    }
}
