import KinCore
import Synchronization
import Testing

@Suite struct ConcurrentlyTests {
    @Test(arguments: [0, 1, 2, 3, 100])
    func everyPartRunsOnce(parts: Int) {
        let seen = Mutex<[Int]>([])
        concurrently(parts) { part in seen.withLock { $0.append(part) } }
        #expect(seen.withLock { $0.sorted() } == Array(0..<parts))
    }

    @Test func partsMayWriteToDisjointPlaces() {
        var results = [Int](repeating: 0, count: 1000)
        unsafe results.withUnsafeMutableBufferPointer { buffer in
            concurrently(4) { part in
                for i in stride(from: part, to: 1000, by: 4) { unsafe buffer[i] = i * i }
            }
        }
        #expect(results == (0..<1000).map { $0 * $0 })
    }
}
