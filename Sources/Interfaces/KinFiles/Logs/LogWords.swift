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
        case "start", "started", "begin", "on": return .asleep
        case "end", "ended", "stop", "stopped", "off": return .awake
        default: break
        }
        if let isAsleep = isYes(state) ?? isAsleep(state) { return isAsleep ? .asleep : .awake }
        let kind = kinds[words(state).joined(separator: " ")]
        return kind == .asleep || kind == .awake ? kind : nil
    }

    /// Whether a stage of sleep is a time asleep, and not awake or in bed; nil for other texts.
    static func isAsleep(_ stage: String) -> Bool? {
        var words = words(stage).joined(separator: " ")
        for prefix in ["hkcategory value sleep analysis ", "sleep stage ", "stage type "] where words.hasPrefix(prefix)
        {
            words.removeFirst(prefix.count)
        }
        return stages[words]
    }

    /// 40001 to 40004 are the stages of Samsung Health.
    private static let stages: [String: Bool] = Dictionary(
        uniqueKeysWithValues: [
            "asleep", "sleeping", "sleep", "core", "asleep core", "rem", "asleep rem", "deep", "asleep deep", "light",
            "restless", "asleep unspecified", "40002", "40003", "40004",
        ].map { ($0, true) }
            + [
                "awake", "wake", "in bed", "inbed", "awake in bed", "out of bed", "not asleep", "not sleeping", "wach",
                "40001",
            ].map { ($0, false) })

    /// Whether a state or status is of an event that did not happen.
    static func isUnreal(_ status: String) -> Bool {
        ["planned", "scheduled", "upcoming", "skipped", "missed", "cancelled", "canceled", "deleted", "removed"]
            .contains(status.lowercased())
    }

    /// The type in the name of a file or list: `Mia_sleep.csv`, `feedings`.
    static func kind(ofFile name: String) -> String? {
        let words = words(name)
        if words.contains(where: { ["pump", "pumping", "pumped"].contains($0) }) { return nil }
        return words.flatMap { [$0, String($0.dropLast())] }.first { word in
            [.sleep, .feed, .diaper, .milestone].contains { $0 == kinds[word] }
        }
    }

    /// The type of the rows of a file: that of its format, unless the file's name has a different one.
    static func type(_ format: String?, ofFile name: String) -> String? {
        let named = kind(ofFile: name)
        guard let format, let named, let kind = kind(format), kind != self.kind(named) else { return format ?? named }
        return named
    }

    /// Whether a text is about an event: its type, method, side or kind of diaper.
    static func isOfEvents(_ text: String) -> Bool {
        kind(text) != nil || method(text) != nil || side(text) != nil || diaper(text) != nil || isYes(text) != nil
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
