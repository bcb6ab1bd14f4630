/// The limits of the deliveries of contributions to people.
public struct DeliveryLimits: Sendable, Hashable {
    /// The largest number of contributions that a person receives within 24 hours, highest affinity first; nil for no
    /// limit.
    public var perDay: Int?
    /// The minimum number of events behind each of the two souls, author's and recipient's: the sum of the amounts of
    /// its goals, realms and objects.
    public var minimumEvents: Double

    /// Creates limits; without arguments everything is delivered.
    ///
    /// - Parameters:
    ///   - perDay: The largest number of contributions that a person receives within 24 hours, 0 or more; nil for no
    ///     limit.
    ///   - minimumEvents: The minimum sum of amounts in the souls of author and recipient, 0 or more.
    public init(perDay: Int? = nil, minimumEvents: Double = 0) {
        self.perDay = perDay
        self.minimumEvents = minimumEvents
    }
}

extension DeliveryLimits {
    /// Whether a soul is based on enough events.
    ///
    /// - Parameter soul: The soul of a person; nil for a person without one.
    package func allow(_ soul: @autoclosure () throws -> Soul?) rethrows -> Bool {
        guard minimumEvents > 0 else { return true }
        return try soul().map { $0.eventCount >= minimumEvents } ?? false
    }

    /// The number of contributions that may still arrive at a person.
    ///
    /// - Parameter count: The number that arrived within the last 24 hours.
    package func room(after count: @autoclosure () throws -> Int) rethrows -> Int {
        guard let perDay else { return .max }
        return max(0, perDay - (try count()))
    }
}
