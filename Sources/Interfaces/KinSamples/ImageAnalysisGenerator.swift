/// A generator of synthetic image analyses of known kinds, reproducible by seed on every machine.
///
/// There are eight kinds, the first ones more frequent. Most objects of an image are of its kind's categories; values
/// and mood are the kind's with noise, and the first suggestion is mostly the kind's realm.
public struct ImageAnalysisGenerator: Sendable {
    /// The seed of the random numbers.
    public let seed: UInt64

    /// Creates a generator from a seed.
    public init(seed: UInt64) { self.seed = seed }

    /// The realm type of each kind of image.
    public static let realmTypes = kinds.map(\.realm)

    /// A synthetic analysis and its true kind.
    public struct Image: Sendable {
        /// The synthetic analysis of the image.
        public let analysis: ImageAnalysis
        /// The true kind, an index of ``ImageAnalysisGenerator/realmTypes``.
        public let kind: Int
    }

    /// Generates an image by number; the same number gives the same image.
    ///
    /// - Precondition: The number is 0 or more.
    public func image(_ number: Int) -> Image {
        var generator = SeededGenerator.stream(UInt64(number), of: seed)
        // The smaller of two draws, so that the first kinds are more frequent.
        let kind = min(generator.below(Self.kinds.count), generator.below(Self.kinds.count))
        let model = Self.kinds[kind]
        let analysis = infallible("the generator's own records are right") { () throws(KinError) in
            var objects: [DetectedObject] = []
            for position in 0..<3 + generator.below(9) { objects.append(try object(position, of: model, &generator)) }
            return try ImageAnalysis(
                id: "image-\(number)", objects: objects, mood: model.moods[generator.below(model.moods.count)],
                values: values(of: model, &generator), realmTypes: realmTypes(kind, &generator),
                colours: colours(of: model, &generator))
        }
        return Image(analysis: analysis, kind: kind)
    }

    private func object(
        _ number: Int, of model: Kind, _ generator: inout SeededGenerator
    ) throws(KinError) -> DetectedObject {
        // One object in six is of a random kind.
        let source = generator.below(6) == 0 ? Self.kinds[generator.below(Self.kinds.count)] : model
        let category = source.categories[
            min(generator.below(source.categories.count), generator.below(source.categories.count))]
        let (width, height) = (20 + generator.below(600), 20 + generator.below(400))
        let associations = source.goals.filter { _ in generator.below(2) == 0 }
        return try DetectedObject(
            name: "\(Self.adjectives[generator.below(Self.adjectives.count)]) \(category)", category: category,
            box: DetectedObject.BoundingBox(
                x: Float(generator.below(1024)), y: Float(generator.below(640)), width: Float(width),
                height: Float(height)),
            confidence: Self.hundredths(0.5 + 0.5 * generator.uniform()), associations: associations,
            valence: Self.hundredths(Double(source.valence) + 0.15 * generator.normalDeviate(), from: -1),
            calming: Self.hundredths(Double(source.calming) + 0.15 * generator.normalDeviate()), number: number)
    }

    private func values(of model: Kind, _ generator: inout SeededGenerator) -> GoalValues {
        var values = GoalValues()
        for goal in TherapeuticGoal.allCases {
            let centre = model.goals.contains(goal) ? 0.75 : 0.15
            let value = Self.hundredths(centre + 0.12 * generator.normalDeviate())
            if value >= 0.1 { values[goal] = value }
        }
        return values
    }

    private func realmTypes(_ kind: Int, _ generator: inout SeededGenerator) -> [String] {
        let other = Self.kinds[generator.below(Self.kinds.count)].realm
        switch generator.below(4) {
        case 0: return [Self.kinds[kind].realm]
        case 1: return [other, Self.kinds[kind].realm]
        default: return [Self.kinds[kind].realm, other]
        }
    }

    private func colours(
        of model: Kind, _ generator: inout SeededGenerator
    ) throws(KinError) -> [DominantColour] {
        func near(_ component: UInt8) -> UInt8 { UInt8(max(0, min(255, Int(component) + generator.below(41) - 20))) }
        var colours: [DominantColour] = []
        for (rgb, share) in zip(model.colours, [0.6, 0.4]) {
            colours.append(try DominantColour(red: near(rgb.0), green: near(rgb.1), blue: near(rgb.2), share: share))
        }
        return colours
    }

    /// The value rounded to two decimals and clamped to low…1.
    private static func hundredths(_ value: Double, from low: Double = 0) -> Float {
        Float((min(1, max(low, value)) * 100).rounded() / 100)
    }
}

extension ImageAnalysisGenerator {
    /// The parameters of a kind of image.
    struct Kind: Sendable {
        let realm: String
        let categories: [String]
        let moods: [String]
        let goals: [TherapeuticGoal]
        let valence: Float
        let calming: Float
        let colours: [(UInt8, UInt8, UInt8)]
    }

    static let adjectives = words("ancient small bright quiet weathered golden tall soft distant round")

    static let kinds: [Kind] = [
        Kind(
            realm: "forest", categories: ["tree", "fern", "moss", "path", "mushroom", "bird", "stone"],
            moods: ["peaceful", "quiet", "mysterious"], goals: [.grounding, .anxietyRelief], valence: 0.7, calming: 0.8,
            colours: [(34, 85, 40), (92, 70, 45)]),
        Kind(
            realm: "shore", categories: ["wave", "sand", "boat", "shell", "gull", "pier", "cloud"],
            moods: ["serene", "calm", "dreamy"], goals: [.stressRelief, .sleep], valence: 0.8, calming: 0.9,
            colours: [(70, 130, 180), (225, 205, 165)]),
        Kind(
            realm: "meadow", categories: ["flower", "grass", "butterfly", "tree", "fence", "horse"],
            moods: ["cheerful", "peaceful", "warm"], goals: [.moodLift, .creativity], valence: 0.85, calming: 0.7,
            colours: [(140, 180, 70), (235, 200, 80)]),
        Kind(
            realm: "mountain", categories: ["peak", "snow", "stone", "lake", "cloud", "eagle", "hut"],
            moods: ["majestic", "still", "adventurous"], goals: [.energy, .focus], valence: 0.5, calming: 0.5,
            colours: [(120, 130, 150), (240, 245, 250)]),
        Kind(
            realm: "garden", categories: ["flower", "bench", "fountain", "hedge", "lantern", "path", "bee"],
            moods: ["gentle", "content", "romantic"], goals: [.selfCompassion, .griefSupport], valence: 0.7,
            calming: 0.8, colours: [(60, 120, 70), (200, 110, 150)]),
        Kind(
            realm: "library", categories: ["book", "lamp", "armchair", "window", "desk", "clock", "cat"],
            moods: ["cozy", "contemplative", "focused"], goals: [.focus, .stressRelief], valence: 0.5, calming: 0.75,
            colours: [(110, 70, 40), (225, 190, 130)]),
        Kind(
            realm: "village", categories: ["person", "house", "market stall", "bread", "bicycle", "lantern", "dog"],
            moods: ["lively", "festive", "warm"], goals: [.connection, .moodLift], valence: 0.6, calming: 0.4,
            colours: [(190, 120, 80), (235, 225, 205)]),
        Kind(
            realm: "night_sky", categories: ["star", "moon", "tent", "campfire", "tree", "lake"],
            moods: ["dreamy", "awe", "quiet"], goals: [.sleep, .painRelief], valence: 0.6, calming: 0.9,
            colours: [(20, 25, 60), (200, 200, 230)]),
    ]
}
