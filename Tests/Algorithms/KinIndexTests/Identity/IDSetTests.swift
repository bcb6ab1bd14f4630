import KinTestSupport
import Testing

@testable import KinIndex

@Suite("Set of ids")
struct IDSetTests {
    @Test("an id set has the same contents as a Set", arguments: [0, 1, 8, 9, 5_000], [UInt64(1), 1 << 20, 1 << 43])
    func model(count: Int, spread: UInt64) {
        var random = TestSeed().generator
        let ids = (0..<count).map { _ in VectorID(UInt64(random.below(2 * count)) &* spread) }
        let model = Set(ids)
        var set = IDSet(capacity: count)
        var seen = Set<VectorID>()
        for id in ids { #expect(set.insert(id) == seen.insert(id).inserted) }
        for set in [set, IDSet(ids), IDSet(ids + ids + [.none])] {
            #expect(set.count == model.count && Set(set.ids) == model)
            let all = (0..<2 * UInt64(count)).map { VectorID($0 &* spread) }
            #expect(all.allSatisfy { set.contains($0) == model.contains($0) })
            #expect(!set.contains(.none))
        }
    }

    @Test("a filter of ids allows exactly these ids, close or far apart", arguments: [UInt64(1), 60, 1 << 40])
    func filter(spacing: UInt64) throws {
        let ids = (1...3_000).map { VectorID($0 * spacing) }
        let filter = SearchFilter.ids(Array(ids.reversed()) + ids)
        let isBitmap = if case .bitmap = filter.kind { true } else { false }
        #expect(isBitmap == (spacing <= 60))
        #expect(filter.largestCount == 3_000)
        #expect(Set(try #require(filter.ids(atMost: 3_000))) == Set(ids))
        #expect(filter.ids(atMost: 2_999) == nil)
        #expect(ids.allSatisfy { filter.allows($0) && !filter.allows(VectorID($0.rawValue + 3_000 * spacing)) })
        #expect(!filter.allows(0) && !filter.allows(.none) && SearchFilter.ids([.none]).largestCount == 0)
        let without = filter.without { $0.rawValue % 2 == 0 }
        #expect(ids.allSatisfy { without.allows($0) == ($0.rawValue % 2 != 0) })
    }
}
