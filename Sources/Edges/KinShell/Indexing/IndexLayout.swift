import Kin

/// The layout of an index: flat, or an inverted file.
enum IndexLayout: Equatable {
    case flat
    case lists(Partitioning)

    /// The layout that suits so many vectors.
    ///
    /// In an inverted file a search is exact as in a flat index and looks at a part of the vectors only. Below 10,000 vectors that
    /// part is most of them and a flat scan takes microseconds; in many dimensions a box around 64 vectors rules out little,
    /// while a flat scan of many queries at once is at its best.
    static func automatic(count: Int, dimension: Int) -> IndexLayout {
        count >= 10_000 && dimension <= 64 ? .lists(.automatic) : .flat
    }

    func emptyIndex(dimension: Int, metric: Metric, attributes: AttributeSchema) -> any VectorIndex {
        switch self {
        case .flat: FlatIndex(dimension: dimension, metric: metric, attributes: attributes)
        case .lists(let partition):
            IVFIndex(dimension: dimension, metric: metric, partition: partition, attributes: attributes)
        }
    }
}

extension Partitioning {
    /// Reads `auto`, `median` or `lists=N`.
    init?(_ text: String) {
        switch text.lowercased() {
        case "auto": self = .automatic
        case "median": self = .medianSplits
        case let text where text.hasPrefix("lists="):
            guard let lists = Int(text.dropFirst(6)), (1...Partitioning.largestListCount).contains(lists) else {
                return nil
            }
            self = .lists(lists)
        default: return nil
        }
    }

    /// More lists than this are of no use to an index that fits into a machine.
    static let largestListCount = 1 << 18
}

extension IndexKind {
    /// The kind in a word of the command line.
    var word: String {
        switch self {
        case .flat: "flat"
        case .ivf: "ivf"
        }
    }

    /// The kind in a sentence.
    var inWords: String {
        switch self {
        case .flat: "flat (every search looks at all vectors)"
        case .ivf: "ivf (lists; a search visits those near enough)"
        }
    }
}
