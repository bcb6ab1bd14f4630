import Kin

/// The words of trackers for events.
enum LogWords {
    /// The kinds of rows.
    enum Kind {
        case sleep, feed, diaper, milestone
        /// The start and the end of a night or sleep in separate rows, and a time awake within it.
        case asleep, awake, waking
    }

    /// The kind that a row's type names; nil for an unknown one.
    static func kind(_ type: String) -> Kind? {
        if let kind = kinds[type] { return kind }
        // The values of Apple Health. Its InBed and Awake are no sleeps.
        if type.hasPrefix("HKCategoryValueSleepAnalysisAsleep") { return .sleep }
        let words = words(type)
        if let kind = kinds[words.joined(separator: " ")] { return kind }
        // Words of one kind with details: Nap 2, Breast (left), Dirty Wet, pee and poo.
        let named = Set(words.filter { Int($0) == nil && !details.contains($0) }.map { kinds[$0] })
        guard named.count == 1, let kind = named.first, [.sleep, .feed, .diaper].contains(kind) else { return nil }
        return kind
    }

    /// Words next to that for a kind.
    private static let details: Set = ["and", "left", "right", "both", "dry", "fed"]

    /// Whether the end of an event is a word for one that is not over.
    static func isRunning(_ end: String) -> Bool {
        [
            "0", "ongoing", "running", "now", "in progress", "asleep", "still asleep", "sleeping", "still sleeping",
            "läuft",
        ]
        .contains(end.lowercased())
    }

    /// The start or the end of a sleep that a state names; nil for other states.
    static func mark(_ state: String) -> Kind? {
        switch state.lowercased() {
        case "start", "started", "begin", "on": .asleep
        case "end", "ended", "stop", "stopped", "off": .awake
        default: nil
        }
    }

    /// The type in the name of a file or list: `Mia_sleep.csv`, `feedings`.
    static func kind(ofFile name: String) -> String? {
        let words = words(name)
        if words.contains(where: { ["pump", "pumping", "pumped"].contains($0) }) { return nil }
        return words.flatMap { [$0, String($0.dropLast())] }.first { word in
            [.sleep, .feed, .diaper, .milestone].contains { $0 == kinds[word] }
        }
    }

    private static let kinds: [String: Kind] = {
        let words: [(Kind, String)] = [
            (.sleep, "sleep;sleeping;slept;nap;naptime;night sleep;night;sleep session;long sleep;late nap;72"),
            (.sleep, "schlaf;schlafen;nickerchen;mittagsschlaf;nachtschlaf;sommeil;sieste;dodo;sueño;siesta"),
            (.feed, "combo feed;mahlzeit;füttern;fütterung;flasche;fläschchen;stillen;brust;repas;tétée;biberon;sein"),
            (.feed, "allaitement;comida;toma;biberón;pecho;lactancia"),
            (.diaper, "windel;windeln;wickeln;windelwechsel;couche;couches;pañal;pañales"),
            (
                .feed,
                "feed;feeding;breastfed;bottle;bottle feed;bottle feeding;bottlefeeding;formula;breast;breastfeed;breast feed;breastfeeding;breast feeding;"
                    + "nursing;nurse;solids;solid;solid food;solid feed;meal;expressed;expressed milk;expressed breast milk;breast milk;milk;"
                    + "left breast;right breast;both breasts"
            ),
            (
                .diaper,
                "diaper;diapers;diaper change;diapering;nappy;nappies;nappy change;change;changes;pee;poo;poop;wet;dirty;mixed;bm"
            ),
            (.milestone, "milestone"), (.asleep, "bed time;bedtime;fell asleep;asleep;sleep start"),
            (.awake, "woke up;wake up;awake;wake;sleep end"), (.waking, "night waking"),
        ]
        return Dictionary(words.flatMap { kind, list in list.split(separator: ";").map { (String($0), kind) } }) {
            first, _ in first
        }
    }()

    /// The method of a feed that words name; nil for others.
    static func method(_ text: String) -> RhythmRecord.Feed.Method? {
        let words = words(text)
        if words.contains(where: { bottles.contains($0) }) { return .bottle }
        if words.contains(where: { $0.hasPrefix("solid") || $0 == "meal" || $0 == "food" }) { return .solids }
        return words.contains { $0.hasPrefix("breast") || breasts.contains($0) }
            ? .breast : nil
    }

    private static let bottles = Set(words("bottle formula expressed pumped flasche fläschchen biberon biberón"))
    private static let breasts = Set(words("nursing nurse self stillen brust tétée sein allaitement pecho lactancia"))

    /// The side of a breastfeed that words name; nil for others.
    static func side(_ text: String) -> RhythmRecord.Feed.Side? {
        let words = words(text)
        if words.contains("both") || words.contains("left") && words.contains("right") { return .both }
        if words.contains("left") || words == ["l"] { return .left }
        return words.contains("right") || words == ["r"] ? .right : nil
    }

    /// The contents of a diaper that words name; nil for others.
    static func diaper(_ text: String) -> RhythmRecord.Diaper? {
        let words = Set(words(text))
        let isWet = !words.isDisjoint(with: ["wet", "pee", "peed", "urine", "wee"])
        let isDirty = !words.isDisjoint(with: ["dirty", "poo", "poop", "pooped", "stool", "bm", "soiled", "solid"])
        if words.contains("both") || words.contains("mixed") || isWet && isDirty { return .both }
        if isWet || isDirty { return isWet ? .wet : .dirty }
        return words.contains("dry") || words.contains("clean") ? .dry : nil
    }

    /// The Boolean for yes, no and similar words; nil for other texts.
    static func isYes(_ text: String) -> Bool? {
        switch text.lowercased() {
        case "1", "true", "yes", "y", "x", "1.0": true
        case "0", "false", "no", "n", "0.0": false
        default: nil
        }
    }

    /// The words of a text in lower case.
    static func words(_ text: String) -> [String] {
        text.isEmpty ? [] : LogColumns.base(of: text).base.split(separator: " ").map(String.init)
    }
}
