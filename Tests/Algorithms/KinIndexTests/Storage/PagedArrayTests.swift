import KinTestSupport
import Testing

@testable import KinIndex

@Suite("Paged copy-on-write array")
struct PagedArrayTests {
    /// Counts its living instances.
    private final class Counted {
        let number: Int
        let alive: Alive

        init(_ number: Int, _ alive: Alive) {
            (self.number, self.alive) = (number, alive)
            alive.count += 1
        }

        deinit { alive.count -= 1 }
    }

    private final class Alive { var count = 0 }

    @Test("random changes of copies leave the same contents as arrays")
    func changes() {
        var random = TestSeed().generator
        var pairs: [(paged: PagedArray<Int>, array: [Int])] = [(PagedArray(), [])]
        for step in 0..<20_000 {
            let p = random.below(pairs.count)
            switch random.below(10) {
            case 0...4:
                pairs[p].paged.append(step)
                pairs[p].array.append(step)
            case 5 where !pairs[p].array.isEmpty:
                let i = random.below(pairs[p].array.count)
                pairs[p].paged[i] += step
                pairs[p].array[i] += step
            case 7 where !pairs[p].array.isEmpty:
                let last = pairs[p].paged.removeLast()
                #expect(last == pairs[p].array.removeLast())
            case 8 where random.below(20) == 0:
                if pairs.count < 6 { pairs.append(pairs[p]) } else { pairs.remove(at: p) }
            default: break
            }
            if step % 500 == 0 {
                for (paged, array) in pairs { #expect(paged.elementsEqual(array)) }
            }
        }
        #expect(PagedArray(pairs[0].array).elementsEqual(pairs[0].array))
    }

    @Test("elements live as long as any array that holds them")
    func lifetimes() {
        let alive = Alive()
        do {
            var array = PagedArray((0..<200).map { Counted($0, alive) })
            let copy = array
            array[70] = Counted(-1, alive)
            for _ in 0..<150 { array.removeLast() }
            #expect(array.count == 50 && alive.count == 200)
            #expect(copy.enumerated().allSatisfy { $0 == $1.number })
        }
        #expect(alive.count == 0)
    }
}
