/// A theme of daily content: its name, a statement about it, and an action for each difficulty.
struct ContentTheme: Sendable {
    /// "your breath"; follows "when it comes to".
    let name: String
    /// A whole sentence without its full stop.
    let truth: String
    /// The actions for beginners, intermediate and advanced people.
    let actions: [String]

    init(_ name: String, _ truth: String, _ actions: String...) {
        self.name = name
        self.truth = truth
        self.actions = actions
    }
}

/// Thirteen themes for each domain, written for this project.
enum ContentThemes {
    static func themes(of domain: ContentDomain) -> [ContentTheme] {
        switch domain {
        case .consciousness: consciousness
        case .health: health
        case .wealth: wealth
        case .relationships: relationships
        }
    }

    static let consciousness = [
        ContentTheme(
            "your breath", "The breath is always there, and it never asks you to be anywhere else",
            "Sit still and count ten breaths", "Breathe out twice as long as you breathe in for some minutes",
            "Sit with the breath alone and return to it each time you drift"),
        ContentTheme(
            "quiet", "In a quiet room the things that matter speak up without being asked",
            "Sit without any sound or screen", "Walk a familiar way without speaking or listening to anything",
            "Spend an hour in silence and note what comes up"),
        ContentTheme(
            "attention", "Where your attention goes, the hours of your life go with it",
            "Do one thing from beginning to end without looking at a screen",
            "Choose one sound and follow it until it ends, several times",
            "Note every time your attention moves, and bring it back kindly"),
        ContentTheme(
            "the present moment", "Yesterday is a memory and tomorrow is a guess, and both are thought about today",
            "Name five things that you can see around you", "Take a meal slowly and notice each bite",
            "Go through your evening as if every task were the only one"),
        ContentTheme(
            "gratitude", "A thing that you have noticed with thanks is a thing that you have twice",
            "Write down three things that went well", "Tell somebody what you are thankful to them for",
            "Write a page about something hard that you can be thankful for"),
        ContentTheme(
            "your thoughts", "A thought is a visitor, and you may greet it without offering it a room",
            "Watch your thoughts pass as if they were clouds", "Write down whatever you think, without choosing",
            "Find a thought that keeps returning and write what lies beneath it"),
        ContentTheme(
            "curiosity", "Whoever asks one more question stays young in the place where the question was asked",
            "Ask somebody a question that you do not know the answer to", "Learn how something in your home works",
            "Take an opinion of yours and look for the best case against it"),
        ContentTheme(
            "patience", "Most of what grows well grows at a speed that nobody can see by watching",
            "Choose the longer queue and breathe while you wait", "Do one task at half of your usual speed",
            "Leave a decision overnight that you would like to make at once"),
        ContentTheme(
            "your values", "A value that never costs you anything may only be a decoration",
            "Write down the three words that you want to live by",
            "Find one place in your day where a value of yours is missing",
            "Change a plan for this week so that it fits what you value most"),
        ContentTheme(
            "letting go", "An open hand can neither hold on nor be emptied against its will",
            "Throw away or give away one thing that you do not need", "Write down a worry, then close the notebook",
            "Write a letter of farewell to an old plan, and do not send it"),
        ContentTheme(
            "wonder", "The world has never been ordinary, it has only been looked at in a hurry",
            "Look at the sky for a while", "Look at one leaf or stone until you find ten details",
            "Watch a sunrise or a sunset from beginning to end"),
        ContentTheme(
            "the story that you tell about yourself",
            "You are the one who tells the story, and so you may turn the page",
            "Describe yourself in three kind sentences", "Write down a mistake as if a good friend had made it",
            "Write the next chapter of your life on one page"),
        ContentTheme(
            "rest for the mind", "A field that lies fallow for a season is still a part of the farm",
            "Close your eyes and do nothing", "Leave your phone in another room during a break",
            "Keep an evening free of every plan and see what it becomes"),
    ]

