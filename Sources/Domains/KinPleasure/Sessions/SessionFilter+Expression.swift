extension SessionFilter {
    /// Creates the filter equivalent to an expression on `user`, `state` and `start`; nil if there is no such filter,
    /// as for an "or" of two people.
    public init?(_ expression: FilterExpression) {
        guard let conditions = expression.conjunction else { return nil }
        var filter = SessionFilter.all
        for condition in conditions {
            guard let part = SessionFilter(condition) else { return nil }
            filter = filter && part
        }
        self = filter
    }

    private init?(_ condition: FilterCondition) {
        switch (condition.attribute, condition.test) {
        case (SessionIndex.userAttribute, .compare(.equal, .text(let user))):
            self.init(user: user)
        case (SessionIndex.stateAttribute, .compare(.equal, .text(let name))):
            guard let state = SessionState(name: name) else { return nil }
            self.init(states: [state])
        case (SessionIndex.stateAttribute, .isIn(let values)):
            var states: Set<SessionState> = []
            for value in values {
                guard case .text(let name) = value, let state = SessionState(name: name) else { return nil }
                states.insert(state)
            }
            self.init(states: states)
        case (SessionIndex.startAttribute, .compare(let comparison, .time(let instant))):
            guard let range = TimeRange(comparison, instant) else { return nil }
            self.init(started: range)
        case (SessionIndex.startAttribute, .between(.time(let low), .time(let high))):
            self.init(started: TimeRange(unchecked: low, max(low, high.next)))
        default:
            return nil
        }
    }
}

extension FilterExpression {
    /// The same condition, with each session state in its usual spelling.
    ///
    /// - Throws: `.invalidArgument` for a word that is not a state, with a suggestion.
    func withUsualStates() throws(KinError) -> FilterExpression {
        try converting(textsOf: SessionIndex.stateAttribute) { word throws(KinError) in
            if let state = SessionState(spelled: word) { return state.name }
            throw KinError(
                .invalidArgument,
                "there is no session state \"\(word.prefix(40))\"; \(Spelling.advice(on: word, among: SessionState.names))"
            )
        }
    }
}

extension TimeRange {
    /// Creates the span of the instants that compare this way with `instant`; nil for "not equal".
    fileprivate init?(_ comparison: FilterExpression.Comparison, _ instant: Timestamp) {
        let first = Timestamp(unchecked: Timestamp.range.lowerBound)
        let end = Timestamp(unchecked: Timestamp.range.upperBound).next
        switch comparison {
        case .less: self.init(unchecked: first, instant)
        case .lessOrEqual: self.init(unchecked: first, instant.next)
        case .equal: self.init(unchecked: instant, instant.next)
        case .greaterOrEqual: self.init(unchecked: instant, end)
        case .greater: self.init(unchecked: instant.next, end)
        case .notEqual: return nil
        }
    }
}

extension Timestamp {
    /// The next instant, which may be one past the range and then only bounds a span.
    fileprivate var next: Timestamp { Timestamp(unchecked: microseconds + 1) }
}
