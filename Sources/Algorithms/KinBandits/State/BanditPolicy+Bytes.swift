extension BanditPolicy {
    /// Encodes the whole state, little-endian; ``init(decoding:)`` returns an equal policy.
    ///
    /// With D features in the model (including pairs and the constant) and K arms (1 when shared), the state has 4·D·(D
    /// + 3) + 16 bytes per arm, 8·D for observed scales, 8 for each prior weight, and 88. A shared policy with 24
    /// features has 2.9 KB. Adaptive models have the bytes of both models, plus up to 64 first observations.
    public func encoded() -> [UInt8] {
        var writer = LittleEndianWriter()
        writer.write(Self.magic)
        writer.write(stateVersion)
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
        if let adaptive {
            for last in lastObservation { writer.write(last) }
            adaptive.write(to: &writer)
        }
        for (posterior, last) in zip(posteriors, lastObservation) {
            writer.write(last)
            posterior.write(to: &writer)
        }
        return writer.bytes
    }

    /// Decodes the state of a policy.
    ///
    /// - Parameter bytes: The result of ``encoded()``.
    /// - Throws: `.corruptFile` if the bytes are not a state, `.unsupportedFormat` for a state of a later version, and
    ///   the errors of ``init(_:)``. Memory is bounded by the number of bytes.
    public init(decoding bytes: [UInt8]) throws(KinError) {
        var reader = LittleEndianReader(bytes, of: "a policy's state")
        guard try reader.read(UInt32.self) == Self.magic else { throw reader.damaged("it begins otherwise") }
        let version = try reader.read(UInt16.self)
        guard (1...3).contains(version) else {
            throw KinError(
                .unsupportedFormat, "the policy's state has version \(version), and this release reads 1 to 3")
        }
        let (settings, choices, observations) = try Self.readHead(from: &reader)
        try settings.check()
        guard settings.hasStates(version: version) else {
            throw reader.damaged("its version is not that of its method")
        }
        let isAdaptive = settings.algorithm.model == .adaptive
        let least = isAdaptive ? AdaptiveModels.leastBytes(settings) : settings.posteriorBytes
        guard reader.rest == least || isAdaptive && reader.rest > least else {
            throw reader.damaged("its length differs from the length in its header")
        }
        try self.init(settings)
        (self.choices, self.observations) = (choices, observations)
        if settings.scaling == .observed { try readScales(from: &reader) }
        if isAdaptive {
            for arm in lastObservation.indices { try readLastObservation(arm, from: &reader) }
            try adaptive?.read(from: &reader)
        }
        for model in posteriors.indices {
            try readLastObservation(model, from: &reader)
            posteriors[model] = try Posterior(from: &reader, width: map.width)
        }
        guard reader.rest == 0, adaptive?.observations ?? 0 <= observations else {
            throw reader.damaged("its length differs from the length in its header")
        }
    }

    /// The version of the state: the lowest that has its method, and at least 3 if release 0.2.0 could not hold the
    /// observed scales.
    private var stateVersion: UInt16 {
        let precision = settings.priorPrecision
        let isHeld =
            settings.scaling != .observed
            || arms != nil && prior.precision.allSatisfy { precision * 1e-12...precision * 1e18 ~= $0 }
        return isHeld ? settings.firstVersion : max(3, settings.firstVersion)
    }

    /// Reads the settings, and the numbers of choices and observations.
    private static func readHead(
        from reader: inout LittleEndianReader
    ) throws(KinError) -> (PolicySettings, choices: UInt64, observations: UInt64) {
        let codes: (model: UInt8, exploration: UInt8, scaling: UInt8, pairs: UInt8) =
            (try reader.read(), try reader.read(), try reader.read(), try reader.read())
        guard try reader.read(UInt16.self) == 0 else { throw reader.damaged("a reserved field is in use") }
        let sizes: (dimension: UInt32, arms: UInt32, weights: UInt32) =
            (try reader.read(), try reader.read(), try reader.read())
        let (amount, epsilon): (Double, Double) = (try reader.read(), try reader.read())
        let (precision, intercept): (Double, Double) = (try reader.read(), try reader.read())
        let effectiveWindow: Double = try reader.read()
        let (seed, choices, observations): (UInt64, UInt64, UInt64) =
            (try reader.read(), try reader.read(), try reader.read())
        // Both counts are incremented later.
        guard max(choices, observations) < 1 << 62 else { throw reader.damaged("its counts are out of range") }
        guard let model = PolicyAlgorithm.Model(rawValue: codes.model),
            let exploration = PolicyAlgorithm.Exploration(code: codes.exploration, amount: amount),
            let scaling = PolicySettings.Scaling(rawValue: codes.scaling), codes.pairs <= 1
        else { throw reader.damaged("it names a method unknown to this release") }
        let settings = PolicySettings(
            PolicyAlgorithm(model, exploration, epsilon: epsilon), dimension: Int(sizes.dimension),
            arms: sizes.arms == 0 ? nil : Int(sizes.arms), hasPairs: codes.pairs == 1, scaling: scaling,
            priorPrecision: precision, priorWeights: try reader.readDoubles(count: Int(sizes.weights)),
            priorIntercept: intercept, effectiveWindow: effectiveWindow, seed: seed)
        return (settings, choices, observations)
    }

    private mutating func readScales(from reader: inout LittleEndianReader) throws(KinError) {
        let precision = try reader.readDoubles(count: map.width)
        let largestProduct = Self.maximumFeature * Self.maximumFeature
        let largest = settings.priorPrecision * largestProduct * largestProduct
        guard zip(precision, prior.precision).allSatisfy({ $0 >= $1 && $0 <= max($1, largest) }) else {
            throw reader.damaged("an observed scale is out of range")
        }
        prior.precision = precision
    }

    private mutating func readLastObservation(
        _ model: Int, from reader: inout LittleEndianReader
    ) throws(KinError) {
        lastObservation[model] = try reader.read()
        guard lastObservation[model] <= observations else { throw reader.damaged("an observation is in the future") }
    }

    /// The first four bytes of a state, "KNBP".
    private static let magic: UInt32 = 0x5042_4E4B
}

