// The functions have the names of kin.h.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

@c @implementation
public func kin_off_policy_estimate(
    _ estimator: kin_estimator, _ rewards: UnsafePointer<Double>!, _ propensities: UnsafePointer<Double>!,
    _ probabilities: UnsafePointer<Double>!, _ estimates: UnsafePointer<Double>!, _ values: UnsafePointer<Double>!,
    _ count: Int, _ confidence: Double, _ resamples: Int, _ seed: UInt64, _ result: UnsafeMutablePointer<Double>!
) -> kin_status {
    attemptLong { () throws(KinError) in
        let numbers = try unsafe outputs(result, count: 3, "result")
        let method = try OffPolicyEvaluation.Estimator.estimator(estimator, "KIN_ESTIMATOR")
        let rounds = try unsafe loggedRounds(
            rewards, propensities, probabilities, method.needsModel ? (estimates, values) : nil, count: count)
        let found = try OffPolicyEvaluation(rounds).estimate(
            method, confidence: confidence, resamples: resamples, seed: seed)
        unsafe numbers.write(found.numbers)
    }
}

@c @implementation
public func kin_off_policy_propensities(
    _ actions: UnsafePointer<Int64>!, _ features: UnsafePointer<Double>!, _ count: Int, _ dimension: Int,
    _ stride: Int, _ groups: UnsafePointer<Int64>!, _ folds: Int, _ floor: Double, _ seed: UInt64,
    _ propensities: UnsafeMutablePointer<Double>!, _ result: UnsafeMutablePointer<Double>!
) -> kin_status {
    attemptLong { () throws(KinError) in
        let numbers = try unsafe outputs(result, count: 3, "result")
        let found = try unsafe outputs(propensities, count: count, "propensities")
        guard dimension >= 0 else { throw KinError(.invalidArgument, "dimension must be 0 or more, not \(dimension)") }
        let logged = try unsafe copy(actions, count: count, "actions").map { Int($0) }
        let people = try unsafe groups == nil ? nil : copy(groups, count: count, "groups").map { Int($0) }
        let table = try unsafe Rows(features, count: count, columns: dimension, stride: stride, "features").matrix()
        var settings = EstimatedPropensities.Settings(floor: floor == 0 ? nil : floor, seed: seed)
        if folds != 0 { settings.folds = folds }
        let estimated = try EstimatedPropensities(of: logged, in: table, groups: people, settings: settings)
        unsafe found.write(estimated.values)
        unsafe numbers.write([estimated.floor, Double(estimated.clippedCount), estimated.calibration.error])
    }
}

@c @implementation
public func kin_off_policy_select_features(
    _ rewards: UnsafePointer<Double>!, _ actions: UnsafePointer<Int64>!, _ count: Int,
    _ features: UnsafePointer<Int64>!, _ actionCount: Int, _ dimension: Int, _ propensities: UnsafePointer<Double>!,
    _ probabilities: UnsafePointer<Double>!, _ kept: UnsafeMutablePointer<UInt8>!,
    _ sharedPropensities: UnsafeMutablePointer<Double>!, _ sharedProbabilities: UnsafeMutablePointer<Double>!
) -> kin_status {
    attemptLong { () throws(KinError) in
        let marks = try unsafe outputs(kept, count: dimension, "kept")
        let logged = try unsafe outputs(sharedPropensities, count: count, "shared_propensities")
        let judged = try unsafe outputs(sharedProbabilities, count: count, "shared_probabilities")
        let (cells, overflow) = actionCount.multipliedReportingOverflow(by: dimension)
        guard actionCount > 0, dimension > 0, !overflow else {
            throw KinError(.invalidArgument, "there are no \(actionCount) actions of \(dimension) features")
        }
        let kinds = try unsafe copy(features, count: cells, "features").map { Int($0) }
        let selection = try unsafe FeatureSelection(
            rewards: copy(rewards, count: count, "rewards"),
            actions: copy(actions, count: count, "actions").map { Int($0) },
            features: (0..<actionCount).map { Array(kinds[$0 * dimension..<($0 + 1) * dimension]) },
            propensities: Rows(propensities, count: count, columns: actionCount, stride: 0, "propensities").matrix(),
            probabilities: Rows(probabilities, count: count, columns: actionCount, stride: 0, "probabilities").matrix())
        let dimensions = try selection.dimensions()
        let rounds = selection.rounds(keeping: dimensions)
        unsafe marks.write((0..<dimension).map { dimensions.contains($0) ? 1 : 0 })
        unsafe logged.write(rounds.map(\.propensity))
        unsafe judged.write(rounds.map(\.probability))
    }
}

