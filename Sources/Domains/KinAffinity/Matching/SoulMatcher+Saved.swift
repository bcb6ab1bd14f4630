/// The numbers of section `META` of a matcher's file.
private struct MatcherSettings: BitwiseCopyable {
    /// The number of slots, free ones included.
    var slots: UInt64
    /// 1 when the rarity of goals is counted, else 0.
    var isCounted: UInt64
    /// The groups that have an index, a bit for each mask.
    var groups: UInt64
    var dimension: UInt64
    var changes: UInt64
    var peopleAtFit: UInt64
    var slack: Double
    var ratio: Double
    /// 1 when scores shrink, else 0.
    var shrinksScores: UInt64
}

/// The sections of a matcher's file; the index of a group is the part numbered by its mask.
private enum MatcherFile {
    static let settings: FourCharacterCode = "META"
    static let weights: FourCharacterCode = "WGHT"
    static let ids: SavedTexts.Tags = ("UIDB", "UIDE")
    static let traits: SavedTexts.Tags = ("TRTB", "TRTE")
    static let traitBlocks: FourCharacterCode = "TRTK"
    static let currentFactors: FourCharacterCode = "FCUR"
    static let indexedFactors: FourCharacterCode = "FIDX"
    /// The slots of the souls that have a goal, one goal after the other, and the number of slots of each.
    static let holders: FourCharacterCode = "HOLD"
    static let holderCounts: FourCharacterCode = "HCNT"
    // Numbered by block.
    static let components: FourCharacterCode = "COMP"
    static let starts: FourCharacterCode = "CBEG"
    static let places: FourCharacterCode = "PLCE"
}

extension SoulMatcher {
    /// Writes the sections of a matcher to a file, which may contain further sections. Equal matchers write equal
    /// bytes.
    ///
    /// - Precondition: The matcher was not created from a model with a rarity.
    /// - Throws: `.inputOutput`.
    /// - Complexity: O(bytes).
    package func write(to writer: inout SectionFileWriter) throws(KinError) {
        precondition(isCounted || model.rarity == nil, "a given rarity is not saved")
        let settings = MatcherSettings(
            slots: UInt64(ids.count), isCounted: isCounted ? 1 : 0,
            groups: groups.indices.reduce(0) { groups[$1] == nil ? $0 : $0 | 1 << UInt64($1) },
            dimension: UInt64(frame.dimension), changes: UInt64(changes), peopleAtFit: UInt64(peopleAtFit),
            slack: factors.slack, ratio: factors.ratio, shrinksScores: model.shrinksScores ? 1 : 0)
        try writer.write([settings].span, to: MatcherFile.settings)
        try writer.write(model.weights.values.span, to: MatcherFile.weights)
        try writer.write(texts: ids.lazy.map(\.utf8), to: MatcherFile.ids)
        try writer.write(texts: features.names.lazy.map(\.utf8), to: MatcherFile.traits)
        let traitBlocks = features.blocks.map { UInt8($0.rawValue) }
        try writer.write(traitBlocks.span, to: MatcherFile.traitBlocks)
        try factors.write(to: &writer)
        try frame.write(to: &writer)
        try table.write(to: &writer)
        for (mask, group) in groups.enumerated() {
            guard let group else { continue }
            try writer.writePart(UInt8(mask)) { writer throws(KinError) in try group.write(to: &writer) }
        }
    }

    /// Reads a matcher from a file with valid checksums. Rows and indexes stay in the file until they change.
    ///
    /// Its results are bit-identical to those of the matcher that was written, also after further changes. Row contents
    /// are not validated beyond their checksums.
    ///
    /// - Throws: `.corruptFile` for a file that contradicts itself.
    /// - Complexity: O(people), about 150 ns each.
    package init(file: SectionFile) throws(KinError) {
        let settings = try file.array(MatcherFile.settings, of: MatcherSettings.self, count: 1)[0]
        let weights = AffinityWeights(normalized: try file.array(MatcherFile.weights, of: Double.self))
        guard let weights, settings.slots < 1 << 31, settings.changes < 1 << 60, settings.peopleAtFit < 1 << 60,
            settings.slack >= 1, settings.slack.isFinite, settings.ratio > 0, settings.ratio.isFinite
        else { throw .corrupt("section META is not from a matcher") }
        let slotCount = Int(settings.slots)
        model = AffinityModel(weights: weights, shrinksScores: settings.shrinksScores == 1)
        isCounted = settings.isCounted == 1
        (changes, peopleAtFit) = (Int(settings.changes), Int(settings.peopleAtFit))
        features = try FeatureTable(file: file)
        frame = try MatchingFrame(file: file, weights: weights, dimension: settings.dimension)
        table = try SoulTable(file: file, count: slotCount)
        try readIDs(SavedTexts(file, MatcherFile.ids, count: slotCount))
        factors = try GoalFactors(file: file, settings, features: features.count)
        if isCounted {
            let counts = features.goals.lazy.map { [features, factors] in
                (features.name(UInt32($0)), factors.holders[$0].count)
            }
            model.rarity = try GoalRarity(
                people: slots.count, counts: Dictionary(uniqueKeysWithValues: counts.filter { $0.1 > 0 }))
        }
        for mask in 1..<32 where settings.groups >> UInt64(mask) & 1 != 0 {
            groups[mask] = try VectorIndex(exactlySearched: file.part(UInt8(mask)), alongOwnAxes: true)
        }
        try checkGroups()
    }

