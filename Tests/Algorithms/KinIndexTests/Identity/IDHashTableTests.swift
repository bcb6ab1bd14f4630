import KinTestSupport
import Testing

@testable import KinIndex

@Suite("Hash table of ids")
struct IDHashTableTests {
    @Test("random changes of copies leave the same contents as dictionaries")
    func changes() {
        var random = TestSeed().generator
        var pairs: [(table: IDHashTable, dictionary: [VectorID: UInt32])] = [(IDHashTable(), [:])]
        for step in 0..<60_000 {
            let p = random.below(pairs.count)
            // Grows for a while, then shrinks.
            let isGrowing = step / 15_000 % 2 == 0
            let id = VectorID(UInt64(random.below(5_000)) &* (step % 2 == 0 ? 1 : 1 << 50))
            if random.below(10) < (isGrowing ? 8 : 2) {
                pairs[p].table[id] = UInt32(step)
                pairs[p].dictionary[id] = UInt32(step)
            } else {
                pairs[p].table[id] = nil
                pairs[p].dictionary[id] = nil
            }
            if random.below(500) == 0 {
                if pairs.count < 4 { pairs.append(pairs[p]) } else { pairs.remove(at: p) }
            }
            if step % 3_000 == 0 {
                for (table, dictionary) in pairs {
                    #expect(table.count == dictionary.count, "\(step)")
                    #expect(dictionary.allSatisfy { table[$0] == $1 }, "\(step)")
                    let absent = (0..<200).map { _ in VectorID(UInt64(random.below(5_000))) }
                    #expect(absent.allSatisfy { table[$0] == dictionary[$0] }, "\(step)")
                    #expect(table[.none] == nil, "\(step)")
                }
            }
        }
    }
}
