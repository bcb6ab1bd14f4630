extension Recurrence {
    /// Writes the whole state, little-endian; ``init(from:model:)`` reads an equal value.
    package func write(to writer: inout LittleEndianWriter) {
        writer.write(UInt16(past.count))
        for interval in past {
            writer.write(interval.begin)
            writer.write(interval.length)
            for index in 0..<4 { writer.write(interval.features[index]) }
        }
        for weight in intensity.weights { writer.write(weight) }
        writer.write(intensity.latest)
        for loss in losses { writer.write(loss) }
        writer.write(typicalError)
        for calibration in calibrations { calibration.write(to: &writer) }
        writer.write(UInt8(pending == nil ? 0 : 1))
        guard let pending else { return }
        pending.anchor.write(to: &writer)
        for median in pending.medians { writer.write(median) }
        for number in [pending.point, pending.lower, pending.upper, pending.raw] { writer.write(number) }
    }

    /// Reads a state that ``write(to:)`` wrote under the same model.
    ///
    /// - Parameters:
    ///   - reader: The bytes.
    ///   - model: The model.
    ///   - experts: The number of the model's first experts whose losses the bytes hold; nil for all. The others begin
    ///     with the largest loss among these.
    /// - Throws: `.corruptFile` if the bytes end early or have numbers out of range.
    package init(
        from reader: inout LittleEndianReader, model: RecurrenceModel, experts: Int? = nil
    ) throws(KinError) {
        self.init(model: model)
        for _ in 0..<(try reader.readCount(limit: model.history.capacity)) {
            var interval = PastInterval(
                begin: try reader.read(), length: try reader.read(), features: SIMD4(repeating: PastInterval.unknown))
            for index in 0..<4 { interval.features[index] = try reader.read() }
            guard past.last.map({ $0.length <= interval.length }) ?? true else {
                throw reader.damaged("its intervals are not in order")
            }
            past.append(interval)
        }
        for bin in intensity.weights.indices { intensity.weights[bin] = try reader.readFloat() }
        intensity.latest = try reader.readDouble()
        let known = experts ?? losses.count
        for expert in 0..<known { losses[expert] = try reader.readFloat() }
        let worst = losses[..<known].max() ?? 0
        for expert in known..<losses.count { losses[expert] = worst }
        typicalError = try reader.readFloat()
        for group in calibrations.indices { calibrations[group] = try Calibration(from: &reader) }
        guard try reader.read(UInt8.self) == 1 else { return }
        let anchor = try Anchor(from: &reader)
        var medians: [Float] = []
        for _ in 0..<known { medians.append(try reader.readFloat()) }
        let point = try reader.readFloat()
        medians += [Float](repeating: point, count: losses.count - known)
        pending = PendingForecast(
            anchor: anchor, medians: medians, point: point, lower: try reader.readFloat(),
            upper: try reader.readFloat(), raw: try reader.readFloat())
    }
}

extension Anchor {
    /// Writes instant, features, expectation and trust, 56 bytes; ``init(from:)`` reads an equal value.
    package func write(to writer: inout LittleEndianWriter) {
        writer.write(minute)
        for index in 0..<4 { writer.write(features[index]) }
        writer.write(expected)
        writer.write(trust)
    }

    /// Reads an anchor that ``write(to:)`` wrote.
    ///
    /// - Throws: `.corruptFile` if the bytes end early or have numbers out of range.
    package init(from reader: inout LittleEndianReader) throws(KinError) {
        let minute = try reader.readDouble()
        var features = SIMD4<Double>(repeating: .nan)
        for index in 0..<4 { features[index] = try reader.readDouble(allowsNaN: true) }
        self.init(minute: minute, features: features, expected: try reader.readDouble(), trust: try reader.readDouble())
    }
}

extension Calibration {
    func write(to writer: inout LittleEndianWriter) {
        for number in [lower, upper, recentError, meanRaw, hitRate, effectiveCount] + residuals + counts {
            writer.write(number)
        }
    }

    init(from reader: inout LittleEndianReader) throws(KinError) {
        lower = try reader.readFloat()
        upper = try reader.readFloat()
        recentError = try reader.readFloat()
        meanRaw = try reader.readFloat()
        hitRate = try reader.readFloat()
        effectiveCount = try reader.readFloat()
        for tenth in residuals.indices { residuals[tenth] = try reader.readFloat() }
        for tenth in counts.indices { counts[tenth] = try reader.readFloat() }
    }
}