    /// Whether a matcher has the same souls and model, and returns the same matches for 20 of them; O(traits of all).
    package func agrees(with other: SoulMatcher) throws(KinError) -> Bool {
        guard model == other.model, count == other.count else { return false }
        for (user, slot) in slots {
            guard let place = other.slots[user],
                table[slot].vector(features, goals: factors.current)
                    == other.table[place].vector(other.features, goals: other.factors.current)
            else { return false }
        }
        for user in slots.keys.sorted().prefix(20) {
            guard try mostSimilar(to: user, k: 10) == other.mostSimilar(to: user, k: 10) else { return false }
        }
        return true
    }

    /// Sets the ids of the slots; free slots have empty ids.
    private mutating func readIDs(_ texts: SavedTexts) throws(KinError) {
        ids = (0..<texts.count).map { texts[$0] }
        slots.reserveCapacity(ids.count)
        for (slot, id) in ids.enumerated() {
            guard !id.isEmpty else {
                free.append(slot)
                continue
            }
            guard slots.updateValue(slot, forKey: id) == nil else { throw .corrupt("a person appears twice") }
        }
    }

    /// Checks that the indexes have vectors of this frame, and contain no soul twice.
    private func checkGroups() throws(KinError) {
        var isFound = [Bool](repeating: false, count: ids.count)
        for (mask, group) in groups.enumerated() {
            guard let group else { continue }
            let isWhole =
                group.dimension == frame.dimension && group.metric == .squaredL2
                && group.ids.allSatisfy { id in
                    guard id.rawValue < UInt64(ids.count), !isFound[Int(id.rawValue)] else { return false }
                    isFound[Int(id.rawValue)] = true
                    return true
                }
            guard isWhole else { throw .corrupt("the index of group \(mask) does not match its souls") }
        }
    }
}

extension GoalFactors {
    fileprivate func write(to writer: inout SectionFileWriter) throws(KinError) {
        try writer.write(current.span, to: MatcherFile.currentFactors)
        try writer.write(indexed.span, to: MatcherFile.indexedFactors)
        let slots = holders.flatMap(\.self)
        let counts = holders.map { UInt32($0.count) }
        try writer.write(slots.span, to: MatcherFile.holders)
        try writer.write(counts.span, to: MatcherFile.holderCounts)
    }

    fileprivate init(file: SectionFile, _ settings: MatcherSettings, features: Int) throws(KinError) {
        let slots = try file.array(MatcherFile.holders, of: UInt32.self)
        let counts = try file.array(MatcherFile.holderCounts, of: UInt32.self, count: features)
        guard counts.reduce(0, { $0 + Int($1) }) == slots.count, slots.allSatisfy({ $0 < settings.slots }) else {
            throw .corrupt("section \(MatcherFile.holders) does not match the slots")
        }
        var start = 0
        let holders = counts.map { count in
            start += Int(count)
            return Array(slots[start - Int(count)..<start])
        }
        self.init(
            current: try file.array(MatcherFile.currentFactors, of: Double.self, count: features),
            indexed: try file.array(MatcherFile.indexedFactors, of: Double.self, count: features),
            slack: settings.slack, ratio: settings.ratio, holders: holders)
    }
}

extension FeatureTable {
    fileprivate init(file: SectionFile) throws(KinError) {
        let names = try SavedTexts(file, MatcherFile.traits)
        let blocks = try file.array(MatcherFile.traitBlocks, of: UInt8.self, count: names.count)
        for (i, block) in blocks.enumerated() {
            guard Int(block) < SoulBlock.named.count,
                number(of: names[i], in: SoulBlock.named[Int(block)]) == UInt32(Self.firstTrait + i)
            else { throw .corrupt("a trait appears twice, or in no block") }
        }
    }
}

extension MatchingFrame {
    fileprivate func write(to writer: inout SectionFileWriter) throws(KinError) {
        for (b, block) in blocks.enumerated() {
            let starts = block.starts.map { Int64($0) }
            let places = (block.places + [block.rest]).map { Int64($0) }
            try writer.write(block.components.span, to: MatcherFile.components, UInt32(b))
            try writer.write(starts.span, to: MatcherFile.starts, UInt32(b))
            try writer.write(places.span, to: MatcherFile.places, UInt32(b))
        }
    }

    fileprivate init(file: SectionFile, weights: AffinityWeights, dimension: UInt64) throws(KinError) {
        guard dimension <= UInt64(Self.mostAxes + 16) else { throw .corrupt("a frame of \(dimension) dimensions") }
        var blocks: [BlockFrame] = []
        for (b, block) in SoulBlock.cosines.enumerated() {
            let components = try file.array(MatcherFile.components, UInt32(b), of: Double.self)
            let starts = try file.array(MatcherFile.starts, UInt32(b), of: Int64.self)
            let places = try file.array(MatcherFile.places, UInt32(b), of: Int64.self)
            let last = components.count - (places.count - 1)
            guard !places.isEmpty, places.allSatisfy({ (0..<Int64(dimension)).contains($0) }),
                components.allSatisfy(\.isFinite),
                starts.allSatisfy({ $0 == -1 || (0...Int64(max(last, 0))).contains($0) }),
                last >= 0 || starts.isEmpty
            else { throw .corrupt("section \(MatcherFile.places) \(b) is not from a frame") }
            blocks.append(
                BlockFrame(
                    block, root: weights[block].squareRoot(), components: components, starts: starts.map { Int($0) },
                    places: places.dropLast().map { Int($0) }, rest: Int(places[places.count - 1])))
        }
        self.init(weights: weights, blocks: blocks, dimension: Int(dimension))
    }
}
