extension LocalZone {
    /// Reads a zone from the bytes of a file of the IANA database (TZif, RFC 9636).
    ///
    /// Every count is first checked against the length, so that any bytes give a zone or an error.
    ///
    /// - Parameters:
    ///   - name: The name of the zone, for ``name`` and for errors.
    ///   - bytes: The contents of the file.
    /// - Throws: `.corruptFile` for bytes that violate the format; `.unsupportedFormat` for the first version of the
    ///   format, which ends in 2037, and for a file with leap seconds.
    public init(name: String, tzif bytes: [UInt8]) throws(KinError) {
        var reader = TZifReader(bytes)
        do throws(KinError) { self = try reader.zone(named: name) } catch { throw error.within("time zone", name) }
    }
}

/// A reader of the format, from the first byte on.
private struct TZifReader {
    /// The range of the last transition in seconds since 1970: 18 billion years either way (RFC 9636, 3.2).
    private static let range: ClosedRange<Int64> = -(1 << 59)...(1 << 59)

    private let bytes: [UInt8]
    private var place = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// The version and the counts of a header, by their names in the RFC.
    private struct Header {
        var version: UInt8 = 0
        var isutcnt = 0, isstdcnt = 0, leapcnt = 0, timecnt = 0, typecnt = 0, charcnt = 0

        /// The length of the data block after the header, in bytes, for instants of `timeSize` bytes.
        func blockSize(timeSize: Int) -> Int {
            timecnt * timeSize + timecnt + typecnt * 6 + charcnt + leapcnt * (timeSize + 4) + isstdcnt + isutcnt
        }
    }

    mutating func zone(named name: String) throws(KinError) -> LocalZone {
        let first = try header()
        guard first.version >= UInt8(ascii: "2") else {
            throw KinError(
                .unsupportedFormat, "the file has version 1, which ends in 2037; install a newer time zone database")
        }
        try skip(first.blockSize(timeSize: 4))
        let header = try header()
        guard header.leapcnt == 0 else {
            throw KinError(.unsupportedFormat, "the file counts leap seconds; use the file of this name without them")
        }
        guard header.typecnt > 0, header.blockSize(timeSize: 8) <= bytes.count - place else {
            throw damaged("its counts do not fit its length")
        }
        let instants = (0..<header.timecnt).map { _ in Int64(bitPattern: integer(bytes: 8)) }
        let types = (0..<header.timecnt).map { _ in Int(integer(bytes: 1)) }
        var offsets: [Int] = []
        for _ in 0..<header.typecnt {
            let offset = Int(Int32(truncatingIfNeeded: integer(bytes: 4)))
            guard abs(offset) < 26 * 3600 else { throw damaged("an offset of \(offset) seconds is more than a day") }
            offsets.append(offset)
            place += 2
        }
        guard types.allSatisfy({ $0 < offsets.count }) else {
            throw damaged("a transition has an unknown type")
        }
        guard zip(instants, instants.dropFirst()).allSatisfy({ $0 < $1 }) else {
            throw damaged("its transitions are not in order")
        }
        guard instants.last.map(Self.range.contains) ?? true else { throw damaged("its last transition is never") }
        try skip(header.charcnt + header.isstdcnt + header.isutcnt)
        let rule = try footer()
        var (kept, known) = ([Int64](), [offsets[0]])
        for (place, instant) in instants.enumerated() {
            // The footer applies from the last transition on, including its instant; the file must be consistent there.
            let isLast = place == instants.count - 1
            let offset = isLast ? rule?.offset(atSecond: instant) ?? offsets[types[place]] : offsets[types[place]]
            guard offset != known.last else { continue }
            kept.append(instant)
            known.append(offset)
        }
        return LocalZone(
            name: name, transitions: kept, offsets: known, footer: rule, footerStart: instants.last ?? .min)
    }

    private mutating func header() throws(KinError) -> Header {
        guard bytes.count - place >= 44, bytes[place..<(place + 4)].elementsEqual("TZif".utf8) else {
            throw damaged("it does not begin like a time zone file")
        }
        var header = Header()
        header.version = bytes[place + 4]
        place += 20
        func count(_ reader: inout TZifReader) throws(KinError) -> Int {
            let count = Int(reader.integer(bytes: 4))
            guard count <= reader.bytes.count else {
                throw reader.damaged("a count of \(count) is more than its length")
            }
            return count
        }
        header.isutcnt = try count(&self)
        header.isstdcnt = try count(&self)
        header.leapcnt = try count(&self)
        header.timecnt = try count(&self)
        header.typecnt = try count(&self)
        header.charcnt = try count(&self)
        return header
    }

    /// Reads the rule between the two line feeds at the end; nil for an empty one.
    private mutating func footer() throws(KinError) -> ClockRule? {
        guard place < bytes.count, bytes[place] == 0x0A,
            let end = bytes[(place + 1)...].firstIndex(of: 0x0A)
        else { throw damaged("it has no end") }
        let text = String(decoding: bytes[(place + 1)..<end], as: UTF8.self)
        return text.isEmpty ? nil : try ClockRule(parsing: text)
    }

    private mutating func skip(_ count: Int) throws(KinError) {
        guard count <= bytes.count - place else { throw damaged("its counts do not fit its length") }
        place += count
    }

    /// Reads a big-endian number; the caller has checked the length.
    private mutating func integer(bytes count: Int) -> UInt64 {
        defer { place += count }
        return bytes[place..<(place + count)].reduce(0) { $0 << 8 | UInt64($1) }
    }

    private func damaged(_ what: String) -> KinError {
        KinError(.corruptFile, "this is not a file of the time zone database: \(what)")
    }
}
