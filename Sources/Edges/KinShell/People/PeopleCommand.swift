import KinEngine

/// The meaning of a line typed to a store of people.
enum PeopleCommand: Equatable {
    /// A question, and the file to draw the answer in where there is something to draw.
    case ask(PeopleQuestion, plot: String?)
    case affinity(AffinityQuestion)
    case rhythm(RhythmQuestion)
    case turn(Command.Switch, isOn: Bool)
    case help(topic: String?)
    case quit

    static func ask(_ question: PeopleQuestion) -> PeopleCommand { .ask(question, plot: nil) }
}
