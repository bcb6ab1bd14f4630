public import KinCore

/// What a vision model saw in one image.
///
/// An analysis that exists is right: every number is in its range and every object has a name, a category and a box.
public struct ImageAnalysis: Sendable, Hashable {
    /// The image's id: the name of its file.
    public let id: String
    /// What was detected, in the order of the file.
    public let objects: [DetectedObject]
    /// The mood of the whole, as the model called it.
    public let mood: String?
    /// What the image is good for.
    public let values: GoalValues
    /// The kinds of realm it would fit, the best first, in lower case and without repetition.
    public let realmTypes: [String]
    /// Its dominant colours with their shares, when they are known.
    public let colours: [DominantColour]

    /// An analysis of parts that are right by themselves.
    ///
    /// - Throws: `.invalidArgument` for an id that is none (`RecordID`), or a value outside 0…1.
    public init(
        id: String, objects: [DetectedObject], mood: String? = nil, values: GoalValues = GoalValues(),
        realmTypes: [String] = [], colours: [DominantColour] = []
    ) throws(KinError) {
        let id = try RecordID.checked(id, field: "image_id")
        for goal in TherapeuticGoal.allCases where !(values[goal] >= 0 && values[goal] <= 1) {
            throw KinError(.invalidArgument, "it is \(values[goal]), and must be from 0 to 1")
                .within("field", "therapeutic_value.\(goal.name)").within("image", id)
        }
        self.id = id
        self.objects = objects
        self.mood = mood
        self.values = values
        var types: [String] = []
        for type in realmTypes {
            let type = type.lowercased()
            if !types.contains(type) { types.append(type) }
        }
        self.realmTypes = types
        self.colours = colours
    }
}

/// One thing that a model saw in an image.
public struct DetectedObject: Sendable, Hashable {
    /// What it is called: "ancient oak tree".
    public let name: String
    /// What kind of thing it is: "tree".
    public let category: String
    /// Where it is.
    public let box: DetectedObject.BoundingBox
    /// How sure the model is, from 0 to 1; 1 where it does not say.
    public let confidence: Float
    /// What it is good for, by the model's words that are in the table.
    public let associations: [TherapeuticGoal]
    /// How pleasant it is, from −1 to 1.
    public let valence: Float?
    /// How much it calms, from 0 to 1.
    public let calming: Float?
    /// Its place in the file's list, from 0; refused objects count.
    public let number: Int

    /// An object.
    ///
    /// - Throws: `.invalidArgument`, naming the field, for an empty name or category, one of more than 512 bytes, or a number out of its
    ///   range.
    public init(
        name: String, category: String, box: DetectedObject.BoundingBox, confidence: Float = 1,
        associations: [TherapeuticGoal] = [],
        valence: Float? = nil, calming: Float? = nil, number: Int = 0
    ) throws(KinError) {
        for (field, text) in [("name", name), ("category", category)] where text.isEmpty || text.utf8.count > 512 {
            throw KinError(.invalidArgument, "it has \(text.utf8.count) bytes, and needs 1 to 512").within(
                "field", field)
        }
        try Self.check(confidence, "confidence", from: 0)
        try Self.check(valence, "emotional_valence", from: -1)
        try Self.check(calming, "calming_score", from: 0)
        self.name = name
        self.category = category
        self.box = box
        self.confidence = confidence
        self.associations = associations
        self.valence = valence
        self.calming = calming
        self.number = number
    }

    private static func check(_ value: Float?, _ field: String, from low: Float) throws(KinError) {
        guard let value, !(value >= low && value <= 1) else { return }
        throw KinError(.invalidArgument, "it is \(value), and must be from \(Int(low)) to 1").within("field", field)
    }
}

extension DetectedObject {
    /// A rectangle in an image, in pixels from its upper left corner.
    public struct BoundingBox: Sendable, Hashable {
        /// The left edge.
        public let x: Float
        /// The upper edge.
        public let y: Float
        /// How wide it is.
        public let width: Float
        /// How high it is.
        public let height: Float

        /// A rectangle. Models let boxes stick out of images, so a corner may be negative; a size may be 0.
        ///
        /// - Throws: `.invalidArgument`, naming the field, for a number beyond ±1,000,000 or a negative size.
        public init(x: Float, y: Float, width: Float, height: Float) throws(KinError) {
            for (field, value, low) in [
                ("x", x, -1e6), ("y", y, -1e6), ("width", width, 0), ("height", height, Float(0)),
            ]
            where !(value >= low && value <= 1e6) {
                throw KinError(.invalidArgument, "it is \(value), and must be from \(Int(low)) to 1000000")
                    .within("field", field)
            }
            self.x = x
            self.y = y
            self.width = width
            self.height = height
        }

        /// Width times height.
        public var area: Float { width * height }
    }
}
