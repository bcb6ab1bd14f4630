import KinJSON

// The words of the records, as forms in JSON.

// Lists that every session has are read by separate loops, which the compiler specializes.

extension JSONForm<[Pleasure.Dimension]> {
    /// A list of dimensions.
    static let dimensions = JSONForm(
        "list of dimensions",
        read: { reader throws(KinError) in
            var dimensions: [Pleasure.Dimension] = []
            try reader.array { reader throws(KinError) in
                dimensions.append(Pleasure.Dimension.allCases[try reader.choice(of: words, "dimension")])
            }
            return dimensions
        },
        write: { dimensions, writer in writer.array { for dimension in dimensions { $0.string(dimension.name) } } })

    private static let words = JSONKeys(Pleasure.Dimension.names)
}

extension JSONForm<[SessionState]> {
    /// A list of session states.
    static let states = JSONForm(
        "list of states",
        read: { reader throws(KinError) in
            var states: [SessionState] = []
            try reader.array { reader throws(KinError) in
                states.append(SessionState.allCases[try reader.choice(of: words, "session state")])
            }
            return states
        },
        write: { states, writer in writer.array { for state in states { $0.string(state.name) } } })

    private static let words = JSONKeys(SessionState.names)
}

extension JSONForm<DayPart> {
    static let dayPart = word("time slot")
}

extension JSONForm<SessionState> {
    static let state = word("session state")
}

extension Pleasure.Dimension {
    static let words = JSONKeys(names)
    static let optionalWords = JSONKeys(names, required: [])
}