    static let health = [
        ContentTheme(
            "sleep", "A good day begins on the evening before, with the light that you put out",
            "Choose the time at which you put out the light today", "Keep screens out of the last hour of your day",
            "Go to bed and get up at the same times, and note how you feel"),
        ContentTheme(
            "walking", "Every long way that was ever walked was made of steps that were not long",
            "Walk around the block", "Take a walk that ends where it began by another way",
            "Walk for an hour at a pace that lets you talk"),
        ContentTheme(
            "water", "The body asks for little, and what it asks for first is plain water",
            "Drink a glass of water before your next meal", "Keep a bottle beside you and empty it by the evening",
            "Replace every sweet drink of today by water"),
        ContentTheme(
            "the food on your plate", "What you eat today is what you will be partly made of next month",
            "Add one vegetable to a meal", "Cook a meal from things that have no label",
            "Plan the meals of three days and shop for them"),
        ContentTheme(
            "strength", "Muscles are honest, and they answer exactly the questions that they are asked",
            "Do ten slow squats", "Do three rounds of push-ups, against a wall if need be",
            "Train with weights or your own weight until the last one is hard"),
        ContentTheme(
            "your back", "A spine is built to move in every direction, and a chair knows only one",
            "Stand up and stretch towards the ceiling", "Get up every half hour during one morning",
            "Go through a full round of stretches for back and hips"),
        ContentTheme(
            "daylight", "Light in the morning tells the whole body what time it is, better than any clock",
            "Stand at an open window or a door for a while", "Be outside within an hour of waking up",
            "Have breakfast or a break outside, in any weather"),
        ContentTheme(
            "your heart", "A heart that is asked to work a little each day finds its work light",
            "Take the stairs today", "Move so that you breathe faster, and rest, several times",
            "Run, cycle or swim at an even pace"),
        ContentTheme(
            "balance", "Standing on one leg is a small thing until the day on which it is needed",
            "Stand on one leg while you brush your teeth", "Walk heel to toe along a line, there and back",
            "Practise standing on one leg with your eyes closed, near a wall"),
        ContentTheme(
            "rest", "Nobody gets stronger during the work, since the body builds in the pauses between",
            "Lie on the floor and let everything be heavy", "Take a real break in the middle of your day",
            "Plan a day of rest this week and guard it"),
        ContentTheme(
            "stress", "A load is not carried by the arms alone but by the breath under it",
            "Let your shoulders drop and breathe out slowly",
            "Write down what weighs on you and what you can change of it",
            "Say no to one thing that you would do out of habit"),
        ContentTheme(
            "the signals of your body", "The body whispers for a long time before it begins to shout",
            "Ask each part of your body how it is, from the feet up",
            "Note hunger, tiredness and mood three times today",
            "Make the appointment that you have been putting off"),
        ContentTheme(
            "play", "Grown people do not stop playing because they get old, rather the other way round",
            "Move to a song that you like", "Throw, kick or juggle something",
            "Try a sport or a dance that you have never tried"),
    ]

    static let wealth = [
        ContentTheme(
            "knowing what you have", "A number that you know is smaller than a number that you fear",
            "Look at the balance of one account", "Write down what you own and what you owe",
            "Draw up a full list of accounts, contracts and debts"),
        ContentTheme(
            "saving", "What you set aside first is saved, and what is left at the end is only left",
            "Put a small sum aside", "Set up a transfer to savings for the day after payday",
            "Work out how many months your savings would last, and choose a goal"),
        ContentTheme(
            "spending", "Every price is also a number of hours, and the hours were yours",
            "Wait a day before you buy something", "Go through last week's purchases and mark those that were worth it",
            "Spend nothing for a day but on what is needed"),
        ContentTheme(
            "your skills", "The one thing that nobody can tax or take is what you know how to do",
            "Read about something that is useful in your work",
            "Practise one skill on purpose, a little beyond what you can",
            "Plan three months of learning and put the hours in your calendar"),
        ContentTheme(
            "time", "Money that was lost can return, and an hour that was lost cannot",
            "Cross one thing off your list without doing it", "Plan tomorrow in blocks, the most important first",
            "Measure where the hours of a whole day go"),
        ContentTheme(
            "debt", "A debt is a promise that an earlier self made in the name of a later one",
            "Write down one debt with its rate", "Order your debts by their rates and choose the first to pay",
            "Call about a rate or a contract and ask for better terms"),
        ContentTheme(
            "your work", "Work that is done with care leaves something in the world and something in the worker",
            "Finish one small thing that has been waiting", "Give the first hour of your work to the hardest task",
            "Write down what work you would like to do in three years, and one step"),
        ContentTheme(
            "generosity", "What you can give without counting shows where you are already rich",
            "Give something small to somebody", "Offer an hour of what you are good at",
            "Choose a cause and plan what you will give in a year"),
        ContentTheme(
            "enough", "Whoever knows how much is enough has more than whoever does not",
            "Name three things that you would not want to do without",
            "Find a thing that you own twice and pass one on",
            "Write down what enough would mean for you, in numbers"),
        ContentTheme(
            "planning", "A plan is not a promise that things will go well, but a place to begin",
            "Write down one goal for this month", "Cut a goal into steps that take an hour each",
            "Draw up a budget for the next three months"),
        ContentTheme(
            "risk", "A risk that you have looked at closely is half as large as one that you have not",
            "Write down what could go wrong with a plan of yours", "Check which of your insurances you really need",
            "Think through a year without your main income, and prepare one thing"),
        ContentTheme(
            "asking", "The answer to a question that was never asked is always no",
            "Ask for something small that you would like", "Ask somebody with experience for their advice",
            "Prepare and ask for what your work is worth"),
        ContentTheme(
            "the long run", "Small sums and small efforts do their best work when they are left alone for years",
            "Think of something that you began years ago and are glad of",
            "Read how compound interest works and try it with numbers",
            "Choose one habit for the next ten years and begin it"),
    ]

