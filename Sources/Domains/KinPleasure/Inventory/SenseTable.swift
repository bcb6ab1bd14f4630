/// A table of the distinct combinations of sense affordances, with words in their plain form (`Spelling.plain`) and
/// combinations numbered, so that a search tests each combination once.
struct SenseTable: Sendable {
    struct SenseAffordance: Sendable, Hashable {
        let sense: UInt32
        let intensity: Affordance.Intensity
        /// The number of the situation's word; nil for any situation.
        let context: UInt32?
    }

    private(set) var combinations: [[SenseAffordance]] = []
    private var numbers: [[SenseAffordance]: UInt32] = [:]
    private var words: [String: UInt32] = [:]

    init() {}

    /// Creates a table from stored combinations and words; nil for a duplicate in either, or a missing word.
    init?(combinations: [[SenseAffordance]], words: [String]) {
        for word in words { _ = number(ofWord: word) }
        self.combinations = combinations
        for (number, combination) in combinations.enumerated() {
            guard numbers.updateValue(UInt32(number), forKey: combination) == nil,
                combination.allSatisfy({ $0.sense < words.count && ($0.context ?? 0) < max(words.count, 1) })
            else { return nil }
        }
        guard self.words.count == words.count else { return nil }
    }

    /// The words in the order of their numbers.
    var wordList: [String] { words.sorted { $0.value < $1.value }.map(\.key) }

    /// The number of combinations.
    var count: Int { combinations.count }

    /// The number of an item's combination, added if it is new.
    mutating func number(of item: InventoryItem) -> UInt32 {
        var combination: [SenseAffordance] = []
        for affordance in item.affordances {
            guard case .sense(let sense, let intensity, let context) = affordance else { continue }
            var situation: UInt32?
            if let context { situation = number(ofWord: Spelling.plain(context)) }
            combination.append(
                SenseAffordance(
                    sense: number(ofWord: Spelling.plain(sense)), intensity: intensity, context: situation))
        }
        if let number = numbers[combination] { return number }
        let number = UInt32(combinations.count)
        combinations.append(combination)
        numbers[combination] = number
        return number
    }

    /// The number of a word, added if it is new.
    private mutating func number(ofWord word: String) -> UInt32 {
        if let number = words[word] { return number }
        let number = UInt32(words.count)
        words[word] = number
        return number
    }

    /// The combinations with an affordance for every condition, tested on first use.
    struct Test {
        private enum Answer: UInt8 { case unknown, yes, no }

        private let table: SenseTable
        private let conditions: [Condition]
        private var answers: [Answer]

        private struct Condition {
            /// The number of the sense; nil for any, `UInt32.max` for an unknown word.
            let sense: UInt32?
            let intensity: Affordance.Intensity
            let context: UInt32?
        }

        /// Creates a test of conditions; nil if there are no conditions.
        init?(_ conditions: [InventoryQuery.SenseCondition], in table: SenseTable) {
            guard !conditions.isEmpty else { return nil }
            self.table = table
            self.conditions = conditions.map { condition in
                Condition(
                    sense: condition.sense.map { table.words[Spelling.plain($0)] ?? .max },
                    intensity: condition.intensity,
                    context: condition.context.map { table.words[Spelling.plain($0)] ?? .max })
            }
            answers = Array(repeating: .unknown, count: table.combinations.count)
        }

        @inline(__always)
        mutating func allows(_ number: UInt32) -> Bool {
            switch answers[Int(number)] {
            case .yes: true
            case .no: false
            case .unknown: find(Int(number))
            }
        }

        private mutating func find(_ number: Int) -> Bool {
            let isAllowed = conditions.allSatisfy { condition in
                table.combinations[number].contains { affordance in
                    (condition.sense ?? affordance.sense) == affordance.sense
                        && affordance.intensity >= condition.intensity
                        && (condition.context == nil || condition.context == affordance.context)
                }
            }
            answers[number] = isAllowed ? .yes : .no
            return isAllowed
        }
    }
}
