/// The description of one image by a vision model.
///
/// Every analysis is valid: all numbers are in their ranges, and each object has a name, a category and a box.
public struct ImageAnalysis: Sendable, Hashable {
    /// The id of the image: the name of its file.
    public let id: String
    /// The detected objects, in the order of the file.
    public let objects: [DetectedObject]
    /// The mood of the image in the model's words.
    public let mood: String?
    /// The value of the image for each goal.
    public let values: GoalValues
    /// The suggested realm types, best first, in lower case, without white space at the ends. Of types that differ only
    /// in case, blanks, hyphens, underscores and points, the first stays.
    public let realmTypes: [String]
    /// The dominant colours with their shares; empty if unknown.
    public let colours: [DominantColour]

    /// Creates an analysis from its parts.
    ///
    /// - Throws: `.invalidArgument` for an invalid id (`RecordID`), or a value outside 0…1.
    public init(
        id: String, objects: [DetectedObject], mood: String? = nil, values: GoalValues = GoalValues(),
        realmTypes: [String] = [], colours: [DominantColour] = []
    ) throws(KinError) {
        let id = try RecordID.checked(id, field: "image_id")
        for goal in TherapeuticGoal.allCases where !(values[goal] >= 0 && values[goal] <= 1) {
            throw KinError(.invalidArgument, "must be from 0 to 1, not \(values[goal])")
                .within("field", "therapeutic_value.\(goal.name)").within("image", id)
        }
        self.id = id
        self.objects = objects
        self.mood = mood
        self.values = values
        var seen: Set<String> = []
        self.realmTypes = realmTypes.map(Spelling.folded).filter { seen.insert(Spelling.plain($0)).inserted }
        self.colours = colours
    }
}

/// An object that a model detected in an image.
public struct DetectedObject: Sendable, Hashable {
    /// The name of the object: "ancient oak tree".
    public let name: String
    /// The category of the object in lower case: "tree".
    public let category: String
    /// The position and size of the object.
    public let box: DetectedObject.BoundingBox
    /// The model's confidence, 0…1; 1 if the model states none.
    public let confidence: Float
    /// The goals that the model associates with the object, without unknown words.
    public let associations: [TherapeuticGoal]
    /// The emotional valence, −1…1; nil if unknown.
    public let valence: Float?
    /// The calming score, 0…1; nil if unknown.
    public let calming: Float?
    /// The position in the file's list, from 0; refused objects count.
    public let number: Int

    /// Creates an object from its parts.
    ///
    /// - Throws: `.invalidArgument`, naming the field, for an empty name or category, one of more than 512 bytes, or a
    ///   number out of its range.
    public init(
        name: String, category: String, box: DetectedObject.BoundingBox, confidence: Float = 1,
        associations: [TherapeuticGoal] = [],
        valence: Float? = nil, calming: Float? = nil, number: Int = 0
    ) throws(KinError) {
        for (field, text) in [("name", name), ("category", category)] where text.isEmpty || text.utf8.count > 512 {
            throw .field(field, "it has \(text.utf8.count) bytes, and needs 1 to 512")
        }
        try Self.check(confidence, "confidence", from: 0)
        try Self.check(valence, "emotional_valence", from: -1)
        try Self.check(calming, "calming_score", from: 0)
        self.name = name
        self.category = Spelling.folded(category)
        self.box = box
        self.confidence = confidence
        self.associations = associations
        self.valence = valence
        self.calming = calming
        self.number = number
    }

    private static func check(_ value: Float?, _ field: String, from low: Float) throws(KinError) {
        guard let value, !(value >= low && value <= 1) else { return }
        throw .field(field, "must be from \(Int(low)) to 1, not \(value)")
    }
}

extension DetectedObject {
    /// A rectangle in an image, in pixels from the upper left corner.
    public struct BoundingBox: Sendable, Hashable {
        /// The left edge, in pixels.
        public let x: Float
        /// The upper edge, in pixels.
        public let y: Float
        /// The width in pixels, at least 0.
        public let width: Float
        /// The height in pixels, at least 0.
        public let height: Float

        /// Creates a rectangle, which may reach beyond the image: edges may be negative, sizes 0.
        ///
        /// - Throws: `.invalidArgument`, naming the field, for a number beyond ±1,000,000 or a negative size.
        public init(x: Float, y: Float, width: Float, height: Float) throws(KinError) {
            for (field, value, low) in [
                ("x", x, -1e6), ("y", y, -1e6), ("width", width, 0), ("height", height, Float(0)),
            ]
            where !(value >= low && value <= 1e6) {
                throw .field(field, "must be from \(Int(low)) to 1000000, not \(value)")
            }
            self.x = x
            self.y = y
            self.width = width
            self.height = height
        }

        /// The area: width times height.
        public var area: Float { width * height }
    }
}
