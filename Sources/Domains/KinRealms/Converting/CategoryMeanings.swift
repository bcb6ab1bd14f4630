/// A table of assumed meanings of categories, for data sets without meanings.
struct CategoryMeanings {
    /// The assumed meaning of a category.
    struct Meaning {
        /// The suggested realm types, best first.
        var realms: [String]
        /// The emotional valence, −1…1.
        var valence: Float
        /// The calming score, 0…1.
        var calming: Float
        /// The values for some goals, 0…1.
        var values: [(goal: TherapeuticGoal, value: Float)]

        init(
            _ realms: [String], _ valence: Float, _ calming: Float, _ values: [(goal: TherapeuticGoal, value: Float)]
        ) {
            (self.realms, self.valence, self.calming, self.values) = (realms, valence, calming, values)
        }
    }

    /// The meaning of a category, else of its group, which may be the category itself; nil if both are unknown.
    static func meaning(of category: BoxConverter.Category) -> Meaning? {
        let name = Spelling.plain(category.name)
        return categories[name] ?? groups[Spelling.plain(category.group)] ?? groups[name]
    }

    /// The meaning of unknown categories.
    static let neutral = Meaning(["village"], 0, 0.4, [])

    /// The meanings of COCO's supercategories.
    private static let groups: [String: Meaning] = [
        "person": Meaning(["village"], 0.4, 0.4, [(.connection, 0.8), (.moodLift, 0.5)]),
        "vehicle": Meaning(["road"], 0, 0.2, [(.energy, 0.6), (.creativity, 0.3)]),
        "outdoor": Meaning(["street"], 0.1, 0.4, [(.grounding, 0.4)]),
        "animal": Meaning(["meadow"], 0.7, 0.7, [(.anxietyRelief, 0.7), (.moodLift, 0.7), (.grounding, 0.5)]),
        "accessory": Meaning(["road", "village"], 0.1, 0.4, [(.energy, 0.3), (.selfCompassion, 0.3)]),
        "sports": Meaning(["playground"], 0.6, 0.2, [(.energy, 0.9), (.moodLift, 0.6), (.connection, 0.4)]),
        "kitchen": Meaning(["kitchen"], 0.4, 0.6, [(.grounding, 0.6), (.selfCompassion, 0.5)]),
        "food": Meaning(["kitchen"], 0.6, 0.6, [(.griefSupport, 0.5), (.moodLift, 0.6), (.grounding, 0.5)]),
        "furniture": Meaning(["home"], 0.5, 0.8, [(.stressRelief, 0.7), (.sleep, 0.5)]),
        "electronic": Meaning(["study"], 0, 0.3, [(.focus, 0.7)]),
        "appliance": Meaning(["kitchen"], 0.1, 0.5, [(.grounding, 0.4)]),
        "indoor": Meaning(["study", "home"], 0.4, 0.7, [(.focus, 0.6), (.creativity, 0.4)]),
    ]

    /// The meanings of categories that differ from their group's, by the plain forms of their names.
    private static let categories: [String: Meaning] = [
        "boat": Meaning(["shore"], 0.5, 0.8, [(.stressRelief, 0.8), (.anxietyRelief, 0.6)]),
        "surfboard": Meaning(["shore"], 0.7, 0.4, [(.energy, 0.8), (.stressRelief, 0.5)]),
        "kite": Meaning(["shore", "meadow"], 0.8, 0.6, [(.creativity, 0.8), (.moodLift, 0.8)]),
        "skis": Meaning(["mountain"], 0.6, 0.3, [(.energy, 0.9), (.focus, 0.4)]),
        "snowboard": Meaning(["mountain"], 0.6, 0.3, [(.energy, 0.9), (.creativity, 0.4)]),
        "elephant": Meaning(["savanna"], 0.7, 0.7, [(.grounding, 0.9), (.creativity, 0.5)]),
        "zebra": Meaning(["savanna"], 0.6, 0.6, [(.grounding, 0.7), (.creativity, 0.6)]),
        "giraffe": Meaning(["savanna"], 0.7, 0.7, [(.grounding, 0.7), (.creativity, 0.6)]),
        "bear": Meaning(["forest", "savanna"], 0.2, 0.3, [(.creativity, 0.6), (.grounding, 0.5)]),
        "bird": Meaning(["meadow", "shore"], 0.7, 0.8, [(.anxietyRelief, 0.8), (.focus, 0.3)]),
        "cat": Meaning(["home", "meadow"], 0.8, 0.9, [(.anxietyRelief, 0.9), (.painRelief, 0.4), (.sleep, 0.5)]),
        "dog": Meaning(["meadow", "home"], 0.9, 0.8, [(.connection, 0.8), (.moodLift, 0.8), (.anxietyRelief, 0.7)]),
        "teddybear": Meaning(["home"], 0.8, 0.9, [(.griefSupport, 0.8), (.sleep, 0.8), (.selfCompassion, 0.7)]),
        "pottedplant": Meaning(["garden", "home"], 0.5, 0.9, [(.stressRelief, 0.7), (.focus, 0.5)]),
        "vase": Meaning(["garden", "home"], 0.5, 0.8, [(.selfCompassion, 0.5), (.creativity, 0.5)]),
        "bench": Meaning(["garden", "street"], 0.4, 0.8, [(.stressRelief, 0.6), (.grounding, 0.7)]),
        "bed": Meaning(["home"], 0.6, 0.9, [(.sleep, 1), (.painRelief, 0.6)]),
        "book": Meaning(["study"], 0.5, 0.8, [(.focus, 0.8), (.sleep, 0.4)]),
        "umbrella": Meaning(["street", "shore"], 0.2, 0.6, [(.grounding, 0.3)]),
        "train": Meaning(["road"], 0.3, 0.5, [(.creativity, 0.4), (.griefSupport, 0.3)]),
        "bicycle": Meaning(["road", "street"], 0.5, 0.4, [(.energy, 0.7), (.moodLift, 0.4)]),
        "trafficlight": Meaning(["street"], -0.2, 0.2, []),
        "firehydrant": Meaning(["street"], 0, 0.4, []),
        "toilet": Meaning(["home"], 0, 0.4, [(.selfCompassion, 0.2)]),
        "cake": Meaning(["kitchen", "village"], 0.9, 0.6, [(.moodLift, 0.9), (.connection, 0.7)]),
    ]
}
