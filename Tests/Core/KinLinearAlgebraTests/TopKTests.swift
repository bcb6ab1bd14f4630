import KinCore
import KinLinearAlgebra
import KinTestSupport
import Testing

@Suite struct TopKTests {
    /// Runs `body` on a selection over fresh memory and returns the selected neighbours, in order.
    private func select(_ k: Int, _ body: (inout TopK) -> Void) -> [Neighbor] {
        unsafe withUnsafeTemporaryAllocation(of: Neighbor.self, capacity: max(k, 1)) { memory in
            var top = unsafe TopK(UnsafeMutableBufferPointer(rebasing: memory[..<k]))
            body(&top)
            return unsafe Array(top.finish())
        }
    }

    @Test(arguments: [0, 1, 2, 3, 7, 10, 64, 1000, 1500])
    func selectionEqualsAFullSort(k: Int) {
        var random = TestSeed().generator
        for levels in [1, 5, 1_000_000] {
            // With few levels most distances tie, so the ids decide.
            let all = (0..<1000).map {
                Neighbor(id: VectorID($0 * 7919 % 1000), distance: Double(random.below(levels)))
            }
            .shuffled(using: &random)
            let kept = select(k) { top in
                for neighbor in all { top.insert(neighbor.id, neighbor.distance) }
            }
            #expect(kept == Array(all.sorted().prefix(k)), "\(levels) levels")
        }
    }

    @Test func theBoundIsInfiniteUntilFullThenTheWorstDistance() {
        let kept = select(2) { top in
            #expect(top.worst == .infinity && top.count == 0 && top.capacity == 2)
            top.insert(1, 5)
            #expect(top.worst == .infinity && top.count == 1)
            top.insert(2, 3)
            #expect(top.worst == 5 && top.count == 2)
            top.insert(3, 4)
            #expect(top.worst == 4)
            top.insert(9, 4)
            #expect(top.worst == 4)
            top.removeAll()
            #expect(top.worst == .infinity && top.count == 0)
            top.insert(8, 1)
        }
        #expect(kept == [Neighbor(id: 8, distance: 1)])
    }

    @Test func withoutCapacityNothingIsSelected() {
        let kept = select(0) { top in
            #expect(top.worst == -.infinity)
            top.insert(1, 0)
            top.insert(2, -.infinity)
            top.removeAll()
            #expect(top.worst == -.infinity)
        }
        #expect(kept.isEmpty)
    }

    @Test func nanIsNeverSelected() {
        let kept = select(3) { top in
            top.insert(1, .nan)
            top.insert(2, 1)
            top.insert(3, .nan)
            top.insert(4, .infinity)
            top.insert(5, -.infinity)
            top.insert(6, .nan)
        }
        #expect(kept.map(\.id) == [5, 2, 4])
    }
}
