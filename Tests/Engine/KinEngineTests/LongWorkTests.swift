import Foundation
import KinAffinity
import KinClustering
import KinCore
import KinEngine
import KinIndex
import KinLinearAlgebra
import KinPleasure
import KinRhythms
import KinSamples
import KinStore
import KinTestSupport
import Synchronization
import Testing

/// Long work of every kind gives the same result with and without a progress handler. Cancelling the work at its first,
/// last or any other report changes nothing. The work runs on one thread, so that every run makes the same reports.
@Suite("Long-running work") struct LongWorkTests {
    /// One run of one kind of work.
    struct Trial {
        /// Does the work and returns its result.
        let work: () throws -> String
        /// The state that the work may change, as a text.
        let state: () throws -> String
    }

    /// Kinds of work by name; each run prepares its own.
    static let kinds: [String: @Sendable (TestSeed) throws -> Trial] = [
        "k-means": { seed in try kMeans(KMeans(k: 20, restarts: 2, maximumIterations: 5, seed: seed.value), seed) },
        "k-means||": { seed in
            try kMeans(KMeans(k: 30, start: .kMeansParallel(), maximumIterations: 5, seed: seed.value), seed)
        },
        "k-means of a chosen number": { seed in try kMeans(KMeans(k: .chosen(2...4), seed: seed.value), seed) },
        "a stream of k-means": { seed in
            let state = Box(MiniBatchKMeans(k: 40, seed: seed.value))
            let points = points(1000, seed)
            return Trial {
                try state.value.partialFit(points)
                return "\(state.value.centroids?.elements ?? [])"
            } state: {
                "\(state.value.centroids?.elements ?? []), \(state.value.pointCount)"
            }
        },
        "a load of a flat index": { seed in try flat(existing: 1000, seed) },
        "a replacement in a flat index": { seed in try flat(existing: 6000, seed) },
        "a load of an empty inverted file": { seed in try inverted(.lists, existing: 0, seed) },
        "a load larger than an inverted file": { seed in try inverted(.lists, existing: 2000, seed) },
        "a load into an inverted file": { seed in try inverted(.lists, existing: 9900, seed) },
        "a load of lists by k-means": { seed in try inverted(.centroids(16), existing: 0, seed) },
        "a calibration": { seed in
            let index = Box(calibrated)
            return Trial {
                try index.value.calibrate()
                return "\(index.value.recallReport)"
            } state: {
                "\(index.value.recallReport)"
            }
        },
        "a search by one query": { seed in
            var index = VectorIndex(dimension: 1024, metric: .squaredL2, layout: .flat)
            try index.append(Matrix(rows: 4100, columns: 1024, repeating: 0.5))
            return Trial { [index] in
                let query = [Float](repeating: 1, count: 1024)
                return try "\(index.search(query, k: 3)), \(index.rangeSearch(query, radius: 256).count)"
            } state: {
                ""
            }
        },
        "searches by many queries": { seed in
            var (flat, lists) = (VectorIndex(dimension: 8, metric: .squaredL2, layout: .flat), calibrated)
            try flat.append(points(4500, seed))
            let (queries, few) = (points(600, seed), points(2, seed))
            return Trial { [flat, lists] in
                try "\(flat.search(queries, k: 3)), \(lists.search(queries, k: 3)), "
                    + "\(lists.search(queries, k: 3, options: .init(mode: .probes(3)))), "
                    + "\(flat.search(few, k: 3))"
            } state: {
                ""
            }
        },
        "a list": { seed in
            Trial {
                let wanted = Recommendation(positive: [.id(VectorID(3))], diversity: 0.2)
                return try "\(calibrated.recommend(wanted, k: 9))"
            } state: {
                ""
            }
        },
        "saving an index": { seed in
            let folder = TemporaryFolder()
            var (flat, lists) = (VectorIndex(dimension: 8, metric: .squaredL2, layout: .flat), calibrated)
            try flat.append(points(300, seed))
            try flat.save(to: folder.path("flat.kin"))
            try flat.save(to: folder.path("lists.kin"))
            try flat.append(points(4500, seed))
            return Trial { [flat, lists] in
                // The two saves are not atomic together.
                try ProgressScope.shielded { try flat.save(to: folder.path("flat.kin")) }
                try lists.save(to: folder.path("lists.kin"))
                return try "\(folder.bytes("flat.kin").hashValue) \(folder.bytes("lists.kin").hashValue)"
            } state: {
                try "\(folder.bytes("lists.kin").hashValue)"
            }
        },
        "principal components": { seed in
            let points = points(3000, seed)
            return Trial {
                try "\(PCA(fitting: points))"
            } state: {
                ""
            }
        },
        "an assignment to centroids": { seed in
            let (points, start) = (points(9000, seed), points(40, seed))
            let clustering = try Clustering(centroids: start)
            return Trial {
                try "\(clustering.assign(points))"
            } state: {
                ""
            }
        },
        "a matcher": { seed in
            let souls = souls(0..<1500, seed)
            return Trial {
                try "\(SoulMatcher(souls).mostSimilar(to: souls[7].userID, k: 20))"
            } state: {
                ""
            }
        },
        "changes of a matcher": { seed in
            let souls = souls(0..<1500, seed)
            let matcher = Box(try SoulMatcher(souls[..<500]))
            return Trial {
                try matcher.value.upsert(Array(souls[400...]))
                return try "\(matcher.value.mostSimilar(to: souls[7].userID, k: 20))"
            } state: {
                try "\(matcher.value.count), \(matcher.value.mostSimilar(to: souls[7].userID, k: 20))"
            }
        },
        "everybody's most similar": { seed in
            let matcher = try SoulMatcher(souls(0..<600, seed))
            return Trial {
                var text = ""
                try matcher.forEachMostSimilar(k: 3) { user, found in text += "\(user) \(found)" }
                return text
            } state: {
                ""
            }
        },
        "all similar pairs": { seed in
            let matcher = try SoulMatcher(souls(0..<600, seed))
            return Trial {
                var text = ""
                try matcher.forEachMatch(above: 0.9) { text += "\($0)" }
                return text
            } state: {
                ""
            }
        },
        "a backtest": { seed in
            let log = BabyGenerator(seed: seed.value).log(0, days: 40, age: 120)
            return Trial {
                try "\(RhythmBacktest(log, kind: .nap).trials.map(\.error))"
            } state: {
                ""
            }
        },
        "an import": { seed in try engine(seed) { engine, file in try engine.call("import", "{\"path\":\"\(file)\"}") }
        },
        "an import on two threads": { seed in
            try engine(seed) { engine, file in try engine.call("import", "{\"path\":\"\(file)\",\"threads\":2}") }
        },
        "an import in Swift": { seed in
            try engine(seed) { engine, file in
                let store = try engine.store
                return try waiting {
                    try await "\(store.importLines(from: file, now: instant).sorted { $0.key < $1.key })"
                }
            }
        },
        "an export": { seed in try engine(seed, isFull: true) { engine, _ in try engine.call("export") } },
        "a first question about everybody": { seed in
            try engine(seed, isFull: true) { engine, _ in try engine.call("similar_pairs", #"{"above":0.9}"#) }
        },
        "a first question about sessions": { seed in
            try engine(seed, isFull: true) { engine, _ in try engine.call("near", #"{"session":"u1-3","k":9}"#) }
        },
    ]

    @Test("a progress handler does not change results, and cancelling changes nothing", arguments: kinds.keys.sorted())
    func isAllOrNothing(_ name: String) throws {
        let seed = TestSeed()
        var random = seed.generator
        let make = try #require(Self.kinds[name])
        let expected = try make(seed).work()
        let reports = Atomic(0)
        let observed = try make(seed)
        let result = try withProgressHandler {
            try observed.work()
        } onProgress: { done, total in
            #expect(done >= 0 && done <= total ?? .max, "\(name): \(done) of \(total ?? 0)")
            reports.wrappingAdd(1, ordering: .relaxed)
            return true
        }
        #expect(result == expected, "\(name) with a handler, \(seed)")
        let count = reports.load(ordering: .relaxed)
        try #require(count > 0, "\(name) reports nothing")
        let any = 1 + random.below(count)
        for call in Set([1, any, count]) {
            let trial = try make(seed)
            let before = try trial.state()
            let calls = Atomic(0)
            let error = #expect(throws: KinError.self, "\(name), cancelled at \(call) of \(count), \(seed)") {
                try withProgressHandler {
                    _ = try trial.work()
                } onProgress: { _, _ in
                    calls.wrappingAdd(1, ordering: .relaxed).newValue < call
                }
            }
            #expect(
                error?.code == .cancelled, "\(name), cancelled at \(call) of \(count), \(seed): \(error?.message ?? "")"
            )
            #expect(calls.load(ordering: .relaxed) == call, "\(name) goes on after its cancellation, \(seed)")
            #expect(try trial.state() == before, "\(name), cancelled at \(call) of \(count), \(seed)")
            if call == any {
                #expect(try trial.work() == expected, "\(name) after a cancellation at \(call), \(seed)")
            }
        }
    }

    @Test("work ends with its task") func endsWithItsTask() async throws {
        let points = Self.points(20_000, TestSeed())
        let task = Task {
            while !Task.isCancelled { await Task.yield() }
            return try KMeans(k: 50, restarts: 100).fit(points).inertia
        }
        task.cancel()
        #expect(await errorCode { try await task.value } == .cancelled)
    }

    // MARK: Kinds

    /// An index with the smallest number of vectors that is calibrated.
    private static let calibrated = infallible("the points are finite") { () throws(KinError) in
        var index = VectorIndex(dimension: 8, metric: .squaredL2)
        try index.append(points(10_000, TestSeed(test: "calibrated")))
        return index
    }

    private static let instant = infallible("it is one") { () throws(KinError) in
        try Timestamp(parsing: "2026-11-22T12:00:00Z")
    }

    private final class Box<Value> {
        var value: Value
        init(_ value: Value) { self.value = value }
    }

    private static func points(_ count: Int, _ seed: TestSeed) -> Matrix<Float> {
        var random = seed.generator
        return random.gaussianMatrix(rows: count, columns: 8)
    }

    private static func souls(_ range: Range<Int>, _ seed: TestSeed) -> [Soul] {
        let generator = SoulGenerator(seed: seed.value, communities: 20)
        return range.map { generator.soul($0) }
    }

    private static func kMeans(_ recipe: KMeans, _ seed: TestSeed) throws -> Trial {
        let points = points(3000, seed)
        return Trial {
            let found = try recipe.fit(points)
            return "\(found.inertia) \(found.labels) \(found.centroids.elements)"
        } state: {
            ""
        }
    }

    /// The bytes of the file that `save` writes.
    private static func bytes(of save: (String) throws -> Void) throws -> String {
        let folder = TemporaryFolder()
        // The work of a trial is the change of the index, not the save.
        try ProgressScope.shielded { try save(folder.path("index.kin")) }
        return "\(try folder.bytes("index.kin").hashValue)"
    }

    private static func flat(existing: Int, _ seed: TestSeed) throws -> Trial {
        let index = Box(VectorIndex(dimension: 8, metric: .squaredL2, layout: .flat))
        try index.value.append(points(existing, seed))
        let ids = (0..<4500).map { VectorID(UInt64(2000 + $0)) }
        let isNew = existing == 1000
        return Trial {
            if isNew {
                try index.value.append(points(4500, seed))
            } else {
                try index.value.upsert(points(4500, seed), ids: ids)
            }
            return try bytes(of: index.value.save(to:))
        } state: {
            try bytes(of: index.value.save(to:))
        }
    }

    private static func inverted(_ partition: IndexLayout, existing: Int, _ seed: TestSeed) throws -> Trial {
        let index = Box(VectorIndex(dimension: 8, metric: .squaredL2, layout: partition))
        if existing > 0 { try index.value.append(points(existing, seed)) }
        let ids = (0..<4500).map { VectorID(UInt64(existing / 2 + $0)) }
        return Trial {
            try index.value.upsert(points(4500, seed), ids: ids)
            return try bytes(of: index.value.save(to:))
        } state: {
            try bytes(of: index.value.save(to:))
        }
    }

    /// Work of an engine on a store of sessions and souls, or on one with a single session that imports them from a
    /// file.
    private static func engine(
        _ seed: TestSeed, isFull: Bool = false, _ work: @escaping (Engine, String) throws -> String
    ) throws -> Trial {
        let folder = TemporaryFolder()
        let lives = PersonGenerator(seed: seed.value)
        let souls = SoulGenerator(seed: seed.value, communities: 9)
        let sessions = (0..<3).flatMap { lives.person($0, sessions: 200).sessions }.map { "{\"session\":\($0.json)}" }
        let lines = sessions + (0..<300).map { "{\"soul\":\(souls.soul($0).json)}" }
        let file = try folder.file("lines.jsonl", lines.joined(separator: "\n"))
        let engine = try Engine(store: folder.path("people.db"))
        if isFull {
            _ = try engine.call("import", "{\"path\":\"\(file)\"}")
        } else {
            _ = try engine.call("put", "{\"records\":[\(sessions[0])]}")
        }
        return Trial {
            // The folder must outlive the work.
            try withExtendedLifetime(folder) { try work(engine, file) }
        } state: {
            try engine.call("export") + "\(engine.store.version())"
        }
    }
}
