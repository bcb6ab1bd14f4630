// The functions have the names of kin.h.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

extension Rows<Double> {
    /// Copies a row of numbers.
    ///
    /// - Precondition: The row exists.
    func row(_ index: Int) -> [Double] { unsafe Array(slice(index)) }
}

/// Checks rows of the policy's features.
private func rows(
    _ pointer: UnsafePointer<Double>?, _ count: Int, _ stride: Int, for dimension: Int, least: Int = 0
) throws(KinError) -> Rows<Double> {
    guard count >= least || count < 0 else {
        throw KinError(.invalidArgument, "there are \(count) rows; give at least \(least)")
    }
    return try unsafe Rows(pointer, count: count, columns: dimension, stride: stride, "rows")
}

@c @implementation
public func kin_policy_choose(
    _ policy: OpaquePointer!, _ rows: UnsafePointer<Double>!, _ count: Int, _ stride: Int,
    _ choices: UnsafeMutablePointer<Int64>!, _ propensities: UnsafeMutablePointer<Double>!
) -> kin_status {
    attemptLong { () throws(KinError) in
        let handle = try unsafe object(PolicyHandle.self, policy, "policy")
        if count == 1 {
            // For one context or action only the row is copied.
            let (arm, probability) = try unsafe (output(choices, "choices"), output(propensities, "propensities"))
            let choice = try handle.update { (policy) throws(KinError) in
                let only = try unsafe KinABI.rows(rows, 1, stride, for: policy.dimension)
                return try policy.arms == nil ? policy.choose(from: only.matrix()) : policy.choose(in: only.row(0))
            }
            unsafe arm.pointee = Int64(choice.action)
            unsafe probability.pointee = choice.propensity
            return
        }
        // Outputs are checked first: a choice advances the generator, and a failing call must change nothing.
        let found = try handle.updateAll { (policy) throws(KinError) in
            let table = try unsafe KinABI.rows(rows, count, stride, for: policy.dimension, least: 1)
            let wanted = policy.arms == nil ? 1 : count
            _ = try unsafe outputs(choices, count: wanted, "choices")
            _ = try unsafe outputs(propensities, count: wanted, "propensities")
            return try chosen(by: &policy, table)
        }
        let arms = try unsafe outputs(choices, count: found.count, "choices")
        let probabilities = try unsafe outputs(propensities, count: found.count, "propensities")
        for (index, choice) in found.enumerated() {
            unsafe arms[index] = choice.arm
            unsafe probabilities[index] = choice.propensity
        }
    }
}

/// Chooses one of all rows or, with arms, an arm for each row.
private func chosen(
    by policy: inout BanditPolicy, _ table: Rows<Double>
) throws(KinError) -> [(arm: Int64, propensity: Double)] {
    guard policy.arms != nil else {
        let choice = try policy.choose(from: table.matrix())
        return [(Int64(choice.action), choice.propensity)]
    }
    return try eachRow(of: table.count) { index throws(KinError) in
        let choice = try policy.choose(in: table.row(index))
        return (Int64(choice.action), choice.propensity)
    }
}

@c @implementation
public func kin_policy_choose_among(
    _ policy: OpaquePointer!, _ context: UnsafePointer<Double>!, _ arms: UnsafePointer<Int64>!, _ count: Int,
    _ choice: UnsafeMutablePointer<Int64>!, _ propensity: UnsafeMutablePointer<Double>!
) -> kin_status {
    attempt { () throws(KinError) in
        let handle = try unsafe object(PolicyHandle.self, policy, "policy")
        let (arm, probability) = try unsafe (output(choice, "choice"), output(propensity, "propensity"))
        let allowed = try unsafe copy(arms, count: count, "arms").map { Int($0) }
        let chosen = try handle.update { (policy) throws(KinError) in
            let features = try unsafe copy(context, count: policy.dimension, "context")
            return try policy.choose(in: features, among: allowed)
        }
        unsafe arm.pointee = Int64(chosen.action)
        unsafe probability.pointee = chosen.propensity
    }
}