    static let relationships = [
        ContentTheme(
            "listening", "Most people do not need an answer as much as they need somebody who hears the question",
            "Listen to somebody without interrupting", "Repeat in your own words what somebody told you",
            "Have a conversation in which you only ask questions"),
        ContentTheme(
            "kindness", "A kind word takes a moment and is often remembered for a year",
            "Say something kind to a stranger", "Do a chore that is somebody else's",
            "Do something good for somebody who will never know it was you"),
        ContentTheme(
            "an old friend", "A friendship is a path, and paths that nobody walks are soon overgrown",
            "Send a message to somebody you miss", "Call a friend whom you have not heard for months",
            "Plan a visit or a day with an old friend"),
        ContentTheme(
            "honesty", "The truth is easier to carry than the memory of what was said instead of it",
            "Say what you really think about something small", "Tell somebody what you need from them",
            "Have the conversation that you have been avoiding"),
        ContentTheme(
            "forgiveness", "To forgive is to stop drinking from a cup because somebody else once spoiled it",
            "Let one small annoyance pass", "Write down what you hold against somebody, and what they might say",
            "Forgive somebody in your heart, or ask to be forgiven"),
        ContentTheme(
            "your family", "People who have known us for long forget that we change, and so do we of them",
            "Ask somebody in your family how they really are", "Ask an older person about a time before you were born",
            "Begin a small tradition with somebody who is close to you"),
        ContentTheme(
            "boundaries", "A fence with a gate in it keeps more friends than a wall or an open field",
            "Take a moment before you say yes", "Say no to a request in one friendly sentence",
            "Tell somebody about a limit of yours, and keep it"),
        ContentTheme(
            "praise", "People grow towards whoever sees what is good in them, as plants do towards a window",
            "Praise somebody for something particular", "Tell somebody's boss, parent or friend what they did well",
            "Write a letter about what somebody has meant to you"),
        ContentTheme(
            "neighbours", "A street becomes a home on the day on which somebody knows your name",
            "Greet everybody whom you meet on your street", "Have a chat with a neighbour",
            "Invite neighbours or offer them your help with something"),
        ContentTheme(
            "time together", "Love is spelled with the letters of an ordinary afternoon that two people shared",
            "Eat with somebody and leave the phones away",
            "Do something with somebody that they like and you do not know",
            "Give a whole evening to one person"),
        ContentTheme(
            "disagreement", "Two people who never disagree have one opinion and one listener between them",
            "Ask somebody why they see a thing differently", "Find what is right in an opinion that you do not share",
            "Return to an argument and say what you could have done better"),
        ContentTheme(
            "being a friend to yourself", "The voice in your head is the one that you hear most, so teach it manners",
            "Say to yourself what you would say to a friend", "Do something that you enjoy, alone and on purpose",
            "Write yourself a letter from somebody who loves you"),
        ContentTheme(
            "trust", "Trust is put together from small promises that were kept when nobody was looking",
            "Keep a small promise today", "Tell somebody something that matters to you",
            "Hand over a task and do not check how it is done"),
    ]
}
