/// A table of assumed meanings of categories, for data sets that have none.
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
    }

    /// The meaning of a category, else of its group, else a neutral one.
    static func meaning(of category: String, group: String) -> Meaning {
        categories[category] ?? groups[group] ?? Meaning(realms: ["village"], valence: 0, calming: 0.4, values: [])
    }

    private static func means(
        _ realms: [String], _ valence: Float, _ calming: Float, _ values: [(goal: TherapeuticGoal, value: Float)]
    ) -> Meaning {
        Meaning(realms: realms, valence: valence, calming: calming, values: values)
    }

    /// The meanings of COCO's supercategories.
    private static let groups: [String: Meaning] = [
        "person": means(["village"], 0.4, 0.4, [(.connection, 0.8), (.moodLift, 0.5)]),
        "vehicle": means(["road"], 0, 0.2, [(.energy, 0.6), (.creativity, 0.3)]),
        "outdoor": means(["street"], 0.1, 0.4, [(.grounding, 0.4)]),
        "animal": means(["meadow"], 0.7, 0.7, [(.anxietyRelief, 0.7), (.moodLift, 0.7), (.grounding, 0.5)]),
        "accessory": means(["road", "village"], 0.1, 0.4, [(.energy, 0.3), (.selfCompassion, 0.3)]),
        "sports": means(["playground"], 0.6, 0.2, [(.energy, 0.9), (.moodLift, 0.6), (.connection, 0.4)]),
        "kitchen": means(["kitchen"], 0.4, 0.6, [(.grounding, 0.6), (.selfCompassion, 0.5)]),
        "food": means(["kitchen"], 0.6, 0.6, [(.griefSupport, 0.5), (.moodLift, 0.6), (.grounding, 0.5)]),
        "furniture": means(["home"], 0.5, 0.8, [(.stressRelief, 0.7), (.sleep, 0.5)]),
        "electronic": means(["study"], 0, 0.3, [(.focus, 0.7)]),
        "appliance": means(["kitchen"], 0.1, 0.5, [(.grounding, 0.4)]),
        "indoor": means(["study", "home"], 0.4, 0.7, [(.focus, 0.6), (.creativity, 0.4)]),
    ]

    /// The meanings of categories that differ from their group's.
    private static let categories: [String: Meaning] = [
        "boat": means(["shore"], 0.5, 0.8, [(.stressRelief, 0.8), (.anxietyRelief, 0.6)]),
        "surfboard": means(["shore"], 0.7, 0.4, [(.energy, 0.8), (.stressRelief, 0.5)]),
        "kite": means(["shore", "meadow"], 0.8, 0.6, [(.creativity, 0.8), (.moodLift, 0.8)]),
        "skis": means(["mountain"], 0.6, 0.3, [(.energy, 0.9), (.focus, 0.4)]),
        "snowboard": means(["mountain"], 0.6, 0.3, [(.energy, 0.9), (.creativity, 0.4)]),
        "elephant": means(["savanna"], 0.7, 0.7, [(.grounding, 0.9), (.creativity, 0.5)]),
        "zebra": means(["savanna"], 0.6, 0.6, [(.grounding, 0.7), (.creativity, 0.6)]),
        "giraffe": means(["savanna"], 0.7, 0.7, [(.grounding, 0.7), (.creativity, 0.6)]),
        "bear": means(["forest", "savanna"], 0.2, 0.3, [(.creativity, 0.6), (.grounding, 0.5)]),
        "bird": means(["meadow", "shore"], 0.7, 0.8, [(.anxietyRelief, 0.8), (.focus, 0.3)]),
        "cat": means(["home", "meadow"], 0.8, 0.9, [(.anxietyRelief, 0.9), (.painRelief, 0.4), (.sleep, 0.5)]),
        "dog": means(["meadow", "home"], 0.9, 0.8, [(.connection, 0.8), (.moodLift, 0.8), (.anxietyRelief, 0.7)]),
        "teddy bear": means(["home"], 0.8, 0.9, [(.griefSupport, 0.8), (.sleep, 0.8), (.selfCompassion, 0.7)]),
        "potted plant": means(["garden", "home"], 0.5, 0.9, [(.stressRelief, 0.7), (.focus, 0.5)]),
        "vase": means(["garden", "home"], 0.5, 0.8, [(.selfCompassion, 0.5), (.creativity, 0.5)]),
        "bench": means(["garden", "street"], 0.4, 0.8, [(.stressRelief, 0.6), (.grounding, 0.7)]),
        "bed": means(["home"], 0.6, 0.9, [(.sleep, 1), (.painRelief, 0.6)]),
        "book": means(["study"], 0.5, 0.8, [(.focus, 0.8), (.sleep, 0.4)]),
        "umbrella": means(["street", "shore"], 0.2, 0.6, [(.grounding, 0.3)]),
        "train": means(["road"], 0.3, 0.5, [(.creativity, 0.4), (.griefSupport, 0.3)]),
        "bicycle": means(["road", "street"], 0.5, 0.4, [(.energy, 0.7), (.moodLift, 0.4)]),
        "traffic light": means(["street"], -0.2, 0.2, []),
        "fire hydrant": means(["street"], 0, 0.4, []),
        "toilet": means(["home"], 0, 0.4, [(.selfCompassion, 0.2)]),
        "cake": means(["kitchen", "village"], 0.9, 0.6, [(.moodLift, 0.9), (.connection, 0.7)]),
    ]
}