@c @implementation
public func kin_slate_estimate(
    _ estimator: kin_slate_estimator, _ slots: Int, _ rewards: UnsafePointer<Double>!,
    _ propensities: UnsafePointer<Double>!, _ probabilities: UnsafePointer<Double>!,
    _ estimates: UnsafePointer<Double>!, _ values: UnsafePointer<Double>!, _ count: Int, _ confidence: Double,
    _ resamples: Int, _ seed: UInt64, _ result: UnsafeMutablePointer<Double>!
) -> kin_status {
    attemptLong { () throws(KinError) in
        let numbers = try unsafe outputs(result, count: 3, "result")
        let method = try SlateEvaluation.Estimator.estimator(estimator, "KIN_SLATE")
        let (slotCount, overflow) = count.multipliedReportingOverflow(by: slots)
        guard slots > 0, count >= 0, !overflow else {
            throw KinError(.invalidArgument, "there are no \(count) slates of \(slots) slots")
        }
        let rounds = try unsafe loggedRounds(
            rewards, propensities, probabilities, method.needsModel ? (estimates, values) : nil, count: slotCount)
        let slates = stride(from: 0, to: rounds.count, by: slots).map { Array(rounds[$0..<$0 + slots]) }
        let found = try SlateEvaluation(slates).estimate(
            method, confidence: confidence, resamples: resamples, seed: seed)
        unsafe numbers.write(found.numbers)
    }
}

extension CaseIterable where AllCases == [Self] {
    /// The estimator of a constant of C.
    fileprivate static func estimator(_ constant: Int32, _ prefix: String) throws(KinError) -> Self {
        guard allCases.indices.contains(Int(constant)) else {
            throw KinError(.invalidArgument, "there is no estimator \(constant); use a constant \(prefix)_...")
        }
        return allCases[Int(constant)]
    }
}

/// The rounds of a log in columns, with the estimates and values of a model if there is one.
private func loggedRounds(
    _ rewards: UnsafePointer<Double>?, _ propensities: UnsafePointer<Double>?, _ probabilities: UnsafePointer<Double>?,
    _ model: (estimates: UnsafePointer<Double>?, values: UnsafePointer<Double>?)?, count: Int
) throws(KinError) -> [LoggedRound] {
    let reward = try unsafe array(rewards, count: count, "rewards")
    let propensity = try unsafe array(propensities, count: count, "propensities")
    let probability = try unsafe array(probabilities, count: count, "probabilities")
    let estimate = try unsafe model.map { model throws(KinError) in
        try unsafe array(model.estimates, count: count, "estimates")
    }
    let value = try unsafe model.map { model throws(KinError) in
        try unsafe array(model.values, count: count, "values")
    }
    // The terms of an estimate, their scaled copies and the indices of a resample need the same amount in addition.
    try requireRoom(for: count, elementsOf: 3 * MemoryLayout<LoggedRound>.stride, "rewards")
    return (0..<count).map { i in
        unsafe LoggedRound(
            reward: reward[i], propensity: propensity[i], probability: probability[i], estimate: estimate?[i] ?? 0,
            value: value?[i] ?? 0)
    }
}

extension OffPolicyEvaluation.Estimate {
    /// The value, NaN for 0 ∕ 0, and the ends of the interval, which are NaN without one.
    fileprivate var numbers: [Double] {
        [isDefined ? value : .nan, interval?.lowerBound ?? .nan, interval?.upperBound ?? .nan]
    }
}