extension PolicySettings {
    /// The number of bytes of the observed scales and posteriors of models that are not adaptive.
    fileprivate var posteriorBytes: Int {
        let width = featureMap.width
        return 8 * ((scaling == .observed ? width : 0) + (arms ?? 1) * (2 + width + PackedFactor.count(order: width)))
    }

    /// Whether a state with these settings may have a version. Release 0.2.0 observed scales only with arms.
    fileprivate func hasStates(version: UInt16) -> Bool {
        version == firstVersion && (scaling != .observed || arms != nil)
            || version == max(3, firstVersion) && scaling == .observed
    }

    /// The lowest version of a state that has the model and the exploration.
    fileprivate var firstVersion: UInt16 {
        max(algorithm.model == .adaptive ? 2 : 1, algorithm.exploration.firstVersion)
    }
}

extension Posterior {
    /// Writes the pending discount, the information vector and the factor.
    func write(to writer: inout LittleEndianWriter) {
        writer.write(pendingDiscount)
        writer.write(informationVector)
        writer.write(factor.elements)
    }

    /// Reads what ``write(to:)`` wrote.
    ///
    /// - Parameters:
    ///   - reader: The rest of a state.
    ///   - width: The number of features.
    /// - Throws: `.corruptFile` if the numbers are not a posterior.
    init(from reader: inout LittleEndianReader, width: Int) throws(KinError) {
        let pendingDiscount = try reader.read(Double.self)
        let informationVector = try reader.readDoubles(count: width)
        let elements = try reader.readDoubles(count: PackedFactor.count(order: width))
        guard let factor = PackedFactor(order: width, elements: elements),
            let posterior = Posterior(
                factor: factor, informationVector: informationVector, pendingDiscount: pendingDiscount)
        else { throw reader.damaged("its numbers are not a posterior") }
        self = posterior
    }
}
