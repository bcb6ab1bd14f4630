extension AdaptiveModels {
    /// The smallest number of bytes of a state after its header, without first observations. The models use at most
    /// this much memory.
    static func leastBytes(_ settings: PolicySettings) -> Int {
        let (arms, dimension) = (settings.arms ?? 1, settings.dimension)
        let widths =
            [FeatureMap(dimension: dimension, hasPairs: false).width]
            + (takesPairs(settings) ? [FeatureMap(dimension: dimension, hasPairs: true).width] : [])
        let numbers = widths.reduce(0) { $0 + 1 + arms * (1 + 2 * $1 + PackedFactor.count(order: $1)) }
        return 8 * (arms + 2 * dimension + 2 + numbers)
    }

    /// Writes the standardization, the first observations and both models.
    func write(to writer: inout LittleEndianWriter) {
        writer.write(standardization.means)
        writer.write(standardization.scales)
        writer.write(observations)
        writer.write(UInt64(firstObservations.count))
        for observation in firstObservations {
            writer.write(observation.context)
            writer.write(UInt64(observation.arm))
            writer.write(observation.reward)
            writer.write(observation.weight)
        }
        linear.write(to: &writer)
        pairs?.write(to: &writer)
    }

    /// Reads what ``write(to:)`` wrote.
    ///
    /// - Throws: `.corruptFile` if the bytes are not a state.
    mutating func read(from reader: inout LittleEndianReader) throws(KinError) {
        let dimension = linear.map.dimension
        let means = try reader.readDoubles(count: dimension)
        guard let known = Standardization(means: means, scales: try reader.readDoubles(count: dimension)) else {
            throw reader.damaged("its means and scales are not finite, or a scale is not above 0")
        }
        standardization = known
        observations = try reader.read()
        let firstCount: UInt64 = try reader.read()
        guard firstCount == (observations < Self.warmUp ? observations : 0) else {
            throw reader.damaged("its number of first observations does not fit the total")
        }
        for _ in 0..<firstCount { firstObservations.append(try readObservation(from: &reader)) }
        try linear.read(from: &reader)
        try pairs?.read(from: &reader)
    }

    private func readObservation(from reader: inout LittleEndianReader) throws(KinError) -> Observation {
        let context = try reader.readDoubles(count: linear.map.dimension)
        let arm: UInt64 = try reader.read()
        let (reward, weight): (Double, Double) = (try reader.read(), try reader.read())
        guard context.allSatisfy({ abs($0) <= BanditPolicy.maximumFeature }), arm < linear.posteriors.count,
            (0...1).contains(reward), (0...BanditPolicy.maximumMagnitude).contains(weight)
        else { throw reader.damaged("a first observation is out of range") }
        return Observation(context: context, arm: Int(arm), reward: reward, weight: weight)
    }
}

extension AdaptiveModels.Member {
    fileprivate func write(to writer: inout LittleEndianWriter) {
        writer.write(loss)
        for posterior in posteriors {
            posterior.write(to: &writer)
            writer.write(posterior.mean)
        }
    }

    fileprivate mutating func read(from reader: inout LittleEndianReader) throws(KinError) {
        loss = try reader.read()
        guard (0...1e50).contains(loss) else { throw reader.damaged("a loss is negative or too large") }
        for arm in posteriors.indices {
            posteriors[arm] = try Posterior(from: &reader, width: map.width)
            guard posteriors[arm].restore(mean: try reader.readDoubles(count: map.width)) else {
                throw reader.damaged("a mean is not finite")
            }
        }
    }
}
