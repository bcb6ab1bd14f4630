import Kin
import KinDrawings

/// A search mode as people write it: `exact`, `recall=0.95`, `probes=8`.
extension SearchMode {
    /// The words a mode begins with.
    static let words = ["exact", "recall", "probes"]

    /// Reads a mode, with `=` or a blank before the number.
    ///
    /// - Throws: A sentence that says what is wrong and how it is written.
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

    /// The mode as it is written.
    var text: String {
        switch self {
        case .exact: "exact"
        case .recall(let recall): "recall \(NumberText.short(recall))"
        case .probes(let lists): "probes \(lists)"
        }
    }
}
