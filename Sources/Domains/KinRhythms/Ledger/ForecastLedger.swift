/// The forecasts that were shown for a baby in a period of 30 days, as a stored record.
///
/// A moment takes about seven bytes: times are whole minutes, coded as differences from the moment before
/// (`AdaptiveCoder`).
package struct ForecastLedger: Sendable, Hashable {
    /// The id of the user who owns the log; forgetting the user deletes the ledger.
    package let userID: String
    /// The id of the baby, unique for the user.
    package let babyID: String
    /// The moments by ascending time, at least one, all in one period.
    package private(set) var moments: [ShownForecasts]

    /// The length of a period, in minutes.
    static let periodLength = 30 * 1440

    /// Creates the ledger of a period.
    ///
    /// - Throws: `.invalidArgument` for an invalid id, no moments, moments of several periods, and moments that do not
    ///   ascend.
    package init(userID: String, babyID: String, moments: [ShownForecasts]) throws(KinError) {
        self.userID = try RecordID.checked(userID, field: "user_id")
        self.babyID = try RecordID.checked(babyID, field: "baby")
        self.moments = moments
        guard let first = moments.first,
            moments.allSatisfy({ Self.period(of: $0) == Self.period(of: first) }),
            zip(moments, moments.dropFirst()).allSatisfy({ $0.minute < $1.minute })
        else { throw .field("forecasts", "the moments must ascend within one period of 30 days") }
    }

    /// The ledger in the log of a different owner of the baby.
    package func kept(by keeper: String) throws(KinError) -> ForecastLedger {
        try ForecastLedger(userID: keeper, babyID: babyID, moments: moments)
    }

    /// The number of the period since 1970.
    package var period: Int { Self.period(of: moments[0]) }

    /// The number of a moment's period since 1970.
    package static func period(of moment: ShownForecasts) -> Int {
        (moment.minute - (moment.minute % periodLength + periodLength) % periodLength) / periodLength
    }

    /// Adds a moment of the period, or replaces the one of the same minute.
    package mutating func upsert(_ moment: ShownForecasts) {
        let place = moments.partition { $0.minute < moment.minute }
        let isKnown = place < moments.count && moments[place].minute == moment.minute
        moments.replaceSubrange(place..<(isKnown ? place + 1 : place), with: [moment])
    }
}

extension ForecastLedger: DeclaredRecord {
    package static let form = RecordSchema<ForecastLedger>(
        "forecast ledger", id: "baby",
        .required("user_id", \.userID, .id),
        .required("baby", \.babyID, .id),
        .required("forecasts", \.moments, .packed),
        make: ForecastLedger.init(userID:babyID:moments:))
}

extension ForecastLedger {
    /// The code of moments.
    static func packed(_ moments: [ShownForecasts]) -> [UInt8] {
        var writer = AdaptiveCoder.ofMoments()
        _ = writer.moments(moments)
        return writer.written
    }

    /// Reads the moments of a code.
    ///
    /// - Throws: `.malformedInput` for bytes that are not the code of possible moments.
    static func moments(packed bytes: [UInt8]) throws(KinError) -> [ShownForecasts] {
        var reader = AdaptiveCoder.ofMoments(reading: bytes)
        guard let moments = reader.moments([]), packed(moments) == bytes else {
            throw KinError(.malformedInput, "these are not packed forecasts; import the ledger as it was exported")
        }
        return moments
    }
}

extension JSONForm<[ShownForecasts]> {
    /// Moments of a ledger as Base64 of their code.
    fileprivate static let packed = parsed(
        "Base64 of packed forecasts", text: { Base64.text(ForecastLedger.packed($0)) },
        { text throws(KinError) in try ForecastLedger.moments(packed: Base64.bytes(text)) })
}
