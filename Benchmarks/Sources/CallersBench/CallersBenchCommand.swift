import ArgumentParser
import CKin
import Foundation
import Kin
import KinABI
import Measuring
import Synchronization

/// `callers-bench`: threads with one query each that share one index, through Swift or C, alone and next to a writer.
///
/// It builds the index of a file once and then answers lines from standard input, so that `peers/callers.py` can
/// alternate between it and other libraries. The line `swift 4 0.95 1 0.3` requests four callers through Swift with
/// recall 0.95 (0 for exact searches), one writer (or 0) and 0.3 seconds. The answer is a line with searches and
/// changes per second.
@main
struct CallersBenchCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "callers-bench", abstract: "Measure threads that share one index, once per line of standard input."
    )

    @Argument(help: "The vectors, a .npy file of floats.")
    var vectors: String

    @Option(help: "The number of threads for the build.")
    var threads = 2

    func run() throws {
        let shared = try SharedIndexes(Profiles(reading: vectors).vectors, threads: threads)
        print("ready")
        fflush(nil)
        while let line = readLine() {
            let words = line.split(separator: " ")
            guard words.count == 5, let callers = Int(words[1]), let recall = Double(words[2]),
                let writers = Int(words[3]), let seconds = Double(words[4])
            else { throw ValidationError("A line must be: INTERFACE CALLERS RECALL WRITERS SECONDS.") }
            let run = Run(shared: shared, isSwift: words[0] == "swift", recall: recall)
            let (searches, changes) = run.measure(callers: callers, writers: writers, seconds: seconds)
            print(searches, changes)
            fflush(nil)
        }
    }
}

/// One set of vectors in a Swift index and in a C index.
@safe
final class SharedIndexes: @unchecked Sendable {
    let rows: Matrix<Float>
    let swift: VectorIndex
    let handle: OpaquePointer

    init(_ rows: Matrix<Float>, threads: Int) throws {
        self.rows = rows
        var index = VectorIndex(dimension: rows.columns)
        let ids = (0..<rows.rows).map { VectorID(UInt64($0)) }
        try index.upsert(rows, ids: ids, threads: threads)
        swift = index
        var handle: OpaquePointer?
        try check(unsafe kin_index_create_ivf(rows.columns, kin_metric(KIN_METRIC_L2), 0, &handle))
        unsafe self.handle = handle!
        try unsafe rows.elements.withUnsafeBufferPointer { elements in
            try check(
                unsafe kin_index_upsert(
                    self.handle, elements.baseAddress, rows.rows, 0, ids.map(\.rawValue), threads))
        }
        try check(unsafe kin_index_calibrate(self.handle, threads))
    }
}

/// Fails with the last error of the library.
func check(_ status: kin_status) throws {
    if status != 0 { throw ValidationError(unsafe String(cString: kin_last_error())) }
}

/// Runs callers and writers for some time.
struct Run: Sendable {
    let shared: SharedIndexes
    let isSwift: Bool
    let recall: Double

    /// Searches and changes per second.
    func measure(callers: Int, writers: Int, seconds: Double) -> (searches: Double, changes: Double) {
        let isDone = Atomic(false)
        let searches = Atomic(0)
        let changes = Atomic(0)
        let group = DispatchGroup()
        let start = ContinuousClock.now
        for number in 0..<callers + writers {
            group.enter()
            // A separate thread, because a pool has no more threads than the machine has cores.
            let thread = Thread {
                var random = SystemRandomNumberGenerator()
                var done = 0
                while !isDone.load(ordering: .relaxed) {
                    let row = Int.random(in: 0..<shared.rows.rows, using: &random)
                    number < callers ? search(near: row) : change(row, &random)
                    done += 1
                }
                if number < callers {
                    searches.add(done, ordering: .relaxed)
                } else {
                    changes.add(done, ordering: .relaxed)
                }
                group.leave()
            }
            thread.start()
        }
        Thread.sleep(forTimeInterval: seconds)
        isDone.store(true, ordering: .relaxed)
        group.wait()
        let time = (ContinuousClock.now - start) / .seconds(1)
        return (Double(searches.load(ordering: .relaxed)) / time, Double(changes.load(ordering: .relaxed)) / time)
    }

    private func search(near row: Int) {
        var query = [Float](shared.rows.row(row))
        for j in query.indices { query[j] += 1e-3 * Float(j) }
        if isSwift {
            _ = try? shared.swift.search(query, k: 10, options: .init(mode: recall == 0 ? .exact : .recall(recall)))
        } else {
            var ids = [UInt64](repeating: 0, count: 10)
            var distances = [Double](repeating: 0, count: 10)
            var options = unsafe kin_search_options()
            unsafe (options.size, options.threads) = (MemoryLayout<kin_search_options>.size, 1)
            unsafe options.recall = recall
            _ = unsafe kin_index_search(shared.handle, query, 1, 0, 10, &options, &ids, &distances, nil)
        }
    }

    private func change(_ row: Int, _ random: inout SystemRandomNumberGenerator) {
        let vector = shared.rows.row(row).map { $0 + Float.random(in: -1e-4...1e-4, using: &random) }
        _ = unsafe kin_index_upsert(shared.handle, vector, 1, 0, [UInt64(row)], 1)
    }
}
