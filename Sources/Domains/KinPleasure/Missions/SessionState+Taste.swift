extension SessionState {
    /// The pleasures that belong to a state: what a mission for a person in it should give.
    ///
    /// Drift wanders and wonders, mastery structures and makes, social sync shares, reflection looks back; whoever is idle is open to
    /// anything. A table by judgement, from the words of the dimensions.
    public var taste: [Pleasure.Dimension] {
        switch self {
        case .idle: []
        case .drift: [.horizon, .ignorance, .mobility, .natureMirror, .serendipityFollowing]
        case .mastery: [.order, .path, .anxiety, .repetition, .materialPlay, .power]
        case .socialSync: [.food, .eroticUncertainty, .serendipityFollowing, .anchorExpansion]
        case .reflection: [.enclosure, .horizon, .repetition, .post, .natureMirror]
        }
    }

    /// How well an item with some pleasures matches the state, 0…1: 1 when an affordance names the state as its context, else
    /// the share of its pleasures that belong to the state; ½ when neither the state nor the item says anything.
    func fit(ofPleasures pleasures: UInt16, in surroundings: Surroundings) -> Double {
        if surroundings.names(self) { return 1 }
        guard pleasures != 0, !taste.isEmpty else { return 0.5 }
        let wanted: UInt16 = taste.reduce(0) { $0 | 1 << $1.rawValue }
        return Double((pleasures & wanted).nonzeroBitCount) / Double(pleasures.nonzeroBitCount)
    }
}
