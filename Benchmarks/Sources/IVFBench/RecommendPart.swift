import Ceilings
import Kin
import Measuring

/// Times lists by examples and with diversity, compared with plain searches of the same index in the same rounds.
struct RecommendPart {
    private let index: VectorIndex
    private let flat: VectorIndex
    private let queries: [[Float]]
    private let options: IVFBenchOptions

    init(_ index: VectorIndex, _ vectors: Matrix<Float>, queries: Matrix<Float>, options: IVFBenchOptions) throws {
        var flat = VectorIndex(dimension: vectors.columns, metric: options.metric, layout: .flat)
        try flat.append(vectors)
        self.index = index
        self.flat = flat
        self.queries = queries.arrays(200)
        self.options = options
    }

    func run() throws {
        print("\n### Lists\n")
        var table = Table(["list", "flat, µs", "× a plain search", "inverted file, µs", "× a plain search"])
        var kinds: [(String, ([Float]) -> Recommendation)] = [
            ("a positive and a negative example", { Recommendation(positive: [.vector($0)], negative: [.id(0)]) })
        ]
        for diversity in [0.1, 0.2, 0.3, 0.4] {
            kinds.append(("diversity \(diversity)", { Recommendation(positive: [.vector($0)], diversity: diversity) }))
        }
        for (name, wanted) in kinds {
            let scans = try compare(
                { try flat.search($0, k: options.k) }, { try flat.recommend(wanted($0), k: options.k) })
            let traversals = try compare(
                { try index.search($0, k: options.k) }, { try index.recommend(wanted($0), k: options.k) })
            for query in queries.prefix(options.checked) {
                guard try flat.recommend(wanted(query), k: options.k) == index.recommend(wanted(query), k: options.k)
                else {
                    throw KinError(.numericalFailure, "the two indexes recommend different vectors")
                }
            }
            table.add([name, scans.micro, scans.ratio, traversals.micro, traversals.ratio])
        }
        print(table)
    }

    /// The time of a list, and its ratio to the time of a plain search: means over alternating queries.
    private func compare(
        _ plain: ([Float]) throws -> [Neighbor], _ list: ([Float]) throws -> [Neighbor]
    ) throws -> (micro: String, ratio: String) {
        var (plainTime, time) = (0.0, 0.0)
        for query in queries {
            plainTime += try Timing.seconds { _ = try plain(query) }
            time += try Timing.seconds { _ = try list(query) }
        }
        return ((1e6 * time / Double(queries.count)).shown, (time / plainTime).shown)
    }
}
