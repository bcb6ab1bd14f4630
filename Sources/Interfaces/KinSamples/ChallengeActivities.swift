/// An activity for a generated challenge.
struct ChallengeActivity: Sendable {
    let title: String
    let text: String
    let minutes: Double
    let social: SocialRequirement
    let cost: CostLevel
    let tags: [String]

    /// Reads a line of the table: title, text, then minutes, company and cost, then tags.
    fileprivate init(_ line: Substring) {
        let parts = line.split(separator: " | ").map(String.init)
        let levels = parts.count == 4 ? words(parts[2]) : []
        guard levels.count == 3, let minutes = Double(levels[0]), let social = SocialRequirement(rawValue: levels[1]),
            let cost = CostLevel(rawValue: levels[2])
        else { preconditionFailure("the table of activities is right") }
        (title, text, self.minutes, self.social, self.cost) = (parts[0], parts[1], minutes, social, cost)
        tags = words(parts[3])
    }
}

/// Activities by category, written for this project. Tags name related dimensions of the pleasure space.
enum ChallengeActivities {
    static let all: [(category: String, activities: [ChallengeActivity])] = table.split(separator: "\n\n").map {
        let lines = $0.split(separator: "\n")
        return (String(lines[0]), lines.dropFirst().map(ChallengeActivity.init))
    }

    private static let table = """
        movement
        Take a brisk walk | Walk fast enough to feel your breath. | 20 solo free | mobility path
        Stretch from head to toe | Give each joint its turn. | 10 solo free | order repetition
        Climb some stairs | Up at your own pace, and down slowly. | 8 solo free | power repetition
        Dance to three songs | Choose them first, then do not stop. | 12 optional free | mobility material_play
        Ride a bicycle | Any way that you like, back by another one. | 45 optional low | mobility horizon
        Play a game with a ball | Find people and a place. | 60 group low | power mobility

        calm
        Breathe out slowly | Twice as long out as in. | 5 solo free | enclosure repetition
        Sit in a quiet corner | No screen, no book, no plan. | 15 solo free | enclosure order
        Take a long bath or shower | Stay until you are warm to the bone. | 40 solo low | enclosure material_play
        Listen to one album | Lie down and do nothing else. | 45 optional free | anchor_expansion enclosure
        Write down what weighs on you | Then close the notebook. | 15 solo free | anxiety order
        Watch the clouds | Until three of them have changed. | 12 solo free | nature_mirror horizon

        connection
        Call somebody you miss | Ask how they really are. | 25 partner free | anchor_expansion serendipity_following
        Write a letter by hand | One page, and send it. | 30 solo low | material_play post
        Cook for somebody | Something that they like. | 75 partner medium | food material_play
        Greet everybody on your way | By name where you know it. | 15 optional free | serendipity_following path
        Have people over | Tea is enough. | 120 group medium | food anchor_expansion
        Tell somebody what you value in them | Something particular. | 5 partner free | anxiety power

        nature
        Follow a stream or a row of trees | As far as it leads. | 50 optional free | nature_mirror path
        Find ten kinds of leaves | Lay them side by side. | 30 optional free | nature_mirror order
        Watch the sun set | From the first colour to the last. | 35 optional free | nature_mirror horizon
        Sit under a tree | Until something comes near. | 20 solo free | nature_mirror enclosure
        Plant something | A pot on a sill will do. | 25 solo low | nature_mirror material_play
        Spend half a day outside | Whatever the weather. | 180 optional low | nature_mirror mobility

        making
        Draw what is in front of you | Look more than you draw. | 20 solo free | material_play ignorance
        Repair something small | It has waited long enough. | 30 solo low | material_play power
        Bake bread | Flour, water, salt and time. | 150 solo low | food material_play
        Write a very short story | It begins with a door. | 25 solo free | ignorance serendipity_following
        Build something from wood or paper | Without a plan. | 60 optional medium | material_play ignorance
        Take ten pictures of one thing | Each from elsewhere. | 15 solo free | order repetition

        learning
        Learn twenty words of a language | And say five sentences with them. | 20 solo free | ignorance repetition
        Visit a museum | One room is enough. | 90 optional medium | ignorance order
        Ask an expert a question | Somebody who loves their subject. | 15 partner free | ignorance power
        Read a chapter | Of a book that you have put off. | 30 solo free | enclosure ignorance
        Take a lesson | In something that you cannot do at all. | 60 group high | ignorance power
        Explain something to somebody | Until they can explain it back. | 20 partner free | power order

        home
        Clear one drawer | Keep what you use or love. | 15 solo free | order enclosure
        Give away three things | To somebody who wants them. | 20 optional free | order power
        Move the furniture | One corner is a beginning. | 45 optional free | enclosure material_play
        Clean a window | And look through it. | 10 solo free | order horizon
        Make a place to read | With light from the side. | 30 solo low | enclosure anchor_expansion
        Cook something new | With one thing that you never bought before. | 50 optional medium | food serendipity_following

        adventure
        Take a way that you never took | At every corner, choose the less known. | 30 optional free | serendipity_following path
        Ride to the last stop | And walk back a part of it. | 90 optional low | serendipity_following horizon
        Talk with a stranger | About something that you both see. | 10 partner free | serendipity_following anxiety
        Eat in a place unknown to you | Order what you cannot pronounce. | 60 optional high | food serendipity_following
        Let a coin decide | Heads is left, tails is right. | 25 solo free | serendipity_following erotic_uncertainty
        Go to an event that you know nothing about | Stay until it ends. | 150 group high | erotic_uncertainty serendipity_following
        """

    /// The variations that turn an activity into additional challenges.
    static let twists: [(name: String, text: String, timeFactor: Double, difficulty: DifficultyLevel, tag: String?)] = [
        ("", "", 1, .beginner, nil),
        ("early in the day", "Begin before anything else has begun.", 1, .intermediate, "morning"),
        ("without your phone", "Leave it where you cannot hear it.", 1, .intermediate, "offline"),
        ("for twice as long", "When you want to stop, go on a little.", 2, .advanced, "patience"),
        ("and write about it", "Three sentences are enough.", 1.25, .intermediate, "writing"),
        ("in the evening", "As the last thing that you set out to do.", 1, .beginner, "evening"),
    ]
}
