extension IndexLayout {
    /// Reads `auto`, `median` or `lists=N`.
    init?(_ text: String) {
        switch text.lowercased() {
        case "auto": self = .lists
        case "median": self = .medianSplits
        case let text where text.hasPrefix("lists="):
            guard let lists = Int(text.dropFirst(6)), (1...IndexLayout.largestListCount).contains(lists) else {
                return nil
            }
            self = .centroids(lists)
        default: return nil
        }
    }

    /// More lists than this are useless for an index that fits into one machine.
    static let largestListCount = 1 << 18

    /// The layout as a word of the command line.
    var word: String { isFlat ? "flat" : "ivf" }

    /// The layout as part of a sentence.
    var inWords: String {
        isFlat ? "flat (every search looks at all vectors)" : "ivf (lists; a search visits those near enough)"
    }
}

extension VectorIndex {
    /// An id in words: its name if the ids of the index are texts.
    func text(of id: VectorID) -> String { name(of: id) ?? "\(id)" }

    /// An id in JSON: its name if the ids of the index are texts.
    func json(of id: VectorID) -> any JSONWritable {
        if let name = name(of: id) { return name }
        return id.rawValue
    }

    /// Requires that the index has lists.
    ///
    /// - Throws: `.invalidArgument`, with the command that builds an index with lists.
    func requireLists(for purpose: String) throws(KinError) {
        guard layout.isFlat else { return }
        throw KinError(
            .invalidArgument,
            "this index is flat: \(purpose); `kin index build INPUT -o INDEX --kind ivf` makes an inverted file")
    }

    /// Requires lists for every mode except exact.
    func require(_ mode: SearchMode) throws(KinError) {
        if mode != .exact { try requireLists(for: "it always looks at everything, so its only mode is exact") }
    }
}
