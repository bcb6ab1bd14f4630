/// The text form of a search mode: `exact`, `recall=0.95`, `probes=8`.
extension SearchMode {
    /// The first words of the modes.
    static let words = ["exact", "recall", "probes"]

    /// Parses a mode, with `=` or a space before the number.
    ///
    /// - Throws: An error with the correct syntax.
    init(text: String) throws(KinError) {
        let parts = text.lowercased().split { $0 == "=" || $0.isWhitespace }.map(String.init)
        let name = parts.first ?? ""
        switch (name, parts.count) {
        case ("exact", 1): self = .exact
        case ("recall", 2):
            guard let recall = Double(parts[1]), recall > 0, recall <= 1 else {
                throw KinError(.invalidArgument, "\(parts[1]) is not a recall, a number above 0 and at most 1")
            }
            self = .recall(recall)
        case ("probes", 2):
            guard let lists = Int(parts[1]), lists > 0 else {
                throw KinError(.invalidArgument, "\(parts[1]) is not a number of lists, a whole number from 1 on")
            }
            self = .probes(lists)
        case ("recall", _): throw KinError(.invalidArgument, "recall needs one number, as in recall=0.95")
        case ("probes", _): throw KinError(.invalidArgument, "probes needs one number, as in probes=8")
        default:
            throw KinError(
                .invalidArgument,
                Spelling.nearest(to: name, in: SearchMode.words).map {
                    "there is no mode '\(name)'; did you mean \($0)?"
                }
                    ?? "the modes are exact, recall=0.95 and probes=8")
        }
    }

    /// The mode in its text form.
    var text: String {
        switch self {
        case .exact: "exact"
        case .recall(let recall): "recall \(NumberText.short(recall))"
        case .probes(let lists): "probes \(lists)"
        }
    }
}
