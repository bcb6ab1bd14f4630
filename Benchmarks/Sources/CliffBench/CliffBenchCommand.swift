import ArgumentParser
import Ceilings
import Kin
import KinSamples
import Measuring

/// `cliff-bench`: costs of an inverted file when a small cause could have a large effect.
@main
struct CliffBenchCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cliff-bench",
        abstract: "Measure slow cases of the inverted file: outliers, single changes, narrow filters, first searches.",
        discussion: """
            The data are generated clusters of 16 dimensions. Searches with and without outliers are timed alternately, and \
            the lists and blocks that they visit are counted. Single changes are timed one by one, from Swift and through the C \
            interface. A second thread searches during the changes through C.

              cliff-bench --vectors 300000 --parts outliers,filters,opening
              cliff-bench --vectors 1000000 --upserts 400000 --parts upserts
            """
    )

    @Option(help: "The number of vectors in the index.")
    var vectors = 300_000

    @Option(
        positive: "The number of changes of single vectors: half have new ids, half replace vectors.")
    var upserts = 100_000

    @Option(positive: "The number of queries, timed one at a time.")
    var queries = 2_000

    @Option(positive: "The number of rounds of each figure; the best round counts.")
    var rounds = 7

    @Option(help: "The parts to run, separated by commas.")
    var parts: ValueList<Part> = [.outliers, .upserts, .filters, .opening]

    @Option(help: "The seed of the vectors.")
    var seed: UInt64 = 1

    func validate() throws {
        guard vectors >= 10_000 else { throw ValidationError("--vectors must be at least 10,000.") }
    }

    func run() throws {
        let data = try ClusteredData(vectors: vectors, queries: queries, later: upserts, seed: seed)
        print("\n## \(vectors) vectors of \(ClusteredData.dimension) dimensions in clusters, k = 10\n")
        for part in parts.values {
            switch part {
            case .outliers: try OutlierPart(data: data, rounds: rounds).run()
            case .upserts: try UpsertPart(data: data, upserts: upserts).run()
            case .filters: try FilterPart(data: data, rounds: rounds).run()
            case .opening: try OpeningPart(data: data).run()
            }
        }
    }

    /// One table of the output.
    enum Part: String, CaseIterable, ExpressibleByArgument {
        case outliers, upserts, filters, opening
    }
}

/// Vectors in clusters, and queries and later vectors from the same distribution.
struct ClusteredData {
    static let dimension = 16

    let vectors: Matrix<Float>
    let queries: [[Float]]
    /// The vectors of single changes.
    let later: [[Float]]

    init(vectors n: Int, queries: Int, later: Int, seed: UInt64) throws {
        let profiles = try Profiles(
            .clustered(clusters: n / 500), rows: n, queries: queries + later, dimension: Self.dimension, seed: seed)
        vectors = profiles.vectors
        self.queries = profiles.queries.arrays(queries)
        self.later = Array(profiles.queries.arrays().dropFirst(queries))
    }

    /// An index of the vectors and some more.
    func index(with others: [[Float]] = []) throws -> VectorIndex {
        var index = VectorIndex(dimension: Self.dimension)
        let elements = others.reduce(into: vectors.elements) { $0 += $1 }
        try index.append(
            Matrix(rows: vectors.rows + others.count, columns: Self.dimension, elements: elements), threads: 2)
        return index
    }
}

extension VectorIndex {
    /// Seconds of a search for each query, one at a time.
    func seconds(
        _ queries: some Collection<[Float]>, mode: SearchMode = .exact, where filter: SearchFilter = .all
    ) throws -> Double {
        let all = try Timing.seconds {
            for query in queries { _ = try search(query, k: 10, options: .init(mode: mode, where: filter)) }
        }
        return all / Double(queries.count)
    }
}
