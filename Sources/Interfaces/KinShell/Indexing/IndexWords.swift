import Kin

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

extension VectorIndex {
    /// The inverted file, or an error that says how to get one.
    func invertedFile(for purpose: String) throws(KinError) -> IVFIndex {
        if let file = self as? IVFIndex { return file }
        throw KinError(
            .invalidArgument,
            "this index is flat: \(purpose); `kin index build INPUT -o INDEX --kind ivf` makes an inverted file")
    }

    /// Requires an inverted file for every mode but the exact one.
    func require(_ mode: SearchMode) throws(KinError) {
        if mode != .exact { _ = try invertedFile(for: "it always looks at everything, so its only mode is exact") }
    }
}
