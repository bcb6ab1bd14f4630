extension TherapeuticGoal {
    /// Whether an object's calming score counts for the goal.
    var isCalming: Bool { self == .anxietyRelief || self == .stressRelief || self == .sleep }
}

extension GoalValues {
    /// The values of an image by the model's description of the image and of its objects.
    ///
    /// This is the mean of both, or either alone if the other is missing.
    ///
    /// - Parameters:
    ///   - values: The `therapeutic_value` of the image; missing if no value is above 0.
    ///   - objects: The objects in the image; missing if none has an association or a calming score.
    init(_ values: GoalValues, objects: [ObjectDetail]) {
        guard let seen = GoalValues(objects: objects) else {
            self = values
            return
        }
        self = seen
        guard values != GoalValues() else { return }
        for goal in TherapeuticGoal.allCases { self[goal] = (values[goal] + seen[goal]) / 2 }
    }

    /// The values of an image by the scores of its objects; nil if no object has a score.
    ///
    ///     p(g) = Σ wₒ t(o, g) ∕ Σ wₒ
    ///
    /// where wₒ is the weight of an object by area and confidence, and t is 1 for a goal that the object is associated
    /// with, else 0. For anxiety relief, stress relief and sleep, t is the mean of this number and the calming score,
    /// if the object has one.
    init?(objects: [ObjectDetail]) {
        guard objects.contains(where: \.hasScores) else { return nil }
        let weights = ObjectDetail.weights(of: objects)
        let total = weights.reduce(0) { $0 + Double($1) }
        guard total > 0 else { return nil }
        self.init { goal in
            let sum = zip(objects, weights).reduce(0) { sum, part in
                let associated = part.0.isAssociated(with: goal) ? 1.0 : 0
                guard goal.isCalming, let calming = part.0.calming else { return sum + Double(part.1) * associated }
                return sum + Double(part.1) * (associated + Double(calming)) / 2
            }
            return Float(sum / total)
        }
    }
}
