public import KinCore
import KinForecasting

extension RhythmState {
    private static let version: UInt16 = 2

    /// The state as bytes, at most 14 KB; ``init(bytes:)`` gives an equal state.
    public var bytes: [UInt8] {
        var writer = LittleEndianWriter()
        writer.write(Self.version)
        writer.write(born ?? .nan)
        nap.write(to: &writer)
        feed.write(to: &writer)
        writer.write(UInt16(blocks.count))
        for block in blocks {
            writer.write(block.start)
            writer.write(block.end)
        }
        writer.write(UInt16(meals.count))
        for meal in meals { writer.write(meal) }
        writer.write(UInt16(feedLengths.count))
        for length in feedLengths { writer.write(length) }
        for instant in [lastFeed, asleepSince] { writer.write(instant ?? .nan) }
        wakeUp.write(to: &writer)
        bedtimes.recurrence.write(to: &writer)
        writer.write(bedtimes.latestDay ?? .nan)
        writer.write(UInt16(bedtimes.wakings.count))
        for waking in bedtimes.wakings { waking.write(to: &writer) }
        return writer.bytes
    }

    /// Reads a state from its bytes, also of version 1: bedtimes are learned from then on, lengths of sleeps from those among the features of naps.
    ///
    /// - Throws: `.corruptFile` for malformed bytes, `.unsupportedFormat` for another version.
    public init(bytes: [UInt8]) throws(KinError) {
        var reader = LittleEndianReader(state: bytes)
        let version = try reader.read(UInt16.self)
        guard (1...Self.version).contains(version) else {
            throw KinError(
                .unsupportedFormat,
                "the state has version \(version), this release reads 1 to \(Self.version); build it anew")
        }
        self.init(born: try Self.known(reader.readDouble(allowsNaN: true)))
        nap = try Recurrence(from: &reader, model: RhythmModels.nap)
        feed = try Recurrence(from: &reader, model: RhythmModels.feed)
        for _ in 0..<(try reader.readCount(limit: Self.recentBlocks)) {
            blocks.append(Block(start: try reader.readDouble(), end: try reader.readDouble()))
        }
        for _ in 0..<(try reader.readCount(limit: Self.recentFeeds)) { meals.append(try reader.readDouble()) }
        for _ in 0..<(try reader.readCount(limit: Self.recentFeedLengths)) {
            feedLengths.append(try reader.readFloat())
        }
        lastFeed = try Self.known(reader.readDouble(allowsNaN: true))
        asleepSince = try Self.known(reader.readDouble(allowsNaN: true))
        if version > 1 {
            wakeUp = try Recurrence(from: &reader, model: RhythmModels.wakeUp)
            bedtimes.recurrence = try Recurrence(from: &reader, model: RhythmModels.bedtime)
            bedtimes.latestDay = try Self.known(reader.readDouble(allowsNaN: true))
            for _ in 0..<(try reader.readCount(limit: BedtimeState.mostWakings)) {
                bedtimes.wakings.append(try Anchor(from: &reader))
            }
        } else {
            learnLengths()
        }
        guard reader.rest == 0 else { throw reader.damaged("something follows its end") }
    }

    private static func known(_ instant: Double) -> Double? { instant.isNaN ? nil : instant }
}
