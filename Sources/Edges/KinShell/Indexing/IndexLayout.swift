import Kin

/// The layout of an index: flat, or in cells.
enum IndexLayout: Equatable {
    case flat
    case cells(Partitioning)

    /// The layout that suits so many vectors.
    ///
    /// In cells a search is exact as in a flat index and looks at a part of the vectors only. Below 10,000 vectors that
    /// part is most of them and a flat scan takes microseconds; in many dimensions a box around 64 vectors rules out little,
    /// while a flat scan of many queries at once is at its best.
    static func automatic(count: Int, dimension: Int) -> IndexLayout {
        count >= 10_000 && dimension <= 64 ? .cells(.automatic) : .flat
    }

    func emptyIndex(dimension: Int, metric: Metric, attributes: AttributeSchema) -> any VectorIndex {
        switch self {
        case .flat: FlatIndex(dimension: dimension, metric: metric, attributes: attributes)
        case .cells(let partition):
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
        case .ivf: "cells"
        }
    }

    /// The kind in a sentence.
    var inWords: String {
        switch self {
        case .flat: "flat (every search looks at all vectors)"
        case .ivf: "cells (a search looks into those in reach)"
        }
    }
}
