import KinEngine

extension Engine {
    /// An engine in memory whose clock always shows one instant.
    static func standing(at instant: String) -> Engine {
        Engine(Settings { () throws(KinError) in try Timestamp(parsing: instant) })
    }

    /// Puts records and returns the answer.
    @discardableResult
    func put(_ records: some Sequence<String>) throws(KinError) -> String {
        try call("put", "{\"records\":[\(records.joined(separator: ","))]}")
    }

    /// Puts events of a baby's log.
    ///
    /// - Parameter others: Members of each record in addition to the event.
    func putEvents(
        _ events: some Sequence<String>, of user: String = "u1", baby: String = "b1", _ others: String = ""
    ) throws(KinError) {
        try put(events.map { #"{"care_event":{"user_id":"\#(user)","baby":"\#(baby)","event":\#($0)\#(others)}}"# })
    }
}
