/// Propensities for a log without any, estimated from the actions and their contexts by cross-fitting.
///
/// People are divided into K folds. The propensities of a fold come from a multinomial logistic model of the action
/// given the context. The model is fitted to K − 2 other folds, calibrated on the remaining one, and then fitted to all
/// other folds. So no round influences its own propensity (Chernozhukov et al. 2018, "Double/debiased machine
/// learning", doi:10.1111/ectj.12097). Calibration fits one factor of the model's scores by maximum likelihood (Guo et al. 2017,
/// "On calibration of modern neural networks", arXiv 1706.04599), with a prior near 1. Estimates that use these
/// propensities are valid only if the contexts include everything that the logging policy's choices depended on.
public struct EstimatedPropensities: Sendable, Hashable {
    /// The estimated probability of each round's logged action, from ``floor`` to 1.
    public let values: [Double]
    /// The number of rounds whose estimate was below the floor and was raised to the floor.
    public let clippedCount: Int
    /// The smallest propensity; lower estimates are raised to it.
    public let floor: Double
    /// The estimated probabilities of all actions, before clipping, compared with the frequencies in the log.
    public let calibration: CalibrationTable

    /// The parameters of the fit: folds, floor and seed.
    public struct Settings: Sendable, Hashable {
        /// The number of folds, 3 or more; reduced to the number of people if there are fewer.
        public var folds: Int
        /// The smallest propensity, above 0 and at most an action's even share. Default: nil, which is a tenth of the even
        /// share, at most 0.01.
        public var floor: Double?
        /// The seed of the folds.
        public var seed: UInt64

        /// Creates settings from their parts.
        public init(folds: Int = 5, floor: Double? = nil, seed: UInt64) {
            self.folds = folds
            self.floor = floor
            self.seed = seed
        }
    }

    /// Estimates the propensities of logged actions.
    ///
    /// - Parameters:
    ///   - actions: The number of each round's action.
    ///   - features: The contexts, a row for each round, with everything that the choice may have depended on; units do
    ///     not matter.
    ///   - groups: The number of each round's person or unit, whose rounds stay in one fold; nil for independent
    ///     rounds.
    ///   - settings: Folds, floor and seed.
    /// - Throws: `.dimensionMismatch` unless every round has a row and a group. `.invalidArgument` for fewer than 3
    ///   groups or folds and for a floor of 0 or above an even share. `.notFinite` for a feature that is not finite;
    ///   `.capacityExceeded` if rounds × actions exceeds 2²⁷.
    /// - Complexity: O(folds × rounds × features × (features + iterations × actions)), with tens of iterations.
    public init(
        of actions: [Int], in features: Matrix<Double>, groups: [Int]? = nil, settings: Settings
    ) throws(KinError) {
        guard features.rows == actions.count, groups.map({ $0.count == actions.count }) ?? true else {
            throw KinError(
                .dimensionMismatch,
                "\(features.rows) rows of features and \(groups?.count ?? actions.count) groups do not fit "
                    + "\(actions.count) actions")
        }
        if let row = (0..<features.rows).first(where: { !features.row($0).allSatisfy(\.isFinite) }) {
            throw KinError(.notFinite, "a feature is not finite").within("row", row)
        }
        let names = Set(actions).sorted()
        guard actions.count.multipliedReportingOverflow(by: names.count).partialValue <= 1 << 27 else {
            throw KinError(
                .capacityExceeded, "\(actions.count) rounds of \(names.count) actions are more than 2^27 probabilities")
        }
        let evenShare = 1 / Double(max(1, names.count))
        let floor = settings.floor ?? min(0.01, 0.1 * evenShare)
        guard floor > 0, floor <= evenShare else {
            throw KinError(
                .invalidArgument,
                "the floor must be above 0 and at most \(evenShare), the even share of \(names.count) actions, not \(floor)"
            )
        }
        let folds = try Self.folds(of: groups ?? Array(actions.indices), settings)
        let places = Dictionary(uniqueKeysWithValues: names.enumerated().map { ($1, $0) })
        let labels = actions.map { places[$0] ?? 0 }
        var (values, calibration, clipped) = ([Double](repeating: 0, count: actions.count), CalibrationTable(), 0)
        try BLAS.withOneThread { () throws(KinError) in
            for fold in folds.indices {
                let calibrating = folds[(fold + 1) % folds.count]
                let others = folds.indices.filter { $0 != fold && $0 != (fold + 1) % folds.count }
                let training = others.flatMap { folds[$0] }
                var model = try MultinomialModel(features, labels, rows: training, classes: names.count)
                try model.calibrate(features, labels, rows: calibrating)
                try model.fit(features, labels, rows: training + calibrating)
                let probabilities = try model.probabilities(features, rows: folds[fold])
                for (index, row) in folds[fold].enumerated() {
                    let all = probabilities.row(index)
                    for (place, p) in all.enumerated() {
                        calibration.add(expected: p, actual: place == labels[row] ? 1 : 0)
                    }
                    let own = all[all.startIndex + labels[row]]
                    if own < floor { clipped += 1 }
                    values[row] = min(1, max(floor, own))
                }
            }
        }
        self.values = values
        self.calibration = calibration
        self.floor = floor
        clippedCount = clipped
    }

    /// The rows of each fold; all rows of a group are in the same fold.
    private static func folds(of groups: [Int], _ settings: Settings) throws(KinError) -> [[Int]] {
        var rows = [[Int]](repeating: [], count: Set(groups).count)
        for (row, group) in groups.numbered().enumerated() { rows[group].append(row) }
        guard settings.folds >= 3, rows.count >= 3 else {
            throw KinError(
                .invalidArgument,
                "cross-fitting takes 3 folds of 3 people or more, not \(settings.folds) of \(rows.count)")
        }
        var folds = [[Int]](repeating: [], count: min(settings.folds, rows.count))
        var generator = SeededGenerator(seed: settings.seed)
        for (place, index) in generator.shuffled(rows.count).enumerated() { folds[place % folds.count] += rows[index] }
        return folds
    }
}
