/// The combinations of affordances to senses that items have, numbered: a search tests each combination once, not each item.
struct SenseTable: Sendable {
    private struct SenseAffordance: Sendable, Hashable {
        let sense: String
        let intensity: Affordance.Intensity
        let context: String?
    }

    private var combinations: [[SenseAffordance]] = []
    private var numbers: [[SenseAffordance]: UInt32] = [:]

    /// The number of an item's combination.
    mutating func number(of item: InventoryItem) -> UInt32 {
        let combination = item.affordances.compactMap { affordance -> SenseAffordance? in
            guard case .sense(let sense, let intensity, let context) = affordance else { return nil }
            return SenseAffordance(sense: sense, intensity: intensity, context: context)
        }
        if let number = numbers[combination] { return number }
        let number = UInt32(combinations.count)
        combinations.append(combination)
        numbers[combination] = number
        return number
    }

    /// Which combinations have an affordance for every condition; nil when there is no condition.
    func allowed(by conditions: [InventoryQuery.SenseCondition]) -> [Bool]? {
        guard !conditions.isEmpty else { return nil }
        return combinations.map { combination in
            conditions.allSatisfy { condition in
                combination.contains { affordance in
                    (condition.sense.map { $0 == affordance.sense } ?? true)
                        && affordance.intensity >= condition.intensity
                        && (condition.context.map { $0 == affordance.context } ?? true)
                }
            }
        }
    }
}
