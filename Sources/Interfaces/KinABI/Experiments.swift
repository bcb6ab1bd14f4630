// The functions have the names of kin.h.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

@c @implementation
public func kin_experiment_assign(
    _ experiment: UnsafePointer<CChar>!, _ key: UnsafePointer<UInt8>!, _ keyCount: Int,
    _ variants: UnsafePointer<UnsafePointer<CChar>?>!, _ weights: UnsafePointer<Double>!, _ variantCount: Int,
    _ people: UnsafePointer<UnsafePointer<CChar>?>!, _ count: Int, _ assigned: UnsafeMutablePointer<Int64>!
) -> kin_status {
    attempt { () throws(KinError) in
        let places = try unsafe outputs(assigned, count: count, "assigned")
        let names = try unsafe texts(variants, count: variantCount, "variants")
        let shares = try unsafe weights == nil ? nil : array(weights, count: variantCount, "weights")
        let experiment = try unsafe Experiment(
            text(experiment, "experiment"), key: copy(key, count: keyCount, "key"),
            variants: names.indices.map { unsafe Experiment.Variant(names[$0], weight: shares?[$0] ?? 1) })
        let ids = try unsafe texts(people, count: count, "people")
        unsafe places.write(ids.map { Int64(experiment.assign($0)) })
    }
}

@c @implementation
public func kin_experiment_test(
    _ outcomes: UnsafePointer<Double>!, _ treated: UnsafePointer<UInt8>!, _ count: Int, _ share: Double, _ low: Double,
    _ high: Double, _ confidence: Double, _ pValues: UnsafeMutablePointer<Double>!,
    _ result: UnsafeMutablePointer<Double>!
) -> kin_status {
    attempt { () throws(KinError) in
        let numbers = try unsafe outputs(result, count: 4, "result")
        let series = try unsafe pValues == nil ? nil : outputs(pValues, count: count, "p_values")
        let values = try unsafe array(outcomes, count: count, "outcomes")
        let marks = try unsafe array(treated, count: count, "treated")
        guard low < high else {
            throw KinError(.invalidArgument, "outcomes from \(low) to \(high) cannot differ")
        }
        var test = try SequentialTest(share: share, range: low...high)
        try requireRoom(for: count, elementsOf: MemoryLayout<Double>.stride, "outcomes")
        let found = try eachRow(of: count) { row throws(KinError) in
            try unsafe test.add(values[row], isTreated: marks[row] != 0)
            return test.pValue
        }
        let interval = try test.interval(confidence: confidence)
        unsafe series?.write(found)
        unsafe numbers.write([test.effect, interval.lowerBound, interval.upperBound, test.pValue])
    }
}

@c @implementation
public func kin_experiment_size(
    _ baseline: Double, _ effect: Double, _ share: Double, _ significance: Double, _ power: Double,
    _ result: UnsafeMutablePointer<Double>!
) -> kin_status {
    attempt { () throws(KinError) in
        let numbers = try unsafe outputs(result, count: 2, "result")
        let design = try ExperimentDesign(baseline: baseline, share: share, significance: significance, power: power)
        let sizes = try design.sizes(for: effect)
        unsafe numbers.write([Double(sizes.fixed), Double(sizes.sequential)])
    }
}

@c @implementation
public func kin_experiment_effect(
    _ baseline: Double, _ size: Int, _ share: Double, _ significance: Double, _ power: Double,
    _ result: UnsafeMutablePointer<Double>!
) -> kin_status {
    attempt { () throws(KinError) in
        let numbers = try unsafe outputs(result, count: 2, "result")
        let design = try ExperimentDesign(baseline: baseline, share: share, significance: significance, power: power)
        let effects = try design.effects(of: size)
        unsafe numbers.write([effects.fixed, effects.sequential])
    }
}
