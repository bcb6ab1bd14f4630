/// The box, confidence and scores of a detected object, as stored in realm indexes and worlds.
public struct ObjectDetail: Sendable, Hashable {
    /// The position and size of the object.
    public let box: DetectedObject.BoundingBox
    /// The model's confidence, 0…1.
    public let confidence: Float
    /// The emotional valence, −1…1; nil if unknown.
    public let valence: Float?
    /// The calming score, 0…1; nil if unknown.
    public let calming: Float?
    /// A bit for each associated goal, by its raw value.
    private let associated: UInt16

    /// Copies the stored parts of a detected object.
    init(_ object: DetectedObject) {
        box = object.box
        confidence = object.confidence
        valence = object.valence
        calming = object.calming
        associated = Self.mask(of: object.associations)
    }

    /// Creates a detail from the parts that an object in a file has; nil without parts, as in a file of version 1.
    ///
    /// - Throws: `.malformedInput` for scores without a box or a confidence.
    init?(
        box: DetectedObject.BoundingBox?, confidence: Float?, associations: [TherapeuticGoal], valence: Float?,
        calming: Float?
    ) throws(KinError) {
        guard let box, let confidence else {
            guard box == nil, confidence == nil, associations.isEmpty, valence == nil, calming == nil else {
                throw KinError(.malformedInput, "an object with scores has a bounding box and a confidence")
            }
            return nil
        }
        self.box = box
        self.confidence = confidence
        self.valence = valence
        self.calming = calming
        associated = Self.mask(of: associations)
    }

    private static func mask(of goals: [TherapeuticGoal]) -> UInt16 {
        goals.reduce(0) { $0 | 1 << UInt16($1.rawValue) }
    }

    /// The goals that the model associates with the object, in the order of the cases.
    public var associations: [TherapeuticGoal] { TherapeuticGoal.allCases.filter(isAssociated) }

    /// Whether the model associates the object with a goal.
    func isAssociated(with goal: TherapeuticGoal) -> Bool { associated & (1 << UInt16(goal.rawValue)) != 0 }

    /// Whether the object has scores for goals.
    var hasScores: Bool { associated != 0 || calming != nil }

    /// The weights of an image's objects: confidence times the share of the area of all boxes, at least 2 %.
    static func weights(of objects: [ObjectDetail]) -> [Float] {
        let area = objects.reduce(0) { $0 + Double($1.box.area) }
        return objects.map { object in
            let share = area > 0 ? Float(Double(object.box.area) / area) : 1 / Float(objects.count)
            return object.confidence * max(share, ImageCollection.leastShare)
        }
    }
}

extension ObjectDetail? {
    var box: DetectedObject.BoundingBox? { self?.box }
    var confidence: Float? { self?.confidence }
    var associations: [TherapeuticGoal] { self?.associations ?? [] }
    var valence: Float? { self?.valence }
    var calming: Float? { self?.calming }
}