@c @implementation
public func kin_policy_learn(
    _ policy: OpaquePointer!, _ rows: UnsafePointer<Double>!, _ count: Int, _ stride: Int,
    _ arms: UnsafePointer<Int64>!, _ rewards: UnsafePointer<Double>!, _ weights: UnsafePointer<Double>!
) -> kin_status {
    attemptLong { () throws(KinError) in
        let handle = try unsafe object(PolicyHandle.self, policy, "policy")
        let chosen = try unsafe arms == nil ? nil : array(arms, count: count, "arms")
        let brought = try unsafe array(rewards, count: count, "rewards")
        let counted = try unsafe weights == nil ? nil : array(weights, count: count, "weights")
        func learn(_ index: Int, _ table: Rows<Double>, _ policy: inout BanditPolicy) throws(KinError) {
            let event = unsafe BanditPolicy.Event(
                features: table.row(index), arm: chosen.map { unsafe Int($0[index]) }, propensity: 1)
            try unsafe policy.learn(reward: brought[index], for: event, weight: counted?[index] ?? 1)
        }
        if count == 1 {
            return try handle.update { (policy) throws(KinError) in
                try learn(0, try unsafe KinABI.rows(rows, 1, stride, for: policy.dimension), &policy)
            }
        }
        try handle.updateAll { (policy) throws(KinError) in
            let table = try unsafe KinABI.rows(rows, count, stride, for: policy.dimension)
            _ = try eachRow(of: count) { index throws(KinError) in try learn(index, table, &policy) }
        }
    }
}

@c @implementation
public func kin_policy_play(
    _ policy: OpaquePointer!, _ rows: UnsafePointer<Double>!, _ count: Int, _ stride: Int,
    _ labels: UnsafePointer<Int64>!, _ choices: UnsafeMutablePointer<Int64>!,
    _ propensities: UnsafeMutablePointer<Double>!
) -> kin_status {
    attemptLong { () throws(KinError) in
        let handle = try unsafe object(PolicyHandle.self, policy, "policy")
        let right = try unsafe copy(labels, count: count, "labels").map { Int($0) }
        let arms = try unsafe outputs(choices, count: count, "choices")
        let probabilities = try unsafe propensities == nil ? nil : outputs(propensities, count: count, "propensities")
        let run = try handle.updateAll { (policy) throws(KinError) in
            let table = try unsafe KinABI.rows(rows, count, stride, for: policy.dimension)
            return try policy.play(table.matrix(), labels: right)
        }
        for index in 0..<count { unsafe arms[index] = Int64(run.arms[index]) }
        unsafe probabilities?.write(run.propensities)
    }
}

@c @implementation
public func kin_policy_discount(_ policy: OpaquePointer!, _ factor: Double) -> kin_status {
    attempt { () throws(KinError) in
        try unsafe object(PolicyHandle.self, policy, "policy").updateAll { (policy) throws(KinError) in
            try policy.discount(by: factor)
        }
    }
}

@c @implementation
public func kin_policy_expected_rewards(
    _ policy: OpaquePointer!, _ rows: UnsafePointer<Double>!, _ count: Int, _ stride: Int,
    _ rewards: UnsafeMutablePointer<Double>!
) -> kin_status {
    attemptLong { () throws(KinError) in
        let policy = try unsafe KinABI.policy(policy)
        let table = try unsafe KinABI.rows(rows, count, stride, for: policy.dimension)
        try unsafe fill(
            rewards,
            with: each(table, policy) { (context) throws(KinError) in
                try policy.expectedRewards(in: context)
            } all: { (actions) throws(KinError) in
                try policy.expectedRewards(of: actions)
            }, "rewards")
    }
}

@c @implementation
public func kin_policy_probabilities(
    _ policy: OpaquePointer!, _ rows: UnsafePointer<Double>!, _ count: Int, _ stride: Int, _ draws: Int,
    _ seed: UInt64, _ probabilities: UnsafeMutablePointer<Double>!
) -> kin_status {
    attemptLong { () throws(KinError) in
        let policy = try unsafe KinABI.policy(policy)
        guard draws >= 1, draws <= 1 << 24 else {
            throw KinError(.invalidArgument, "draws must be 1 to 16,777,216, not \(UInt(bitPattern: draws))")
        }
        let table = try unsafe KinABI.rows(rows, count, stride, for: policy.dimension)
        try unsafe fill(
            probabilities,
            with: each(table, policy) { (context) throws(KinError) in
                try policy.probabilities(in: context)
            } all: { (actions) throws(KinError) in
                try policy.probabilities(of: actions, draws: draws, seed: seed)
            }, "probabilities")
    }
}

/// Computes numbers for each arm in each context, or for all actions at once.
private func each(
    _ table: Rows<Double>, _ policy: BanditPolicy, context: ([Double]) throws(KinError) -> [Double],
    all: (Matrix<Double>) throws(KinError) -> [Double]
) throws(KinError) -> [Double] {
    guard table.count > 0 else { return [] }
    guard policy.arms != nil else { return try all(table.matrix()) }
    return try eachRow(of: table.count) { index throws(KinError) in try context(table.row(index)) }.flatMap(\.self)
}
