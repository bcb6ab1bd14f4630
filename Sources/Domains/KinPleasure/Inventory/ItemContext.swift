/// What the contexts of an item's affordances say of where and for whom it is: whether it is outdoors, and for which states.
struct ItemContext: Sendable, Hashable {
    /// A bit for each state, and two for outdoors and indoors, of which at most one is set.
    let bits: UInt8

    private static let outdoors: UInt8 = 1 << 5
    private static let indoors: UInt8 = 1 << 6

    init(bits: UInt8) { self.bits = bits }

    /// The contexts `outdoor` and `outdoors` say outdoors, `indoor` and `indoors` indoors; the first of them decides.
    init(_ item: InventoryItem) {
        var bits: UInt8 = 0
        for affordance in item.affordances {
            guard case .sense(_, _, let context?) = affordance else { continue }
            if let state = SessionState(name: context) { bits |= Self.bit(of: state) }
            guard bits & (Self.outdoors | Self.indoors) == 0 else { continue }
            if context == "outdoor" || context == "outdoors" { bits |= Self.outdoors }
            if context == "indoor" || context == "indoors" { bits |= Self.indoors }
        }
        self.bits = bits
    }

    private static func bit(of state: SessionState) -> UInt8 { 1 << state.rawValue }

    /// Whether a context names a state.
    func names(_ state: SessionState) -> Bool { bits & Self.bit(of: state) != 0 }

    /// Whether it is outdoors; nil when nothing says so.
    var isOutdoors: Bool? { bits & Self.outdoors != 0 ? true : bits & Self.indoors != 0 ? false : nil }

    /// The same without what is said of other states.
    func limited(to state: SessionState) -> ItemContext {
        ItemContext(bits: bits & (Self.outdoors | Self.indoors | Self.bit(of: state)))
    }
}

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
    func fit(ofPleasures pleasures: UInt16, in context: ItemContext) -> Double {
        if context.names(self) { return 1 }
        guard pleasures != 0, !taste.isEmpty else { return 0.5 }
        let wanted: UInt16 = taste.reduce(0) { $0 | 1 << $1.rawValue }
        return Double((pleasures & wanted).nonzeroBitCount) / Double(pleasures.nonzeroBitCount)
    }
}
