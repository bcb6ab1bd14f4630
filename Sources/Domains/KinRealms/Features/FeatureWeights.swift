/// How much each kind of feature counts in the distance between images.
public struct FeatureWeights: Sendable, Hashable {
    /// Of the square roots of category shares, a vector of length 1 before it is weighted.
    public var histogram: Float
    /// Of the value for each goal, 0…1.
    public var values: Float
    /// Of the mean valence, −1…1, and the mean calming score, 0…1.
    public var affect: Float
    /// Of the mood's two coordinates, −1…1.
    public var mood: Float
    /// Of the mean dominant colour, L* ∕ 100, a* ∕ 100 and b* ∕ 100.
    public var colour: Float

    /// Weights; the default ones are those of recipe version 1.
    public init(
        histogram: Float = 1, values: Float = 0.25, affect: Float = 0.25, mood: Float = 0.15, colour: Float = 0.3
    ) {
        self.histogram = histogram
        self.values = values
        self.affect = affect
        self.mood = mood
        self.colour = colour
    }

    /// What is in the images and nothing else: square-root histograms.
    public static let histogramOnly = FeatureWeights(values: 0, affect: 0, mood: 0, colour: 0)

    /// What the weights are called in files, in the order of the features.
    static let names = ["histogram", "values", "affect", "mood", "colour"]

    /// The weights in the order of the features.
    var list: [Float] { [histogram, values, affect, mood, colour] }
}
