import KinIndex
import KinTestSupport
import Testing

/// Lists ranked by a domain, with diversity, limits and exclusion.
@Suite("Varied lists") struct VariedListTests {
    private struct Entry {
        let id: String
        let cost: Double
        let category: String?
        let place: Double
    }

    /// Entries by ascending cost, many with equal costs.
    private func ranking(_ count: Int, _ random: inout SeededGenerator) -> [Entry] {
        (0..<count).map { row in
            Entry(
                id: "e\(row)", cost: Double(random.below(12)) / 12,
                category: random.below(8) == 0 ? nil : "c\(random.below(3))", place: Double(random.below(20)) / 19)
        }.sorted { ($0.cost, $0.id) < ($1.cost, $1.id) }
    }

    private let list = VariedList<Entry>(
        id: { $0.id }, cost: { $0.cost }, category: { $0.category }, distance: { abs($0.place - $1.place) })

    /// The list, computed by trying every entry at every step.
    private func tried(_ all: [Entry], _ k: Int, _ variety: ListVariety) -> [String] {
        var (chosen, counts) = ([Entry](), [String: Int]())
        while chosen.count < k {
            var best: (cost: Double, entry: Entry)?
            for entry in all
            where !variety.excluded.contains(entry.id) && !chosen.contains(where: { $0.id == entry.id }) {
                if let category = entry.category, counts[category, default: 0] >= variety.perCategory ?? .max {
                    continue
                }
                let nearest = chosen.map { abs(entry.place - $0.place) }.min()
                var cost = entry.cost
                if variety.diversity > 0, let nearest {
                    cost =
                        variety.diversity == 1 ? -nearest : cost - variety.diversity / (1 - variety.diversity) * nearest
                }
                if best == nil || cost < best!.cost { best = (cost, entry) }
            }
            guard let best else { break }
            chosen.append(best.entry)
            if let category = best.entry.category { counts[category, default: 0] += 1 }
        }
        return chosen.map(\.id)
    }

    @Test("varied lists equal a brute-force greedy choice", arguments: [0, 0.1, 0.5, 0.9, 1])
    func equalBruteForce(diversity: Double) throws {
        var random = TestSeed().generator
        for count in [0, 1, 7, 80] {
            let all = ranking(count, &random)
            let some = Set(all.prefix(40).map(\.id).filter { _ in random.below(2) == 0 })
            for (limit, excluded) in [(nil, []), (2, []), (nil, some), (3, some)] as [(Int?, Set<String>)] {
                let variety = try ListVariety(diversity: diversity, perCategory: limit, excluded: excluded)
                for k in [0, 1, 10, 100] {
                    var asked: [Int] = []
                    let chosen = try list.choose(k, variety) { count throws(KinError) in
                        asked.append(count)
                        return Array(all.prefix(count))
                    }
                    #expect(chosen.map(\.id) == tried(all, k, variety))
                    #expect(asked == asked.sorted())
                }
            }
        }
    }

    @Test("a varied list requests no more entries than needed")
    func asksForLittle() throws {
        let all = (0..<10_000).map { Entry(id: "e\($0)", cost: Double($0) / 100, category: "c\($0 % 50)", place: 0) }
        var most = 0
        let variety = try ListVariety(diversity: 0.2, perCategory: 1, excluded: ["e0"])
        let chosen = try list.choose(10, variety) { count throws(KinError) in
            most = max(most, count)
            return Array(all.prefix(count))
        }
        #expect(chosen.map(\.id) == (1...10).map { "e\($0)" } && most < 200)
    }

    @Test("an invalid diversity or limit is refused")
    func refusals() {
        for diversity in [-0.01, 1.01, .nan, .infinity] {
            #expect(errorCode { try ListVariety(diversity: diversity) } == .invalidArgument)
        }
        #expect(errorCode { try ListVariety(perCategory: 0) } == .invalidArgument)
    }
}
