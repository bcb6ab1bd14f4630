/// The flags that the contexts of an item's affordances set: outdoors or indoors, and the states they name.
struct ItemContext: Sendable, Hashable {
    /// A bit for each state, for outdoors and for indoors; outdoors and indoors exclude each other.
    let bits: UInt8

    private static let outdoors: UInt8 = 1 << 5
    private static let indoors: UInt8 = 1 << 6

    init(bits: UInt8) { self.bits = bits }

    private static let outdoorWords: Set = [
        "outdoor", "outdoors", "outside", "openair", "park", "nature", "garden", "beach", "forest", "street",
    ]
    private static let indoorWords: Set = [
        "indoor", "indoors", "inside", "home", "museum", "gallery", "library", "cafe", "restaurant", "theater",
        "theatre", "cinema", "gym",
    ]

    /// Reads names of states, and the first of the contexts that names a place outdoors (`outdoors`, `open air`, `park`)
    /// or indoors (`indoors`, `inside`, `museum`), in any spelling.
    init(_ item: InventoryItem) {
        var bits: UInt8 = 0
        for affordance in item.affordances {
            guard case .sense(_, _, let context?) = affordance else { continue }
            if let state = SessionState(spelled: context) { bits |= Self.bit(of: state) }
            guard bits & (Self.outdoors | Self.indoors) == 0 else { continue }
            let word = Spelling.plain(context)
            if Self.outdoorWords.contains(word) { bits |= Self.outdoors }
            if Self.indoorWords.contains(word) { bits |= Self.indoors }
        }
        self.bits = bits
    }

    private static func bit(of state: SessionState) -> UInt8 { 1 << state.rawValue }

    /// Returns whether a context names a state.
    func names(_ state: SessionState) -> Bool { bits & Self.bit(of: state) != 0 }

    /// Whether the item is used outdoors; nil if no context states it.
    var isOutdoors: Bool? { bits & Self.outdoors != 0 ? true : bits & Self.indoors != 0 ? false : nil }
}

extension SessionState {
    /// The pleasures that suit a state, which a mission in that state should give.
    ///
    /// The table is by judgement, from the meaning of the dimensions; idle has no dimensions.
    public var taste: [Pleasure.Dimension] {
        switch self {
        case .idle: []
        case .drift: [.horizon, .ignorance, .mobility, .natureMirror, .serendipityFollowing]
        case .mastery: [.order, .path, .anxiety, .repetition, .materialPlay, .power]
        case .socialSync: [.food, .eroticUncertainty, .serendipityFollowing, .anchorExpansion]
        case .reflection: [.enclosure, .horizon, .repetition, .post, .natureMirror]
        }
    }

    /// The masks of ``taste``, by state.
    private static let tasteMasks = allCases.map { $0.taste.reduce(0 as UInt16) { $0 | 1 << $1.rawValue } }

    /// The fit of an item with a state, 0…1: 1 if a context names the state, else the share of the item's pleasures
    /// that suit the state; ½ if either has no pleasures.
    func fit(ofPleasures pleasures: UInt16, in context: ItemContext) -> Double {
        if context.names(self) { return 1 }
        let wanted = Self.tasteMasks[rawValue]
        guard pleasures != 0, wanted != 0 else { return 0.5 }
        return Double((pleasures & wanted).nonzeroBitCount) / Double(pleasures.nonzeroBitCount)
    }
}
