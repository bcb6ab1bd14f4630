extension Engine {
    /// The people most similar to a person, the most similar first; exact.
    ///
    /// With variety, the people also differ from each other: a person's cost is the negated score, and the distance
    /// between two people is one minus their affinity.
    ///
    /// - Parameters:
    ///   - user: The person's id.
    ///   - k: The number of people, unless there is a least score.
    ///   - affinity: The least score; nil for the k most similar people.
    ///   - variety: The variety of the list, its limit per connection, and excluded people.
    ///   - coverage: The smallest comparable share of all weight, 0…1.
    ///   - choice: Weights and rarity that replace the store's.
    /// - Throws: `.unknownID` for a person without a soul; `.invalidArgument`; `.corruptFile`, `.inputOutput`.
    public func similarSouls(
        to user: String, k: Int = 10, above affinity: Double? = nil, variety: ListVariety = .none,
        coverage: Double = 0, model choice: AffinityChoice = AffinityChoice()
    ) throws(KinError) -> [ScoredSoul] {
        try store.withMatcher(choice) { (matcher) throws(KinError) in
            if variety != .none {
                return try matcher.mostSimilar(
                    to: user, k: affinity == nil ? k : ParameterRange.mostResults, variety: variety,
                    minimumCoverage: coverage, above: affinity ?? 0)
            }
            guard let affinity else { return try matcher.mostSimilar(to: user, k: k, minimumCoverage: coverage) }
            return try matcher.matches(of: user, above: affinity, minimumCoverage: coverage)
        }
    }

    /// The affinity of two people and the parts that add up to it. If there are enough people, also the share of pairs
    /// that it exceeds.
    ///
    /// - Throws: `.unknownID` for a person without a soul; `.corruptFile`, `.inputOutput`.
    public func affinity(between user: String, and other: String, model choice: AffinityChoice = AffinityChoice())
        throws(KinError) -> Affinity
    {
        try store.withMatcher(choice, isExplained: true) { (matcher) throws(KinError) in
            try matcher.affinity(between: user, and: other)
        }
    }

    /// Stores the given settings of affinity; settings that are nil do not change.
    ///
    /// - Parameters:
    ///   - choice: The settings of scores and connections.
    ///   - deliveriesPerDay: The most contributions that arrive at a person within 24 hours; 0 for no limit, nil for no
    ///     change.
    ///   - minimumEvents: The smallest number of events behind the souls of author and recipient; nil for no change.
    /// - Returns: The new model.
    /// - Throws: `.invalidArgument` for a negative limit, `.inputOutput`.
    @discardableResult
    public func keepAffinityModel(
        _ choice: AffinityChoice, deliveriesPerDay: Int? = nil, minimumEvents: Double? = nil
    ) async throws(KinError) -> AffinityModel {
        try await store.changeAffinitySettings { settings throws(KinError) in
            settings = try settings.with(choice)
            if let deliveriesPerDay { settings.delivery.perDay = deliveriesPerDay == 0 ? nil : deliveriesPerDay }
            settings.delivery.minimumEvents = minimumEvents ?? settings.delivery.minimumEvents
        }
    }

    /// Stores a contribution of a person.
    ///
    /// - Parameters:
    ///   - contribution: A zone or a story.
    ///   - user: The author.
    ///   - made: The instant of its creation; nil for now.
    /// - Returns: The id of the contribution.
    /// - Throws: `.inputOutput`.
    @discardableResult
    public func contribute(_ contribution: Contribution, by user: String, at made: Timestamp? = nil)
        async throws(KinError) -> String
    {
        try await store.contribute(contribution, by: user, at: instant(made))
    }

    /// Delivers contributions to the people whom they match.
    ///
    /// - Throws: `.corruptFile`, `.inputOutput`.
    @discardableResult
    public func route(model choice: AffinityChoice = AffinityChoice(), threads: Int = 1) async throws(KinError)
        -> RoutingReport
    {
        try requireThreads(threads)
        return try await store.route(with: store.matcher(choice, threads: threads), at: now())
    }

    /// The items of a person's inbox, newest first.
    ///
    /// - Parameters:
    ///   - user: The person's id.
    ///   - state: The state of the items. Default: all states but declined.
    /// - Throws: `.corruptFile`, `.inputOutput`.
    public func inbox(of user: String, _ state: InboxState? = nil) throws(KinError) -> [InboxItem] {
        let states = state.map { [$0] } ?? InboxState.allCases.filter { $0 != .declined }
        return try store.inbox(of: user, states)
    }
}
