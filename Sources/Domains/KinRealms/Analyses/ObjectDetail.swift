import KinCore

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
        self.init(
            box: object.box, confidence: object.confidence, associations: object.associations, valence: object.valence,
            calming: object.calming)
    }

    private init(
        box: DetectedObject.BoundingBox, confidence: Float, associations: [TherapeuticGoal], valence: Float?,
        calming: Float?
    ) {
        self.box = box
        self.confidence = confidence
        self.valence = valence
        self.calming = calming
        associated = associations.reduce(0) { $0 | 1 << UInt16($1.rawValue) }
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

// MARK: Files

extension ObjectDetail {
    /// The parts of a detail as an object in a file has them; all are missing in a file of version 1.
    struct Parts {
        let box: DetectedObject.BoundingBox?
        let confidence: Float?
        let associations: [TherapeuticGoal]
        let valence: Float?
        let calming: Float?

        /// The detail of the object; nil without parts.
        ///
        /// - Throws: `.malformedInput` for scores without a box or a confidence.
        func detail() throws(KinError) -> ObjectDetail? {
            if let box, let confidence {
                return ObjectDetail(
                    box: box, confidence: confidence, associations: associations, valence: valence, calming: calming)
            }
            guard box == nil, confidence == nil, associations.isEmpty, valence == nil, calming == nil else {
                throw KinError(.malformedInput, "an object with scores has a bounding box and a confidence")
            }
            return nil
        }
    }
}

extension ObjectDetail? {
    var parts: ObjectDetail.Parts {
        ObjectDetail.Parts(
            box: self?.box, confidence: self?.confidence, associations: self?.associations ?? [],
            valence: self?.valence, calming: self?.calming)
    }
}
