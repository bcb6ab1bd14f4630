import Kin
import KinSamples
import Measuring

/// Sessions: loading and searching under filters.
extension PleasureBenchCommand {
    func measureSessions() throws {
        let generator = PersonGenerator(seed: seed)
        var all: [PleasureSession] = []
        all.reserveCapacity(sessions)
        for person in 0..<people {
            all += generator.person(person, sessions: sessions * (person + 1) / people - all.count).sessions
        }
        let ids = all.indices.map { VectorID(UInt64($0)) }
        var index = SessionIndex()
        let load = try Timing.seconds { try index.upsert(all, as: ids) }
        print("\n## \(all.count) sessions of \(people) people, k = \(k)\n")
        print("loaded in \(load) s: \(Int(Double(all.count) / load)) sessions a second\n")
        print("| filter | allowed by the first query | median µs | p99 µs |\n| --- | --- | --- | --- |")
        for (name, filter) in filters(all) {
            let queries = queries(all)
            let allowed = try index.nearest(to: queries[0], k: all.count, where: filter(0)).count
            let times = try CallTimes(calls, warmUp: 50) {
                _ = try index.nearest(to: queries[$0 % queries.count], k: k, where: filter($0))
            }
            print("| \(name) | \(allowed) | \(times.cells) |")
        }
        let scan = scan(all)
        print("| (a plain scan of all, no filter) | \(all.count) | \(scan.cells) |")
    }

    /// Points of sessions, slightly moved.
    private func queries(_ all: [PleasureSession]) -> [Pleasure] {
        var generator = SeededGenerator(seed: seed + 1)
        return (0..<500).map { _ in
            let point = all[generator.below(all.count)].embedding.vector
            let moved = point.map { min(max($0 + Float(generator.uniform() - 0.5) * 0.1, 0), 1) }
            return (try? Pleasure(moved)) ?? Pleasure()
        }
    }

    private func filters(_ all: [PleasureSession]) -> [(String, (Int) -> SessionFilter)] {
        let starts = all.map(\.start).sorted()
        func span(_ number: Int, share: Double) -> TimeRange {
            let width = Int(Double(starts.count) * share)
            let first = number * 7919 % (starts.count - width)
            return TimeRange(from: starts[first], to: starts[first + width])!
        }
        let states: [SessionState] = [.drift, .mastery, .socialSync]
        return [
            ("none", { _ in .all }),
            ("a person", { .user("u\($0 % people)") }),
            ("a person and a state", { .user("u\($0 % people)") && .state(.reflection) }),
            ("a person and a tenth of the time", { .user("u\($0 % people)") && .started(in: span($0, share: 0.1)) }),
            ("the most frequent state", { _ in .state(.reflection) }),
            ("a rare state", { _ in .state(.drift) }),
            ("a rare state, different for each query", { .state(states[$0 % 3]) }),
            ("half of the time", { .started(in: span($0, share: 0.5)) }),
            ("a tenth of the time", { .started(in: span($0, share: 0.1)) }),
            ("a hundredth of the time", { .started(in: span($0, share: 0.01)) }),
            ("a thousandth of the time", { .started(in: span($0, share: 0.001)) }),
        ]
    }

    /// The alternative without an index: a scan of every vector.
    private func scan(_ all: [PleasureSession]) -> CallTimes {
        let vectors = all.map(\.embedding.vector)
        let queries = queries(all)
        return CallTimes(5, warmUp: 50) { number in
            let query = queries[number].vector
            var best = Float.infinity
            for vector in vectors {
                var sum: Float = 0
                for j in 0..<16 { sum += (vector[j] - query[j]) * (vector[j] - query[j]) }
                best = min(best, sum)
            }
            precondition(best >= 0)
        }
    }
}
