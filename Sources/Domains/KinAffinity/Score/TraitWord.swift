import KinRealms

/// The word that represents a trait in comparisons: folded after Unicode's upper-case mapping, in snake case. "Night Sky",
/// `night_sky` and NIGHT-SKY are one trait, and so are "Straße" and "STRASSE".
///
/// Goals with synonyms (`TherapeuticGoal`) are compared by the goal's name, so "Anxiety", "calm" and "worry" are all
/// `anxiety_relief`. A soul stores its traits under their original names.
enum TraitWord {
    /// The word of a trait of a block.
    static func compared(_ name: String, in block: SoulBlock) -> String {
        let folded = Spelling.folded(Spelling.folded(name).uppercased())
        let words = folded.split { $0.isWhitespace || $0 == "-" || $0 == "_" }
        // A name that consists only of marks is its own word.
        let word = words.isEmpty ? folded : words.joined(separator: "_")
        guard block == .goals else { return word }
        return TherapeuticGoal(word)?.name ?? word
    }

    /// Returns traits by ascending word, adding the amounts of each word.
    ///
    /// - Parameters:
    ///   - traits: The traits by ascending name.
    ///   - block: The block that they belong to.
    static func merged(_ traits: [SoulTraits.Trait], in block: SoulBlock) -> [SoulTraits.Trait] {
        var isSorted = true
        var words: [SoulTraits.Trait] = []
        words.reserveCapacity(traits.count)
        for trait in traits {
            let word = compared(trait.name, in: block)
            isSorted = isSorted && (words.last.map { $0.name < word } ?? true)
            words.append(SoulTraits.Trait(name: word, amount: trait.amount))
        }
        guard !isSorted else { return words }
        // Amounts of a word are added in the order of their names.
        var sums: [String: Double] = [:]
        for trait in words { sums[trait.name, default: 0] += trait.amount }
        return sums.map { SoulTraits.Trait(name: $0.key, amount: min($0.value, .greatestFiniteMagnitude)) }
            .sorted { $0.name < $1.name }
    }
}
