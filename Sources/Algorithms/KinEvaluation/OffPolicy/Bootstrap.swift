extension OffPolicyEvaluation {
    /// The percentile interval of a statistic over resamples, with replacement, of 0 ..< count.
    ///
    /// - Throws: `.invalidArgument` for a confidence or a number of resamples out of range; `.numericalFailure` if the
    ///   statistic is not finite.
    static func interval(
        count: Int, confidence: Double, resamples: Int, seed: UInt64, of statistic: ([Int]) -> Double
    ) throws(KinError) -> ClosedRange<Double> {
        try check(confidence: confidence)
        guard resamples >= 2, resamples <= 10_000_000 else {
            throw KinError(.invalidArgument, "a bootstrap interval takes 2 to 10,000,000 resamples, not \(resamples)")
        }
        var sample = [Int](repeating: 0, count: count)
        var values: [Double] = []
        values.reserveCapacity(resamples)
        let work = LongWork(of: resamples)
        for resample in 0..<resamples {
            try work.step()
            var generator = SeededGenerator.stream(UInt64(resample), of: seed)
            for index in sample.indices { sample[index] = generator.below(count) }
            try values.append(finite(statistic(sample)))
        }
        values.sort()
        let low = try finite(quantile(values, (1 - confidence) / 2))
        return try low...max(low, finite(quantile(values, (1 + confidence) / 2)))
    }

    /// The p-quantile by linear interpolation between order statistics (Hyndman and Fan's type 7).
    static func quantile(_ sorted: [Double], _ p: Double) -> Double {
        let position = p * Double(sorted.count - 1)
        let low = Int(position)
        let high = min(low + 1, sorted.count - 1)
        return sorted[low] + (position - Double(low)) * (sorted[high] - sorted[low])
    }
}
