/// A generator of a year of daily content, from themes and sentences written for this project; no person is quoted.
///
/// Day d is about domain (d − 1) mod 4. The 91 days of a domain have distinct pairs of 13 themes and 7 frames, since 13
/// and 7 have no common factor. The seed determines the order of themes and frames in each domain.
public struct ContentGenerator: Sendable {
    /// The seed of the generator; equal seeds generate equal years.
    public let seed: UInt64

    /// Creates a generator of the year of a seed, which may be any number.
    public init(seed: UInt64 = 364) { self.seed = seed }

    /// Generates the 364 days of the year.
    public func library() -> ContentLibrary {
        var generator = SeededGenerator(seed: seed)
        let domains = ContentDomain.allCases
        let orders = domains.map { domain in
            (
                themes: ContentThemes.themes(of: domain).shuffled(using: &generator),
                frames: Frame.all.shuffled(using: &generator)
            )
        }
        do throws(KinError) {
            var items: [ContentItem] = []
            for id in 1...ContentLibrary.dayCount {
                let (place, number) = ((id - 1) % domains.count, (id - 1) / domains.count)
                let order = orders[place]
                let frame = order.frames[number % order.frames.count]
                items.append(
                    try frame.item(id: id, domain: domains[place], theme: order.themes[number % order.themes.count]))
            }
            return try ContentLibrary(items)
        } catch {
            preconditionFailure("the generator's own days are right: \(error)")
        }
    }
}

/// The sentences around the theme of a day.
private struct Frame: Sendable {
    let difficulty: DifficultyLevel
    let minutes: Double
    /// The text before the theme's statement; # is replaced by the theme's name.
    let before: String
    /// The text after the theme's statement.
    let after: String
    /// The end of the action's sentence.
    let addition: String

    static let all = [
        Frame(
            difficulty: .beginner, minutes: 5, before: "",
            after: ". One honest minute for # today is worth more than a plan that waits.",
            addition: "."),
        Frame(
            difficulty: .beginner, minutes: 10, before: "Nobody has to be perfect when it comes to #. ",
            after: ", and a little every day is enough.", addition: ", and afterwards write one sentence about it."),
        Frame(
            difficulty: .beginner, minutes: 5, before: "Notice # once today, without judging anything. ",
            after: ", and noticing is where a change begins.", addition: " before the first half of the day is over."),
        Frame(
            difficulty: .intermediate, minutes: 15, before: "Let # have a place in an ordinary day. ",
            after: ", and what you repeat becomes a part of you.", addition: "."),
        Frame(
            difficulty: .intermediate, minutes: 20, before: "It is easy to put off #. ",
            after: ", and the best moment to come back to it is this one.",
            addition: ", at a time that you choose this morning."),
        Frame(
            difficulty: .advanced, minutes: 30, before: "When you find it hard to think about #, go gently and stay. ",
            after: ".", addition: "."),
        Frame(
            difficulty: .advanced, minutes: 45, before: "Give your whole attention to # today. ",
            after: ", and care is what makes the difference.", addition: ", and tell somebody what you learned from it."
        ),
    ]

    func item(id: Int, domain: ContentDomain, theme: ContentTheme) throws(KinError) -> ContentItem {
        let quote = (before + theme.truth + after).replacing("#", with: theme.name)
        let action = theme.actions[difficulty.level] + addition
        return try ContentItem(
            id: id, quote: quote, source: "The Kin project", action: action, minutes: minutes, domain: domain,
            difficulty: difficulty)
    }
}
