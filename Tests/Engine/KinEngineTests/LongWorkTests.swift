import Foundation
import KinEngine
import KinEvaluation
import KinSamples
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

        init(_ work: @escaping () throws -> String, state: @escaping () throws -> String = { "" }) {
            self.work = work
            self.state = state
        }
    }

    /// Kinds of work by name; each run prepares its own.
    static let kinds: [String: @Sendable () throws -> Trial] = [
        "k-means": { try kMeans(KMeans(k: 20, restarts: 2, maximumIterations: 5, seed: TestSeed.value)) },
        "k-means||": {
            try kMeans(KMeans(k: 30, start: .kMeansParallel(), maximumIterations: 5, seed: TestSeed.value))
        },
        "k-means of a chosen number": { try kMeans(KMeans(k: .chosen(2...4), seed: TestSeed.value)) },
        "a stream of k-means": {
            let state = Box(MiniBatchKMeans(k: 40, seed: TestSeed.value))
            let points = gaussianPoints(1000)
            return Trial {
                try state.value.partialFit(points)
                return "\(state.value.centroids?.elements ?? [])"
            } state: {
                "\(state.value.centroids?.elements ?? []), \(state.value.pointCount)"
            }
        },
        "a load of a flat index": { try index(.flat, existing: 1000) },
        "a replacement in a flat index": { try index(.flat, existing: 6000, replacingFrom: 2000) },
        "a load of an empty inverted file": { try index(.lists, existing: 0, replacingFrom: 0) },
        "a load larger than an inverted file": { try index(.lists, existing: 2000, replacingFrom: 1000) },
        "a load into an inverted file": { try index(.lists, existing: 9900, replacingFrom: 4950) },
        "a load of lists by k-means": { try index(.centroids(16), existing: 0, replacingFrom: 0) },
        "a calibration": {
            let index = Box(calibrated)
            return Trial {
                try index.value.calibrate()
                return "\(index.value.recallReport)"
            } state: {
                "\(index.value.recallReport)"
            }
        },
        "a search by one query": {
            var index = VectorIndex(dimension: 1024, metric: .squaredL2, layout: .flat)
            try index.append(Matrix(rows: 4100, columns: 1024, repeating: 0.5))
            return Trial { [index] in
                let query = [Float](repeating: 1, count: 1024)
                return try "\(index.search(query, k: 3)), \(index.rangeSearch(query, radius: 256).count)"
            }
        },
        "searches by many queries": {
            var (flat, lists) = (VectorIndex(dimension: 8, metric: .squaredL2, layout: .flat), calibrated)
            try flat.append(gaussianPoints(4500))
            let (queries, few) = (gaussianPoints(600), gaussianPoints(2))
            return Trial { [flat, lists] in
                try "\(flat.search(queries, k: 3)), \(lists.search(queries, k: 3)), "
                    + "\(lists.search(queries, k: 3, options: .init(mode: .probes(3)))), "
                    + "\(flat.search(few, k: 3))"
            }
        },
        "a list": {
            Trial {
                let wanted = Recommendation(positive: [.id(VectorID(3))], diversity: 0.2)
                return try "\(calibrated.recommend(wanted, k: 9))"
            }
        },
        "saving an index": {
            let folder = TemporaryFolder()
            var (flat, lists) = (VectorIndex(dimension: 8, metric: .squaredL2, layout: .flat), calibrated)
            try flat.append(gaussianPoints(300))
            try flat.save(to: folder.path("flat.kin"))
            try flat.save(to: folder.path("lists.kin"))
            try flat.append(gaussianPoints(4500))
            return Trial { [flat, lists] in
                // The two saves are not atomic together.
                try ProgressScope.shielded { try flat.save(to: folder.path("flat.kin")) }
                try lists.save(to: folder.path("lists.kin"))
                return try "\(folder.bytes("flat.kin").hashValue) \(folder.bytes("lists.kin").hashValue)"
            } state: {
                try "\(folder.bytes("lists.kin").hashValue)"
            }
        },
        "principal components": {
            let points = gaussianPoints(3000)
            return Trial {
                try "\(PCA(fitting: points))"
            }
        },
        "an assignment to centroids": {
            let (points, start) = (gaussianPoints(9000), gaussianPoints(40))
            let clustering = try Clustering(centroids: start)
            return Trial {
                try "\(clustering.assign(points))"
            }
        },
        "silhouettes": {
            let (points, start) = (gaussianPoints(3000), gaussianPoints(4))
            let clustering = try Clustering(centroids: start)
            return Trial {
                try "\(clustering.silhouette(of: points, sample: 3000))"
            }
        },
        "a replay of a log": {
            var random = TestSeed(test: "long work").generator
            let contexts = try Matrix<Double>(rows: 300, columns: 2, elements: (0..<600).map { _ in random.uniform() })
            let arms = (0..<300).map { _ in random.below(3) }
            let table = try LoggedTable(
                contexts: contexts, arms: arms, armCount: 3, rewards: arms.map { $0 == 1 ? 1 : 0 })
            return Trial {
                let settings = PolicySettings(.linUCB(), dimension: 2, arms: 3, seed: TestSeed.value)
                return try "\(LogReplay(table, settings: settings, passes: 2).rounds)"
            }
        },
        "a fit of weights": {
            let souls = generatedSouls(0..<60)
            let matcher = try SoulMatcher(souls)
            let pairs = (0..<40).map { LabelledPair(souls[$0].userID, souls[$0 + 1].userID, label: $0 % 2 == 0) }
            return Trial {
                try "\(WeightFit(to: pairs, of: matcher).weights)"
            }
        },
        "a matcher": {
            let souls = generatedSouls(0..<1500)
            return Trial {
                try "\(SoulMatcher(souls).mostSimilar(to: souls[7].userID, k: 20))"
            }
        },
        "changes of a matcher": {
            let souls = generatedSouls(0..<1500)
            let matcher = Box(try SoulMatcher(souls[..<500]))
            return Trial {
                try matcher.value.upsert(Array(souls[400...]))
                return try "\(matcher.value.mostSimilar(to: souls[7].userID, k: 20))"
            } state: {
                try "\(matcher.value.count), \(matcher.value.mostSimilar(to: souls[7].userID, k: 20))"
            }
        },
        "everybody's most similar": {
            let matcher = try SoulMatcher(generatedSouls(0..<600))
            return Trial {
                var text = ""
                try matcher.forEachMostSimilar(k: 3) { user, found in text += "\(user) \(found)" }
                return text
            }
        },
        "all similar pairs": {
            let matcher = try SoulMatcher(generatedSouls(0..<600))
            return Trial {
                var text = ""
                try matcher.forEachMatch(above: 0.9) { text += "\($0)" }
                return text
            }
        },
        "a backtest": {
            let log = BabyGenerator(seed: TestSeed.value).log(0, days: 40, age: 120)
            return Trial {
                try "\(RhythmBacktest(log, kind: .nap).trials.map(\.error))"
            }
        },
        "an import": { try engine { engine, file in try engine.call("import", "{\"path\":\"\(file)\"}") } },
        "an import on two threads": {
            try engine { engine, file in try engine.call("import", "{\"path\":\"\(file)\",\"threads\":2}") }
        },
        "an import in Swift": {
            try engine { engine, file in
                let store = try engine.store
                return try waiting {
                    try await "\(store.importLines(from: file, now: instant).sorted { $0.key < $1.key })"
                }
            }
        },
        "an export": { try engine(isFull: true) { engine, _ in try engine.call("export") } },
        "a check": { try engine(isFull: true) { engine, _ in try "\(engine.store.check().people)" } },
        "a delivery of contributions": { try engine(isFull: true) { engine, _ in try engine.call("route") } },
        "a first question about everybody": {
            try engine(isFull: true) { engine, _ in try engine.call("similar_pairs", #"{"above":0.9}"#) }
        },
        "a first question about sessions": {
            try engine(isFull: true) { engine, _ in try engine.call("near", #"{"session":"u1-3","k":9}"#) }
        },
    ]

    @Test("a progress handler does not change results, and cancelling changes nothing", arguments: kinds.keys.sorted())
    func isAllOrNothing(_ name: String) throws {
        var random = TestSeed().generator
        let make = try #require(Self.kinds[name])
        let expected = try make().work()
        let reports = Atomic(0)
        let observed = try make()
        let result = try withProgressHandler {
            try observed.work()
        } onProgress: { done, total in
            #expect(done >= 0 && done <= total ?? .max, "\(name): \(done) of \(total ?? 0)")
            reports.wrappingAdd(1, ordering: .relaxed)
            return true
        }
        #expect(result == expected, "\(name) with a handler")
        let count = reports.load(ordering: .relaxed)
        try #require(count > 0, "\(name) reports nothing")
        let any = 1 + random.below(count)
        for call in Set([1, any, count]) {
            let trial = try make()
            let before = try trial.state()
            let calls = Atomic(0)
            let error = #expect(throws: KinError.self, "\(name), cancelled at \(call) of \(count)") {
                try withProgressHandler {
                    _ = try trial.work()
                } onProgress: { _, _ in
                    calls.wrappingAdd(1, ordering: .relaxed).newValue < call
                }
            }
            #expect(error?.code == .cancelled, "\(name), cancelled at \(call) of \(count): \(error?.message ?? "")")
            #expect(calls.load(ordering: .relaxed) == call, "\(name) goes on after its cancellation")
            #expect(try trial.state() == before, "\(name), cancelled at \(call) of \(count)")
            if call == any {
                #expect(try trial.work() == expected, "\(name) after a cancellation at \(call)")
            }
        }
    }

    @Test("work ends with its task") func endsWithItsTask() async throws {
        let points = Self.gaussianPoints(20_000)
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
        try index.append(gaussianPoints(10_000))
        return index
    }

    private static let instant = infallible("it is one") { () throws(KinError) in
        try Timestamp(parsing: "2026-11-22T12:00:00Z")
    }

    private final class Box<Value> {
        var value: Value
        init(_ value: Value) { self.value = value }
    }

    private static func gaussianPoints(_ count: Int) -> Matrix<Float> {
        var random = TestSeed(test: "long work").generator
        return random.gaussianMatrix(rows: count, columns: 8)
    }

    private static func generatedSouls(_ range: Range<Int>) -> [Soul] {
        let generator = SoulGenerator(seed: TestSeed.value, communities: 20)
        return range.map { generator.soul($0) }
    }

    private static func kMeans(_ recipe: KMeans) throws -> Trial {
        let points = gaussianPoints(3000)
        return Trial {
            let found = try recipe.fit(points)
            return "\(found.inertia) \(found.labels) \(found.centroids.elements)"
        }
    }

    /// The bytes of the file that `save` writes.
    private static func bytes(of save: (String) throws -> Void) throws -> String {
        let folder = TemporaryFolder()
        // The work of a trial is the change of the index, not the save.
        try ProgressScope.shielded { try save(folder.path("index.kin")) }
        return "\(try folder.bytes("index.kin").hashValue)"
    }

    /// A load of 4,500 vectors.
    ///
    /// - Parameter first: The id of the first vector; nil for new ids behind the existing vectors.
    private static func index(_ layout: IndexLayout, existing: Int, replacingFrom first: Int? = nil) throws -> Trial {
        let index = Box(VectorIndex(dimension: 8, metric: .squaredL2, layout: layout))
        if existing > 0 { try index.value.append(gaussianPoints(existing)) }
        return Trial {
            let points = gaussianPoints(4500)
            if let first {
                try index.value.upsert(points, ids: (0..<4500).map { VectorID(UInt64(first + $0)) })
            } else {
                try index.value.append(points)
            }
            return try bytes(of: index.value.save(to:))
        } state: {
            try bytes(of: index.value.save(to:))
        }
    }

    /// Work of an engine on a store of sessions and souls, or on one with a single session that imports them from a
    /// file.
    private static func engine(
        isFull: Bool = false, _ work: @escaping (Engine, String) throws -> String
    ) throws -> Trial {
        let folder = TemporaryFolder()
        let lives = PersonGenerator(seed: TestSeed.value)
        let souls = SoulGenerator(seed: TestSeed.value, communities: 9)
        let sessions = (0..<3).flatMap { lives.person($0, sessions: 90).sessions }.map { "{\"session\":\($0.json)}" }
        let story = #"{"story":{"title":"Rain","content":"It rains.","narrativeType":"fable","triggerZone":"z"}}"#
        let contribution = """
            {"contribution":{"uid":"\(souls.soul(0).userID)","id":"1af614c40c2e2d9c7acfb94cb4de3f9d",\
            "made":"2026-01-01T10:00:00Z","routed":false,"contribution":\(story)}}
            """
        let lines = sessions + (0..<200).map { "{\"soul\":\(souls.soul($0).json)}" } + [contribution]
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
