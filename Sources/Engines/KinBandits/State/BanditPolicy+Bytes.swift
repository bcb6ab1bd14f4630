public import KinCore

extension BanditPolicy {
    /// Encodes the whole state, little-endian; ``init(decoding:)`` returns an equal policy.
    ///
    /// For D features of the model (with pairs and the constant) and K arms (1 when shared) it has 4·D·(D + 3) + 16 bytes an
    /// arm, 8·D for observed scales, 8 for each prior weight, and 88. A shared policy of 24
    /// features is 2.9 KB.
    public func encoded() -> [UInt8] {
        var writer = PolicyWriter()
        writer.write(Self.magic)
        writer.write(Self.version)
        writer.write(settings.algorithm.model.rawValue)
        writer.write(settings.algorithm.exploration.code)
        writer.write(settings.scaling.rawValue)
        writer.write(UInt8(settings.hasPairs ? 1 : 0))
        writer.write(UInt16(0))
        writer.write(UInt32(settings.dimension))
        writer.write(UInt32(settings.arms ?? 0))
        writer.write(UInt32(settings.priorWeights.count))
        writer.write(settings.algorithm.exploration.amount)
        writer.write(settings.algorithm.epsilon)
        writer.write(settings.priorPrecision)
        writer.write(settings.priorIntercept)
        writer.write(settings.effectiveWindow)
        writer.write(settings.seed)
        writer.write(choices)
        writer.write(observations)
        writer.write(settings.priorWeights)
        if settings.scaling == .observed { writer.write(prior.precision) }
        for (posterior, last) in zip(posteriors, lastObservation) {
            writer.write(last)
            writer.write(posterior.pendingDiscount)
            writer.write(posterior.informationVector)
            writer.write(posterior.factor.elements)
        }
        return writer.bytes
    }

    /// Decodes the state of a policy.
    ///
    /// - Parameter bytes: The result of ``encoded()``.
    /// - Throws: `.corruptFile` for bytes that are no state, `.unsupportedFormat` for a state of a later version, and as
    ///   ``init(_:)``. Memory is bounded by the number of bytes.
    public init(decoding bytes: [UInt8]) throws(KinError) {
        var reader = PolicyReader(bytes)
        guard try reader.read(UInt32.self) == Self.magic else { throw PolicyReader.damaged("it begins otherwise") }
        let version = try reader.read(UInt16.self)
        guard version == Self.version else {
            throw KinError(
                .unsupportedFormat, "the policy's state has version \(version), and this release reads \(Self.version)")
        }
        let head = try Head(from: &reader)
        let settings = try head.settings(from: &reader)
        try settings.check()
        let width = settings.featureMap.width
        let count = settings.arms ?? 1
        let scales = settings.scaling == .observed ? width : 0
        let each = 2 + width + PackedFactor.count(order: width)
        guard reader.rest == 8 * (scales + count * each) else {
            throw PolicyReader.damaged("it has not the length that its head says")
        }
        try self.init(settings)
        choices = head.choices
        observations = head.observations
        if scales > 0 { try readScales(from: &reader, count: scales) }
        for index in 0..<count { try readPosterior(index, from: &reader, width: width) }
    }

    private mutating func readScales(from reader: inout PolicyReader, count: Int) throws(KinError) {
        let precision = try reader.readDoubles(count: count)
        guard zip(precision, prior.precision).allSatisfy({ $0 >= $1 && $0.isFinite }) else {
            throw PolicyReader.damaged("an observed scale is out of range")
        }
        prior.precision = precision
    }

    private mutating func readPosterior(_ index: Int, from reader: inout PolicyReader, width: Int) throws(KinError) {
        let last = try reader.read(UInt64.self)
        guard last <= observations else { throw PolicyReader.damaged("an observation lies in the future") }
        let pendingDiscount = try reader.readDouble()
        let informationVector = try reader.readDoubles(count: width)
        let elements = try reader.readDoubles(count: PackedFactor.count(order: width))
        guard let factor = PackedFactor(order: width, elements: elements),
            let posterior = Posterior(
                factor: factor, informationVector: informationVector, pendingDiscount: pendingDiscount)
        else { throw PolicyReader.damaged("its numbers are not a posterior") }
        posteriors[index] = posterior
        lastObservation[index] = last
    }

    /// The first four bytes of a state, "KNBP".
    private static let magic: UInt32 = 0x5042_4E4B
    private static let version: UInt16 = 1
}

/// The part of a state with a fixed length.
private struct Head {
    let codes: (model: UInt8, exploration: UInt8, scaling: UInt8, pairs: UInt8)
    let dimension: UInt32
    let arms: UInt32
    let weights: UInt32
    let amount, epsilon, precision, intercept, effectiveWindow: Double
    let seed, choices, observations: UInt64

    init(from reader: inout PolicyReader) throws(KinError) {
        codes = (try reader.read(), try reader.read(), try reader.read(), try reader.read())
        guard try reader.read(UInt16.self) == 0 else { throw PolicyReader.damaged("a reserved field is in use") }
        dimension = try reader.read()
        arms = try reader.read()
        weights = try reader.read()
        amount = try reader.readDouble()
        epsilon = try reader.readDouble()
        precision = try reader.readDouble()
        intercept = try reader.readDouble()
        effectiveWindow = try reader.readDouble()
        seed = try reader.read()
        choices = try reader.read()
        observations = try reader.read()
    }

    func settings(from reader: inout PolicyReader) throws(KinError) -> PolicySettings {
        guard let model = PolicyAlgorithm.Model(rawValue: codes.model),
            let exploration = PolicyAlgorithm.Exploration(code: codes.exploration, amount: amount),
            let scaling = PolicySettings.Scaling(rawValue: codes.scaling), codes.pairs <= 1
        else { throw PolicyReader.damaged("it names a method that this release does not know") }
        return PolicySettings(
            PolicyAlgorithm(model, exploration, epsilon: epsilon), dimension: Int(dimension),
            arms: arms == 0 ? nil : Int(arms), hasPairs: codes.pairs == 1, scaling: scaling, priorPrecision: precision,
            priorWeights: try reader.readDoubles(count: Int(weights)), priorIntercept: intercept,
            effectiveWindow: effectiveWindow,
            seed: seed)
    }
}

extension PolicyAlgorithm.Exploration {
    /// The number of the method in states.
    var code: UInt8 {
        switch self {
        case .epsilonGreedy: 0
        case .upperBound: 1
        case .thompson: 2
        case .inverseGap: 3
        }
    }

    init?(code: UInt8, amount: Double) {
        switch code {
        case 0: self = .epsilonGreedy(epsilon: amount)
        case 1: self = .upperBound(width: amount)
        case 2: self = .thompson(scale: amount)
        case 3: self = .inverseGap(gain: amount)
        default: return nil
        }
    }
}
