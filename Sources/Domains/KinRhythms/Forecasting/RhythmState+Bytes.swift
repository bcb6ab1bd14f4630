extension RhythmState {
    /// The versions of states without instants, and of states with the offset of their clock.
    private static let (version, clockVersion): (UInt16, UInt16) = (6, 7)

    /// The state as bytes, at most 14 KB; ``init(bytes:)`` gives an equal state.
    public var bytes: [UInt8] {
        var writer = LittleEndianWriter()
        writer.write(offset == nil ? Self.version : Self.clockVersion)
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
        if let offset {
            writer.write(Double(offset))
            for recurrence in [nap, feed, wakeUp] { writer.write(recurrence.anchor?.shift ?? 0) }
            for waking in bedtimes.wakings { writer.write(waking.shift) }
            for block in blocks {
                writer.write(block.startShift)
                writer.write(block.endShift)
            }
        }
        return writer.bytes
    }

    /// Whether two states have the same bytes. Features that are not known are NaN, which does not equal itself.
    public static func == (a: RhythmState, b: RhythmState) -> Bool { a.bytes == b.bytes }

    public func hash(into hasher: inout Hasher) { hasher.combine(bytes) }

    /// Reads a state from its bytes.
    ///
    /// In a state up to version 5, no expert on the next nap regards the day of the week. States of versions 2 and 3
    /// were learned with other priors, whose influence fades. In a state of version 1,
    /// bedtimes start unlearned, and lengths of sleeps are learned from the features of naps.
    ///
    /// - Throws: `.corruptFile` for malformed bytes, `.unsupportedFormat` for an unknown version.
    public init(bytes: [UInt8]) throws(KinError) {
        var reader = LittleEndianReader(state: bytes)
        let version = try reader.read(UInt16.self)
        guard (1...Self.clockVersion).contains(version) else {
            throw KinError(
                .unsupportedFormat,
                "the state has version \(version), this release reads 1 to \(Self.clockVersion); rebuild it")
        }
        self.init(born: try Self.known(reader.readDouble(allowsNaN: true)))
        nap = try Recurrence(
            from: &reader, model: RhythmModels.nap, experts: version > 5 ? nil : RhythmModels.napExpertsOfAllDays)
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
        if [3, 5, Self.clockVersion].contains(version) { try readClock(from: &reader) }
        guard reader.rest == 0 else { throw reader.damaged("something follows its end") }
    }

    /// Reads the clock of a log with instants, and its changes.
    private mutating func readClock(from reader: inout LittleEndianReader) throws(KinError) {
        guard let offset = Int32(exactly: try reader.readDouble()), abs(offset) <= 26 * 3600 else {
            throw reader.damaged("no clock is more than 26 hours from UTC")
        }
        setClock(to: offset)
        nap.setClock(by: try reader.readDouble())
        feed.setClock(by: try reader.readDouble())
        wakeUp.setClock(by: try reader.readDouble())
        for place in bedtimes.wakings.indices { bedtimes.wakings[place].shift = try reader.readDouble() }
        for place in blocks.indices {
            blocks[place].startShift = try reader.readDouble()
            blocks[place].endShift = try reader.readDouble()
        }
    }

    private static func known(_ instant: Double) -> Double? { instant.isNaN ? nil : instant }
}
