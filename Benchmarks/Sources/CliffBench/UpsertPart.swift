import CKin
import Ceilings
import Foundation
import Kin
import KinABI
import Measuring
import Synchronization

/// Single changes one by one: alternately new ids and new vectors for existing ids.
struct UpsertPart {
    let data: ClusteredData
    let upserts: Int

    func run() throws {
        print("### \(upserts) single changes\n")
        var table = Table([
            "from", "mean µs", "p50", "p99", "p99.9", "longest ms", "reader's searches", "over 1 ms", "longest ms ",
        ])
        for ids in [IDs.dense, .scattered] {
            table.add(["Swift, \(ids.rawValue) ids"] + (try fromSwift(ids)) + ["–", "–", "–"])
        }
        table.add(try alone())
        table.add(try throughC())
        print(table)
    }

    private enum IDs: String {
        case dense, scattered

        func id(_ i: Int) -> VectorID {
            self == .dense ? VectorID(UInt64(i)) : VectorID(UInt64(i) &* 0x9E37_79B9_7F4A_7C15 >> 1)
        }
    }

    private func id(of change: Int) -> Int {
        change % 2 == 0 ? data.vectors.rows + change / 2 : change &* 2_654_435_761 % data.vectors.rows
    }

    private func fromSwift(_ kind: IDs) throws -> [String] {
        var index = VectorIndex(dimension: ClusteredData.dimension)
        try index.upsert(data.vectors, ids: (0..<data.vectors.rows).map(kind.id), threads: 2)
        var seconds: [Double] = []
        for change in 0..<upserts {
            let row = data.later[change]
            let id = kind.id(id(of: change))
            seconds.append(try Timing.seconds { try index.upsert(row, id: id) })
        }
        return figures(seconds)
    }

    private func figures(_ seconds: [Double]) -> [String] {
        let times = CallTimes(seconds)
        return ([times.mean] + [0.5, 0.99, 0.999].map(times.quantile)).map { (1e6 * $0).shown }
            + [(1e3 * times.longest).shown]
    }

    /// A C handle of an index with the vectors.
    private func handle() throws -> OpaquePointer {
        var handle: OpaquePointer?
        try check(unsafe kin_index_create_ivf(ClusteredData.dimension, kin_metric(KIN_METRIC_L2), 0, &handle))
        try check(unsafe kin_index_append(handle, data.vectors.elements, data.vectors.rows, 0, 2, nil))
        return unsafe handle!
    }

    private func check(_ status: kin_status) throws {
        guard status == kin_status(KIN_OK) else { fatalError("the C interface refuses a change that Swift accepts") }
    }

    /// Measures the wait of a reader without a writer, which is the machine's share.
    private func alone() throws -> [String] {
        let handle = try unsafe handle()
        defer { unsafe kin_index_free(handle) }
        let reader = unsafe Reader(handle, data.queries)
        _ = usleep(2_000_000)
        return ["C, no writer", "–", "–", "–", "–", "–"] + reader.stop()
    }

    private func throughC() throws -> [String] {
        let handle = try unsafe handle()
        defer { unsafe kin_index_free(handle) }
        let reader = unsafe Reader(handle, data.queries)
        var seconds: [Double] = []
        for change in 0..<upserts {
            let row = data.later[change]
            var id = UInt64(id(of: change))
            seconds.append(try Timing.seconds { try check(unsafe kin_index_upsert(handle, row, 1, 0, &id, 1)) })
        }
        return ["C, with a concurrent reader"] + figures(seconds) + reader.stop()
    }
}

/// A thread that repeatedly gets the index's state and searches it; measures the wait for the state.
private final class Reader: @unchecked Sendable {
    private let isStopped = Atomic<Bool>(false)
    private let isDone = Atomic<Bool>(false)
    private var waits: [Double] = []

    init(_ handle: OpaquePointer, _ queries: [[Float]]) {
        let address = UInt(bitPattern: handle)
        let body = Thread { [self] in
            let handle = unsafe OpaquePointer(bitPattern: address)
            var ids = [UInt64](repeating: 0, count: 10)
            var i = 0
            while !isStopped.load(ordering: .relaxed) {
                waits.append(Timing.seconds { _ = unsafe kin_index_count(handle) })
                _ = unsafe kin_index_search(handle, queries[i % queries.count], 1, 0, 10, nil, &ids, nil, nil)
                i += 1
            }
            isDone.store(true, ordering: .sequentiallyConsistent)
        }
        body.start()
    }

    /// Returns the number of searches, the number that waited over a millisecond, and the longest wait in milliseconds.
    func stop() -> [String] {
        isStopped.store(true, ordering: .relaxed)
        while !isDone.load(ordering: .sequentiallyConsistent) { _ = usleep(1_000) }
        return ["\(waits.count)", "\(waits.count { $0 > 1e-3 })", (1e3 * (waits.max() ?? 0)).shown]
    }
}
