import CKin
import Foundation
import KinLinearAlgebra
import KinTestSupport
import Synchronization
import Testing

@testable import KinABI

@Suite("Snapshots through the C interface")
struct SharedHandleTests {
    /// The duration in seconds: 0.2, or `KIN_SOAK_SECONDS` (for the sanitizer).
    private static let seconds = ProcessInfo.processInfo.environment["KIN_SOAK_SECONDS"].flatMap(Double.init) ?? 0.2

    /// A handle shared by many threads, as handles allow.
    private struct Shared: @unchecked Sendable {
        let owned: Owned
        var handle: OpaquePointer { unsafe owned.handle }
    }

    @Test("many threads read const handles while one changes them")
    func readersAndAWriter() throws { try share(writers: 1) }

    @Test("many threads read const handles")
    func readersAlone() throws { try share(writers: 0) }

    private func share(writers: Int) throws {
        var random = TestSeed().generator
        let rows: Matrix<Float> = random.uniformMatrix(rows: 3000, columns: 16)
        let index = Shared(owned: try KinABITests.index(rows))
        let filter = Shared(
            owned: try unsafe Owned(kin_filter_free) {
                unsafe kin_filter_create_ids((0..<1500).map { UInt64($0) }, 1500, $0)
            })
        let failures = Atomic<Int>(0)
        let searches = Atomic<Int>(0)
        let end = Date(timeIntervalSinceNow: Self.seconds)

        let threads = (0..<5).map { thread in
            EndingThread {
                var round = 0
                repeat {
                    round += 1
                    let row = (round * 31 + thread * 7) % 1000
                    let query = Array(rows.row(row))
                    if thread < writers {
                        // Rows from 2,000 on change; the rows that readers search for do not.
                        let id = UInt64(2000 + row)
                        let put = unsafe kin_index_upsert(index.handle, query, 1, 0, [id], 1)
                        let removed = unsafe kin_index_remove(index.handle, [id], 1, nil)
                        if put != 0 || removed != 0 { failures.add(1, ordering: .relaxed) }
                    } else {
                        var (ids, count) = ([UInt64](repeating: 0, count: 4), 0)
                        var options = unsafe searchOptions(
                            filter: thread % 2 == 0 ? filter.handle : nil, threads: 1 + thread % 2)
                        let status = unsafe kin_index_search(
                            index.handle, query, 1, 0, 4, &options, &ids, nil, &count)
                        if status != 0 || ids[0] != UInt64(row) || count != 4 { failures.add(1, ordering: .relaxed) }
                        searches.add(1, ordering: .relaxed)
                    }
                } while Date() < end
            }
        }
        threads.forEach { $0.waitForEnd() }
        #expect(failures.load(ordering: .relaxed) == 0)
        #expect(searches.load(ordering: .relaxed) >= 4)
        #expect(unsafe (2000...3000).contains(kin_index_count(index.handle)))
    }
}
